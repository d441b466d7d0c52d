/**
 * Names of schemas. A named schema becomes a component of the OpenAPI document, so generated
 * clients have one type for it. The name is a symbol property: it is not serialized, validators
 * ignore it, and copies by TypeBox (`Type.Optional`) keep it.
 */
const key: unique symbol = Symbol('name of a schema')

/** Names a schema; PascalCase and unique in the API. */
export function nameSchema<Schema extends object>(name: string, schema: Schema): Schema {
  return Object.assign(schema, { [key]: name })
}

/** The name of a schema; undefined if it has none. */
export function findSchemaName(schema: object): string | undefined {
  return key in schema ? (schema[key] as string) : undefined
}
