/** The order of values: every pair, compared with their keys. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { compareValues, sortKey } from './sort-key.ts'

const number = fc.double({ noNaN: true, noDefaultInfinity: true })
const string = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.string({ unit: 'binary', minLength: 150, maxLength: 260 }),
)
const value = fc.oneof(fc.constant(null), fc.boolean(), number, string)

/** Reference implementation of the order, without bytes. */
function plainly(a: unknown, b: unknown): number {
  const rank = (one: unknown) => [null, false, true].findIndex((known) => known === one)
  const place = (one: unknown) =>
    rank(one) >= 0 ? rank(one) : typeof one === 'number' ? 3 : typeof one === 'string' ? 4 : 0
  if (place(a) !== place(b)) return Math.sign(place(a) - place(b))
  if (typeof a === 'number' && typeof b === 'number') return a < b ? -1 : a > b ? 1 : 0
  if (typeof a !== 'string' || typeof b !== 'string') return 0
  const [first, second] = [Array.from(a), Array.from(b)]
  for (const [index, character] of first.entries()) {
    const other = second[index]
    if (other === undefined) return 1
    if (character !== other) return Math.sign(character.codePointAt(0)! - other.codePointAt(0)!)
  }
  return first.length < second.length ? -1 : 0
}

suite('sortKey', () => {
  test('orders types: null, false, true, numbers, strings', () => {
    const ordered = [undefined, false, true, -1e300, 0, 1e300, '', '0', 'é', '😀'].map(sortKey)
    assert.deepEqual(ordered.toSorted(Buffer.compare), ordered)
  })

  test('returns the documented bytes', () => {
    const hex = (one: unknown) => sortKey(one).toString('hex')
    assert.equal(hex(null), '00')
    assert.equal(hex(false), '10')
    assert.equal(hex(true), '11')
    assert.equal(hex(0), '208000000000000000')
    assert.equal(hex(1), '20bff0000000000000')
    assert.equal(hex(-1), '20400fffffffffffff')
    assert.equal(hex('aé'), '3061c3a9')
  })

  test('is equal for 0 and -0, and for all values without an order', () => {
    assert.deepEqual(sortKey(-0), sortKey(0))
    for (const one of [undefined, [], {}, [1]]) assert.deepEqual(sortKey(one), sortKey(null))
  })

  test('contains at most 200 bytes of a string, cut between characters', () => {
    assert.equal(sortKey('a'.repeat(500)).length, 201)
    assert.equal(sortKey('é'.repeat(500)).length, 201)
    assert.equal(sortKey(`a${'é'.repeat(500)}`).length, 200)
    assert.equal(sortKey(`a${'😀'.repeat(500)}`).length, 198)
    assert.equal(sortKey(`${'a'.repeat(199)}😀`).length, 200)
  })

  test('never reverses the order of two values; long strings may share a key', () => {
    fc.assert(
      fc.property(value, value, (a, b) => {
        const said = Math.sign(Buffer.compare(sortKey(a), sortKey(b)))
        const wanted = plainly(a, b)
        assert.ok(said === wanted || said === 0, `${said} instead of ${wanted}`)
        if (String(a).length < 20 && String(b).length < 20) assert.equal(said, wanted)
      }),
      { numRuns: 2000 },
    )
  })

  test('keeps the order of every pair of numbers', () => {
    fc.assert(
      fc.property(number, number, (a, b) => {
        assert.equal(Math.sign(Buffer.compare(sortKey(a), sortKey(b))), plainly(a, b))
      }),
      { numRuns: 2000 },
    )
  })

  test('agrees with compareValues', () => {
    fc.assert(
      fc.property(value, value, (a, b) => {
        assert.equal(Math.sign(compareValues(a, b)), plainly(a, b))
      }),
      { numRuns: 2000 },
    )
  })
})
