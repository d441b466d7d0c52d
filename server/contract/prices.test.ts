/** Tests of the price list: validation of the operator's file, and prices by date. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { defaultPrices, parsePrices, describePriceFaults, findPriceOn } from './prices.ts'
import { priceItems } from './price-items.ts'

const TODAY = '2026-12-15'
const pricesOf = (file: object) => {
  const { prices, faults } = parsePrices(JSON.stringify(file), TODAY)
  assert.deepEqual(faults, [])
  return prices
}

test('the price list has a default price for every item', () => {
  for (const text of ['', ' \n']) {
    const { prices, faults } = parsePrices(text, TODAY)
    assert.deepEqual(faults, [])
    assert.deepEqual(Object.keys(prices), Object.keys(priceItems))
    assert.equal(findPriceOn(prices, 'sms.segment', TODAY), 84_000n)
  }
})

test('the price list accepts the default list as a file', () => {
  assert.deepEqual(describePriceFaults(JSON.stringify(defaultPrices), '2020-01-01'), [])
})

test('the price list replaces only the items of the file', () => {
  const prices = pricesOf({ 'sms.segment': [{ from: '2026-01-01', price_eur: 0.09 }] })
  assert.equal(findPriceOn(prices, 'sms.segment', TODAY), 90_000n)
  assert.equal(findPriceOn(prices, 'number.national', TODAY), 5_000_000n)
})

test('the price list applies a price from its first day until the next price starts', () => {
  const prices = pricesOf({
    'sms.segment': [
      { from: '2027-01-01', price_eur: 0.1 },
      { from: '2026-01-01', price_eur: 0.09 },
      { from: '2026-07-01', price_eur: 0 },
    ],
  })
  const price = (day: string) => findPriceOn(prices, 'sms.segment', day)
  assert.equal(price('2026-06-30'), 90_000n)
  assert.equal(price('2026-07-01'), 0n)
  assert.equal(price('2026-12-31'), 0n)
  assert.equal(price('2027-01-01'), 100_000n)
  assert.equal(price('2031-05-05'), 100_000n)
})

test('the price list applies the first price to earlier dates', () => {
  const prices = pricesOf({ 'sms.segment': [{ from: '2026-12-01', price_eur: 0.09 }] })
  assert.equal(findPriceOn(prices, 'sms.segment', '2026-11-30'), 90_000n)
})

const day = '2026-01-01'
const price = { from: day, price_eur: 1 }
const faults: [text: string, sentence: RegExp][] = [
  ['{', /cannot be read as JSON/],
  ['{ "sms.segment": [], "sms.segment": [] }', /same key twice/],
  ['[]', /must be an object/],
  ['null', /must be an object/],
  [JSON.stringify({ fax: [price] }), /"fax" is not an item\. There are .*number\.national/],
  [JSON.stringify({ 'sms.segment': [] }), /sms\.segment must be a list of prices/],
  [JSON.stringify({ 'sms.segment': price }), /sms\.segment must be a list of prices/],
  [JSON.stringify({ 'sms.segment': [1] }), /sms\.segment, price 1, must be an object/],
  [JSON.stringify({ 'sms.segment': [{ ...price, until: day }] }), /has "until"/],
  [JSON.stringify({ 'sms.segment': [price, price] }), /has two prices from 2026-01-01/],
  [JSON.stringify({ 'sms.segment': [{ ...price, from: '2026-12-16' }] }), /no price yet/],
  [JSON.stringify({ 'sms.segment': [{ price_eur: 1 }] }), /must have a from/],
  ...['2026-02-30', '2026-1-1', '01-01-2026', '2026-01-01T00:00', 20_260_101].map(
    (from): [string, RegExp] => [
      JSON.stringify({ 'sms.segment': [{ ...price, from }] }),
      /must have a from/,
    ],
  ),
  ...[-0.01, 10_001, '1', null, 0.000_000_5].map((price_eur): [string, RegExp] => [
    JSON.stringify({ 'sms.segment': [{ from: day, price_eur }] }),
    /must have a price_eur that is a number from 0 to 10000 with at most 6 decimals/,
  ]),
]

for (const [text, sentence] of faults) {
  test(`refuses the price file ${text}`, () => {
    const said = describePriceFaults(text, TODAY)
    assert.equal(said.length, 1, said.join('\n'))
    assert.match(said[0] ?? '', sentence)
  })
}

test('the price list reports every error of a file at once', () => {
  const file = {
    fax: [price],
    'sms.segment': [{ from: 'soon', price_eur: -1 }],
    'call.inbound': [{ ...price, from: '2030-01-01' }],
  }
  assert.equal(describePriceFaults(JSON.stringify(file), TODAY).length, 4)
})

test('the price list keeps amounts of up to six decimals exactly', () => {
  const micro = fc.integer({ min: 0, max: 10_000_000_000 })
  fc.assert(
    fc.property(micro, (amount_micro) => {
      const price_eur = amount_micro / 1_000_000
      const prices = pricesOf({ 'call.inbound': [{ from: day, price_eur }] })
      assert.equal(findPriceOn(prices, 'call.inbound', TODAY), BigInt(amount_micro))
    }),
  )
})

test('the price list uses the price with the latest start that is not after the day', () => {
  const days = fc.uniqueArray(fc.integer({ min: 0, max: 1000 }), { minLength: 1, maxLength: 8 })
  const dayAfter = (count: number) =>
    Temporal.PlainDate.from('2024-01-01').add({ days: count }).toString()
  fc.assert(
    fc.property(days, fc.integer({ min: 0, max: 1000 }), (begins, asked) => {
      fc.pre(begins.some((begin) => dayAfter(begin) <= TODAY))
      const list = begins.map((begin) => ({ from: dayAfter(begin), price_eur: begin }))
      const held = Math.max(...begins.filter((begin) => begin <= asked))
      const expected = Number.isFinite(held) ? held : Math.min(...begins)
      const prices = pricesOf({ 'email.message': list })
      assert.equal(
        findPriceOn(prices, 'email.message', dayAfter(asked)),
        BigInt(expected) * 1_000_000n,
      )
    }),
  )
})
