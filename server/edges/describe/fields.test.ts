/** Tests of the fields of a schema as a table shows them. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Type } from 'typebox'
import { listFields, describeType } from './fields.ts'

const field = (shape: Parameters<typeof listFields>[0], path: string) => {
  const found = listFields(shape).fields.find((one) => one.path === path)
  assert.ok(
    found,
    `${path} of ${listFields(shape)
      .fields.map((one) => one.path)
      .join(', ')}`,
  )
  return found
}

describe('the fields of a schema', () => {
  test('are in its order, nested ones after their parent', () => {
    const shape = Type.Object({
      name: Type.String(),
      address: Type.Object({ city: Type.String() }),
      lines: Type.Array(Type.Object({ text: Type.String() })),
    })
    const paths = listFields(shape).fields.map(({ path }) => path)
    assert.deepEqual(paths, ['name', 'address', 'address.city', 'lines', 'lines[].text'])
  })

  test('of a map are below a placeholder key', () => {
    const values = Type.Object({ id: Type.String() })
    const map = { type: 'object', additionalProperties: values }
    assert.deepEqual(
      listFields({ type: 'object', properties: { nodes: map } }).fields.map(({ path }) => path),
      ['nodes', 'nodes.‹key›.id'],
    )
    assert.equal(
      field(Type.Object({ all: Type.Record(Type.String(), values) }), 'all.‹key›.id').type,
      'string',
    )
  })

  test('of a nullable value are those of the value', () => {
    const shape = Type.Object({
      summary: Type.Union([Type.Object({ text: Type.String() }), Type.Null()]),
    })
    assert.equal(field(shape, 'summary').type, 'object or null')
    assert.equal(field(shape, 'summary.text').type, 'string')
  })

  test('of a union are variants with their own fields', () => {
    const shape = Type.Object({
      node: Type.Union([
        Type.Object(
          { type: Type.Literal('menu'), prompt: Type.String() },
          { description: 'Asks.' },
        ),
        Type.Object({ type: Type.Literal('hangup') }),
        Type.Object({ other: Type.Boolean() }),
      ]),
    })
    const { variants } = listFields(shape)
    assert.deepEqual(
      variants.map(({ path, name }) => [path, name]),
      [
        ['node', 'menu'],
        ['node', 'hangup'],
        ['node', 'form 3'],
      ],
    )
    assert.equal(variants[0]?.description, 'Asks.')
    assert.deepEqual(
      variants[0]?.fields.fields.map(({ path }) => path),
      ['type', 'prompt'],
    )
  })

  test('of a union at the root are variants too', () => {
    const shape = Type.Union([Type.Object({ a: Type.String() }), Type.Object({ b: Type.String() })])
    assert.deepEqual(listFields(shape).fields, [])
    assert.equal(listFields(shape).variants.length, 2)
  })

  test('omit the alternative that accepts every value', () => {
    const shape = { type: 'object', properties: { entry: { anyOf: [{ type: 'string' }, {}] } } }
    assert.equal(field(shape, 'entry').type, 'string')
  })

  test('are required if they are neither optional nor have a default', () => {
    const shape = Type.Object({
      a: Type.String(),
      b: Type.Optional(Type.String()),
      c: Type.Integer({ default: 20 }),
    })
    assert.deepEqual(
      listFields(shape).fields.map(({ required }) => required),
      [true, false, false],
    )
    assert.deepEqual(field(shape, 'c').rules, ['20 by default'])
  })

  test('show their limits in words, and their pattern unchanged', () => {
    const shape = Type.Object({
      name: Type.String({ minLength: 1, maxLength: 2_000 }),
      code: Type.String({ pattern: '^[a-z]$' }),
      list: Type.Array(Type.String(), { maxItems: 3 }),
      count: Type.Integer({ minimum: 5 }),
      zero: Type.Integer({ minimum: 0 }),
    })
    assert.deepEqual(field(shape, 'name').rules, ['1 to 2,000 characters'])
    assert.equal(field(shape, 'code').pattern, '^[a-z]$')
    assert.deepEqual(field(shape, 'list').rules, ['at most 3 items'])
    assert.deepEqual(field(shape, 'count').rules, ['at least 5'])
    assert.deepEqual(field(shape, 'zero').rules, [])
  })

  test('list enumerated values, including those of items', () => {
    const shape = Type.Object({
      mode: Type.Enum(['live', 'test']),
      one: Type.Literal('external'),
      days: Type.Array(Type.Enum(['mon', 'tue'])),
      maybe: Type.Union([Type.Enum(['x']), Type.Null()]),
    })
    assert.deepEqual(field(shape, 'mode').values, ['live', 'test'])
    assert.deepEqual(field(shape, 'one').values, ['external'])
    assert.deepEqual(field(shape, 'days').values, ['mon', 'tue'])
    assert.deepEqual(field(shape, 'maybe').values, ['x'])
  })

  test('have a description from the field, from its schema or from its items', () => {
    const inner = Type.String({ description: 'Inner.' })
    const shape = Type.Object({
      outer: Type.Union([inner, Type.Null()], { description: 'Outer.' }),
      inner: Type.Union([inner, Type.Null()]),
      items: Type.Array(inner),
      none: Type.Boolean(),
    })
    const descriptions = listFields(shape).fields.map(({ description }) => description)
    assert.deepEqual(descriptions, ['Outer.', 'Inner.', 'Inner.', ''])
  })

  test('are limited in depth for recursive schemas', () => {
    const properties: Record<string, object> = {}
    const shape = { type: 'object', properties }
    properties['child'] = shape
    assert.ok(listFields(shape).fields.length < 20)
  })
})

describe('the type of a field', () => {
  test('is one or two words', () => {
    const types = [
      [Type.String(), 'string'],
      [Type.String({ format: 'uuid' }), 'uuid'],
      [Type.String({ format: 'date-time' }), 'timestamp'],
      [Type.Array(Type.String({ format: 'uuid' })), 'array of uuids'],
      [Type.Array(Type.Union([Type.String(), Type.Null()])), 'array of string or null'],
      [Type.Union([Type.Integer(), Type.Null()]), 'integer or null'],
      [Type.Enum(['a', 'b']), 'string'],
      [Type.Literal(true), 'boolean'],
      [Type.Array({}), 'array of any value'],
      [{}, 'any value'],
      [{ type: ['string', 'null'] }, 'string or null'],
      [{ type: 'array' }, 'array'],
    ] as const
    for (const [shape, text] of types) assert.equal(describeType(shape), text)
  })
})
