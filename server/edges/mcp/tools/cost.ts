/** The cost of an operation, in a sentence for the person who decides. */
import { readPrices } from '../../../areas/billing/service.ts'
import type { Caller } from '../../../contract/caller.ts'
import type { Operation } from '../../../contract/operation.ts'
import { priceItems } from '../../../contract/price-items.ts'
import { findPriceOn } from '../../../contract/prices.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { euroFromMicro } from '../../../kernel/values/money.ts'
import { describeTestRail } from './rails.ts'

interface Asked {
  operation: Operation
  /** Its valid arguments. */
  given: unknown
}

/** Returns that nothing real happens for this caller, else the cost; null if the operation is free. */
export function describeCostFor(asked: Asked, caller: Caller): string | null {
  return describeTestRail(asked.operation, caller) ?? describeCost(asked, caller.runtime)
}

/** Returns the cost; null if the operation is free. */
function describeCost(
  { operation: { consent, effect }, given }: Asked,
  runtime: Runtime,
): string | null {
  const item = consent?.costs?.(given ?? {}) ?? null
  if (item === null)
    return effect === 'money' ? 'It is paid from the payment account of the project.' : null
  const today = runtime.clock.now().toISOString().slice(0, 10)
  const price = euroFromMicro(findPriceOn(readPrices(runtime), item, today))
  const { unit } = priceItems[item]
  if (unit !== 'month') {
    return `It costs ${price} euro a ${unit} without VAT, paid from the prepaid balance.`
  }
  return (
    `It costs ${price} euro a month without VAT. The first month is paid from the prepaid ` +
    'balance at once, and each one after that when it begins.'
  )
}
