/**
 * The JSON Schema keywords that the documentation reads. Pages use this interface instead of
 * TypeBox types.
 */
export interface JsonSchema {
  readonly $ref?: string
  readonly discriminator?: {
    readonly propertyName: string
    readonly mapping: Readonly<Record<string, string>>
  }
  readonly type?: string | readonly string[]
  readonly title?: string
  readonly description?: string
  readonly format?: string
  readonly pattern?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly examples?: unknown
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>
  readonly additionalProperties?: boolean | JsonSchema
  readonly propertyNames?: JsonSchema
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly multipleOf?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly minProperties?: number
  readonly maxProperties?: number
}

/** Returns the types that a schema names; empty if it names none. */
export function listTypes({ type }: JsonSchema): readonly string[] {
  if (type === undefined) return []
  return typeof type === 'string' ? [type] : type
}

/** Returns the alternatives of a union; empty if the schema is not a union. */
export function listChoices({ anyOf, oneOf }: JsonSchema): readonly JsonSchema[] {
  return anyOf ?? oneOf ?? []
}

/**
 * Returns the schema of the values of a map with arbitrary keys; null if the schema is not such a
 * map.
 */
export function findValueSchema(schema: JsonSchema): JsonSchema | null {
  if (schema.patternProperties) return Object.values(schema.patternProperties)[0] ?? null
  return typeof schema.additionalProperties === 'object' ? schema.additionalProperties : null
}

/**
 * Whether a schema accepts every value, because it has no constraints. Such a schema documents that
 * unknown values are preserved.
 */
export function acceptsEverything(schema: JsonSchema): boolean {
  return Object.keys(schema).every((keyword) => keyword === 'description' || keyword === 'title')
}

export function isNull(schema: JsonSchema): boolean {
  return schema.type === 'null' || schema.const === null
}

/** Merges the parts of `allOf` into one schema. */
export function mergeSchema(schema: JsonSchema): JsonSchema {
  const { allOf, ...own } = schema
  if (!allOf) return schema
  const parts = [own, ...allOf].map(mergeSchema)
  return Object.assign({}, ...parts, {
    properties: Object.assign({}, ...parts.map((part) => part.properties)),
    required: [...new Set(parts.flatMap((part) => part.required ?? []))],
  })
}

/** Whether the fields of a body can be arguments: an object whose field names are all known. */
export function hasNamedFields(body: JsonSchema): boolean {
  return (
    body.type === 'object' &&
    body.properties !== undefined &&
    body.additionalProperties === false &&
    !body.anyOf &&
    !body.oneOf &&
    !body.allOf
  )
}
