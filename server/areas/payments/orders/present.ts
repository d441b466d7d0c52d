/** The reply of the API about an order, from its row. */
import type { Runtime } from '../../../kernel/runtime.ts'
import type { RefundRow } from '../refunds/refund-store.ts'
import { euroFromCents } from './amounts.ts'
import { createCheckoutUrl, QR_FILE } from './checkout-url.ts'
import type { Order, OrderFacts, Refund } from './order-schema.ts'
import type { OrderRow } from './order-store.ts'

export function present(runtime: Runtime, row: OrderRow): Order {
  const checkout_url = createCheckoutUrl(runtime, row)
  return { ...presentFacts(row), checkout_url, qr_url: `${checkout_url}/${QR_FILE}` }
}

export function presentFacts(row: OrderRow): OrderFacts {
  return {
    id: row.id,
    number: row.number,
    status: row.status,
    amount_eur: euroFromCents(row.amount_cents),
    vat_eur: euroFromCents(row.vat_cents),
    currency: 'EUR',
    items: row.items.map(({ name, quantity, vat_percent, product_id, ...cents }) => ({
      name,
      quantity,
      unit_price_eur: euroFromCents(cents.unit_price_cents),
      vat_percent,
      amount_eur: euroFromCents(cents.amount_cents),
      vat_eur: euroFromCents(cents.vat_cents),
      product_id: product_id ?? null,
    })),
    customer: {
      name: row.customer_name,
      email: row.customer_email,
      phone: row.customer_phone,
      company_name: row.customer_company,
      vat_number: row.customer_vat_number,
      address: row.customer_address,
    },
    provider: row.provider,
    provider_reference: row.provider_reference,
    refunded_eur: euroFromCents(row.refunded_cents),
    metadata: row.metadata,
    site_id: row.site_id,
    payment_link_id: row.payment_link_id,
    subscription_id: row.subscription_id,
    reverse_charge: row.reverse_charge,
    paid_at: row.paid_at?.toISOString() ?? null,
    expires_at: row.expires_at.toISOString(),
    created_at: row.created_at.toISOString(),
    test: row.test,
  }
}

export function presentRefund(row: RefundRow): Refund {
  return {
    id: row.id,
    order_id: row.order_id,
    amount_eur: euroFromCents(row.amount_cents),
    reason: row.reason,
    status: row.status,
    created_at: row.created_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
  }
}
