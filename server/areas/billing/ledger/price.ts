/** The operator's prices, by day in the billing time zone. */
import assert from 'node:assert/strict'
import { parsePrices, findPriceOn, type Prices } from '../../../contract/prices.ts'
import type { PriceItem } from '../../../contract/price-items.ts'
import type { Config } from '../../../kernel/config/config-types.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import type { MicroEuro } from '../../../kernel/values/money.ts'
import { toDay } from './ledger.ts'

// Prices by config, which does not change while a server runs, so that the file is parsed once.
const pricesOfConfig = new WeakMap<Config, Prices>()

/** Returns all prices. A server with a faulty price file refuses to start. */
export function readPrices(runtime: Runtime): Prices {
  const known = pricesOfConfig.get(runtime.config)
  if (known !== undefined) return known
  const { prices, faults } = parsePrices(runtime.config.prices, today(runtime))
  assert.deepEqual(faults, [], 'A price file with faults is refused at the start.')
  pricesOfConfig.set(runtime.config, prices)
  return prices
}

/** Returns the price of an item now, at another moment, or on a day such as 2026-12-01. */
export function findPrice(
  runtime: Runtime,
  item: PriceItem,
  when: Date | string = runtime.clock.now(),
): MicroEuro {
  const day = typeof when === 'string' ? when : toDay(when, runtime.config.billing_timezone)
  return findPriceOn(readPrices(runtime), item, day)
}

function today(runtime: Runtime): string {
  return toDay(runtime.clock.now(), runtime.config.billing_timezone)
}
