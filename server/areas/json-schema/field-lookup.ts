/**
 * Looks up a field in the JSON Schema of a collection: its types, or that the schema does not
 * declare it. Does not enter arrays, as filters do not.
 */
import { LRUCache } from 'lru-cache'
import { isObject, isSchema, type SchemaObject } from './subschemas.ts'
import {
  everyType,
  applicableSchemas,
  possibleSchemas,
  typesOf,
  type ValueTypes,
} from './value-types.ts'

export type Lookup =
  /** `items` has the types of array elements. */
  | { is: 'declared'; types: ValueTypes; items: ValueTypes }
  /** The schema allows arbitrary names at this place. */
  | { is: 'open' }
  /** `parent` declares the fields `names` but not this one; `is_closed` forbids any other. */
  | { is: 'undeclared'; parent: readonly string[]; names: string[]; is_closed: boolean }

/** All schemas that apply to one place in a document. */
interface View {
  direct: readonly unknown[]
  all: readonly SchemaObject[]
  /** One of them allows any field or cannot be analysed. */
  is_open: boolean
}

type Below = { schemas: unknown[] } | { names: string[] } | 'open'

/** Fields of a schema that are looked up with each list. */
const REMEMBERED_MAX = 50
const lookups = new WeakMap<object, LRUCache<string, Lookup>>()

/** Remembers the result as long as the schema object lives; neither may be modified. */
export function lookUpField(root: unknown, path: readonly string[]): Lookup {
  if (!isObject(root)) return findField(root, path)
  const known = lookups.get(root) ?? new LRUCache<string, Lookup>({ max: REMEMBERED_MAX })
  lookups.set(root, known)
  const name = JSON.stringify(path)
  const found = known.get(name) ?? findField(root, path)
  known.set(name, found)
  return found
}

function findField(root: unknown, path: readonly string[]): Lookup {
  let view = viewOf([root], root)
  for (const [depth, name] of path.entries()) {
    const below = fieldIn(view, name, root)
    if (below === 'open') return { is: 'open' }
    if ('names' in below) {
      const is_closed = view.direct.every((schema) => isClosed(schema, root))
      return { is: 'undeclared', parent: path.slice(0, depth), names: below.names, is_closed }
    }
    view = viewOf(below.schemas, root)
  }
  if (view.is_open) return { is: 'open' }
  const items = view.all.flatMap((schema) => ('items' in schema ? [schema['items']] : []))
  return {
    is: 'declared',
    types: typesOfAny(view.direct, root),
    items: typesOfAny(items, root),
  }
}

function viewOf(direct: readonly unknown[], root: unknown): View {
  const { all, is_known } = possibleSchemas(direct, root)
  const is_open = !is_known || direct.some((schema) => schema === true || !isSchema(schema))
  return { direct, all, is_open }
}

function fieldIn({ all, direct, is_open }: View, name: string, root: unknown): Below {
  const declaring = all.flatMap(({ properties }) => (isObject(properties) ? [properties] : []))
  const declared = declaring.flatMap((one) => (Object.hasOwn(one, name) ? [one[name]] : []))
  if (declared.length > 0) return { schemas: declared }
  if (is_open || all.some(takesPatterns)) return 'open'
  const further = all.flatMap(furtherFields)
  if (further.length > 0) return { schemas: further }
  if (declaring.length > 0) return { names: [...new Set(declaring.flatMap(Object.keys))] }
  const is_closed = all.some(({ additionalProperties }) => additionalProperties === false)
  return !is_closed && typesOfAny(direct, root).has('object') ? 'open' : { names: [] }
}

/** Returns whether a valid value can only have declared fields. */
function isClosed(schema: unknown, root: unknown): boolean {
  if (schema === false || !typesOf(schema, root).has('object')) return true
  return applicableSchemas(schema, root).some(
    ({ additionalProperties, unevaluatedProperties }) =>
      additionalProperties === false || unevaluatedProperties === false,
  )
}

function takesPatterns({ patternProperties }: SchemaObject): boolean {
  return isObject(patternProperties) && Object.keys(patternProperties).length > 0
}

/** Returns the schemas for undeclared fields, if the schema has any. */
function furtherFields({ additionalProperties, unevaluatedProperties }: SchemaObject): unknown[] {
  return [additionalProperties, unevaluatedProperties].filter(
    (schema) => schema === true || isObject(schema),
  )
}

/**
 * Returns the union of the types. Ignores schemas without any type, such as `{"minimum": 1}`.
 */
function typesOfAny(schemas: readonly unknown[], root: unknown): ValueTypes {
  const said = schemas
    .map((schema) => typesOf(schema, root))
    .filter((types) => types.size < everyType.size)
  if (said.length === 0) return everyType
  return said.reduce((sum, types) => sum.union(types))
}
