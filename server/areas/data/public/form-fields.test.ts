/** Tests of converting form fields to a document by its schema. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { Problem } from '../../../contract/errors.ts'
import { dataFromFields } from './form-fields.ts'

type Pairs = readonly (readonly [name: string, value: string])[]

/** In July, when Amsterdam is at UTC+2. */
const moment = { timezone: 'Europe/Amsterdam', now_ms: Date.UTC(2026, 6, 1) }

function read(pairs: Pairs, schema: unknown, timezone: string | null = moment.timezone) {
  return dataFromFields(
    pairs.map(([name, value]) => ({ name, value })),
    schema,
    { ...moment, timezone },
  )
}

const of = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more })
const one = (schema: object) => of({ a: schema })

/** A field `a`: submitted text, schema, expected value. */
const scalars: [text: string, schema: object, value: unknown][] = [
  ['12', { type: 'string' }, '12'],
  ['12', { type: 'integer' }, 12],
  [' 12 ', { type: 'integer' }, 12],
  ['-1.50', { type: 'number' }, -1.5],
  ['1e3', { type: 'number' }, 1000],
  ['.5', { type: 'number' }, 0.5],
  ['9007199254740991', { type: 'integer' }, 9007199254740991],
  ['2033735037361704962', { type: ['integer', 'string'] }, '2033735037361704962'],
  ['7.', { type: 'number' }, 7],
  [`1.${'0'.repeat(398)}`, { type: 'number' }, 1],
  [`1.${'0'.repeat(399)}`, { type: 'number' }, `1.${'0'.repeat(399)}`],
  ['12,5', { type: 'number' }, '12,5'],
  ['0x10', { type: 'number' }, '0x10'],
  ['12 apples', { type: 'integer' }, '12 apples'],
  ['1.5', { type: 'integer' }, 1.5],
  ['on', { type: 'boolean' }, true],
  ['TRUE', { type: 'boolean' }, true],
  ['0', { type: 'boolean' }, false],
  ['maybe', { type: 'boolean' }, 'maybe'],
  ['constructor', { type: 'boolean' }, 'constructor'],
  ['5', { type: ['integer', 'string'] }, '5'],
  ['5', { type: ['integer', 'null'] }, 5],
  ['2', { enum: [1, 2, 'two'] }, 2],
  ['true', { const: true }, true],
  ['3', { enum: [1, 2] }, '3'],
  ['7', {}, '7'],
  ['7', { anyOf: [{ type: 'integer' }, { type: 'null' }] }, 7],
  ['7', { allOf: [{ minimum: 1 }, { type: 'number' }] }, 7],
  ['7', JSON.parse('{"if":{},"then":{"type":"number"}}'), 7],
  ['a\r\nb', { type: 'string' }, 'a\nb'],
]

describe('a form field', () => {
  for (const [text, schema, value] of scalars) {
    test(`reads ${JSON.stringify(text)} for ${JSON.stringify(schema)}`, () =>
      assert.deepEqual(read([['a', text]], one(schema)), { a: value }))
  }

  for (const text of ['2033735037361704962', '1e999', '0.1234567890123456789'])
    test(`refuses ${text} for a number, because it would be rounded`, () => {
      const errors = [
        { path: '/a', message: 'is a number that would be rounded; send it as a string' },
      ]
      assert.throws(
        () => read([['a', text]], one({ type: 'number' })),
        (error) => error instanceof Problem && isDeepStrictEqual(error.extra.errors, errors),
      )
    })

  test('is left out if it is empty, for every type', () => {
    for (const type of ['string', 'integer', 'boolean', 'array', 'object'])
      assert.deepEqual(read([['a', '']], one({ type })), {})
  })

  test('reads a time without a zone in the zone of the form, and keeps the zone of another', () => {
    const time = (text: string, format: string, timezone?: string) =>
      read([['a', text]], one({ type: 'string', format }), timezone)['a']
    assert.equal(time('2026-11-22T10:30', 'date-time'), '2026-11-22T09:30:00Z')
    assert.equal(time('2026-06-22T10:30:15', 'date-time'), '2026-06-22T08:30:15Z')
    assert.equal(time('2026-11-22T10:30', 'date-time', 'UTC'), '2026-11-22T10:30:00Z')
    assert.equal(time('10:30', 'time'), '10:30:00+02:00')
    assert.equal(time('10:30', 'time', 'UTC'), '10:30:00+00:00')
    for (const [text, format] of [
      ['2026-11-22T10:30:00Z', 'date-time'],
      ['2026-02-31T10:30', 'date-time'],
      ['tomorrow at ten', 'date-time'],
      ['10:30:00Z', 'time'],
      ['25:00', 'time'],
      ['2026-11-22', 'date'],
      ['2026-11-22T10:30', 'note'],
    ] as const)
      assert.equal(time(text, format), text)
    for (const timezone of ['Mars/Olympus', '', '+25:00', 'a'.repeat(999)])
      assert.equal(time('2026-11-22T10:30', 'date-time', timezone), '2026-11-22T10:30')
    assert.deepEqual(read([['a', '10:30']], one({ format: 'time' })), { a: '10:30:00+02:00' })
  })

  test('is refused if no zone is known for its time', () => {
    const message = 'has no time zone; send one as hp_timezone'
    for (const [text, format] of [
      ['2026-12-24T19:00', 'date-time'],
      ['19:00', 'time'],
    ])
      assert.throws(
        () => read([['a', text!]], one({ type: 'string', format }), null),
        (error) =>
          error instanceof Problem &&
          isDeepStrictEqual(error.extra.errors, [{ path: '/a', message }]),
      )
    const zoned = '2026-12-24T19:00:00Z'
    assert.deepEqual(read([['a', zoned]], one({ format: 'date-time' }), null), { a: zoned })
  })

  test('is read by a schema referenced by $anchor', () => {
    const schema = of(
      { a: { $ref: '#num' } },
      { $defs: { n: { $anchor: 'num', type: 'integer' } } },
    )
    assert.deepEqual(read([['a', '3']], schema), { a: 3 })
    assert.deepEqual(read([['a', '3']], of({ a: { $ref: '#none' } })), { a: '3' })
  })

  test('is read by a referenced schema, even a recursive one', () => {
    const schema = of(
      { a: { $ref: '#/$defs/n%7E1o~1e' }, b: { $ref: '#' } },
      { $defs: { 'n/o/e': { type: 'integer' }, 'n~1o/e': {} } },
    )
    assert.deepEqual(read([['b.b.a', '3']], of({ b: { $ref: '#' }, a: { type: 'integer' } })), {
      b: { b: { a: 3 } },
    })
    assert.deepEqual(read([['a', '3']], schema), { a: 3 })
    const loop = of({ a: { $ref: '#/$defs/l' } }, { $defs: { l: { $ref: '#/$defs/l' } } })
    assert.deepEqual(read([['a', '3']], loop), { a: '3' })
  })
})

