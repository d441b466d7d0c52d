/**
 * Paths of fields: names separated by dots (`address.city`), quoted if a name is not a plain word
 * (`address."zip code"`). A leading `data.` selects a field of the data that has the name of a
 * system field, such as `data.created_at`.
 */
import { escapePointerPart } from '../../kernel/values/json.ts'

export type FieldPath = readonly string[]

const PARTS_MAX = 10
const CHARACTERS_MAX = 200

const word = /^[\p{L}_][\p{L}\p{N}_]*$/u
const partPattern = /(?<word>[\p{L}_][\p{L}\p{N}_]*)|(?<quoted>"(?:[^"\\]|\\.)+")/uy

/** Returns the path, or null if the text is not a valid path. */
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

/** Returns the normalized path, as stored in `indexes`, `unique` and document_keys. */
export function writeFieldPath(path: FieldPath): string {
  // Prevents a field named `data` from being read as the prefix `data.`.
  const whole = path[0] === 'data' && path.length > 1 ? ['data', ...path] : path
  return whole.map((part) => (word.test(part) ? part : JSON.stringify(part))).join('.')
}

/** Returns the value at a path, or undefined. Does not enter arrays. */
export function valueAt(data: unknown, path: FieldPath): unknown {
  let value = data
  for (const part of path) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    const own: PropertyDescriptor | undefined = Object.getOwnPropertyDescriptor(value, part)
    value = own?.value
  }
  return value
}

/** Returns the path as a JSON pointer (RFC 6901), for errors. */
export function pointerTo(path: FieldPath): string {
  return path.map((part) => `/${escapePointerPart(part)}`).join('')
}

const NAMES_LISTED_MAX = 40

/** Lists the fields below a path for an error message: at most 40, `none` if there are none. */
export function listFields(parent: FieldPath, names: readonly string[]): string {
  const listed = names.slice(0, NAMES_LISTED_MAX).map((name) => writeFieldPath([...parent, name]))
  const more = names.length > NAMES_LISTED_MAX ? ' and others' : ''
  return `${listed.join(', ') || 'none'}${more}`
}
