/**
 * What is asked of a document by itself: that it can be stored, is not too large and matches the
 * schema. What depends on the other documents of the collection is settled where it is written.
 */
import type { ErrorSlug } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { sha256 } from '../../kernel/secrets/crypto.ts'
import { pointerPart } from '../../kernel/values/json.ts'
import { valueAt } from './field-path.ts'
import type { FieldError } from './json-schema/field-errors.ts'
import type { Field, Rules } from './rules.ts'
import type { JsonObject } from './schema.ts'
import { sortKey } from './sort-key.ts'

type RefusalSlug = Extract<
  ErrorSlug,
  | 'schema_mismatch'
  | 'document_too_large'
  | 'document_limit_reached'
  | 'plan_limit_reached'
  | 'not_found'
  | 'version_conflict'
>

/** Why a document is not written. */
export interface Refusal {
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

/** A document that may be written, as far as it can be told from itself. */
export interface CheckedDocument {
  data: JsonObject
  text: string
  bytes: number
  keys: readonly FieldKey[]
  /** By which it was judged. */
  rules: Rules
}

export function checkDocument(
  rules: Rules,
  data: JsonObject,
): CheckedDocument | { refusal: Refusal } {
  const unstorable = findUnstorable(data)
  if (unstorable) return { refusal: mismatch([unstorable]) }
  const text = JSON.stringify(data)
  const bytes = Buffer.byteLength(text)
  if (bytes > limits.document_bytes_max) {
    const detail = `The document has ${bytes} bytes as JSON, and ${limits.document_bytes_max} is the most.`
    return { refusal: { slug: 'document_too_large', detail } }
  }
  const faults = rules.schema.check(data)
  if (faults.length > 0) return { refusal: mismatch(faults) }
  return { data, text, bytes, keys: keysOf(rules.fields, data), rules }
}

export function mismatch(errors: FieldError[]): Refusal {
  const [first] = errors
  const more = errors.length > 1 ? `, and ${errors.length - 1} more` : ''
  const said = `${first?.path || 'The document'}: ${first?.message ?? 'does not fit'}`
  const detail = `${said.replace(/\.$/, '')}${more}.`
  return { slug: 'schema_mismatch', detail, errors }
}

/** The keys by which a document is found. Arrays and objects have no key and are never alike. */
export function keysOf(fields: readonly Field[], data: unknown): FieldKey[] {
  return fields.map(({ name, path, unique }) => {
    const value = valueAt(data, path)
    return { field: name, key: sortKey(value), digest: unique ? digestOf(value) : null }
  })
}

/** What two equal values share: null for what is no value, or none that can be compared. */
export function digestOf(value: unknown): Buffer | null {
  const comparable = ['string', 'number', 'boolean'].includes(typeof value)
  return comparable ? sha256(JSON.stringify(value)) : null
}

/**
 * The first thing in a document that PostgreSQL cannot keep or JSON cannot say. Bodies of requests
 * are free of it, but documents also come in other ways. Its path is put together only once there
 * is a fault.
 */
function findUnstorable(value: unknown, depth = 0): FieldError | null {
  const here = (message: string): FieldError => ({ path: '', message })
  if (typeof value === 'string') return textFault(value)
  if (typeof value === 'number') {
    return Number.isFinite(value) ? null : here('must be a number that is not as large')
  }
  if (typeof value !== 'object' || value === null) return null
  if (depth >= limits.json_depth_max)
    return here(`must not be nested more than ${limits.json_depth_max} levels deep`)
  for (const name of Object.keys(value)) {
    const inner: unknown = value[name as keyof typeof value]
    const fault = textFault(name) ?? findUnstorable(inner, depth + 1)
    if (fault) return { ...fault, path: `/${pointerPart(name)}${fault.path}` }
  }
  return null
}

function textFault(text: string): FieldError | null {
  if (text.includes('\0')) return { path: '', message: 'must not contain the NUL character' }
  return text.isWellFormed() ? null : { path: '', message: 'must be well-formed Unicode text' }
}
