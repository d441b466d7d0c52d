/**
 * Builds the document that the server will build from the fields (form-fields.ts), to validate it
 * before sending. The fields themselves are sent.
 */
import { below, isObject, itemsOf, look, pointer, typesOf, valueOf } from './schema.js'

/**
 * Names of fields that never belong to the document, even if the schema contains them. No schema
 * contains `hp_` names.
 */
const signs = /^(token|redirect)$/
/** A placeholder for a file, whose value will be an id. */
const FILE = '#'

/** `address.city` is nested in `address`, unless the schema has a field with exactly this name. */
const pathIn = (views) => (name) => {
  const plain = name.replace(/\[\]$/, '')
  const own = [name, plain].find((one) => below(views, one).some(isObject))
  const parts = plain.split('.')
  return own ? [own] : parts.every(Boolean) ? parts : [plain]
}

const placesOf = (elements, pathOf) => {
  const places = new Map()
  for (const element of elements) {
    if (!element.name || element.matches(':disabled,button,fieldset,output,[type=submit]')) continue
    const key = pathOf(element.name).reduce(pointer, '')
    places.set(key, [...(places.get(key) ?? []), element])
  }
  return places
}

const newBranch = () => ({ texts: [], parts: new Map() })

const grow = (body, pathOf) => {
  const trunk = newBranch()
  for (const [name, value] of body) {
    const text = typeof value === 'string' ? value : value.size && FILE
    if (!text || !name || signs.test(name)) continue
    let branch = trunk
    for (const part of pathOf(name)) {
      if (!branch.parts.has(part)) branch.parts.set(part, newBranch())
      branch = branch.parts.get(part)
    }
    branch.texts.push(text)
  }
  return trunk
}

/** The document of the fields in `body`, and the elements of each place by JSON pointer. */
export const read = (elements, body, top) => {
  const widely = (schemas) => look(schemas, top, true)
  const root = widely([top])
  const build = ({ texts, parts }, views) => {
    const types = typesOf(views)
    if (texts[0]) {
      if (!types.includes('array') && (!texts[1] || types.includes('boolean')))
        return valueOf(texts.at(-1), views)
      const inside = types.includes('array') ? widely(itemsOf(views)) : views
      return texts.map((text) => valueOf(text, inside))
    }
    const required = views.flatMap((view) => view.required ?? [])
    const members = [...parts.keys(), ...required].flatMap((name) => {
      const inside = widely(below(views, name, true))
      const part = parts.get(name)
      if (part) return [[name, build(part, inside)]]
      // An unchecked checkbox sends nothing, which means false.
      return `${typesOf(inside)}` === 'boolean' ? [[name, false]] : []
    })
    return Object.fromEntries(members)
  }
  const pathOf = pathIn(root)
  return { data: build(grow(body, pathOf), root), places: placesOf(elements, pathOf) }
}
