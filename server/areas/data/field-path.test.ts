/** Tests of field paths: parsing, normalizing, reading values. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { parseFieldPath, pointerTo, valueAt, writeFieldPath } from './field-path.ts'

const part = fc.oneof(
  fc.constantFrom('data', 'a', 'größe', 'zip code', 'a.b', '"', '\\', '__proto__', '1'),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }),
)
const path = fc
  .array(part, { minLength: 1, maxLength: 9 })
  .filter((parts) => !parts.some((one) => one.includes('\0')))

suite('parseFieldPath', () => {
  test('splits at dots and reads quoted parts', () => {
    assert.deepEqual(parseFieldPath('email'), ['email'])
    assert.deepEqual(parseFieldPath('address.city'), ['address', 'city'])
    assert.deepEqual(parseFieldPath('address."zip.code".größe_2'), [
      'address',
      'zip.code',
      'größe_2',
    ])
    assert.deepEqual(parseFieldPath(String.raw`"a \"b\" \u00e9"`), ['a "b" é'])
  })

  test('ignores a leading data.', () => {
    assert.deepEqual(parseFieldPath('data.created_at'), ['created_at'])
    assert.deepEqual(parseFieldPath('data'), ['data'])
    assert.deepEqual(parseFieldPath('data.data'), ['data'])
  })

  test('returns null for an invalid path', () => {
    const none = ['', '.', 'a.', '.a', 'a..b', 'a b', '1a', 'a-b', '""', '"a', '"\\x"', 'a[0]']
    for (const text of [...none, '"\\u0000"', '"\\ud800"', Array(12).fill('a').join('.')])
      assert.equal(parseFieldPath(text), null, text)
    assert.equal(parseFieldPath('a'.repeat(201)), null)
  })

  test('reads back the same path that writeFieldPath wrote', () => {
    fc.assert(
      fc.property(path, (parts) => {
        const text = writeFieldPath(parts)
        if (text.length <= 200) assert.deepEqual(parseFieldPath(text), parts)
      }),
    )
  })

  test('valueAt finds own properties only, and does not enter arrays', () => {
    const data = { a: { b: 1, c: null }, list: [{ a: 1 }], text: 'abc' }
    assert.equal(valueAt(data, ['a', 'b']), 1)
    assert.equal(valueAt(data, ['a', 'c']), null)
    for (const nowhere of [['list', '0'], ['list', 'length'], ['text', 'length'], ['toString']])
      assert.equal(valueAt(data, nowhere), undefined)
    assert.equal(valueAt({}, ['__proto__', 'toString']), undefined)
    assert.equal(valueAt(JSON.parse('{"__proto__": 1}'), ['__proto__']), 1)
  })

  test('pointerTo writes a path as a JSON pointer', () => {
    assert.equal(pointerTo(['a', 'b/c~d', '']), '/a/b~1c~0d/')
  })
})
