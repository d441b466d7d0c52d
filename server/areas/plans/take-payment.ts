/**
 * Payments of plans by the saved card. The row is written before the card is charged, and its id is
 * the idempotency key at the provider. After a crash or a missing answer the same payment is
 * searched for, or requested again, until its outcome is known. The transaction that ends the row
 * credits the balance, charges the plan and puts it into effect, once.
 */
import type { Problem } from '../../contract/errors.ts'
import type { Transaction } from '../../kernel/database/database.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { PaymentUnknown, type PaymentOutcome } from '../../providers/payments/payment-contract.ts'
import { paymentsOf } from '../../providers/payments/payments.ts'
import * as billing from '../billing/service.ts'
import * as projects from '../projects/service.ts'
import * as store from './store.ts'
import { applyUpgrade, lockPlan, markPaid, recordFailure, type LockedPlan } from './subscription.ts'
import { chargeBalance } from './charge-plan.ts'

/** Age up to which a payment is requested again; providers keep idempotency keys for a day. */
const TAKE_AGAIN_MS = 3 * 3_600_000
/** After this time a payment that the provider does not know counts as failed. */
const GIVE_UP_MS = 24 * 3_600_000
/** Age at which the reconciler takes over a payment from the request that started it. */
const OWN_MS = 30_000
const AT_A_TIME = 100

export type Outcome = PaymentOutcome | { state: 'failed'; reason: 'provider_unavailable' }

/**
 * Charges the card and records the outcome. Returns null if the outcome is unknown, or if no
 * payment provider is configured; the reconciler then resumes the payment.
 */
export async function takePayment(
  runtime: Runtime,
  payment: store.PaymentRow,
): Promise<Outcome | null> {
  const payments = paymentsOf(runtime)
  if (payments === null) return null
  const { id: reference, card_micro: amount_micro, payment_method, customer, description } = payment
  try {
    const outcome = await payments.take({
      amount_micro,
      reference,
      payment_method,
      customer,
      description,
    })
    await endPayment(runtime, payment, outcome)
    return outcome
  } catch (error) {
    if (!(error instanceof PaymentUnknown)) throw error
    runtime.log.warn({ err: error }, 'the payment provider did not report the payment of a plan')
    return null
  }
}

/** Resolves payments whose process crashed or whose provider did not reply. */
export async function settlePending(runtime: Runtime): Promise<void> {
  const before = new Date(runtime.clock.now_ms() - OWN_MS)
  for (const payment of await store.listPending(runtime.db, { before, limit: AT_A_TIME }))
    await resume(runtime, payment)
}

async function resume(runtime: Runtime, payment: store.PaymentRow): Promise<void> {
  const { id: reference, customer, created_at: since } = payment
  try {
    const found = await paymentsOf(runtime)?.find({ reference, customer, since })
    if (found) return await endPayment(runtime, payment, found)
  } catch (error) {
    if (!(error instanceof PaymentUnknown)) throw error
    runtime.log.warn({ err: error }, 'the payment provider did not report the payment of a plan')
    return
  }
  const age_ms = runtime.clock.now_ms() - since.getTime()
  if (age_ms < TAKE_AGAIN_MS) await takeAgain(runtime, payment)
  else if (age_ms >= GIVE_UP_MS)
    await endPayment(runtime, payment, { state: 'failed', reason: 'provider_unavailable' })
}

/** Charges the card again, unless the project is deleted: then its payment is only searched for. */
async function takeAgain(runtime: Runtime, payment: store.PaymentRow): Promise<void> {
  if (await projects.find(runtime.db, payment.project_id)) await takePayment(runtime, payment)
}

/** Records the outcome and its effects, once. */
async function endPayment(
  runtime: Runtime,
  payment: store.PaymentRow,
  outcome: Outcome,
): Promise<void> {
  const { project_id, id } = payment
  const known = await projects.find(runtime.db, project_id)
  await runtime.db.transact(async (tx) => {
    const at = known ? await lockPlan(tx, known) : null
    const ended_at = runtime.clock.now()
    if (!(await store.endPayment(tx, { project_id, id, ended_at, outcome }))) return
    const refusal =
      outcome.state === 'paid' ? await applyPayment(tx, runtime, { payment, at }) : outcome.reason
    const subscription = at?.subscription
    if (refusal === null || !at || !subscription || !isStillOwed(at, payment)) return
    const { counts_as_try } = payment
    await recordFailure(tx, runtime, { at, subscription, reason: refusal, counts_as_try })
  })
}

/**
 * Credits the balance and pays the plan from it. If the plan was changed meanwhile, or the spending
 * cap lowered, the money stays on the balance. Returns why the charge was refused, or null.
 */
async function applyPayment(
  tx: Transaction,
  runtime: Runtime,
  { payment, at }: { payment: store.PaymentRow; at: LockedPlan | null },
): Promise<string | null> {
  const { project_id, id, kind, plan, due_micro, card_micro, description } = payment
  await billing.topUp(tx, runtime, {
    project_id,
    amount_micro: card_micro,
    source: 'payment',
    description: `Card payment: ${description}`,
    reference: `plan:${id}`,
    reference_id: id,
  })
  if (at === null || !(kind === 'month' ? isStillOwed(at, payment) : isUpgradable(at, payment)))
    return null
  const charge = { project_id, id, kind, due_micro, month: payment.month, description }
  const problem: Problem | null = await chargeBalance(tx, runtime, charge)
  if (problem !== null) return problem.slug
  if (kind === 'upgrade') await applyUpgrade(tx, runtime, { at, upgrade: { ...payment, plan } })
  else if (at.subscription) await markPaid(tx, runtime, at.subscription)
  return null
}

function isStillOwed(
  { project, subscription }: LockedPlan,
  { kind, plan, month }: store.PaymentRow,
): boolean {
  return (
    kind === 'month' &&
    subscription?.state === 'past_due' &&
    subscription.month === month &&
    project.plan === plan
  )
}

function isUpgradable({ project, subscription }: LockedPlan, payment: store.PaymentRow): boolean {
  return project.plan === payment.from_plan && subscription?.state !== 'past_due'
}
