/**
 * Rewrites a client's schema for Ajv: references become pointers, identifiers and annotations are
 * removed, and each subschema gets the keyword that counts steps.
 */
import { escapePointerPart } from '../../kernel/values/json.ts'
import { COST_KEYWORD } from './keywords.ts'
import {
  subschemasOf,
  subschemaKind,
  isAssertion,
  isObject,
  isSchema,
  type SchemaObject,
} from './subschemas.ts'

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
  if (Object.keys(copy).some(isAssertion)) copy[COST_KEYWORD] = costOf(copy)
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

/** The steps of a subschema for each value: one, one per required name, and one per four fields. */
function costOf({
  required,
  dependentRequired,
  properties,
  patternProperties,
}: SchemaObject): number {
  const names = Array.isArray(required) ? required.length : 0
  const fields = [dependentRequired, properties, patternProperties].filter(isObject)
  return fields.reduce((sum, one) => sum + Object.keys(one).length / 4, 1 + names)
}

function encodePointer(pointer: string): string {
  return pointer.split('/').map(encodeURIComponent).join('/')
}
