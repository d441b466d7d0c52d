/** Schemas of collections: acceptance, refusal, and the messages for invalid documents. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { limits } from '../../contract/limits.ts'
import { compileSchema, schemaErrors } from './service.ts'

/** Returns the messages by path. */
function faults(schema: object, data: unknown): Record<string, string> {
  assert.deepEqual(schemaErrors(schema), [])
  return Object.fromEntries(
    compileSchema(schema)
      .check(data)
      .map((one) => [one.path, one.message]),
  )
}

function field(schema: object): object {
  return { type: 'object', properties: { a: schema } }
}

function fields(count: number, schema: unknown): object {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, schema]))
}

function nested(levels: number): object {
  let schema: object = { type: 'string' }
  for (let level = 0; level < levels; level += 1) schema = { properties: { a: schema } }
  return schema
}

describe('the message for', () => {
  const words: [schema: object, value: unknown, message: string][] = [
    [{ type: 'string' }, 1, 'must be text'],
    [{ type: ['integer', 'null'] }, 'x', 'must be a whole number or null'],
    [{ minLength: 3 }, 'é😀', 'must be at least 3 characters'],
    [{ maxLength: 1 }, '😀😀', 'must be at most 1 character'],
    [{ minimum: 3 }, 2, 'must be at least 3'],
    [{ exclusiveMaximum: 3 }, 3, 'must be less than 3'],
    [{ multipleOf: 0.01 }, 0.001, 'must be a multiple of 0.01'],
    [{ enum: ['open', 'closed'] }, 'x', 'must be one of "open", "closed"'],
    [{ const: { b: 1 } }, {}, 'must be {"b":1}'],
    [{ pattern: '^[0-9]{4}' }, 'x', 'must match the pattern ^[0-9]{4}'],
    [
      { pattern: '^[0-9]{4}', description: 'Four digits' },
      'x',
      'has the wrong format: Four digits',
    ],
    [{ format: 'email' }, 'x', 'must be an email address'],
    [{ format: 'date' }, '2026-02-29', 'must be a date such as 2026-03-31'],
    [{ minItems: 1 }, [], 'must have at least 1 entry'],
    [{ maxItems: 2 }, [1, 2, 3], 'must have at most 2 entries'],
    [
      { uniqueItems: true },
      [
        { b: 1, c: 2 },
        { c: 2, b: 1 },
      ],
      'must not have duplicate entries',
    ],
    [{ maxProperties: 0 }, { b: 1 }, 'must have at most 0 fields'],
    [{ contains: { const: 1 } }, [2], 'must have at least 1 matching entry'],
    [{ not: { type: 'string' } }, 'x', 'is not allowed'],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 1, 'must be text or null'],
    [
      { oneOf: [{ minimum: 1 }, { minimum: 2 }] },
      3,
      'matches more than one of the allowed alternatives',
    ],
  ]
  for (const [schema, value, message] of words) {
    test(`${JSON.stringify(schema)}: ${message}`, () =>
      assert.deepEqual(faults(field(schema), { a: value }), { '/a': message }))
  }

  test('reports a missing and an undeclared field at the path of the field', () => {
    const schema = { required: ['a/b'], properties: { 'a/b': true }, additionalProperties: false }
    assert.deepEqual(faults(schema, { 'c~d': 1 }), {
      '/a~1b': 'is required',
      '/c~0d': 'is not an allowed field',
    })
  })

  test('reports only the branch of anyOf that the document resembles', () => {
    const shape = (kind: string, name: string) => ({
      type: 'object',
      properties: { kind: { const: kind }, [name]: { type: 'number' } },
      required: [name],
    })
    const $defs = { circle: shape('circle', 'radius'), square: shape('square', 'side') }
    const anyOf = [{ $ref: '#/$defs/circle' }, { $ref: '#/$defs/square' }, { type: 'null' }]
    const schema = { $defs, properties: { shape: { anyOf } } }
    assert.deepEqual(faults(schema, { shape: { kind: 'square' } }), {
      '/shape/side': 'is required',
    })
    assert.deepEqual(faults(schema, { shape: 1 }), {
      '/shape': 'does not match any of the allowed alternatives',
    })
    assert.deepEqual(faults(schema, { shape: null }), {})
  })

  test('reports at most 50 errors', () => {
    const schema = { additionalProperties: { type: 'string', minLength: 3 } }
    assert.equal(Object.keys(faults(schema, fields(400, 1))).length, 50)
  })

  test('default is an annotation and fills in nothing', () => {
    const data = {}
    assert.deepEqual(faults(field({ default: 1 }), data), {})
    assert.deepEqual(data, {})
  })
})

