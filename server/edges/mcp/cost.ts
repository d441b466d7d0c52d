/** What an operation that costs money costs, in a sentence for the person who decides. */
import { pricesOf } from '../../areas/billing/service.ts'
import type { Operation } from '../../contract/operation.ts'
import { priceItems, priceOn, type PriceItem } from '../../contract/prices.ts'
import type { House } from '../../kernel/house.ts'
import { euroFromMicro } from '../../kernel/money.ts'

const itemsOf: Readonly<Record<string, readonly PriceItem[]>> = {
  'numbers.order': ['number.national', 'number.geographic'],
}

export function costOf({ name, effect }: Operation, house: House): string | null {
  if (effect !== 'money') return null
  const prices = pricesOf(house)
  const today = house.clock.now().toISOString().slice(0, 10)
  const listed = (itemsOf[name] ?? []).map((item) => {
    const { about, unit } = priceItems[item]
    return `${about.replace(/\.$/, '')}: ${euroFromMicro(priceOn(prices, item, today))} euro a ${unit}`
  })
  const which = listed.length > 0 ? ` ${listed.join('; ')}, without VAT.` : ''
  return `It is paid from the prepaid balance.${which}`
}
