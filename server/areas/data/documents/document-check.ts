/**
 * Checks a document by itself: storable, within the size limit, matching the schema. write-state.ts
 * checks conditions that depend on other documents.
 */
import type { ErrorSlug } from '../../../contract/error-catalogue.ts'
import { limits } from '../../../contract/limits.ts'
import { sha256 } from '../../../kernel/secrets/crypto.ts'
import { INEXACT_NUMBER } from '../../../kernel/values/exact-number.ts'
import { escapePointerPart } from '../../../kernel/values/json.ts'
import { valueAt } from '../field-path.ts'
import type { FieldError } from '../../json-schema/service.ts'
import type { IndexedField, Rules } from '../collections/rules.ts'
import type { JsonObject } from '../schema.ts'
import { sortKey } from '../sort-key.ts'
import { formatSize } from '../../../kernel/values/size.ts'

type RefusalSlug = Extract<
  ErrorSlug,
  | 'schema_mismatch'
  | 'document_too_large'
  | 'document_limit_reached'
  | 'plan_limit_reached'
  | 'not_found'
  | 'version_conflict'
>

/** The reason why a change to a document is refused. */
export interface DocumentRefusal {
  slug: RefusalSlug
  detail: string
  errors?: FieldError[]
  current_version?: number
}

export interface FieldKey {
  field: string
  key: Buffer
  digest: Buffer | null
}

/** A document that passed checkDocument. */
export interface CheckedDocument {
  data: JsonObject
  text: string
  bytes: number
  keys: readonly FieldKey[]
  /** The rules that the document passed. Other rules require another check. */
  rules: Rules
}

export function checkDocument(
  rules: Rules,
  data: JsonObject,
): CheckedDocument | { refusal: DocumentRefusal } {
  const unstorable = findUnstorable(data)
  if (unstorable) return { refusal: schemaMismatch([unstorable]) }
  const text = JSON.stringify(data)
  // JSON text contains what a string must not as an escape.
  const unstorable_text = text.includes('\\u') ? findUnstorable(data, textFault) : null
  if (unstorable_text) return { refusal: schemaMismatch([unstorable_text]) }
  const bytes = Buffer.byteLength(text)
  if (bytes > limits.document_bytes_max) {
    const detail = `The document is larger than ${formatSize(limits.document_bytes_max)} as JSON.`
    return { refusal: { slug: 'document_too_large', detail } }
  }
  if (/\de[+-]/.test(text) && bytes + exponentDigits(data) > limits.document_expanded_bytes_max) {
    const most = formatSize(limits.document_expanded_bytes_max)
    const detail = `The document is larger than ${most} with its numbers written without exponents.`
    return { refusal: { slug: 'document_too_large', detail } }
  }
  const faults = rules.schema.check(data)
  if (faults.length > 0) return { refusal: schemaMismatch(faults) }
  return { data, text, bytes, keys: indexKeysOf(rules.fields, data), rules }
}

/** The number of digits that numbers such as 1e+308 get in PostgreSQL, which writes no exponents. */
function exponentDigits(value: unknown): number {
  if (typeof value === 'number') {
    const [, exponent = 0] = String(value).split('e')
    return Math.abs(Number(exponent))
  }
  if (typeof value !== 'object' || value === null) return 0
  let digits = 0
  for (const inner of Object.values(value)) digits += exponentDigits(inner)
  return digits
}

export function schemaMismatch(errors: FieldError[]): DocumentRefusal {
  const [first] = errors
  const more = errors.length > 1 ? `, and ${errors.length - 1} more` : ''
  const said = `${first?.path || 'The document'}: ${first?.message ?? 'does not fit'}`
  const detail = `${said.replace(/\.$/, '')}${more}.`
  return { slug: 'schema_mismatch', detail, errors }
}

/** Returns the index keys of a document. Arrays and objects have no order and no digest. */
export function indexKeysOf(fields: readonly IndexedField[], data: unknown): FieldKey[] {
  return fields.map(({ name, path, unique }) => {
    const value = valueAt(data, path)
    return { field: name, key: sortKey(value), digest: unique ? digestOf(value) : null }
  })
}

/**
 * Returns equal digests for equal values; null if the value is missing, null, an array or an
 * object.
 */
export function digestOf(value: unknown): Buffer | null {
  const comparable = ['string', 'number', 'boolean'].includes(typeof value)
  return comparable ? sha256(JSON.stringify(value)) : null
}

/**
 * Returns the first value that PostgreSQL or JSON cannot represent, or null. Request bodies are
 * checked when they are parsed, but documents also come from forms and imports. The path is built
 * only for a fault.
 */
function findUnstorable(
  value: unknown,
  faultOf: (text: string) => FieldError | null = noFault,
  depth = 0,
): FieldError | null {
  if (typeof value === 'string') return faultOf(value)
  if (typeof value === 'number') {
    return Number.isFinite(value) ? null : here('must be a number of smaller magnitude')
  }
  if (typeof value !== 'object' || value === null) return null
  if (JSON.isRawJSON(value)) return here(INEXACT_NUMBER)
  if (depth >= limits.json_depth_max)
    return here(`must not be nested more than ${limits.json_depth_max} levels deep`)
  for (const name of Object.keys(value)) {
    const inner: unknown = value[name as keyof typeof value]
    const fault = faultOf(name) ?? findUnstorable(inner, faultOf, depth + 1)
    if (fault) return { ...fault, path: `/${escapePointerPart(name)}${fault.path}` }
  }
  return null
}

function noFault(): FieldError | null {
  return null
}

function textFault(text: string): FieldError | null {
  if (text.includes('\0')) return here('must not contain the NUL character')
  return text.isWellFormed() ? null : here('must be well-formed Unicode text')
}

function here(message: string): FieldError {
  return { path: '', message }
}
