/** Tests of basic values: ids, money, cursors, encryption, the clock, verbatim JSON. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { movableClock } from '../../clock.ts'
import { createSeal, sameText } from '../../secrets/crypto.ts'
import { isUuid, newId, newRequestId, randomBase62, toBase62 } from '../../values/ids.ts'
import { euroFromMicro, microFromEuro } from '../../values/money.ts'
import { pageOf, readCursor, writeCursor } from '../page.ts'
import { serialize, verbatim } from './verbatim.ts'

const seal = createSeal('a master key for tests that is long enough')

describe('ids', () => {
  test('are version 7 UUIDs with the right variant', () => {
    const id = newId(movableClock())
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    assert.ok(isUuid(id))
  })
  test('sort by creation, also thousands within a millisecond', () => {
    const frozen = { now: () => new Date(1e12), now_ms: () => 1e12 }
    const ids = Array.from({ length: 20_000 }, () => newId(frozen))
    assert.deepEqual(ids, ids.toSorted())
    assert.equal(new Set(ids).size, ids.length)
  })
  test('contain the time of the clock', () => {
    const clock = movableClock()
    clock.advance(10 * 366 * 86_400)
    const time_ms = Number.parseInt(newId(clock).replaceAll('-', '').slice(0, 12), 16)
    assert.ok(Math.abs(time_ms - clock.now_ms()) < 1000)
  })
  test('start with req_ and 20 characters for requests', () =>
    assert.match(newRequestId(), /^req_[0-9a-f]{20}$/))
  test('are padded and contain only letters and digits in base 62', () => {
    assert.equal(toBase62(0, 6), '000000')
    assert.equal(toBase62(61, 2), '0z')
    assert.equal(toBase62(62 ** 6 - 1, 6), 'zzzzzz')
    assert.match(randomBase62(500), /^[0-9A-Za-z]{500}$/)
  })
})

describe('money', () => {
  test('converts to euro and back without loss', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 13n), max: 10n ** 13n }), (micro) => {
        assert.equal(microFromEuro(euroFromMicro(micro)), micro)
      }),
    )
  })
  test('parses common notations', () => {
    assert.equal(microFromEuro(0.1), 100_000n)
    assert.equal(microFromEuro(-1.005), -1_005_000n)
    assert.throws(() => microFromEuro(Number.NaN), RangeError)
    assert.throws(() => microFromEuro(Infinity), RangeError)
  })
})

describe('cursors', () => {
  test('return the position that they contain', () => {
    fc.assert(
      fc.property(fc.uuid(), (last) => {
        assert.equal(readCursor(seal, 'calls p1', writeCursor(seal, 'calls p1', last)), last)
      }),
    )
  })
  test('are refused for another list, and with any character altered', () => {
    const cursor = writeCursor(seal, 'calls p1', newId(movableClock()))
    assert.equal(readCursor(seal, 'calls p2', cursor), null)
    for (let index = 0; index < cursor.length; index++) {
      const other = cursor[index] === 'A' ? 'B' : 'A'
      assert.equal(
        readCursor(seal, 'calls p1', cursor.slice(0, index) + other + cursor.slice(index + 1)),
        null,
      )
    }
  })
  test('are refused if they are any other text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => assert.equal(readCursor(seal, 'calls p1', text), null)),
    )
  })
  test('list every row once over all pages', () => {
    fc.assert(
      fc.property(fc.nat(60), fc.integer({ min: 1, max: 10 }), (count, limit) => {
        const rows = Array.from({ length: count }, (_, index) => ({ id: String(9000 - index) }))
        const seen: string[] = []
        for (let after: string | null = '9999'; after !== null;) {
          const from: string = after
          const page = pageOf(
            rows.filter(({ id }) => id < from).slice(0, limit + 1),
            limit,
            (last) => last,
          )
          seen.push(...page.data.map(({ id }) => id))
          after = page.next_cursor
        }
        assert.deepEqual(
          seen,
          rows.map(({ id }) => id),
        )
      }),
    )
  })
})

describe('encryption', () => {
  test('decrypts a value for the same purpose only', () => {
    const sealed = seal.seal('whsec_secret', 'webhook-secret')
    assert.equal(seal.open(sealed, 'webhook-secret'), 'whsec_secret')
    assert.throws(() => seal.open(sealed, 'vault'))
  })
  test('fails under another master key', () => {
    const sealed = seal.seal('x', 'p')
    assert.throws(() => createSeal('another master key').open(sealed, 'p'), /another master key/)
  })
  test('fails if any byte was altered', () => {
    const sealed = seal.seal('some text', 'p')
    for (let index = 0; index < sealed.length; index++) {
      const changed = Buffer.from(sealed)
      changed[index]! ^= 1
      assert.throws(() => seal.open(changed, 'p'))
    }
  })
  test('gives different ciphertexts for one text', () => {
    assert.notDeepEqual(seal.seal('same', 'p'), seal.seal('same', 'p'))
  })
  test('compares texts by content', () => {
    assert.ok(sameText('abc', 'abc'))
    assert.ok(!sameText('abc', 'abcd'))
  })
})

describe('the clock', () => {
  test('moves forward by the given seconds, and never back', () => {
    const clock = movableClock()
    const before = clock.now_ms()
    clock.advance(3600)
    assert.ok(clock.now_ms() - before >= 3_600_000)
    assert.throws(() => clock.advance(-1), RangeError)
    assert.throws(() => clock.advance(Number.NaN), RangeError)
  })
})

describe('verbatim JSON', () => {
  test('is sent unchanged at any position', () => {
    const text = '{"2": 1.0, "1": [ true ],"b":"x","a":1e3}'
    assert.equal(serialize({ plan: verbatim(text), version: 1 }), `{"plan":${text},"version":1}`)
    assert.equal(serialize([verbatim('1'), verbatim('{"$&":"$1"}')]), '[1,{"$&":"$1"}]')
  })
  test('can be a whole reply, with the given members', () => {
    const reply = verbatim<{ version: number; name: string }>('{"version":2}', { version: 2 })
    assert.equal(reply.version, 2)
    assert.equal(serialize(reply), '{"version":2}')
    assert.equal(serialize({ reply }), '{"reply":{"version":2}}')
  })
  test("cannot be imitated by a client's text", () => {
    const value = { name: 'verbatim-00000000000000000000000000000000-0', plan: verbatim('{}') }
    assert.deepEqual(JSON.parse(serialize(value)), { name: value.name, plan: {} })
  })
  test('does not affect other replies', () =>
    assert.equal(serialize({ a: [1, null] }), '{"a":[1,null]}'))
})
