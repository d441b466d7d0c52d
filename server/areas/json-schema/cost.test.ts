/**
 * Worst known schemas and documents: their compilation and validation end. Without the bound on steps,
 * these cases would take years.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { formats } from './patterns/formats.ts'
import { isSchema } from './subschemas.ts'
import { compile } from './validator.ts'

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))
const members = (count: number, make: (index: number) => unknown): object =>
  Object.fromEntries(times(count, (index) => [`f${index}`, make(index)]))
const brackets = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth))
const text = 'a'.repeat(65_000)
const self = { $ref: '#/$defs/a' }

const traps: [what: string, schema: unknown, data: unknown][] = [
  [
    'anyOf branches that double at each level',
    { $defs: { a: { anyOf: times(2, (n) => ({ items: self, minItems: n + 2 })) } }, ...self },
    brackets(60),
  ],
  [
    'ten references to the same schema at each level',
    { $defs: { a: { allOf: times(10, () => ({ items: self })) } }, ...self },
    brackets(60),
  ],
  ['a recursive schema for deeply nested arrays', { items: { $ref: '#' } }, brackets(5_000)],
  [
    'uniqueItems many times on a list',
    { allOf: times(400, () => ({ uniqueItems: true })) },
    times(6_000, (a) => ({ a, b: 1 })),
  ],
  [
    'a long required list on many objects',
    { items: { required: times(5_000, String) } },
    times(20_000, Object),
  ],
  [
    'a large enum on many objects',
    { items: { enum: times(1_000, (a) => ({ a: [a] })) } },
    times(8_000, Object),
  ],
  [
    'contains many times on a list',
    { allOf: times(240, (n) => ({ contains: { const: n } })) },
    times(30_000, () => 1),
  ],
  [
    'maxLength many times on a long text',
    { allOf: times(490, (n) => ({ maxLength: 1e5 + n })) },
    text,
  ],
  [
    'format many times on a long text',
    { allOf: times(490, () => ({ format: 'uri' })) },
    `a:${text}`,
  ],
  [
    'pattern many times on a long text',
    { anyOf: times(99, (n) => ({ pattern: `(a|aa)*x${n}` })) },
    text,
  ],
  ['a pattern with many states', { pattern: '[ab]*a[ab]{800}(c|d)?$' }, `${'ab'.repeat(32_000)}x`],
  [
    'many patternProperties on many names',
    { patternProperties: members(99, () => true), additionalProperties: false },
    members(5_000, () => 1),
  ],
  [
    'many dependent schemas',
    { dependentSchemas: members(490, () => ({ minProperties: 5 })) },
    members(8_000, () => 1),
  ],
  [
    'nested unevaluatedProperties',
    {
      $defs: {
        a: {
          additionalProperties: self,
          anyOf: [{ properties: members(400, () => true) }, true],
          unevaluatedProperties: false,
        },
      },
      ...self,
    },
    members(8_000, () => ({})),
  ],
  [
    'a very large number of errors',
    { items: { type: 'string', minimum: 5, multipleOf: 2.5 } },
    times(30_000, () => 1),
  ],
  [
    'multipleOf with many digits',
    { items: { multipleOf: 1e-300 } },
    times(16_000, () => 1e300 + 1),
  ],
]

describe('validation ends for', () => {
  for (const [what, schema, data] of traps) {
    test(what, () => {
      assert(isSchema(schema))
      const prepared = compile(schema)
      assert('compiled' in prepared, JSON.stringify(prepared))
      prepared.compiled.check(data)
    })
  }

  test('stops a check that exceeds its steps with an error, and checks the next document normally', () => {
    const schema = { items: { allOf: times(400, () => ({ type: 'number' })) } }
    const prepared = compile(schema)
    assert('compiled' in prepared)
    const [fault] = prepared.compiled.check(times(30_000, () => 1))
    assert.deepEqual(fault, { path: '', message: 'needs too many steps to check with this schema' })
    assert.deepEqual(prepared.compiled.check([1, 2]), [])
  })

  test('checks a long list of codes against a long enum', () => {
    const schema = { items: { enum: times(1_000, (index) => `code-${index}`) } }
    const prepared = compile(schema)
    assert('compiled' in prepared)
    assert.deepEqual(prepared.compiled.check(times(6_000, (index) => `code-${index % 1000}`)), [])
  })

  test('checks a document of maximum size with numbers or objects completely', () => {
    const prepared = compile({
      properties: {
        numbers: { type: 'array', items: { type: 'integer', minimum: 0, maximum: 9 } },
        rows: { type: 'array', items: { $ref: '#/$defs/row' } },
      },
      $defs: {
        row: {
          type: 'object',
          properties: { id: { type: 'integer' }, name: { type: 'string', maxLength: 99 } },
          required: ['id', 'name'],
          additionalProperties: false,
        },
      },
    })
    assert('compiled' in prepared)
    assert.deepEqual(prepared.compiled.check({ numbers: times(32_000, () => 1) }), [])
    assert.deepEqual(
      prepared.compiled.check({ rows: times(2_500, (id) => ({ id, name: 'abc' })) }),
      [],
    )
  })
})

describe('compilation ends for', () => {
  const heavy: [what: string, schema: object][] = [
    [
      'as many fields as can be',
      { properties: members(499, () => ({ type: 'string', minLength: 3 })) },
    ],
    [
      'a long chain of references',
      {
        $defs: Object.fromEntries(
          times(490, (n) => [`d${n}`, n < 489 ? { $ref: `#/$defs/d${n + 1}` } : {}]),
        ),
        $ref: '#/$defs/d0',
      },
    ],
    [
      'many references to one schema',
      {
        $defs: { a: { properties: members(200, () => ({ type: 'string' })) } },
        allOf: times(290, (n) => ({ $ref: n % 2 ? '#/$defs/a' : '#/%24defs/%61' })),
      },
    ],
    [
      'nested branches',
      (() => {
        let schema: object = { const: 1 }
        for (let level = 0; level < 7; level += 1) schema = { anyOf: [schema, schema] }
        return schema
      })(),
    ],
  ]
  for (const [what, schema] of heavy) {
    test(what, () => {
      const prepared = compile(JSON.parse(JSON.stringify(schema)))
      if ('compiled' in prepared) prepared.compiled.check({})
    })
  }
})

test('every format ends for a long text', () => {
  const long = [text, `${text}@`, 'a.'.repeat(32_000), 'a@'.repeat(32_000), '1'.repeat(65_000)]
  const odd = [
    '/'.repeat(65_000),
    `${'{a}'.repeat(21_000)}{`,
    '%aa'.repeat(21_000),
    '('.repeat(65_000),
  ]
  const more = ['é'.repeat(65_000), `http://${'a-'.repeat(32_000)}`, `P${'1'.repeat(65_000)}`]
  for (const [name, format] of Object.entries(formats)) {
    for (const one of [...long, ...odd, ...more]) {
      assert.equal(typeof format(one), 'boolean', name)
    }
  }
})
