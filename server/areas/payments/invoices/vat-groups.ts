/**
 * The VAT of an invoice by rate, and of a credit note. A credit note has what all refunds so far are
 * of each rate, less what they were before, so that the credit notes of a whole refund are the invoice.
 */
import type { OrderRow } from '../orders/order-store.ts'
import type { InvoiceRow } from './invoice-store.ts'

export type VatGroup = InvoiceRow['vat'][number]

/** Highest rate first. */
export function groupByRate(items: OrderRow['items']): VatGroup[] {
  const groups = new Map<number, VatGroup>()
  for (const { vat_percent, amount_cents, vat_cents } of items) {
    const group = groups.get(vat_percent) ?? { vat_percent, amount_cents: 0, vat_cents: 0 }
    group.amount_cents += amount_cents
    group.vat_cents += vat_cents
    groups.set(vat_percent, group)
  }
  return [...groups.values()].toSorted((one, other) => other.vat_percent - one.vat_percent)
}

/** `before` and `after` are what was refunded, in cents; the amounts are negative. */
export function creditOf(
  items: OrderRow['items'],
  { before, after }: { before: number; after: number },
): VatGroup[] {
  const groups = groupByRate(items)
  const [old, now] = [shareOf(groups, before), shareOf(groups, after)]
  return groups.flatMap(({ vat_percent }, index) => {
    const amount_cents = old[index]!.amount_cents - now[index]!.amount_cents
    const vat_cents = old[index]!.vat_cents - now[index]!.vat_cents
    return amount_cents === 0 ? [] : { vat_percent, amount_cents, vat_cents }
  })
}

/** The part of each rate in `cents` of the whole; the amounts add up to `cents`. */
function shareOf(groups: readonly VatGroup[], cents: number): VatGroup[] {
  let [left, whole] = [cents, groups.reduce((sum, { amount_cents }) => sum + amount_cents, 0)]
  return groups.map((group) => {
    const amount_cents = divide(group.amount_cents * left, whole)
    left -= amount_cents
    whole -= group.amount_cents
    const vat_cents = divide(group.vat_cents * amount_cents, group.amount_cents)
    return { ...group, amount_cents, vat_cents }
  })
}

const divide = (cents: number, by: number) => (by === 0 ? 0 : Math.round(cents / by))
