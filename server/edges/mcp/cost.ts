/** What an operation that costs money costs, in a sentence for the person who decides. */
import { pricesOf } from '../../areas/billing/service.ts'
import { typeOrdered } from '../../areas/numbers/service.ts'
import type { Operation } from '../../contract/operation.ts'
import { priceItems, priceOn, type PriceItem } from '../../contract/prices.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { euroFromMicro } from '../../kernel/values/money.ts'

/** What is paid for, by the name of the operation and its arguments. */
const itemsOf: Readonly<Record<string, (given: unknown) => PriceItem>> = {
  'numbers.order': (given) => `number.${typeOrdered(Object(given ?? {}))}`,
}

interface Asked {
  operation: Operation
  given: unknown
}

export function costOf(
  { operation: { name, effect }, given }: Asked,
  runtime: Runtime,
): string | null {
  if (effect !== 'money') return null
  const item = itemsOf[name]?.(given)
  if (!item) return 'It is paid from the prepaid balance.'
  const today = runtime.clock.now().toISOString().slice(0, 10)
  const price = euroFromMicro(priceOn(pricesOf(runtime), item, today))
  const { unit } = priceItems[item]
  return (
    `It costs ${price} euro a ${unit} without VAT. The first ${unit} is paid from the prepaid ` +
    `balance at once, and each one after that when it begins.`
  )
}
