/** The promises of the pure ledger: nothing is made or lost, and months are those of Amsterdam. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  accounts,
  changeOf,
  chargePostings,
  fallsBelowThreshold,
  holdPostings,
  monthOf,
  post,
  refusalOf,
  releasePostings,
  settlePostings,
  spentOf,
  topUpPostings,
  turnTo,
  type Books,
  type Posting,
} from './ledger.ts'

const micro = fc.bigInt({ min: 0n, max: 50_000_000n })
const empty: Books = {
  prepaid_micro: 0n,
  held_micro: 0n,
  month: '2026-12-01',
  charged_micro: 0n,
  cap_micro: null,
  threshold_micro: 5_000_000n,
}
const booksArbitrary = fc
  .record({ prepaid_micro: micro, held_micro: micro, cap_micro: fc.option(micro) })
  .map((some): Books => ({ ...empty, ...some }))
const changes = (postings: Posting[]) =>
  Object.fromEntries(accounts.map((account) => [account, changeOf(account, postings)]))

test('every entry moves money between accounts and makes none', () => {
  fc.assert(
    fc.property(micro, micro, (one, other) => {
      const entries = [
        topUpPostings(one),
        chargePostings(one),
        holdPostings(one),
        settlePostings(one, other),
        releasePostings(one),
      ]
      for (const postings of entries) {
        const sum = accounts.reduce((total, account) => total + changeOf(account, postings), 0n)
        assert.equal(sum, 0n)
        assert(postings.every(({ amount_micro }) => amount_micro > 0n))
      }
    }),
  )
})

test('a top-up comes from funding, a charge becomes revenue, a hold stays with the project', () => {
  const one = { funding: 0n, held: 0n, prepaid: 0n, revenue: 0n }
  assert.deepEqual(changes(topUpPostings(7n)), { ...one, funding: -7n, prepaid: 7n })
  assert.deepEqual(changes(chargePostings(7n)), { ...one, prepaid: -7n, revenue: 7n })
  assert.deepEqual(changes(holdPostings(7n)), { ...one, prepaid: -7n, held: 7n })
  assert.deepEqual(changes(releasePostings(7n)), { ...one, prepaid: 7n, held: -7n })
})

test('settling empties the hold, earns the price and gives back or takes the difference', () => {
  fc.assert(
    fc.property(micro, micro, (held, price) => {
      const expected = { funding: 0n, held: -held, prepaid: held - price, revenue: price }
      assert.deepEqual(changes(settlePostings(held, price)), expected)
    }),
  )
})

test('the running books equal the sum of the postings', () => {
  fc.assert(
    fc.property(fc.array(micro), (amounts) => {
      const entries = amounts.flatMap((amount) => [
        topUpPostings(2n * amount),
        holdPostings(amount),
      ])
      const books = entries.reduce(post, empty)
      assert.equal(books.prepaid_micro, changeOf('prepaid', entries.flat()))
      assert.equal(books.held_micro, changeOf('held', entries.flat()))
    }),
  )
})

test('what is charged after a pass never takes the balance below zero or passes the cap', () => {
  fc.assert(
    fc.property(booksArbitrary, micro, (before, amount) => {
      if (amount === 0n || refusalOf(before, amount) !== null) return
      for (const postings of [chargePostings(amount), holdPostings(amount)]) {
        const after = post(before, postings)
        assert(after.prepaid_micro >= 0n)
        assert(before.cap_micro === null || spentOf(after) <= before.cap_micro)
      }
    }),
  )
})

test('the last micro-euro of the balance and of the cap can be spent, and no more', () => {
  const books = { ...empty, prepaid_micro: 10n, held_micro: 3n, charged_micro: 4n }
  assert.equal(refusalOf(books, 10n), null)
  assert.equal(refusalOf(books, 11n), 'insufficient_balance')
  assert.equal(refusalOf({ ...books, cap_micro: 17n }, 10n), null)
  assert.equal(refusalOf({ ...books, cap_micro: 16n }, 10n), 'billing_blocked')
  assert.equal(refusalOf({ ...books, cap_micro: 16n }, 11n), 'billing_blocked')
})

test('what takes nothing is never refused, not even past the cap', () => {
  const books = { ...empty, charged_micro: 9n, cap_micro: 1n }
  assert.equal(refusalOf(books, 0n), null)
  assert.equal(refusalOf(books, -5n), null)
})

test('the months are those of Amsterdam, in winter and in summer', () => {
  const cases = {
    '2026-12-31T22:59:59.999Z': '2026-12-01',
    '2026-12-31T23:00:00.000Z': '2027-01-01',
    '2027-03-31T21:59:59.999Z': '2027-03-01',
    '2027-03-31T22:00:00.000Z': '2027-04-01',
    '2027-10-31T22:59:59.999Z': '2027-10-01',
    '2027-10-31T23:00:00.000Z': '2027-11-01',
    '2028-02-29T12:00:00.000Z': '2028-02-01',
  }
  for (const [moment, month] of Object.entries(cases)) {
    assert.equal(monthOf(new Date(moment)), month, moment)
  }
})

test('a new month begins with nothing charged and keeps what is held', () => {
  const december = { ...empty, charged_micro: 4n, held_micro: 3n }
  const january = turnTo(december, '2027-01-01')
  assert.deepEqual(january, { ...december, month: '2027-01-01', charged_micro: 0n })
  assert.equal(spentOf(january), 3n)
})

test('a process whose clock is behind does not reopen the month before', () => {
  const january = { ...empty, month: '2027-01-01', charged_micro: 4n }
  assert.equal(turnTo(january, '2026-12-01'), january)
})

test('the balance is low only when it crosses the threshold downwards', () => {
  const at = (prepaid_micro: bigint, held_micro = 0n) => ({ ...empty, prepaid_micro, held_micro })
  assert.equal(fallsBelowThreshold(at(5_000_000n), at(4_999_999n)), true)
  assert.equal(fallsBelowThreshold(at(5_000_001n), at(5_000_000n)), false)
  assert.equal(fallsBelowThreshold(at(4_999_999n), at(1n)), false)
  assert.equal(fallsBelowThreshold(at(1n), at(9_000_000n)), false)
})

test('a hold alarms nobody; settling it does', () => {
  const before = { ...empty, prepaid_micro: 6_000_000n }
  const held = post(before, holdPostings(3_000_000n))
  assert.equal(fallsBelowThreshold(before, held), false)
  assert.equal(fallsBelowThreshold(held, post(held, releasePostings(3_000_000n))), false)
  assert.equal(fallsBelowThreshold(held, post(held, settlePostings(3_000_000n, 2_000_000n))), true)
})
