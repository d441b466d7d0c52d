/** Tests of checks on a single document. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { limits } from '../../../contract/limits.ts'
import { digestOf, indexKeysOf, schemaMismatch, checkDocument } from './document-check.ts'
import { rulesOf } from '../collections/rules.ts'
import { sortKey } from '../sort-key.ts'

const open = { schema: '{"type":"object"}', indexes: [], unique_fields: [] }
const anything = rulesOf(open)

function refusalOf(data: Record<string, unknown>) {
  const checked = checkDocument(anything, data)
  assert('refusal' in checked)
  return checked.refusal
}

/** Returns objects nested to this depth. */
function nested(levels: number): Record<string, unknown> {
  return levels === 1 ? {} : { a: nested(levels - 1) }
}

suite('checkDocument', () => {
  test('accepts what JSON and PostgreSQL can store, and returns its size', () => {
    const object = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ maxDepth: 4 }))
    fc.assert(
      fc.property(object, (data) => {
        const text = JSON.stringify(data)
        fc.pre(!text.includes('\\u0000'))
        const checked = checkDocument(anything, data)
        assert('text' in checked)
        assert.deepEqual([checked.text, checked.bytes], [text, Buffer.byteLength(text)])
      }),
    )
  })

  test('refuses a value that cannot be stored, with its path', () => {
    const faulty: [Record<string, unknown>, string][] = [
      [{ a: ['x', 'y\0'] }, '/a/1'],
      [{ a: { 'b\0': 1 } }, '/a/b\0'],
      [{ 'a/b': '\ud800' }, '/a~1b'],
      [{ a: { b: Infinity } }, '/a/b'],
      [{ a: NaN }, '/a'],
    ]
    for (const [data, path] of faulty) {
      const { slug, errors } = refusalOf(data)
      assert.deepEqual([slug, errors?.[0]?.path], ['schema_mismatch', path])
    }
  })

  test('accepts at most 64 levels', () => {
    assert('text' in checkDocument(anything, nested(limits.json_depth_max)))
    assert.equal(refusalOf(nested(limits.json_depth_max + 1)).slug, 'schema_mismatch')
    // Deeper than the call stack allows, so the check must stop at the limit.
    let deep: Record<string, unknown> = {}
    for (let level = 0; level < 1_000_000; level += 1) deep = { a: deep }
    assert.equal(refusalOf(deep).slug, 'schema_mismatch')
  })

  test('puts the first error into the detail, with the number of further errors', () => {
    const fault = (path: string) => ({ path, message: 'is wrong.' })
    assert.equal(schemaMismatch([fault('/a')]).detail, '/a: is wrong.')
    assert.equal(schemaMismatch([fault('/a'), fault('/b')]).detail, '/a: is wrong, and 1 more.')
    assert.equal(schemaMismatch([fault('')]).detail, 'The document: is wrong.')
  })
})

suite('the index keys of a document', () => {
  const rules = rulesOf({ ...open, indexes: ['a.b', 'n'], unique_fields: ['n', 'u'] })

  test('include one per indexed or unique field, with a digest if it is unique', () => {
    const data = { a: { b: 'x' }, n: 7 }
    assert.deepEqual(indexKeysOf(rules.fields, data), [
      { field: 'n', key: sortKey(7), digest: digestOf(7) },
      { field: 'u', key: sortKey(null), digest: null },
      { field: 'a.b', key: sortKey('x'), digest: null },
    ])
  })

  test('have equal digests for equal values only', () => {
    const value = fc.oneof(
      fc.boolean(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.string(),
      fc.constant('1'),
    )
    fc.assert(
      fc.property(value, value, (a, b) => {
        const [left, right] = [digestOf(a), digestOf(b)]
        assert(left && right)
        assert.equal(left.equals(right), a === b)
      }),
    )
    for (const nothing of [null, undefined, [], {}, [1]]) assert.equal(digestOf(nothing), null)
  })
})

test('rulesOf returns the same object for the same settings', () => {
  assert.equal(rulesOf({ ...open }), anything)
  assert.notEqual(rulesOf({ ...open, indexes: ['a'] }), anything)
  assert.notEqual(rulesOf({ ...open, unique_fields: ['a'] }), rulesOf({ ...open, indexes: ['a'] }))
})
