/**
 * Derives the allowed value types from a JSON Schema. A schema that cannot be analysed (unknown
 * references, `not`, `if`) allows every type.
 */
import { isObject, isSchema, subschemasIn, type SchemaObject } from './subschemas.ts'

export type ValueType = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object'
export type ValueTypes = ReadonlySet<ValueType>

export const everyType: ValueTypes = new Set([
  'null',
  'boolean',
  'number',
  'string',
  'array',
  'object',
])

export function typeOfValue(value: unknown): ValueType {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  const type = typeof value
  return type === 'boolean' || type === 'number' || type === 'string' ? type : 'object'
}

/** Returns the top-level fields that a schema declares, directly, by reference or in `allOf`. */
export function propertiesOf(root: unknown): Map<string, unknown> {
  const fields = new Map<string, unknown>()
  for (const { properties } of applicableSchemas(root, root)) {
    if (!isObject(properties)) continue
    for (const [name, field] of Object.entries(properties))
      if (!fields.has(name)) fields.set(name, field)
  }
  return fields
}

/** Returns a schema with its reference target and its `allOf` schemas, recursively. */
export function applicableSchemas(schema: unknown, root: unknown): SchemaObject[] {
  const parts = new Set([schema].filter(isObject))
  // Iterating a Set includes elements added meanwhile, so each part is visited once.
  for (const { $ref, allOf } of parts) {
    const target = typeof $ref === 'string' ? resolveReference($ref, root) : undefined
    const all: unknown[] = Array.isArray(allOf) ? allOf : []
    for (const part of [target, ...all]) if (isObject(part)) parts.add(part)
  }
  return [...parts]
}

/**
 * Returns the schemas with all that may apply to the same value: by reference, and in `allOf`,
 * `anyOf`, `oneOf`, `if`, `then`, `else` and `dependentSchemas`. `is_known` is false if a reference
 * has no target.
 */
export function possibleSchemas(
  schemas: readonly unknown[],
  root: unknown,
): { all: SchemaObject[]; is_known: boolean } {
  const all = new Set(schemas.filter(isObject))
  let is_known = true
  // Iterating a Set includes elements added meanwhile, so each schema is visited once.
  for (const { $ref, allOf, anyOf, oneOf, dependentSchemas, ...rest } of all) {
    const { if: condition, then, else: otherwise } = rest
    const lists = [allOf, anyOf, oneOf].flatMap((list): unknown[] =>
      Array.isArray(list) ? list : [],
    )
    const dependent = isObject(dependentSchemas) ? Object.values(dependentSchemas) : []
    for (const one of [...lists, condition, then, otherwise, ...dependent])
      if (isObject(one)) all.add(one)
    if (typeof $ref !== 'string') continue
    const target = resolveReference($ref, root)
    is_known &&= target !== undefined
    if (isObject(target)) all.add(target)
  }
  return { all: [...all], is_known }
}

/** Resolves `#/$defs/address` or an `$anchor` such as `#address`; undefined if there is no target. */
function resolveReference(reference: string, root: unknown): unknown {
  if (!reference.startsWith('#')) return undefined
  const [anchor = '', ...parts] = decoded(reference.slice(1)).split('/')
  let at: unknown = root
  if (anchor !== '') {
    const named = isSchema(root) ? subschemasIn(root).map(({ schema }) => schema) : [].values()
    at = named.find((schema) => isObject(schema) && schema['$anchor'] === anchor)
  }
  for (const part of parts) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
    if (!isObject(at) || !Object.hasOwn(at, name)) return undefined
    at = at[name]
  }
  return at
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Returns the types that a schema allows; every type if it does not restrict them. */
export function typesOf(schema: unknown, root: unknown): ValueTypes {
  return typesWithin(schema, { root, known: new Map() })
}

interface Reading {
  root: unknown
  /**
   * Results by schema, including unfinished ones, so that shared and recursive schemas are read
   * once.
   */
  known: Map<unknown, ValueTypes>
}

function typesWithin(schema: unknown, reading: Reading): ValueTypes {
  const known = reading.known.get(schema)
  if (known) return known
  reading.known.set(schema, everyType)
  let types = everyType
  for (const part of applicableSchemas(schema, reading.root)) {
    const said = saidTypes(part)
    if (said) types = types.intersection(said)
    for (const either of [part['anyOf'], part['oneOf']]) {
      if (!Array.isArray(either)) continue
      const all = either.map((one) => typesWithin(one, reading))
      types = types.intersection(all.reduce((sum, one) => sum.union(one), new Set<ValueType>()))
    }
  }
  const read = types.size > 0 ? types : everyType
  reading.known.set(schema, read)
  return read
}

function saidTypes({ type, enum: values, ...rest }: SchemaObject): ValueTypes | null {
  if (type !== undefined) return new Set([type].flat().flatMap(typeNamed))
  if (Array.isArray(values)) return new Set(values.map(typeOfValue))
  return 'const' in rest ? new Set([typeOfValue(rest['const'])]) : null
}

function typeNamed(name: unknown): ValueType[] {
  const known = name === 'integer' ? 'number' : name
  for (const type of everyType) if (type === known) return [type]
  return []
}
