/**
 * Tests of the pure ledger: money is neither created nor lost, and months are those of Amsterdam.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { depth } from '../../../../test/fixtures/depth.ts'
import { modelMonthOf } from '../../../../test/fixtures/ledger/ledger-model.ts'
import {
  accounts,
  sumPostings,
  createChargePostings,
  createCreditPostings,
  toDay,
  fallsBelowThreshold,
  createHoldPostings,
  toMonth,
  applyPostings,
  findRefusal,
  createReleasePostings,
  createSettlePostings,
  sumSpent,
  createTopUpPostings,
  moveToMonth,
  type Books,
  type Posting,
} from './ledger.ts'

const RUNS = { numRuns: depth(300, 10_000) }
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
  Object.fromEntries(accounts.map((account) => [account, sumPostings(account, postings)]))

test('the ledger moves money between accounts in every entry and creates none', () => {
  fc.assert(
    fc.property(micro, micro, (one, other) => {
      const entries = [
        createTopUpPostings(one),
        createChargePostings(one),
        createHoldPostings(one),
        createSettlePostings(one, other),
        createReleasePostings(one),
        createCreditPostings(one, other),
      ]
      for (const postings of entries) {
        const sum = accounts.reduce((total, account) => total + sumPostings(account, postings), 0n)
        assert.equal(sum, 0n)
        assert(postings.every(({ amount_micro }) => amount_micro > 0n))
      }
    }),
    RUNS,
  )
})

test('the ledger takes the amount of a top-up from funding, moves a charge to revenue, and keeps a hold in the project', () => {
  const one = { funding: 0n, held: 0n, prepaid: 0n, revenue: 0n }
  assert.deepEqual(changes(createTopUpPostings(7n)), { ...one, funding: -7n, prepaid: 7n })
  assert.deepEqual(changes(createChargePostings(7n)), { ...one, prepaid: -7n, revenue: 7n })
  assert.deepEqual(changes(createHoldPostings(7n)), { ...one, prepaid: -7n, held: 7n })
  assert.deepEqual(changes(createReleasePostings(7n)), { ...one, prepaid: 7n, held: -7n })
})

test('the ledger empties the hold at settlement, books the price, and moves the difference', () => {
  fc.assert(
    fc.property(micro, micro, (held, price) => {
      const expected = { funding: 0n, held: -held, prepaid: held - price, revenue: price }
      assert.deepEqual(changes(createSettlePostings(held, price)), expected)
    }),
    RUNS,
  )
})

test('the ledger credits up to the charged amount as a refund, and the excess as a gift', () => {
  fc.assert(
    fc.property(micro, micro, (amount, charged) => {
      const back = amount < charged ? amount : charged
      const expected = { funding: back - amount, held: 0n, prepaid: amount, revenue: -back }
      assert.deepEqual(changes(createCreditPostings(amount, charged)), expected)
    }),
    RUNS,
  )
})

const movement = fc.record({
  verb: fc.constantFrom('top up', 'charge', 'credit', 'hold', 'settle', 'release', 'new month'),
  amount: micro,
})

test('the ledger keeps balances equal to the sum of postings in any order, within balance and cap', () => {
  fc.assert(
    fc.property(fc.option(micro), fc.array(movement), (cap_micro, moves) => {
      let books: Books = { ...empty, cap_micro }
      const posted: Posting[] = []
      const of_month: Posting[] = []
      const holds: bigint[] = []
      for (const { verb, amount } of moves) {
        if (verb === 'new month') {
          books = moveToMonth(books, nextMonth(books.month))
          of_month.length = 0
          continue
        }
        const entry = entryOf(verb, amount, { books, holds })
        if (entry === null || findRefusal(books, entry.takes) !== null) continue
        entry.note()
        const before = books
        books = applyPostings(books, entry.postings)
        posted.push(...entry.postings)
        of_month.push(...entry.postings)
        const is_within = cap_micro === null || sumSpent(books) <= cap_micro
        assert(is_within || sumSpent(books) <= sumSpent(before))
        assert(books.prepaid_micro >= 0n && books.held_micro >= 0n)
        assert(books.charged_micro >= 0n)
      }
      assert.equal(books.prepaid_micro, sumPostings('prepaid', posted))
      assert.equal(books.held_micro, sumPostings('held', posted))
      assert.equal(books.charged_micro, sumPostings('revenue', of_month))
      assert.equal(books.held_micro, sumOf(holds))
      assert.equal(sumOf(accounts.map((account) => sumPostings(account, posted))), 0n)
    }),
    RUNS,
  )
})

const sumOf = (amounts: readonly bigint[]) => amounts.reduce((sum, amount) => sum + amount, 0n)
const nextMonth = (month: string) => Temporal.PlainDate.from(month).add({ months: 1 }).toString()

/**
 * Returns the amount, postings and hold change of an operation; null if there is no hold to end.
 */
function entryOf(
  verb: string,
  amount: bigint,
  { books, holds }: { books: Books; holds: bigint[] },
) {
  const nothing = () => {}
  if (verb === 'credit') {
    const postings = createCreditPostings(amount, books.charged_micro)
    return { takes: 0n, postings, note: nothing }
  }
  if (verb === 'top up') return { takes: 0n, postings: createTopUpPostings(amount), note: nothing }
  if (verb === 'charge')
    return { takes: amount, postings: createChargePostings(amount), note: nothing }
  if (verb === 'hold') {
    return {
      takes: amount,
      postings: createHoldPostings(amount),
      note: () => void holds.push(amount),
    }
  }
  const held = holds.at(-1)
  if (held === undefined) return null
  const end = () => void holds.pop()
  return verb === 'settle'
    ? { takes: amount - held, postings: createSettlePostings(held, amount), note: end }
    : { takes: 0n, postings: createReleasePostings(held), note: end }
}