describe('refuses the schema', () => {
  const refusals: [schema: unknown, path: string, message: RegExp][] = [
    [true, '', /must be an object/],
    [[], '', /must be an object/],
    [{ type: 'array' }, '/type', /documents are objects/],
    [{ type: ['string', 'null'] }, '/type', /documents are objects/],
    [field({ type: 'text' }), '/properties/a/type', /must be one of/],
    [{ properties: { a: 1 } }, '/properties/a', /must be an object or true or false/],
    [{ required: 'a' }, '/required', /must be a list/],
    [field({ minLength: -1 }), '/properties/a/minLength', /at least 0/],
    [{ $ref: 'https://example.com/s.json' }, '/$ref', /not fetched/],
    [{ $ref: 'other.json' }, '/$ref', /not fetched/],
    [{ $ref: '#/$defs/nowhere' }, '/$ref', /must point at a schema/],
    [{ $ref: '#nowhere' }, '/$ref', /must point at a schema/],
    [{ $ref: '#' }, '', /circular reference/],
    [
      { anyOf: [{ $ref: '#/$defs/a' }], $defs: { a: { not: { $ref: '#' } } } },
      '/$defs/a/not',
      /circular/,
    ],
    [{ $schema: 'http://json-schema.org/draft-07/schema#' }, '/$schema', /2020-12/],
    [field({ $dynamicRef: '#a' }), '/properties/a/$dynamicRef', /use "\$ref"/],
    [
      { $defs: { a: { $anchor: 'x' }, b: { $anchor: 'x' } } },
      '/$defs/a',
      /already the name of another/,
    ],
    [field({ pattern: 'a(?=b)' }), '/properties/a/pattern', /lookahead/],
    [field({ pattern: '(a)\\1' }), '/properties/a/pattern', /backreference/],
    [field({ pattern: '(' }), '/properties/a/pattern', /not a regular expression/],
    [{ patternProperties: { '[': true } }, '/patternProperties/[', /incomplete/],
    [
      field({ pattern: 'a{999}'.repeat(11) }),
      '/properties/a/pattern',
      /too large, once repetitions/,
    ],
    [field({ pattern: 'a'.repeat(1001) }), '/properties/a/pattern', /at most 1000 characters/],
    [{ enum: Array.from({ length: 1001 }, (_, i) => i) }, '/enum', /at most 1000 values/],
    [{ properties: fields(500, true) }, '', /more than 500 schemas/],
    [
      { allOf: Array.from({ length: 101 }, () => ({ pattern: 'a' })) },
      '',
      /more than 100 patterns/,
    ],
    [{ title: 'x'.repeat(limits.json_schema_bytes_max) }, '', /at most 64 kB/],
    [{ unevaluatedItems: false, contains: true }, '/unevaluatedItems', /"contains"/],
  ]
  for (const [schema, path, message] of refusals) {
    test(`${JSON.stringify(schema).slice(0, 70)}: ${message.source}`, () => {
      const found = schemaErrors(schema).find((fault) => message.test(fault.message))
      assert.equal(found?.path, path, JSON.stringify(schemaErrors(schema)))
      assert.throws(() => compileSchema(schema))
    })
  }

  test('refuses a schema that is nested too deep, with the path of the first level too many', () => {
    const [fault] = schemaErrors(nested(30))
    assert.match(fault?.message ?? '', /more than 40 levels/)
    assert.deepEqual(schemaErrors(nested(19)), [])
  })

  test('refuses a field named __proto__ at every level', () => {
    const hostile: unknown[] = [
      JSON.parse('{"properties":{"__proto__":{"type":"string"}}}'),
      JSON.parse('{"patternProperties":{"__proto__":true}}'),
      JSON.parse('{"$defs":{"__proto__":{}}}'),
      JSON.parse('{"const":{"__proto__":1}}'),
    ]
    for (const schema of hostile)
      assert.match(schemaErrors(schema)[0]?.message ?? '', /not allowed/)
  })
})

