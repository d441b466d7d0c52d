/**
 * Reads from a JSON Schema which types of values it allows. What cannot be read from it (a
 * reference by address, `not`, `if`) counts as allowing every type.
 */
import { isObject, type JsonObject } from './subschemas.ts'

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

/** The fields that a schema names at the top, also behind a reference or in `allOf`. */
export function propertiesOf(root: unknown): Map<string, unknown> {
  const fields = new Map<string, unknown>()
  for (const { properties } of partsOf(root, root)) {
    if (!isObject(properties)) continue
    for (const [name, field] of Object.entries(properties))
      if (!fields.has(name)) fields.set(name, field)
  }
  return fields
}

/** A schema and those that hold for the same value: what it refers to, and its `allOf`. */
export function partsOf(schema: unknown, root: unknown): JsonObject[] {
  const parts = new Set([schema].filter(isObject))
  // A Set also iterates over what is added meanwhile, so each part is visited once.
  for (const { $ref, allOf } of parts) {
    const target = typeof $ref === 'string' ? targetOf($ref, root) : undefined
    const all: unknown[] = Array.isArray(allOf) ? allOf : []
    for (const part of [target, ...all]) if (isObject(part)) parts.add(part)
  }
  return [...parts]
}

/** The schema that a pointer such as `#/$defs/address` leads to; undefined for other references. */
export function targetOf(reference: string, root: unknown): unknown {
  if (reference === '#') return root
  if (!reference.startsWith('#/')) return undefined
  let at = root
  for (const part of reference.slice(2).split('/')) {
    const name = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~')
    if (!isObject(at) || !Object.hasOwn(at, name)) return undefined
    at = at[name]
  }
  return at
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** The types that a schema allows; every type when it says nothing about them. */
export function typesOf(schema: unknown, root: unknown): ValueTypes {
  return typesWithin(schema, { root, known: new Map() })
}

interface Reading {
  root: unknown
  /** Schemas that were read or are being read, so that shared and circular ones are read once. */
  known: Map<unknown, ValueTypes>
}

function typesWithin(schema: unknown, reading: Reading): ValueTypes {
  const known = reading.known.get(schema)
  if (known) return known
  reading.known.set(schema, everyType)
  let types = everyType
  for (const part of partsOf(schema, reading.root)) {
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

function saidTypes({ type, enum: values, ...rest }: JsonObject): ValueTypes | null {
  if (type !== undefined) return new Set([type].flat().flatMap(typeNamed))
  if (Array.isArray(values)) return new Set(values.map(typeOfValue))
  return 'const' in rest ? new Set([typeOfValue(rest['const'])]) : null
}

function typeNamed(name: unknown): ValueType[] {
  const known = name === 'integer' ? 'number' : name
  for (const type of everyType) if (type === known) return [type]
  return []
}
