/** The reply of the API about a payment link, from its row. */
import type { Runtime } from '../../../kernel/runtime.ts'
import { euroFromCents, percentFromHundredths } from '../orders/amounts.ts'
import type { PaymentLink } from './link-schema.ts'
import type { LinkRow } from './link-store.ts'
import { QR_FILE } from '../orders/checkout-url.ts'
import { createLinkUrl } from './link-url.ts'

export function presentLink(runtime: Runtime, row: LinkRow): PaymentLink {
  const url = createLinkUrl(runtime, row)
  const { amount_cents } = row
  return {
    id: row.id,
    description: row.description,
    amount_eur: amount_cents === null ? null : euroFromCents(amount_cents),
    customer_decides: amount_cents === null,
    vat_percent: percentFromHundredths(row.vat_hundredths),
    reusable: row.reusable,
    active: row.active,
    status: statusOf(row, runtime.clock.now()),
    url,
    qr_url: `${url}/${QR_FILE}`,
    paid_orders: row.paid_orders,
    paid_eur: euroFromCents(row.paid_cents),
    expires_at: row.expires_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    test: row.test,
  }
}

export function statusOf(row: LinkRow, now: Date): PaymentLink['status'] {
  if (!row.reusable && row.paid_orders > 0) return 'paid'
  if (!row.active) return 'off'
  return row.expires_at !== null && row.expires_at <= now ? 'expired' : 'active'
}
