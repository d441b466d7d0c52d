/** Shapes that stand in several places become one component, and nothing else changes. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { JsonSchema } from './json-schema.ts'
import { pascal, sharedSchemas, type SharedSchemas } from './shared-schemas.ts'

const boat: JsonSchema = { type: 'object', properties: { name: { type: 'string' } } }
const pair: JsonSchema = { type: 'object', properties: { left: boat, right: boat } }

/** Puts the components back where the references are. */
function restored(schema: JsonSchema, shared: SharedSchemas): JsonSchema {
  const all = shared.components()
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve)
    if (typeof value !== 'object' || value === null) return value
    if ('$ref' in value) return resolve(all[String(value.$ref).split('/').at(-1) ?? ''])
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolve(inner)]))
  }
  return Object(resolve(shared.show(schema)))
}

describe('shared shapes', () => {
  test('that stand in one place stay there', () => {
    const shared = sharedSchemas([['BoatsGetReply', boat]])
    assert.deepEqual(shared.show(boat), boat)
    assert.deepEqual(shared.components(), {})
  })

  test('that stand in two become a component, named by the shorter place', () => {
    const list = { type: 'object', properties: { data: { type: 'array', items: boat } } }
    const shared = sharedSchemas([
      ['BoatsListReply', list],
      ['BoatsGetReply', boat],
    ])
    assert.deepEqual(shared.show(boat), { $ref: '#/components/schemas/BoatsGetReply' })
    assert.deepEqual(Object.keys(shared.components()), ['BoatsGetReply'])
    assert.deepEqual(restored(list, shared), list)
  })

  test('may stand twice in the same shape', () => {
    const shared = sharedSchemas([['Pair', pair]])
    assert.deepEqual(Object.keys(shared.components()), ['PairLeft'])
    assert.deepEqual(restored(pair, shared), pair)
  })

  test('are told by being the same, not by being alike', () => {
    const shared = sharedSchemas([
      ['One', boat],
      ['Two', structuredClone(boat)],
    ])
    assert.deepEqual(shared.components(), {})
  })

  test('of a single value are not worth a component', () => {
    const text = { type: 'string' }
    const shared = sharedSchemas([
      ['One', { type: 'object', properties: { a: text } }],
      ['Two', { type: 'object', properties: { b: text } }],
    ])
    assert.deepEqual(shared.components(), {})
  })

  test('may hold other shared ones', () => {
    const shared = sharedSchemas([
      ['One', pair],
      ['Two', pair],
      ['Three', boat],
    ])
    const { One, Three } = shared.components()
    assert.ok(One && Three)
    assert.deepEqual(One.properties?.['left'], { $ref: '#/components/schemas/Three' })
    assert.deepEqual(restored(pair, shared), pair)
  })

  test('never take a name that is taken', () => {
    const other: JsonSchema = { type: 'object', properties: { mast: { type: 'integer' } } }
    const shared = sharedSchemas([
      ['A', boat],
      ['AA', boat],
      ['A', other],
      ['AAA', other],
    ])
    assert.deepEqual(Object.keys(shared.components()), ['A', 'AAA'])
  })

  test('say the same as before, however they hang together', () => {
    const shapes = fc.array(fc.array(fc.nat(30), { maxLength: 3 }), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(shapes, (drawn) => {
        const made: JsonSchema[] = []
        for (const [index, below] of drawn.entries()) made.push(shapeOver(index, below, made))
        const shared = sharedSchemas(made.map((schema, index) => [`Shape${index}`, schema]))
        for (const schema of made) assert.deepEqual(restored(schema, shared), schema)
      }),
    )
  })
})

/** A shape over some of those before it, in every way in which one can hold another. */
function shapeOver(index: number, below: number[], made: JsonSchema[]): JsonSchema {
  const [first, second, third] = below.map((drawn) => made[drawn % Math.max(1, made.length)])
  return {
    type: 'object',
    description: `Shape ${index}`,
    properties: {
      ...(first && { first, list: { type: 'array', items: first } }),
      ...(second && { choice: { anyOf: [second, { type: 'null' }] } }),
    },
    ...(third && { additionalProperties: third }),
  }
}

test('names are joined without their signs', () => {
  assert.equal(pascal('numbers.get_call_plan'), 'NumbersGetCallPlan')
  assert.equal(pascal('call.summary.ready'), 'CallSummaryReady')
})
