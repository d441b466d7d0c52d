/**
 * Names for schemas. A named schema is one component of the OpenAPI document, so a generated
 * client has one type for it. The name is kept under a symbol: it is never serialized, validators
 * ignore it, and copies that TypeBox makes (`Type.Optional`) keep it.
 */
const key: unique symbol = Symbol('name of a schema')

/** Gives a schema its name, in PascalCase and unique in the API. */
export function named<Schema extends object>(name: string, schema: Schema): Schema {
  return Object.assign(schema, { [key]: name })
}

/** The name of a schema, or undefined if it has none. */
export function nameOf(schema: object): string | undefined {
  return key in schema ? (schema[key] as string) : undefined
}
