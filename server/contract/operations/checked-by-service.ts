/**
 * Marks a body that the service validates itself, because its errors need their own slugs. The
 * schema is documentation; requests are validated only as JSON objects before they reach the
 * service.
 */
import { Type, type TSchema } from 'typebox'

const key: unique symbol = Symbol('checked by the service')

const anyObject = Type.Object({}, { additionalProperties: true })

/** The schema as documentation; the service receives an unknown value. */
export function checkedByService(schema: TSchema) {
  return Object.assign(Type.Unsafe<unknown>(schema), { [key]: true })
}

/** The schema for the validation before the operation runs. */
export function enforcedSchema(body: TSchema): TSchema {
  return key in body ? anyObject : body
}
