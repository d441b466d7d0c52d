/**
 * Rewrites a client's schema for Ajv: references become pointers, identifiers and annotations are
 * removed, and each subschema gets the keyword that counts steps.
 */
import { escapePointerPart } from '../../../kernel/values/json.ts'
import { COST_KEYWORD, type KeywordCost } from './keywords.ts'
import {
  subschemasOf,
  subschemaKind,
  isAssertion,
  isObject,
  isSchema,
  type SchemaObject,
} from './subschemas.ts'

/** Number of characters in the keywords of a schema that cost one step. */
const CHARACTERS_A_STEP = 64
const MEMBERS_A_STEP = 4

/** Keywords that read every character of a text or every member of a value. */
const readers = new Set([
  'minLength',
  'maxLength',
  'format',
  'pattern',
  'minProperties',
  'maxProperties',
  'additionalProperties',
  'patternProperties',
  'propertyNames',
  'unevaluatedProperties',
  'unevaluatedItems',
  'items',
  'contains',
])

export function rewrite(
  root: SchemaObject | boolean,
  targets: ReadonlyMap<string, string>,
): SchemaObject | boolean {
  return rewriteAt(root, '', targets)
}

type Schema = SchemaObject | boolean

function rewriteAt(schema: Schema, pointer: string, targets: ReadonlyMap<string, string>): Schema {
  if (typeof schema === 'boolean') return schema
  const copy: SchemaObject = {}
  for (const [keyword, value] of Object.entries(schema)) {
    // Error messages of patterns quote the description.
    const is_kept =
      isAssertion(keyword) || subschemaKind(keyword) !== undefined || keyword === 'description'
    if (!is_kept) continue
    if (keyword === '$ref') copy[keyword] = `#${encodePointer(targets.get(pointer) ?? '')}`
    else copy[keyword] = rewriteHeld({ keyword, value }, pointer, targets)
  }
  const checks = Object.keys(copy).filter(isAssertion)
  if (checks.length > 0) copy[COST_KEYWORD] = costOf(copy, checks)
  return copy
}

function rewriteHeld(
  { keyword, value }: { keyword: string; value: unknown },
  pointer: string,
  targets: ReadonlyMap<string, string>,
): unknown {
  const held = new Map(subschemasOf(keyword, value))
  const inside = (step: string, one: unknown): unknown => {
    const schema = held.get(step)
    return schema === undefined ? one : rewriteAt(schema, pointer + step, targets)
  }
  const at = `/${escapePointerPart(keyword)}`
  if (subschemaKind(keyword) === 'schema' && isSchema(value)) return inside(at, value)
  if (subschemaKind(keyword) === 'list' && Array.isArray(value))
    return value.map((one: unknown, index) => inside(`${at}/${index}`, one))
  if (subschemaKind(keyword) === 'map' && isObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [
        name,
        inside(`${at}/${escapePointerPart(name)}`, one),
      ]),
    )
  }
  return value
}

function costOf(schema: SchemaObject, checks: readonly string[]): KeywordCost {
  let steps = 1
  for (const keyword of checks) {
    const kind = subschemaKind(keyword)
    const value = schema[keyword]
    if (keyword === 'required') steps += Array.isArray(value) ? value.length : 0
    else if (keyword === 'dependentRequired') steps += JSON.stringify(value).length / 4
    else if (keyword === 'enum' || keyword === 'const') continue
    else if (kind === undefined) steps += JSON.stringify(value).length / CHARACTERS_A_STEP
    else if (isObject(value) && kind === 'map') steps += Object.keys(value).length / MEMBERS_A_STEP
  }
  return { steps, reads_all: checks.some((keyword) => readers.has(keyword)) }
}

function encodePointer(pointer: string): string {
  return pointer.split('/').map(encodeURIComponent).join('/')
}
