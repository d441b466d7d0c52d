/**
 * Marks the body of an operation that its service validates itself, because faults there have
 * errors of their own. The schema documents the body everywhere; requests are only checked to be a
 * JSON object before they reach the service.
 */
import { Type, type TSchema } from 'typebox'

const key: unique symbol = Symbol('checked by the service')

const anyObject = Type.Object({}, { additionalProperties: true })

/** The schema as documentation. What the service receives has no known shape. */
export function checkedByService(schema: TSchema) {
  return Object.assign(Type.Unsafe<unknown>(schema), { [key]: true })
}

/** The schema that a request's body must fit before the operation runs. */
export function enforcedSchema(body: TSchema): TSchema {
  return key in body ? anyObject : body
}
