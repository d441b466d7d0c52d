/** Property tests of amounts: VAT in whole cents, rounded half up, per line. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { amountsOf, centsFromEuro, hundredthsFromPercent, includedVat, sumOf } from './amounts.ts'

const cents = fc.integer({ min: 0, max: 5_000_000 })
const percent = fc.integer({ min: 0, max: 10_000 }).map((hundredths) => hundredths / 100)

describe('the VAT in an amount', () => {
  it('is that of known amounts', () => {
    for (const [amount, rate, vat] of [
      [900, 9, 74],
      [121, 21, 21],
      [100, 21, 17],
      [1, 21, 0],
      [3, 21, 1],
      [500, 0, 0],
      [200, 100, 100],
      [1050, 5.5, 55],
    ] as const) {
      assert.equal(includedVat(amount, rate), vat, `${amount} at ${rate}%`)
    }
  })

  it('differs from the exact amount by at most half a cent, and is rounded up at half', () => {
    fc.assert(
      fc.property(cents, percent, (amount, rate) => {
        const vat = BigInt(includedVat(amount, rate))
        const hundredths = BigInt(Math.round(rate * 100))
        // vat - 1/2 <= amount × rate / (100 + rate) < vat + 1/2, in whole numbers.
        const whole = 10_000n + hundredths
        const exact = 2n * BigInt(amount) * hundredths
        assert(exact < (2n * vat + 1n) * whole)
        assert(exact >= (2n * vat - 1n) * whole)
      }),
    )
  })

  it('never exceeds the amount, and never falls when the amount rises', () => {
    fc.assert(
      fc.property(cents, cents, percent, (one, other, rate) => {
        const [low, high] = one < other ? [one, other] : [other, one]
        assert(includedVat(low, rate) <= includedVat(high, rate))
        assert(includedVat(high, rate) <= high)
      }),
    )
  })
})

describe('the amount of an order', () => {
  it('is the sum of its lines', () => {
    const item = fc.record({
      quantity: fc.integer({ min: 1, max: 999 }),
      unit_price_cents: fc.integer({ min: 0, max: 10_000 }),
      vat_percent: percent,
    })
    fc.assert(
      fc.property(fc.array(item, { maxLength: 50 }), (items) => {
        const lines = items.map(amountsOf)
        const sum = sumOf(lines)
        const amount = items.reduce((all, one) => all + one.quantity * one.unit_price_cents, 0)
        assert.equal(sum.amount_cents, amount)
        assert.equal(
          sum.vat_cents,
          lines.reduce((all, one) => all + one.vat_cents, 0),
        )
        assert(sum.vat_cents <= sum.amount_cents)
      }),
    )
  })
})

describe('an amount in euro', () => {
  it('becomes exactly its cents, and is refused below a cent', () => {
    fc.assert(
      fc.property(cents, (amount) => {
        assert.equal(centsFromEuro(Number((amount / 100).toFixed(2))), amount)
        assert.equal(centsFromEuro(amount / 100 + 0.001), null)
      }),
    )
    assert.equal(hundredthsFromPercent(5.5), 550)
    assert.equal(hundredthsFromPercent(5.555), null)
  })
})
