/**
 * Values as the text of a cell, and back. Text stands as it is wherever it can; what would be read
 * as something else stands as JSON, in quotes. Whatever `writeText` writes, `readText` reads back
 * as the same value, for every type that the column may hold.
 */
import { limits } from '../../../contract/limits.ts'
import { parseJson } from '../../../kernel/values/json.ts'
import { typeOfValue, type ValueTypes } from '../json-schema/value-types.ts'

export function writeText(value: unknown, types: ValueTypes): string {
  if (typeof value !== 'string') return JSON.stringify(value)
  const plain = value === '' || !types.has('string') || readText(value, types) === value
  return plain ? value : JSON.stringify(value)
}

/** The value that a text stands for in a column of these types. */
export function readText(text: string, types: ValueTypes): unknown {
  if (!types.has('string')) return readWithoutText(text.trim(), types)
  const value = parsed(text)
  if (value === undefined) return text
  // Quotes belong to the text, unless they keep it from being read as something else.
  if (typeof value === 'string') return readText(value, types) === value ? text : value
  return types.has(typeOfValue(value)) ? value : text
}

/**
 * JSON; of numbers only as they are written here, so that 01, 1.50 and 1e5 stay texts. What is
 * longer than a document may be is not parsed, because its document is refused in any case.
 */
function parsed(text: string): unknown {
  if (text.length > limits.document_bytes_max) return undefined
  if (!/^[-\d"[{]|^(?:true|false|null)$/.test(text)) return undefined
  const result = parseJson(text, limits.json_depth_max)
  if ('fault' in result) return undefined
  return typeof result.value === 'number' && String(result.value) !== text
    ? undefined
    : result.value
}

const numberPattern = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/

/** Where no text may stand, other spellings are taken too. What is none stays, and is refused. */
function readWithoutText(text: string, types: ValueTypes): unknown {
  if (types.has('number') && numberPattern.test(text) && Number.isFinite(Number(text)))
    return Number(text)
  const lower = text.toLowerCase()
  if (types.has('boolean') && (lower === 'true' || lower === 'false')) return lower === 'true'
  const value = parsed(text)
  return value !== undefined && types.has(typeOfValue(value)) ? value : text
}

const formula = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/
const guarded = /^'+[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/

/** A text that a spreadsheet would take for a formula, with an apostrophe before it. */
export function guardFormula(text: string): string {
  return formula.test(text) ? `'${text}` : text
}

/** Takes away exactly what `guardFormula` put there. */
export function unguardFormula(text: string): string {
  return guarded.test(text) ? text.slice(1) : text
}