test('the ledger never exceeds balance or cap with a charge after a successful check', () => {
  fc.assert(
    fc.property(booksArbitrary, micro, (before, amount) => {
      if (amount === 0n || findRefusal(before, amount) !== null) return
      for (const postings of [createChargePostings(amount), createHoldPostings(amount)]) {
        const after = applyPostings(before, postings)
        assert(after.prepaid_micro >= 0n)
        assert(before.cap_micro === null || sumSpent(after) <= before.cap_micro)
      }
    }),
    RUNS,
  )
})

test('the ledger spends the last micro-euro of the balance and of the cap, and no more', () => {
  const books = { ...empty, prepaid_micro: 10n, held_micro: 3n, charged_micro: 4n }
  assert.equal(findRefusal(books, 10n), null)
  assert.equal(findRefusal(books, 11n), 'insufficient_balance')
  assert.equal(findRefusal({ ...books, cap_micro: 17n }, 10n), null)
  assert.equal(findRefusal({ ...books, cap_micro: 16n }, 10n), 'billing_blocked')
  assert.equal(findRefusal({ ...books, cap_micro: 16n }, 11n), 'billing_blocked')
})

test('the ledger never refuses an operation that takes no money, even over the cap', () => {
  const books = { ...empty, charged_micro: 9n, cap_micro: 1n }
  assert.equal(findRefusal(books, 0n), null)
  assert.equal(findRefusal(books, -5n), null)
})

test('the ledger uses the months of Amsterdam in winter and in summer', () => {
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
    assert.equal(toMonth(new Date(moment)), month, moment)
  }
})

test('the ledger computes months and days in any time zone', () => {
  const [min, max] = [new Date('2024-01-01'), new Date('2034-01-01')]
  const moment = fc.date({ min, max, noInvalidDate: true })
  const zone = fc.constantFrom('Europe/Amsterdam', 'America/New_York', 'Asia/Kolkata', 'UTC')
  fc.assert(
    fc.property(moment, moment, zone, (one, other, zone) => {
      assert.equal(toMonth(one, zone), modelMonthOf(one, zone))
      assert.equal(toDay(one, zone).slice(0, 8), toMonth(one, zone).slice(0, 8))
      const [early, late] = one < other ? [one, other] : [other, one]
      assert(toMonth(early, zone) <= toMonth(late, zone))
    }),
    RUNS,
  )
})

test('the ledger never moves a month backwards, whatever the clocks show', () => {
  const months = fc.array(fc.constantFrom('2026-11-01', '2026-12-01', '2027-01-01'))
  fc.assert(
    fc.property(months, micro, (said, charged_micro) => {
      let books: Books = { ...empty, charged_micro }
      for (const month of said) {
        const before = books
        books = moveToMonth(books, month)
        assert(books.month >= before.month && books.month >= month)
        assert.equal(books.charged_micro, books.month > before.month ? 0n : before.charged_micro)
      }
    }),
    RUNS,
  )
})

test('the ledger starts a new month with zero charges and the same holds', () => {
  const december = { ...empty, charged_micro: 4n, held_micro: 3n }
  const january = moveToMonth(december, '2027-01-01')
  assert.deepEqual(january, { ...december, month: '2027-01-01', charged_micro: 0n })
  assert.equal(sumSpent(january), 3n)
})

test('the ledger does not reopen the past month for a process with a slow clock', () => {
  const january = { ...empty, month: '2027-01-01', charged_micro: 4n }
  assert.equal(moveToMonth(january, '2026-12-01'), january)
})

test('the ledger reports a low balance only when it crosses the threshold downwards', () => {
  const at = (prepaid_micro: bigint, held_micro = 0n) => ({ ...empty, prepaid_micro, held_micro })
  assert.equal(fallsBelowThreshold(at(5_000_000n), at(4_999_999n)), true)
  assert.equal(fallsBelowThreshold(at(5_000_001n), at(5_000_000n)), false)
  assert.equal(fallsBelowThreshold(at(4_999_999n), at(1n)), false)
  assert.equal(fallsBelowThreshold(at(1n), at(9_000_000n)), false)
})

test('the ledger crosses the threshold once, in any number of steps', () => {
  const steps = fc.array(fc.bigInt({ min: 1n, max: 3_000_000n }))
  fc.assert(
    fc.property(micro, steps, (start, charges) => {
      let books: Books = { ...empty, prepaid_micro: start }
      let alarms = 0
      for (const charge of charges) {
        if (findRefusal(books, charge) !== null) continue
        const after = applyPostings(books, createChargePostings(charge))
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

test('the ledger reports no low balance for a hold, but for its settlement', () => {
  const before = { ...empty, prepaid_micro: 6_000_000n }
  const held = applyPostings(before, createHoldPostings(3_000_000n))
  assert.equal(fallsBelowThreshold(before, held), false)
  assert.equal(
    fallsBelowThreshold(held, applyPostings(held, createReleasePostings(3_000_000n))),
    false,
  )
  assert.equal(
    fallsBelowThreshold(held, applyPostings(held, createSettlePostings(3_000_000n, 2_000_000n))),
    true,
  )
})
