/** Tests that pruning never changes whether a body is valid, and bounds the number of errors. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { Type } from 'typebox'
import { pruneExcess } from './excess.ts'

const strict = { additionalProperties: false }
const Operation = Type.Union([
  Type.Object({ op: Type.Literal('create'), data: Type.Object({ a: Type.Integer() }) }, strict),
  Type.Object({ op: Type.Literal('delete'), id: Type.String() }, strict),
])
const Body = Type.Object(
  {
    operations: Type.Array(Operation, { minItems: 1, maxItems: 3 }),
    note: Type.Optional(Type.Union([Type.Object({ text: Type.String() }, strict), Type.Null()])),
    free: Type.Optional(Type.Record(Type.String(), Type.Integer())),
  },
  strict,
)
const validate = new Ajv2020({ allErrors: true, strict: false }).compile(Body)

const good = { operations: [{ op: 'create', data: { a: 1, b: 2 } }], note: { text: 'x' } }

describe('a body that is pruned', () => {
  test('stays unchanged if it is valid', () => {
    for (const body of [good, { ...good, note: null }, { ...good, free: { x: 1, y: 2 } }]) {
      assert.deepEqual(pruneExcess(Body, body), body)
    }
  })

  test('keeps a list too long, and an object with unknown members', () => {
    const list = Array.from({ length: 90_000 }, () => good.operations[0])
    assert.deepEqual(pruneExcess(Body, { operations: list }), { operations: list.slice(0, 4) })
    const unknown = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`f${n}`, n]))
    const pruned = Object(pruneExcess(Body, { ...unknown, ...good }))
    assert.deepEqual(pruned.operations, good.operations)
    assert.equal(Object.keys(pruned).length, 202)
  })

  test('has a bounded number of errors for many objects with many unknown members', () => {
    const unknown = Object.fromEntries(Array.from({ length: 3_000 }, (_, n) => [`f${n}`, n]))
    const operations = Array.from({ length: 3 }, () => ({ op: 'delete', id: 'x', ...unknown }))
    validate(pruneExcess(Body, { ...unknown, operations, note: unknown }))
    assert.ok((validate.errors ?? []).length < 1_000, String(validate.errors?.length))
  })

  test('is valid exactly if it was valid before', () => {
    const member = fc.constantFrom('op', 'data', 'id', 'a', 'x', '__proto__', 'text')
    const scalar = fc.constantFrom<unknown>('create', 'delete', 1, 'x', null)
    const inner = fc.dictionary(member, scalar)
    const operation = fc.oneof(
      fc.constant(good.operations[0]),
      scalar,
      fc.dictionary(member, fc.oneof(scalar, inner)),
    )
    const body = fc.record(
      {
        operations: fc.oneof(fc.array(operation, { maxLength: 6 }), inner),
        note: fc.oneof(inner, scalar),
        free: inner,
        more: scalar,
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(body, (given) => {
        assert.equal(validate(pruneExcess(Body, given)), validate(given))
      }),
    )
  })
})
