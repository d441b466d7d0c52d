/**
 * The subset of JSON Schema for forms: the schemas of one place, conversion of texts, and
 * validation. Unsupported keywords are left to the server.
 */
import { words } from '../../server/contract/problems/form-words.ts'

export const isObject = (value) => value === Object(value)
export const pointer = (path, name) => `${path}/${name.replace(/~/g, '~0').replace(/\//g, '~1')}`

const referred = (top, reference) =>
  decodeURIComponent(reference)
    .split('/')
    .slice(1)
    .reduce((at, part) => at?.[part.replace(/~1/g, '/').replace(/~0/g, '~')], top)

/**
 * Returns the schemas of one place including references and branches: those that must match, or
 * with `wide` those that may match.
 */
export const look = (schemas, top, wide) => {
  const views = new Set(schemas.filter(isObject))
  for (const { $ref, allOf, anyOf, oneOf, then, else: other } of views) {
    const target = /^#(\/|$)/.test($ref) && referred(top, $ref)
    for (const one of [target, allOf, wide && [anyOf, oneOf, then, other]].flat(2))
      if (isObject(one)) views.add(one)
  }
  return [...views]
}

export const below = (views, name, wide) =>
  views.map(({ properties = {}, additionalProperties }) =>
    Object.hasOwn(properties, name) ? properties[name] : wide && additionalProperties,
  )

export const itemsOf = (views) => views.map(({ items }) => items)
export const typesOf = (views) => [...new Set(views.flatMap(({ type = [] }) => type))]

/** Converts a text as the server does. */
export const valueOf = (text, views) => {
  const known = views.flatMap((view) => [view.enum, view.const]).flat()
  const chosen = known.find((one) => !isObject(one) && `${one}` === text)
  const types = typesOf(views)
  if (chosen !== undefined || types.includes('string')) return chosen ?? text
  if (/number|integer/.test(types) && /^\s*[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?\s*$/i.test(text))
    return Number(text)
  const word = types.includes('boolean') && /^\s*(true|on|yes|1|(false|off|no|0))\s*$/i.exec(text)
  return word ? !word[2] : text
}

const formats = {
  email: ['email', /^[^\s@]+@[^\s@]+\.[^\s@.]+$/],
  url: ['url', /^https?:\/\/\S+$/],
  date: ['date', /^\d{4}-\d\d-\d\d$/],
  'date-time': ['date', /^\d{4}-\d\d-\d\dT\d\d:\d\d/i],
}

const typeIs = (value, type) =>
  type === 'integer'
    ? Number.isInteger(value)
    : type === 'array'
      ? Array.isArray(value)
      : typeof value === type

const fits = (pattern, text) => {
  try {
    return new RegExp(pattern, 'u').test(text)
  } catch {
    return true
  }
}

const judgeText = (view, text, tell) => {
  const [word, format] = formats[view.format] ?? []
  if (format && !format.test(text)) tell(word)
  if (view.pattern && !fits(view.pattern, text)) tell('invalid')
}

/**
 * Calls `tell` with a key of the texts and a number for each error of a value, without its members.
 */
const judge = (view, value, tell) => {
  const types = [view.type ?? []].flat()
  const measure = (size, least, most) => {
    if (size < view[least]) tell(words[least] ? least : 'minimum', view[least])
    if (size > view[most]) tell(words[most] ? most : 'maximum', view[most])
  }
  if (types[0] && !types.some((type) => typeIs(value, type)))
    tell(words[types[0]] ? types[0] : 'invalid')
  if (view.enum?.includes(value) === false) tell('enum')
  if (view.const !== undefined && view.const !== value) tell('required')
  if (typeof value === 'number') measure(value, 'minimum', 'maximum')
  if (Array.isArray(value)) measure(value.length, 'minItems', 'maxItems')
  if (typeof value === 'string') {
    measure([...value].length, 'minLength', 'maxLength')
    judgeText(view, value, tell)
  }
}

/** Calls `tell(path, key, number)` for each error of a document. */
export const check = (top, document, tell) => {
  const visit = (schemas, value, path) => {
    const views = look(schemas, top)
    for (const view of views) judge(view, value, (...fault) => tell(path, ...fault))
    if (Array.isArray(value)) for (const one of value) visit(itemsOf(views), one, path)
    else if (isObject(value)) {
      for (const name of views.flatMap(({ required = [] }) => required))
        if (!Object.hasOwn(value, name)) tell(pointer(path, name), 'required')
      for (const name in value) visit(below(views, name), value[name], pointer(path, name))
    }
  }
  visit([top], document, '')
}
