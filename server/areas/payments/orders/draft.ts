/** Checks the input of an order and calculates its amounts. */
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { amountsOf, centsFromEuro, hundredthsFromPercent, sumOf } from './amounts.ts'
import type { OrderInput, OrderItemInput } from './order-schema.ts'
import type { OrderRow } from './order-store.ts'

export interface Draft {
  items: OrderRow['items']
  amount_cents: bigint
  vat_cents: bigint
  customer_name: string | null
  customer_email: string | null
  customer_phone: string | null
  customer_company: string | null
  customer_vat_number: string | null
  customer_address: string | null
  reverse_charge: boolean
  metadata: Record<string, string>
  site_id: string | null
  success_url: string | null
  cancel_url: string | null
  expires_at: Date
}

const default_ms = limits.order_lifetime_default_s * 1000
const min_ms = limits.order_lifetime_min_s * 1000
const max_ms = limits.order_lifetime_max_s * 1000

export function readDraft(input: OrderInput, now: Date): Draft {
  const { metadata = {} } = input
  const items = input.items.map((item, index) => readItem(item, `/items/${index}`))
  const { amount_cents, vat_cents } = sumOf(items)
  if (amount_cents === 0) throw refuse('/items', 'must cost something together')
  if (amount_cents > limits.order_amount_eur_max * 100) {
    throw refuse('/items', `must cost at most ${limits.order_amount_eur_max} euro together`)
  }
  return {
    items,
    amount_cents: BigInt(amount_cents),
    vat_cents: BigInt(vat_cents),
    ...readCustomer(input.customer),
    reverse_charge: readReverseCharge(input),
    metadata,
    site_id: input.site_id ?? null,
    success_url: input.success_url ?? null,
    cancel_url: input.cancel_url ?? null,
    expires_at: readExpiry(input.expires_at, now),
  }
}

function readCustomer(customer: OrderInput['customer'] = {}) {
  return {
    customer_name: customer.name ?? null,
    customer_email: customer.email?.toLowerCase() ?? null,
    customer_phone: customer.phone ?? null,
    customer_company: customer.company_name ?? null,
    customer_vat_number: customer.vat_number ?? null,
    customer_address: customer.address ?? null,
  }
}

function readItem(item: OrderItemInput, path: string): OrderRow['items'][number] {
  const { name, quantity, vat_percent } = item
  const unit_price_cents = centsFromEuro(item.unit_price_eur)
  if (unit_price_cents === null) throw refuse(`${path}/unit_price_eur`, 'must be in whole cents')
  if (hundredthsFromPercent(vat_percent) === null) {
    throw refuse(`${path}/vat_percent`, 'must have at most two decimals')
  }
  const priced = { quantity, unit_price_cents, vat_percent }
  return { name, ...priced, ...amountsOf(priced) }
}

/** The customer owes the VAT, so no line may have any, and the invoice names the customer's number. */
function readReverseCharge({ reverse_charge = false, customer, items }: OrderInput): boolean {
  if (!reverse_charge) return false
  if (customer?.vat_number === undefined) {
    throw refuse('/customer/vat_number', 'is needed for reverse_charge')
  }
  const index = items.findIndex(({ vat_percent }) => vat_percent > 0)
  if (index >= 0) throw refuse(`/items/${index}/vat_percent`, 'must be 0 with reverse_charge')
  return true
}

function readExpiry(text: string | undefined, now: Date): Date {
  if (text === undefined) return new Date(now.getTime() + default_ms)
  const expires_at = new Date(text)
  const left_ms = expires_at.getTime() - now.getTime()
  if (left_ms >= min_ms && left_ms <= max_ms) return expires_at
  throw refuse('/expires_at', 'must be half an hour to a day from now')
}

/** The refusal of an input, at the path of its field. */
export function refuse(path: string, message: string): Problem {
  return new Problem('validation_failed', `${path} ${message}.`, { errors: [{ path, message }] })
}
