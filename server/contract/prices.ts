/**
 * Prices in euro without VAT: the catalogue of priced items and the default prices. The operator's
 * file (HOMEPORT_PRICES) is JSON of the form of `defaultPrices` and replaces the prices of the
 * items it names. A price applies from the day `from` (billing time zone) until a later price: {
 * "sms.segment": [{ "from": "2026-01-01", "price_eur": 0.084 }, …] }
 */
import assert from 'node:assert/strict'
import { parseJson } from '../kernel/values/json.ts'
import { microFromEuro, type MicroEuro } from '../kernel/values/money.ts'
import { priceItems, type PriceItem } from './price-items.ts'

export interface ListedPrice {
  /** The first day of the price, such as 2026-12-01. */
  from: string
  price_eur: number
}

const itemNames = Object.keys(priceItems).filter(isPriceItem)

/** The default prices in the form of the operator's file. */
export const defaultPrices = forEachItem((item): readonly ListedPrice[] => [
  { from: '2020-01-01', price_eur: priceItems[item].price_eur },
])

interface Price {
  from: string
  price_micro: MicroEuro
}

/** The prices of each item, the earliest first. */
export type Prices = Readonly<Record<PriceItem, readonly Price[]>>

const standardPrices: Prices = forEachItem((item) => defaultPrices[item].map(priceFrom))

/** Upper limit of a price. A higher one is a typing error or in another currency. */
const PRICE_EUR_MAX = 10_000
const DECIMALS_MAX = 6
const DEPTH_MAX = 3

/** Parses the operator's file and adds the defaults of the other items. */
export function parsePrices(text: string, today: string): { prices: Prices; faults: string[] } {
  const faults: string[] = []
  const own = text.trim() === '' ? {} : readItems(text, { today, faults })
  return { prices: { ...standardPrices, ...own }, faults }
}

/** Returns the errors of the operator's file as sentences; empty if it is valid. */
export function describePriceFaults(text: string, today: string): string[] {
  return parsePrices(text, today).faults
}

/** The price of an item on a day; the first price also applies to earlier days. */
export function findPriceOn(prices: Prices, item: PriceItem, day: string): MicroEuro {
  const listed = prices[item]
  const price = listed.findLast(({ from }) => from <= day) ?? listed[0]
  assert(price, 'Every item has a price.')
  return price.price_micro
}

function forEachItem<Value>(valueOf: (item: PriceItem) => Value): Record<PriceItem, Value> {
  const entries = itemNames.map((item) => [item, valueOf(item)] as const)
  return Object.fromEntries(entries) as Record<PriceItem, Value>
}

function priceFrom({ from, price_eur }: ListedPrice): Price {
  return { from, price_micro: microFromEuro(price_eur) }
}

interface Reading {
  today: string
  /** Every error found so far. */
  faults: string[]
}

function readItems(text: string, reading: Reading): Partial<Record<PriceItem, Price[]>> {
  const { faults } = reading
  const result = parseJson(text, DEPTH_MAX)
  if ('fault' in result) {
    faults.push(`The price file cannot be read as JSON. ${result.fault.message}`)
    return {}
  }
  if (!isObject(result.value)) {
    faults.push('The price file must be an object with the prices of each item by its name.')
    return {}
  }
  const read: Partial<Record<PriceItem, Price[]>> = {}
  for (const [name, value] of Object.entries(result.value)) {
    if (isPriceItem(name)) read[name] = readItem(name, value, reading)
    else faults.push(`${quoted(name)} is not an item. ${oneOfItems}`)
  }
  return read
}

function readItem(item: PriceItem, value: unknown, { today, faults }: Reading): Price[] {
  if (!Array.isArray(value) || value.length === 0) {
    faults.push(`${item} must be a list of prices, such as [${example}].`)
    return []
  }
  const before = faults.length
  const prices: Price[] = []
  for (const [index, entry] of value.entries()) {
    const place = `${item}, price ${index + 1},`
    const price = readPrice(place, entry, faults)
    if (price === null) continue
    if (prices.some(({ from }) => from === price.from)) {
      faults.push(`${item} has two prices from ${price.from}.`)
    }
    prices.push(price)
  }
  const is_whole = faults.length === before
  if (is_whole && !prices.some(({ from }) => from <= today)) {
    faults.push(`${item} has no price yet: the first one is from a day after today, ${today}.`)
  }
  return prices.toSorted((a, b) => (a.from < b.from ? -1 : 1))
}

function readPrice(place: string, entry: unknown, faults: string[]): Price | null {
  if (!isObject(entry)) {
    faults.push(`${place} must be an object such as ${example}.`)
    return null
  }
  const { from, price_eur, ...unknown } = entry
  const sentences: string[] = []
  for (const key of Object.keys(unknown)) {
    sentences.push(`${place} has ${quoted(key)}: it takes from and price_eur only.`)
  }
  const day = isDay(from) ? from : null
  if (day === null) {
    sentences.push(`${place} must have a from such as "2026-12-01", a day of the calendar.`)
  }
  const amount_eur = isAmount(price_eur) ? price_eur : null
  if (amount_eur === null) {
    sentences.push(
      `${place} must have a price_eur that is a number from 0 to ${PRICE_EUR_MAX} with at most ` +
        `${DECIMALS_MAX} decimals.`,
    )
  }
  faults.push(...sentences)
  if (day === null || amount_eur === null || sentences.length > 0) return null
  return priceFrom({ from: day, price_eur: amount_eur })
}

const example = '{ "from": "2026-12-01", "price_eur": 0.084 }'
const oneOfItems = `There are ${itemNames.join(', ')}.`

function isPriceItem(name: string): name is PriceItem {
  return Object.hasOwn(priceItems, name)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isDay(value: unknown): value is string {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) return false
  try {
    return Temporal.PlainDate.from(value).toString() === value
  } catch {
    return false
  }
}

/** Whether the number has at most six decimals in its shortest notation. */
function isAmount(value: unknown): value is number {
  if (typeof value !== 'number' || !(value >= 0 && value <= PRICE_EUR_MAX)) return false
  return Number(value.toFixed(DECIMALS_MAX)) === value
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 60))
}