describe('field names', () => {
  test('give an array if they are repeated', () => {
    const pairs = [['a', '1'] as const, ['a', '2'] as const]
    assert.deepEqual(read(pairs, one({ type: 'array', items: { type: 'integer' } })), { a: [1, 2] })
    assert.deepEqual(read(pairs, one({})), { a: ['1', '2'] })
    assert.deepEqual(read([['a', '1']], one({ type: 'array' })), { a: ['1'] })
    assert.deepEqual(read([['a[]', '1']], one({ type: 'array' })), { a: ['1'] })
  })

  test('give the last value if they are repeated for a boolean', () => {
    const pairs = [['a', 'no'] as const, ['a', 'yes'] as const]
    assert.deepEqual(read(pairs, one({ type: 'boolean' })), { a: true })
  })

  test('give nested objects if they have dots, unless the schema declares them with dots', () => {
    const schema = of({ b: of({ c: { type: 'integer' } }), 'b.d': { type: 'integer' } })
    assert.deepEqual(read([['b.c', '1'] as const, ['b.d', '2'] as const], schema), {
      b: { c: 1 },
      'b.d': 2,
    })
    assert.deepEqual(read([['x..y', '1'] as const, ['.', '2'] as const], schema), {
      'x..y': '1',
      '.': '2',
    })
    const deep = Array.from({ length: 11 }, () => 'a').join('.')
    assert.deepEqual(read([[deep, '1']], {}), { [deep]: '1' })
  })

  test('are refused if they have both a value and fields below them', () => {
    for (const pairs of [
      [['a', '1'] as const, ['a.b', '2'] as const],
      [['a.b', '2'] as const, ['a', '1'] as const],
    ]) {
      assert.throws(
        () => read(pairs, {}),
        (error) => error instanceof Problem && error.extra.errors?.[0]?.path === '/a',
      )
    }
  })

  test('are stored unchanged if they are __proto__, constructor or similar', () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty']
    for (const name of names) {
      const data = read([[`${name}.x`, '1']], of({}))
      assert.deepEqual(Object.keys(data), [name])
      assert.equal(Object.getPrototypeOf(data), Object.prototype)
    }
    assert.equal(Object.hasOwn(Object.prototype, 'x'), false)
  })
})

describe('a checkbox that is not ticked', () => {
  test('sets a required boolean to false and omits an optional boolean', () => {
    const schema = of({ a: { type: 'boolean' }, b: { type: 'boolean' } }, { required: ['a'] })
    assert.deepEqual(read([], schema), { a: false })
  })

  test('omits a field that allows more types than boolean', () => {
    assert.deepEqual(read([], of({ a: { type: ['boolean', 'null'] } }, { required: ['a'] })), {})
  })
})

test('random fields and schemas always give a JSON document', () => {
  const names = fc.oneof(
    fc.string({ maxLength: 8 }),
    fc.constantFrom('a', 'a.b', 'b', 'a[]', '__proto__'),
  )
  const pairs = fc.array(fc.tuple(names, fc.string({ maxLength: 8 })), { maxLength: 8 })
  const schema = fc.oneof(
    fc.jsonValue(),
    fc.dictionary(
      fc.constantFrom('properties', 'type', '$ref', 'allOf', 'items', 'required', 'enum', 'const'),
      fc.oneof(fc.jsonValue(), fc.constantFrom('#', '#/properties/a', ['a'], 'boolean', 'array')),
    ),
  )
  fc.assert(
    fc.property(pairs, schema, (sent, shape) => {
      try {
        const data = read(sent, shape)
        assert.deepEqual(JSON.parse(JSON.stringify(data)), data)
      } catch (error) {
        if (!(error instanceof Problem)) throw error
      }
    }),
  )
})
