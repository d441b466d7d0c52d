/** What the checkout page of an order does: open the payment, play the built-in provider, and return. */
import { mayBeReal } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import {
  playOutcome,
  readBuiltinCallback,
  signBuiltinCallback,
  type BuiltinOutcome,
} from '../../../providers/checkout/builtin-checkout.ts'
import type { MailLanguage } from '../../../providers/mail/mail-contract.ts'
import * as projects from '../../projects/service.ts'
import { openCheckout } from '../account/open-account.ts'
import { note } from '../orders/advance.ts'
import { createCheckoutUrl, readCheckoutToken } from '../orders/checkout-url.ts'
import * as store from '../orders/order-store.ts'
import { isPayable } from '../orders/transitions.ts'
import { enqueueRefresh } from './jobs.ts'
import { refresh } from './refresh.ts'

/** Throws not_found for a token that this server did not issue. */
export async function findByToken(runtime: Runtime, token: string): Promise<store.OrderRow> {
  const key = readCheckoutToken(runtime, token)
  const row = key && (await store.find(runtime.db, key))
  if (row) return row
  throw new Problem('not_found', 'There is no such checkout page.')
}

/**
 * Opens the payment at the provider, once per order, and returns its page; null if the page is ours, or
 * if the order cannot be paid any more. Throws conflict for a real order of a project whose payments
 * have been put back in test mode. The language is that of the customer, of which the last counts; null
 * if it is unknown, or no customer opens the page.
 */
export async function openPayment(
  runtime: Runtime,
  row: store.OrderRow,
  customer_language: MailLanguage | null = null,
): Promise<string | null> {
  if (!isPayable(row.status) || row.expires_at.getTime() <= runtime.clock.now_ms()) return null
  await requireRail(runtime, row)
  const { project_id, id: order_id, amount_cents, expires_at } = row
  const checkout = await openCheckout(runtime, row)
  if (!checkout) throw notNow()
  const { reference, url } = await checkout.open({
    project_id,
    order_id,
    reference: row.provider_reference,
    keeps_method:
      row.subscription_id === null ? null : { name: row.customer_name, email: row.customer_email },
    amount_cents,
    expires_at,
    description: `Order ${row.number}`,
    return_url: `${createCheckoutUrl(runtime, row)}/return`,
  })
  await keepOpened(runtime, row, { reference, language: customer_language })
  return url
}

async function requireRail(runtime: Runtime, row: store.OrderRow): Promise<void> {
  const project = await projects.find(runtime.db, row.project_id)
  if (row.test || (project && mayBeReal({ mode: 'live', project }, 'payments'))) return
  throw notNow()
}

function notNow(): Problem {
  const detail = 'This business takes no payments at the moment.'
  return new Problem('conflict', detail, { user_message: detail })
}

async function keepOpened(
  runtime: Runtime,
  row: store.OrderRow,
  opened: { reference: string; language: MailLanguage | null },
): Promise<void> {
  const { reference: provider_reference, language: customer_language } = opened
  const is_new = row.provider_reference !== provider_reference
  const is_said = customer_language !== null && customer_language !== row.customer_language
  if (!is_new && !is_said) return
  await runtime.db.transact(async (tx) => {
    const locked = await store.lock(tx, row)
    if (!locked) return
    if (is_new && locked.provider_reference !== provider_reference) {
      await store.change(tx, row, { provider_reference })
      await note(tx, runtime, { row, event: 'checkout_opened' })
    }
    if (is_said && isPayable(locked.status)) await store.change(tx, row, { customer_language })
  })
}

export interface Played {
  outcome: BuiltinOutcome
  /** Whether the provider calls back. Without that, the reconciliation finds the outcome. */
  calls_back: boolean
}

/** The customer chooses the outcome on the page of the built-in provider. */
export async function play(
  runtime: Runtime,
  row: store.OrderRow,
  { outcome, calls_back }: Played,
): Promise<void> {
  if (row.provider !== 'builtin') throw new Problem('not_found', 'This order has another provider.')
  await openPayment(runtime, row)
  await playOutcome(runtime, { project_id: row.project_id, reference: row.id }, outcome)
  if (!calls_back) return
  const body = new URLSearchParams({ id: row.id }).toString()
  const signature = signBuiltinCallback(runtime.seal, body)
  await takeBuiltinCallback(runtime, { project_id: row.project_id, body, signature })
}

export interface BuiltinCallback {
  project_id: string
  body: string
  signature: string
}

/** Throws forbidden unless the callback is signed. An unknown payment changes nothing. */
export async function takeBuiltinCallback(
  runtime: Runtime,
  { project_id, body, signature }: BuiltinCallback,
): Promise<void> {
  const reference = readBuiltinCallback(runtime, { body, signature })
  if (reference === null) {
    throw new Problem('forbidden', 'The signature of this callback is missing or wrong.')
  }
  const order = { project_id, provider: 'builtin', reference } as const
  const row = await store.findByReference(runtime.db, order)
  if (row) await runtime.db.transact((tx) => enqueueRefresh(tx, runtime, row))
}

/** The customer comes back: reads the payment and returns the order as it is now. */
export async function returnFromPayment(runtime: Runtime, token: string): Promise<store.OrderRow> {
  const row = await findByToken(runtime, token)
  return (await refresh(runtime, row)) ?? row
}
