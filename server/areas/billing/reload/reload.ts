/**
 * An automatic top-up. Its row is written before the card is charged, and its id is the idempotency
 * key of the payment at the provider. After a crash or a missing answer the same payment is
 * searched for or requested again until its outcome is known, and the balance is credited once.
 */
import type { Transaction } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { newId } from '../../../kernel/values/ids.ts'
import type { JobRun } from '../../../kernel/jobs/jobs.ts'
import {
  PaymentUnknown,
  type PaymentOutcome,
  type Payments,
} from '../../../providers/payments/payment-contract.ts'
import { paymentsOf } from '../../../providers/payments/payments.ts'
import * as webhooks from '../../webhooks/service.ts'
import { enqueueLateSearch } from './late-payment.ts'
import { toMonth } from '../ledger/ledger.ts'
import { lockBooks } from '../ledger/record.ts'
import * as store from './reload-store.ts'
import { addReload } from '../ledger/top-up.ts'

/**
 * Time in which a payment is requested again. A provider keeps idempotency keys for at least a day.
 * The limit is shorter because a provider that answered with an error repeats that error for the
 * same key.
 */
const TAKE_AGAIN_S = 3 * 3600
/** After this time a payment that the provider does not know counts as failed for the owner. */
const GIVE_UP_S = 4 * 3600

type Outcome = PaymentOutcome | { state: 'failed'; reason: 'provider_unavailable' }

interface Begun {
  reload: store.PendingReload
  /** Whether an earlier run started it and did not learn the outcome. */
  is_resumed: boolean
}

export async function reload(work: JobRun<{ project_id: string }>): Promise<void> {
  const { runtime, payload } = work
  const payments = paymentsOf(runtime)
  if (payments === null) return
  const begun = await runtime.db.transact((tx) => begin(tx, runtime, payload.project_id))
  if (begun === null) return
  const outcome = begun.is_resumed
    ? await resume(payments, runtime, begun.reload)
    : await take(payments, begun.reload)
  await work.finish((tx) => end(tx, runtime, { reload: begun.reload, outcome }))
}

/** Returns the pending top-up, or a new one if the balance is low and the settings allow it. */
async function begin(tx: Transaction, runtime: Runtime, project_id: string): Promise<Begun | null> {
  const books = await lockBooks(tx, runtime, project_id)
  const pending = await store.findPending(tx, project_id)
  if (pending) return { reload: pending, is_resumed: true }
  const now = runtime.clock.now()
  const month = toMonth(now, runtime.config.billing_timezone)
  const settings = await store.findSettings(tx, project_id, month)
  if (!settings || !mayReload(settings)) return null
  if (books.prepaid_micro >= settings.reload_threshold_micro) return null
  const reload = {
    project_id,
    id: newId(runtime.clock),
    amount_micro: settings.reload_amount_micro,
    payment_method: settings.payment_method,
    customer: settings.customer,
    created_at: now,
  }
  await store.insertReload(tx, { ...reload, month })
  return { reload, is_resumed: false }
}

/**
 * Whether a low balance would start a top-up. The details of the card must have been read before.
 */
export function mayReload<S extends store.ReloadFacts>(
  settings: S,
): settings is S & { payment_method: string } {
  const { reload_enabled, payment_method, card, reload_disabled_reason, reloads_used } = settings
  return (
    reload_enabled === true &&
    payment_method !== null &&
    card !== null &&
    reload_disabled_reason === null &&
    Number(reloads_used ?? 0n) < (settings.reload_max_per_month ?? 0)
  )
}

async function resume(
  payments: Payments,
  runtime: Runtime,
  reload: store.PendingReload,
): Promise<Outcome> {
  const { id, customer, created_at } = reload
  const found = await payments.find({ reference: id, customer, since: created_at })
  if (found) return found
  const age_s = (runtime.clock.now_ms() - created_at.getTime()) / 1000
  if (age_s >= GIVE_UP_S) return { state: 'failed', reason: 'provider_unavailable' }
  if (age_s < TAKE_AGAIN_S) return take(payments, reload)
  throw new PaymentUnknown('The provider does not know the payment, and may only be slow.')
}

function take(payments: Payments, reload: store.PendingReload): Promise<PaymentOutcome> {
  const { id, amount_micro, payment_method, customer } = reload
  return payments.take({
    amount_micro,
    reference: id,
    payment_method,
    customer,
    description: 'Automatic top-up of the prepaid balance',
  })
}

/** Records the outcome, its consequences and its event in one transaction, once. */
async function end(
  tx: Transaction,
  runtime: Runtime,
  { reload, outcome }: { reload: store.PendingReload; outcome: Outcome },
): Promise<void> {
  const { project_id, id, amount_micro, payment_method } = reload
  await lockBooks(tx, runtime, project_id)
  const ended = await store.endReload(tx, {
    project_id,
    id,
    ended_at: runtime.clock.now(),
    outcome,
  })
  if (!ended) return
  if (outcome.state === 'paid') return addReload(tx, runtime, { project_id, id, amount_micro })
  // A failure of the provider does not disable the card: another top-up is tried within the hour,
  // and the payment of this one is searched for.
  if (outcome.reason === 'provider_unavailable') await enqueueLateSearch(tx, runtime, reload)
  else await store.disable(tx, { project_id, payment_method, reason: outcome.reason })
  const subject = { reload_id: id }
  await webhooks.emit(tx, runtime, { project_id, type: 'balance.reload_failed', subject })
}
