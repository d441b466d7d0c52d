/** Tests of lower-casing ids in requests, wherever the schema declares a UUID. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { Uuid } from '../../contract/schema/shapes.ts'
import { createIdLowerCaser } from './lower-case-ids.ts'

const ID = '019AB3F0-5E1C-7A42-9D30-6F1E2C3B4A59'
const id = ID.toLowerCase()

test('lower-cases ids in fields, lists and alternatives, and no other text', () => {
  const shape = Type.Object({
    id: Uuid,
    name: Type.String(),
    media: Type.Array(Type.Object({ media_id: Uuid, path: Type.String() })),
    sites: Type.Array(Uuid),
    app: Type.Union([Uuid, Type.Null()]),
    missing: Type.Optional(Uuid),
  })
  const given = {
    id: ID,
    name: ID,
    media: [{ media_id: ID, path: ID }],
    sites: [ID],
    app: ID,
  }
  assert.deepEqual(createIdLowerCaser(shape)?.(given), {
    id,
    name: ID,
    media: [{ media_id: id, path: ID }],
    sites: [id],
    app: id,
  })
})

test('a schema without ids gives null instead of a function', () => {
  assert.equal(createIdLowerCaser(Type.Object({ name: Type.String() })), null)
  assert.equal(createIdLowerCaser(undefined), null)
})