describe('property names of JavaScript objects', () => {
  const names = ['constructor', 'toString', 'valueOf', 'hasOwnProperty', 'prototype', 'then']

  test('are ordinary fields: reported as missing if absent', () => {
    const schema = { required: names, properties: Object.fromEntries(names.map((n) => [n, true])) }
    assert.deepEqual(
      Object.keys(faults(schema, {})),
      names.map((name) => `/${name}`),
    )
    assert.deepEqual(faults(schema, Object.fromEntries(names.map((name) => [name, 1]))), {})
  })

  test('are compared as data and never called', () => {
    for (const name of names) {
      const value = { [name]: { [name]: 1 } }
      const schema = field({ enum: [value, [value]], uniqueItems: true })
      assert.deepEqual(faults(schema, { a: structuredClone(value) }), {})
      assert.deepEqual(faults(schema, { a: [structuredClone(value)] }), {})
      assert.deepEqual(Object.keys(faults(schema, { a: { [name]: 1 } })), ['/a'])
    }
  })

  test('names and values that contain code stay text', () => {
    const code = '"];globalThis.broken=1;//\u2028\n`${globalThis.broken=1}`\\'
    const schema = {
      properties: { [code]: { const: code }, other: { enum: [code], description: code } },
      patternProperties: { 'x{2}': { minLength: 3 } },
      dependentRequired: { [code]: ['other'] },
      [code]: code,
      metered: code,
      nullable: true,
      $async: true,
    }
    assert.deepEqual(faults(schema, { [code]: code, other: code }), {})
    assert.equal(Object.keys(faults(schema, { [code]: 1 })).length, 2)
    assert.equal('broken' in globalThis, false)
  })
})

test('the schema cache compiles schemas with the same text once', () => {
  const schema = { properties: { once: { type: 'string' } } }
  assert.equal(compileSchema(schema), compileSchema(structuredClone(schema)))
  assert.notEqual(compileSchema(schema), compileSchema({ ...schema, title: 'Other' }))
})

test('every accepted schema checks any value without an exception', () => {
  const keyword = fc.constantFrom(
    ...[
      ['type', 'properties', 'items', 'anyOf', 'allOf', 'not', 'enum', 'const', 'required', 'if'],
      ['then', 'else', 'contains', 'pattern', 'format', '$ref', '$defs', 'uniqueItems'],
      ['additionalProperties', 'unevaluatedProperties', 'unevaluatedItems', 'propertyNames'],
      ['prefixItems', 'multipleOf', 'minLength', 'maximum', '$anchor', '$id', 'constructor'],
    ].flat(),
  )
  const { schema } = fc.letrec((tie) => ({
    schema: fc.oneof(
      { maxDepth: 4 },
      fc.boolean(),
      fc.dictionary(keyword, fc.oneof(tie('schema'), tie('value')), { maxKeys: 4 }),
    ),
    value: fc.oneof(
      fc.constantFrom(
        'string',
        'object',
        '#',
        '#/$defs/a',
        'a',
        'email',
        0,
        1,
        0.5,
        null,
        [],
        ['a'],
      ),
      fc.array(tie('schema'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('a', 'b', 'toString'), tie('schema'), { maxKeys: 2 }),
    ),
  }))
  fc.assert(
    fc.property(schema, fc.jsonValue({ maxDepth: 4 }), (one, data) => {
      if (schemaErrors(one).length === 0) compileSchema(one).check(data)
    }),
    { numRuns: 300 },
  )
})
