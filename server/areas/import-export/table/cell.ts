/**
 * Converts values to the text of a cell and back. Text stays as it is where possible; text that
 * would read as another type is written as a JSON string. `readText` returns the value that
 * `writeText` wrote, for every type of the column.
 */
import { limits } from '../../../contract/limits.ts'
import { isExactNumber } from '../../../kernel/values/exact-number.ts'
import { parseJson } from '../../../kernel/values/json.ts'
import { typeOfValue, type ValueTypes } from '../../json-schema/service.ts'

export function writeText(value: unknown, types: ValueTypes): string {
  if (typeof value !== 'string') return JSON.stringify(value)
  const plain = value === '' || !types.has('string') || readText(value, types) === value
  return plain ? value : JSON.stringify(value)
}

/** Returns the value of a text in a column of these types. */
export function readText(text: string, types: ValueTypes): unknown {
  if (!types.has('string')) return readWithoutText(text.trim(), types)
  const value = parsed(text)
  if (value === undefined) return text
  // Quotes are part of the text, unless they prevent reading it as another type.
  if (typeof value === 'string') return readText(value, types) === value ? text : value
  return types.has(typeOfValue(value)) ? value : text
}

/**
 * Parses JSON, but numbers only in their shortest form, so that 01, 1.50 and 1e5 stay text. Text
 * longer than a document is not parsed, because its document is refused.
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

/**
 * Accepts further notations of numbers and booleans. Any other text is returned for validation to
 * refuse.
 */
function readWithoutText(text: string, types: ValueTypes): unknown {
  if (types.has('number') && numberPattern.test(text) && isExactNumber(text)) return Number(text)
  const lower = text.toLowerCase()
  if (types.has('boolean') && (lower === 'true' || lower === 'false')) return lower === 'true'
  const value = parsed(text)
  return value !== undefined && types.has(typeOfValue(value)) ? value : text
}
