/** The prices that plans add to the contract. Free costs nothing. */
import type { PriceEntry } from '../../contract/catalogue/entries/price-entry.ts'

export const prices = {
  'plan.online': { unit: 'month', about: 'The plan Online.', price_eur: 9 },
  'plan.reachable': { unit: 'month', about: 'The plan Reachable.', price_eur: 29 },
  'plan.business': { unit: 'month', about: 'The plan Business.', price_eur: 99 },
  'plan.enterprise': { unit: 'month', about: 'The plan Enterprise.', price_eur: 399 },
} as const satisfies Record<string, PriceEntry>
