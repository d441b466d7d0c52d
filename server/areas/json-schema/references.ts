/**
 * Resolves each `$ref` to the JSON pointer of a subschema. Supports pointers and `$anchor` within
 * the same schema, with or without the `$id` of the root; fetches nothing.
 */
import { subschemasOf, isObject, type SchemaObject, type Subschema } from './subschemas.ts'

/** Keywords whose subschemas apply to the same value. */
const inPlace = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas']

export interface References {
  /** Maps the pointer of a schema with `$ref` to the pointer of its target. */
  targets: Map<string, string>
  faults: { path: string; message: string }[]
}

const nowhere = 'must point at a schema within this schema, for example "#/$defs/address"'
const remote =
  'must stay within this schema, because external schemas are not fetched; copy them to "$defs"'

export function resolveReferences(places: readonly Subschema[]): References {
  const references: References = { targets: new Map(), faults: [] }
  const addresses = addressesOf(places, references)
  const [root] = places
  const id = isObject(root?.schema) ? String(root.schema['$id'] ?? '').replace(/#$/, '') : ''
  for (const { schema, pointer } of places) {
    if (!isObject(schema) || typeof schema['$ref'] !== 'string') continue
    const reference = schema['$ref']
    const local = id !== '' && reference.startsWith(id) ? reference.slice(id.length) : reference
    const target = addresses.get(decoded(local.replace(/^#?/, '')))
    const is_local = local === '' || local.startsWith('#')
    if (is_local && target !== undefined) references.targets.set(pointer, target)
    else references.faults.push({ path: `${pointer}/$ref`, message: is_local ? nowhere : remote })
  }
  references.faults.push(...circlesIn(places, references))
  return references
}

/** Maps every fragment (pointers and anchors) to the pointer of its subschema. */
function addressesOf(places: readonly Subschema[], { faults }: References): Map<string, string> {
  const addresses = new Map(places.map(({ pointer }) => [pointer, pointer]))
  for (const { schema, pointer } of places) {
    if (!isObject(schema)) continue
    if (schema['$id'] !== undefined && pointer !== '')
      faults.push({
        path: `${pointer}/$id`,
        message: 'is only allowed at the root; use "$anchor"',
      })
    for (const name of new Set([schema['$anchor'], schema['$dynamicAnchor']])) {
      if (name === undefined) continue
      if (addresses.has(String(name)))
        faults.push({ path: pointer, message: 'is already the name of another schema here' })
      addresses.set(String(name), pointer)
    }
  }
  return addresses
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}

/** Finds reference cycles on the same value; validation would recurse forever. */
function circlesIn(places: readonly Subschema[], { targets }: References): References['faults'] {
  const faults: References['faults'] = []
  const seen = new Map<string, 'open' | 'done'>()
  const schemas = new Map(places.map(({ schema, pointer }) => [pointer, schema]))
  const visit = (pointer: string): void => {
    if (seen.has(pointer)) return
    seen.set(pointer, 'open')
    for (const next of besides(pointer)) {
      if (seen.get(next) === 'open')
        faults.push({ path: pointer, message: 'is a circular reference' })
      else visit(next)
    }
    seen.set(pointer, 'done')
  }
  const besides = (pointer: string): string[] => {
    const target = targets.get(pointer)
    const schema: SchemaObject = Object(schemas.get(pointer))
    const held = inPlace.flatMap((keyword) => [...subschemasOf(keyword, schema[keyword])])
    return [...(target === undefined ? [] : [target]), ...held.map(([step]) => pointer + step)]
  }
  for (const { pointer } of places) visit(pointer)
  return faults
}
