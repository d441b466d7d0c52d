/** Tests of generated examples: they are valid for any schema, and deterministic. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import fc from 'fast-check'
import { createExample } from './example.ts'
import type { JsonSchema } from '../json-schema.ts'

const ajv = new Ajv2020({ strict: false, allErrors: true })
for (const [name, format] of Object.entries(fullFormats)) ajv.addFormat(name, format)

function assertFits(schema: JsonSchema): void {
  const example = createExample(schema)
  const fits = ajv.validate(schema, example)
  assert.ok(fits, `${JSON.stringify(schema)}\n${JSON.stringify(example)}\n${ajv.errorsText()}`)
  assert.deepEqual(createExample(schema), example)
}

describe('an example', () => {
  test('is taken from the schema, at any depth', () => {
    assert.deepEqual(createExample({ type: 'string', examples: ['a', 'b'], default: 'c' }), 'a')
    const inner = { type: 'object', properties: { a: { type: 'integer', examples: [7] } } }
    assert.deepEqual(createExample(inner), { a: 7 })
    assert.deepEqual(createExample({ ...inner, examples: [{}] }), {})
  })

  test('is otherwise the default, the constant, or the first value of the enumeration', () => {
    assert.equal(createExample({ type: 'integer', default: 20, minimum: 1 }), 20)
    assert.equal(createExample({ const: 'forward' }), 'forward')
    assert.equal(createExample({ enum: ['live', 'test'] }), 'live')
  })

  test('may be null or false if the schema says so', () => {
    assert.equal(createExample({ type: 'boolean', default: false }), false)
    assert.equal(
      createExample({ anyOf: [{ type: 'string' }, { type: 'null' }], examples: [null] }),
      null,
    )
  })

  test('of a nullable value is not null', () => {
    assert.equal(createExample({ anyOf: [{ type: 'null' }, { const: 'x' }] }), 'x')
    assert.equal(createExample({ type: ['null', 'boolean'] }), true)
    assert.equal(createExample({ type: 'null' }), null)
  })

  test('skips the alternative that accepts every value', () => {
    assert.equal(createExample({ anyOf: [{}, { type: 'integer', minimum: 3 }] }), 3)
  })

  test('has the required format', () => {
    const formats = ['uuid', 'date-time', 'date', 'time', 'email', 'uri', 'hostname', 'ipv4']
    for (const format of formats) assertFits({ type: 'string', format })
  })

  test('matches the patterns in use', () => {
    const patterns = [
      '^evt_[0-9a-f]{32}$',
      '^\\+[1-9][0-9]{6,14}$',
      '^([01]\\d|2[0-3]):[0-5]\\d$',
      '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$',
      '^[0-9]{2,5}$',
      '^[0-9*#]{1,32}$',
      '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
      '^[a-z0-9-]+$',
    ]
    for (const pattern of patterns) assertFits({ type: 'string', pattern })
  })

  test('depends on the name of the field, and always fits the schema', () => {
    const named = (schema: JsonSchema) =>
      createExample({ type: 'object', properties: { city: schema } })
    assert.deepEqual(named({ type: 'string' }), { city: 'Amsterdam' })
    assert.deepEqual(named({ type: 'string', maxLength: 4 }), { city: 'city' })
  })

  test('fits if the field is named like an inherited property of objects', () => {
    for (const name of ['constructor', 'toString', '__proto__']) {
      const properties = Object.fromEntries([[name, { type: 'string', maxLength: 20 }]])
      assertFits({ type: 'object', properties, required: [name] })
    }
  })

  test('merges the parts of allOf', () => {
    const part = (name: string) => ({
      type: 'object',
      required: [name],
      properties: { [name]: { type: 'boolean' } },
    })
    assert.deepEqual(createExample({ allOf: [part('a'), part('b')] }), { a: true, b: true })
  })

  test('of a map has one valid key', () => {
    const options = {
      type: 'object',
      minProperties: 1,
      propertyNames: { pattern: '^[0-9*#]$' },
      additionalProperties: { type: 'string' },
    }
    assertFits(options)
    assertFits({ type: 'object', patternProperties: { '^.*$': { type: 'number' } } })
  })

  test('of a list has different items from an enumeration', () => {
    assert.deepEqual(
      createExample({ type: 'array', minItems: 2, items: { enum: ['a', 'b', 'c'] } }),
      ['a', 'b'],
    )
  })

  test('of a list that must be empty is empty', () => {
    assert.deepEqual(createExample({ type: 'array', maxItems: 0, items: { type: 'string' } }), [])
  })

  test('is valid for random schemas, and deterministic', () => {
    fc.assert(fc.property(anySchema, assertFits), { numRuns: 300 })
  })
})

const between = (most: number) =>
  fc
    .tuple(fc.nat(most), fc.nat(most))
    .map(([left, right]) => [Math.min(left, right), Math.max(left, right)] as const)

const { schema: anySchema } = fc.letrec<{ schema: JsonSchema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    between(60).map(([minLength, maxLength]) => ({ type: 'string', minLength, maxLength })),
    fc
      .constantFrom('uuid', 'date-time', 'uri', 'email')
      .map((format) => ({ type: 'string', format })),
    between(1_000).map(([minimum, maximum]) => ({ type: 'integer', minimum, maximum })),
    fc.integer({ min: -500, max: 500 }).map((minimum) => ({ type: 'number', minimum })),
    fc.integer({ min: -500, max: 500 }).map((maximum) => ({ type: 'number', maximum })),
    fc
      .integer({ min: 1, max: 9 })
      .map((multipleOf) => ({ type: 'integer', minimum: 0, multipleOf })),
    fc.constant({ type: 'boolean' }),
    fc.uniqueArray(fc.string(), { minLength: 1 }).map((words) => ({ enum: words })),
    fc.jsonValue().map((value) => ({ const: value })),
    tie('schema').map((inner) => ({ anyOf: [inner, { type: 'null' }] })),
    fc
      .tuple(between(4), tie('schema'))
      .map(([[minItems, maxItems], items]) => ({ type: 'array', items, minItems, maxItems })),
    fc
      .dictionary(fc.string({ minLength: 1 }), tie('schema'), { maxKeys: 4, noNullPrototype: true })
      .map((properties) => ({
        type: 'object',
        properties,
        required: Object.keys(properties),
        additionalProperties: false,
      })),
  ),
}))
