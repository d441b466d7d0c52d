/** Property tests of pro rata sums. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { monthDayOf, priceOfRest, priceOfUpgrade, roundToCents } from './pro-rata.ts'

const CENT = 10_000n
const anyPrice = fc.bigInt({ min: 0n, max: 10_000_000_000n })
const anyCents = fc.bigInt({ min: 0n, max: 1_000_000n }).map((cents) => cents * CENT)
const anyDay = fc
  .integer({ min: 28, max: 31 })
  .chain((days) =>
    fc.record({ days: fc.constant(days), days_left: fc.integer({ min: 1, max: days }) }),
  )

describe('the price of the rest of a month', () => {
  test('is in whole cents, and never negative or more than the rounded price', () => {
    fc.assert(
      fc.property(anyPrice, anyDay, (price, day) => {
        const rest = priceOfRest(price, day)
        assert.equal(rest % CENT, 0n)
        assert.ok(rest >= 0n && rest <= roundToCents(price))
      }),
    )
  })

  test('is the whole price on the first day', () => {
    fc.assert(
      fc.property(anyCents, fc.integer({ min: 28, max: 31 }), (price, days) => {
        assert.equal(priceOfRest(price, { days, days_left: days }), price)
      }),
    )
  })

  test('differs from the exact share by at most half a cent', () => {
    fc.assert(
      fc.property(anyPrice, anyDay, (price, { days, days_left }) => {
        const off =
          priceOfRest(price, { days, days_left }) * BigInt(days) - price * BigInt(days_left)
        assert.ok(2n * (off < 0n ? -off : off) <= CENT * BigInt(days))
      }),
    )
  })

  test('grows with the price and with the days that are left', () => {
    fc.assert(
      fc.property(anyPrice, anyPrice, anyDay, (one, other, day) => {
        const [low, high] = one < other ? [one, other] : [other, one]
        assert.ok(priceOfRest(low, day) <= priceOfRest(high, day))
        const fewer = { ...day, days_left: day.days_left - 1 }
        assert.ok(priceOfRest(one, fewer) <= priceOfRest(one, day))
      }),
    )
  })

  test('adds up to the price of the month when it is taken day by day', () => {
    fc.assert(
      fc.property(anyCents, fc.integer({ min: 28, max: 31 }), (price, days) => {
        let sum = 0n
        for (let left = days; left >= 1; left -= 1)
          sum +=
            priceOfRest(price, { days, days_left: left }) -
            priceOfRest(price, { days, days_left: left - 1 })
        assert.equal(sum, price)
      }),
    )
  })
})

describe('the price of an upgrade', () => {
  test('is in whole cents and never negative, whatever was paid', () => {
    fc.assert(
      fc.property(anyPrice, anyPrice, anyDay, (paid_micro, price_micro, day) => {
        const due = priceOfUpgrade({ paid_micro, price_micro }, day)
        assert.ok(due >= 0n && due % CENT === 0n)
      }),
    )
  })

  test('is the same in several steps on one day as in one step', () => {
    fc.assert(
      fc.property(fc.array(anyPrice, { minLength: 1, maxLength: 6 }), anyDay, (prices, day) => {
        const path = prices.toSorted((a, b) => (a < b ? -1 : 1))
        const total = path.reduce(
          (sum, price_micro, index) =>
            sum + priceOfUpgrade({ paid_micro: path[index - 1] ?? 0n, price_micro }, day),
          0n,
        )
        assert.equal(total, priceOfUpgrade({ paid_micro: 0n, price_micro: path.at(-1) ?? 0n }, day))
      }),
    )
  })

  test('adds up, over upgrades on several days, to what each plan cost while it was used', () => {
    const anyPath = fc.integer({ min: 28, max: 31 }).chain((days) =>
      fc.record({
        days: fc.constant(days),
        starts: fc.uniqueArray(fc.integer({ min: 1, max: days }), { minLength: 1, maxLength: 5 }),
        prices: fc.array(anyCents, { minLength: 5, maxLength: 5 }),
      }),
    )
    fc.assert(
      fc.property(anyPath, ({ days, starts, prices }) => {
        const path = prices.toSorted((a, b) => (a < b ? -1 : 1))
        const lefts = starts.toSorted((a, b) => b - a)
        let [charged, used] = [0n, 0n]
        for (const [index, days_left] of lefts.entries()) {
          const price_micro = path[index] ?? 0n
          const paid_micro = index === 0 ? 0n : (path[index - 1] ?? 0n)
          charged += priceOfUpgrade({ paid_micro, price_micro }, { days, days_left })
          const until = lefts[index + 1] ?? 0
          used +=
            priceOfRest(price_micro, { days, days_left }) -
            priceOfRest(price_micro, { days, days_left: until })
        }
        assert.equal(charged, used)
        assert.ok(charged <= (path[lefts.length - 1] ?? 0n))
      }),
    )
  })
})

test('returns the month of a day, the next month and the days left', () => {
  assert.deepEqual(monthDayOf('2026-12-31'), {
    day: '2026-12-31',
    month: '2026-12-01',
    next_month: '2027-01-01',
    days_left: 1,
    days: 31,
  })
  assert.equal(monthDayOf('2028-02-01').days_left, 29)
})
