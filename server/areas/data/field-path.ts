/**
 * Names of fields: parts between dots (`address.city`), quoted where a part is no plain word
 * (`address."zip code"`). A leading `data.` says that the document's own field is meant, which
 * tells a field `created_at` of the data from the system's.
 */

export type FieldPath = readonly string[]

const PARTS_MAX = 10
const CHARACTERS_MAX = 200

const word = /^[\p{L}_][\p{L}\p{N}_]*$/u
const partPattern = /(?<word>[\p{L}_][\p{L}\p{N}_]*)|(?<quoted>"(?:[^"\\]|\\.)+")/uy

/** The path that a text names in the data of documents, or null when it is none. */
export function parseFieldPath(text: string): FieldPath | null {
  if (text.length > CHARACTERS_MAX) return null
  const parts: string[] = []
  for (let at = 0; at <= text.length;) {
    partPattern.lastIndex = at
    const found = partPattern.exec(text)
    const part = found && textOf(found)
    if (!found || part === null) return null
    parts.push(part)
    at = partPattern.lastIndex
    if (at === text.length) break
    if (text[at] !== '.') return null
    at += 1
  }
  const own = parts[0] === 'data' && parts.length > 1 ? parts.slice(1) : parts
  return own.length > 0 && own.length <= PARTS_MAX ? own : null
}

function textOf({ groups }: RegExpExecArray): string | null {
  const quoted = groups?.['quoted']
  if (quoted === undefined) return groups?.['word'] ?? null
  try {
    const text: unknown = JSON.parse(quoted)
    return typeof text === 'string' && text.isWellFormed() && !text.includes('\0') ? text : null
  } catch {
    return null
  }
}

/** The one way a path is written: how fields stand in `indexes`, `unique` and document_keys. */
export function writeFieldPath(path: FieldPath): string {
  // Without it, a field of the data that is called `data` would lose its first part when read.
  const whole = path[0] === 'data' && path.length > 1 ? ['data', ...path] : path
  return whole.map((part) => (word.test(part) ? part : JSON.stringify(part))).join('.')
}

/** The value at a path; undefined where there is none. Arrays are not walked into. */
export function valueAt(data: unknown, path: FieldPath): unknown {
  let value = data
  for (const part of path) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    const own: PropertyDescriptor | undefined = Object.getOwnPropertyDescriptor(value, part)
    value = own?.value
  }
  return value
}

/** The same place as a JSON pointer (RFC 6901), as errors name it. */
export function pointerTo(path: FieldPath): string {
  return path.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

const NAMES_LISTED_MAX = 40

/** Lists the fields below a path for an error message: at most 40, `none` if there are none. */
export function listFields(parent: FieldPath, names: readonly string[]): string {
  const listed = names.slice(0, NAMES_LISTED_MAX).map((name) => writeFieldPath([...parent, name]))
  const more = names.length > NAMES_LISTED_MAX ? ' and others' : ''
  return `${listed.join(', ') || 'none'}${more}`
}
