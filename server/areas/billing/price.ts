/** What something costs here: the operator's prices, on a day of the billing time zone. */
import assert from 'node:assert/strict'
import { parsePrices, priceOn, type PriceItem, type Prices } from '../../contract/prices.ts'
import type { Config } from '../../kernel/config.ts'
import type { House } from '../../kernel/house.ts'
import type { MicroEuro } from '../../kernel/money.ts'
import { dayOf } from './ledger.ts'

// By settings, which do not change while a server runs, so that the file is read once.
const pricesOfConfig = new WeakMap<Config, Prices>()

/** All prices. A server with a faulty price file has refused to start before anybody asks. */
export function pricesOf(house: House): Prices {
  const known = pricesOfConfig.get(house.config)
  if (known !== undefined) return known
  const { prices, faults } = parsePrices(house.config.prices, today(house))
  assert.deepEqual(faults, [], 'A price file with faults is refused at the start.')
  pricesOfConfig.set(house.config, prices)
  return prices
}

/** The price of an item now, at another moment, or on a day such as 2026-12-01. */
export function priceOf(
  house: House,
  item: PriceItem,
  when: Date | string = house.clock.now(),
): MicroEuro {
  const day = typeof when === 'string' ? when : dayOf(when, house.config.billing_timezone)
  return priceOn(pricesOf(house), item, day)
}

function today(house: House): string {
  return dayOf(house.clock.now(), house.config.billing_timezone)
}
