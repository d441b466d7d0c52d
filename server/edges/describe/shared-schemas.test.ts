/** Tests of which schemas become components of the OpenAPI document, and of their names. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { nameSchema } from '../../contract/schema/named.ts'
import type { JsonSchema } from './json-schema.ts'
import { createSharedSchemas, type SharedSchemas } from './shared-schemas.ts'
import { toPascalCase } from './words.ts'

const boat: JsonSchema = nameSchema('Boat', {
  type: 'object',
  description: 'A boat.',
  properties: { name: { type: 'string' } },
})
const pair: JsonSchema = { type: 'object', properties: { left: boat, right: boat } }
const toBoat = { $ref: '#/components/schemas/Boat' }

/** Replaces references by the components. */
function restored(schema: JsonSchema, shared: SharedSchemas): unknown {
  const all = shared.components()
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve)
    if (typeof value !== 'object' || value === null) return value
    if ('$ref' in value) return resolve(all[String(value.$ref).split('/').at(-1) ?? ''])
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolve(inner)]))
  }
  return resolve(shared.show(schema))
}

/** The schema as clients receive it. Schema names are symbols, which JSON leaves out. */
function asSent(schema: JsonSchema): unknown {
  return JSON.parse(JSON.stringify(schema))
}

describe('sharedSchemas', () => {
  test('makes a component of a named schema at any depth', () => {
    const shared = createSharedSchemas([['BoatsPairReply', pair]])
    assert.deepEqual(Object.keys(shared.components()), ['Boat', 'BoatsPairReply'])
    assert.deepEqual(shared.components()['BoatsPairReply']?.properties, {
      left: toBoat,
      right: toBoat,
    })
    assert.deepEqual(restored(pair, shared), asSent(pair))
  })

  test('makes a component of an unnamed response, named after its operation', () => {
    const reply: JsonSchema = { type: 'object', properties: { sunk: { type: 'boolean' } } }
    const shared = createSharedSchemas([['BoatsSinkReply', reply]])
    assert.deepEqual(shared.show(reply), { $ref: '#/components/schemas/BoatsSinkReply' })
    assert.deepEqual(shared.components(), { BoatsSinkReply: reply })
  })

  test('references a named schema from a response', () => {
    const shared = createSharedSchemas([['BoatsGetReply', boat]])
    assert.deepEqual(shared.show(boat), toBoat)
    assert.deepEqual(Object.keys(shared.components()), ['Boat'])
  })

  test('keeps unnamed schemas inline', () => {
    const inner: JsonSchema = { type: 'object', properties: { a: { type: 'string' } } }
    const outer: JsonSchema = { type: 'object', properties: { one: inner, two: inner } }
    assert.deepEqual(createSharedSchemas([['Outer', outer]]).components(), { Outer: outer })
  })

  test('keeps a local description beside the reference', () => {
    const mine = { ...boat, description: 'The boat you rented.' }
    const shared = createSharedSchemas([['Boats', { type: 'object', properties: { boat, mine } }]])
    assert.deepEqual(shared.show(mine), { ...toBoat, description: 'The boat you rented.' })
    assert.equal(shared.components()['Boat']?.description, 'A boat.')
  })

  test('refuses two schemas of the same name', () => {
    const other = { ...boat, properties: { mast: { type: 'integer' } } }
    assert.throws(
      () => createSharedSchemas([['Pair', { type: 'object', properties: { boat, other } }]]),
      /Two shapes have the name Boat/,
    )
  })

  test('sets the discriminator of a union of named schemas', () => {
    const moveOf = (type: string): JsonSchema =>
      nameSchema(`Move${type}`, {
        type: 'object',
        required: ['type'],
        properties: { type: { type: 'string', const: type } },
      })
    const move = { anyOf: [moveOf('Row'), moveOf('Sail')] }
    const shared = createSharedSchemas([['Move', move]])
    assert.deepEqual(shared.components()['Move']?.discriminator, {
      propertyName: 'type',
      mapping: { Row: '#/components/schemas/MoveRow', Sail: '#/components/schemas/MoveSail' },
    })
  })

  test('sets no discriminator if the union has none or has unnamed members', () => {
    const plain: JsonSchema = { type: 'object' }
    const choices = [{ anyOf: [boat, { type: 'null' }] }, { anyOf: [plain, boat] }]
    for (const choice of choices) {
      const shared = createSharedSchemas([['Choice', choice]])
      assert.equal(shared.components()['Choice']?.discriminator, undefined)
    }
  })

  test('accepts the same values as before for nested schemas', () => {
    const shapes = fc.array(fc.array(fc.nat(30), { maxLength: 3 }), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(shapes, (drawn) => {
        const made: JsonSchema[] = []
        for (const [index, below] of drawn.entries()) made.push(shapeOver(index, below, made))
        const shared = createSharedSchemas(made.map((schema, index) => [`Whole${index}`, schema]))
        for (const schema of made) assert.deepEqual(restored(schema, shared), asSent(schema))
      }),
    )
  })
})

/** Creates a schema that contains some of the earlier ones, in every possible way. */
function shapeOver(index: number, below: number[], made: JsonSchema[]): JsonSchema {
  const [first, second, third] = below.map((drawn) => made[drawn % Math.max(1, made.length)])
  const shape: JsonSchema = {
    type: 'object',
    description: `Shape ${index}`,
    properties: {
      ...(first && { first, list: { type: 'array', items: first } }),
      ...(second && { choice: { anyOf: [second, { type: 'null' }] } }),
    },
    ...(third && { additionalProperties: third }),
    ...(third && { patternProperties: { '^x': third } }),
  }
  return index % 2 === 0 ? nameSchema(`Shape${index}`, shape) : shape
}

test('the words of a name are joined in PascalCase without punctuation', () => {
  assert.equal(toPascalCase('numbers.get_call_plan'), 'NumbersGetCallPlan')
  assert.equal(toPascalCase('call.summary.ready'), 'CallSummaryReady')
})
