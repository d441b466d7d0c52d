/** The promises of the pure ledger: nothing is made or lost, and months are those of Amsterdam. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { modelMonthOf } from '../../../../test/fixtures/ledger-model.ts'
import {
  accounts,
  changeOf,
  chargePostings,
  creditPostings,
  dayOf,
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

const RUNS = { numRuns: 10_000 }
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
        creditPostings(one, other),
      ]
      for (const postings of entries) {
        const sum = accounts.reduce((total, account) => total + changeOf(account, postings), 0n)
        assert.equal(sum, 0n)
        assert(postings.every(({ amount_micro }) => amount_micro > 0n))
      }
    }),
    RUNS,
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
    RUNS,
  )
})

test('a credit gives back what was charged, and what is more as a gift', () => {
  fc.assert(
    fc.property(micro, micro, (amount, charged) => {
      const back = amount < charged ? amount : charged
      const expected = { funding: back - amount, held: 0n, prepaid: amount, revenue: -back }
      assert.deepEqual(changes(creditPostings(amount, charged)), expected)
    }),
    RUNS,
  )
})

const movement = fc.record({
  verb: fc.constantFrom('top up', 'charge', 'credit', 'hold', 'settle', 'release', 'new month'),
  amount: micro,
})

test('in any order of deeds the books are the sum of the postings, and nothing passes', () => {
  fc.assert(
    fc.property(fc.option(micro), fc.array(movement), (cap_micro, moves) => {
      let books: Books = { ...empty, cap_micro }
      const posted: Posting[] = []
      const of_month: Posting[] = []
      const holds: bigint[] = []
      for (const { verb, amount } of moves) {
        if (verb === 'new month') {
          books = turnTo(books, nextMonth(books.month))
          of_month.length = 0
          continue
        }
        const entry = entryOf(verb, amount, { books, holds })
        if (entry === null || refusalOf(books, entry.takes) !== null) continue
        entry.note()
        const before = books
        books = post(books, entry.postings)
        posted.push(...entry.postings)
        of_month.push(...entry.postings)
        const is_within = cap_micro === null || spentOf(books) <= cap_micro
        assert(is_within || spentOf(books) <= spentOf(before))
        assert(books.prepaid_micro >= 0n && books.held_micro >= 0n)
        assert(books.charged_micro >= 0n)
      }
      assert.equal(books.prepaid_micro, changeOf('prepaid', posted))
      assert.equal(books.held_micro, changeOf('held', posted))
      assert.equal(books.charged_micro, changeOf('revenue', of_month))
      assert.equal(books.held_micro, sumOf(holds))
      assert.equal(sumOf(accounts.map((account) => changeOf(account, posted))), 0n)
    }),
    RUNS,
  )
})

const sumOf = (amounts: readonly bigint[]) => amounts.reduce((sum, amount) => sum + amount, 0n)
const nextMonth = (month: string) => Temporal.PlainDate.from(month).add({ months: 1 }).toString()

/** What a deed takes and moves, and what it means for the holds; null if there is none to end. */
function entryOf(
  verb: string,
  amount: bigint,
  { books, holds }: { books: Books; holds: bigint[] },
) {
  const nothing = () => {}
  if (verb === 'credit') {
    const postings = creditPostings(amount, books.charged_micro)
    return { takes: 0n, postings, note: nothing }
  }
  if (verb === 'top up') return { takes: 0n, postings: topUpPostings(amount), note: nothing }
  if (verb === 'charge') return { takes: amount, postings: chargePostings(amount), note: nothing }
  if (verb === 'hold') {
    return { takes: amount, postings: holdPostings(amount), note: () => void holds.push(amount) }
  }
  const held = holds.at(-1)
  if (held === undefined) return null
  const end = () => void holds.pop()
  return verb === 'settle'
    ? { takes: amount - held, postings: settlePostings(held, amount), note: end }
    : { takes: 0n, postings: releasePostings(held), note: end }
}

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
    RUNS,
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

test('months and days are those of the calendar of any time zone', () => {
  const [min, max] = [new Date('2024-01-01'), new Date('2034-01-01')]
  const moment = fc.date({ min, max, noInvalidDate: true })
  const zone = fc.constantFrom('Europe/Amsterdam', 'America/New_York', 'Asia/Kolkata', 'UTC')
  fc.assert(
    fc.property(moment, moment, zone, (one, other, zone) => {
      assert.equal(monthOf(one, zone), modelMonthOf(one, zone))
      assert.equal(dayOf(one, zone).slice(0, 8), monthOf(one, zone).slice(0, 8))
      const [early, late] = one < other ? [one, other] : [other, one]
      assert(monthOf(early, zone) <= monthOf(late, zone))
    }),
    RUNS,
  )
})

test('months only go forward, whatever the clocks say', () => {
  const months = fc.array(fc.constantFrom('2026-11-01', '2026-12-01', '2027-01-01'))
  fc.assert(
    fc.property(months, micro, (said, charged_micro) => {
      let books: Books = { ...empty, charged_micro }
      for (const month of said) {
        const before = books
        books = turnTo(books, month)
        assert(books.month >= before.month && books.month >= month)
        assert.equal(books.charged_micro, books.month > before.month ? 0n : before.charged_micro)
      }
    }),
    RUNS,
  )
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

test('a way down crosses the threshold once, in however many steps', () => {
  const steps = fc.array(fc.bigInt({ min: 1n, max: 3_000_000n }))
  fc.assert(
    fc.property(micro, steps, (start, charges) => {
      let books: Books = { ...empty, prepaid_micro: start }
      let alarms = 0
      for (const charge of charges) {
        if (refusalOf(books, charge) !== null) continue
        const after = post(books, chargePostings(charge))
        if (fallsBelowThreshold(books, after)) alarms += 1
        books = after
      }
      const { threshold_micro } = books
      const fell = start >= threshold_micro && books.prepaid_micro < threshold_micro
      assert.equal(alarms, fell ? 1 : 0)
    }),
    RUNS,
  )
})

test('a hold alarms nobody; settling it does', () => {
  const before = { ...empty, prepaid_micro: 6_000_000n }
  const held = post(before, holdPostings(3_000_000n))
  assert.equal(fallsBelowThreshold(before, held), false)
  assert.equal(fallsBelowThreshold(held, post(held, releasePostings(3_000_000n))), false)
  assert.equal(fallsBelowThreshold(held, post(held, settlePostings(3_000_000n, 2_000_000n))), true)
})
