/**
 * The change of the month, and attempts to charge an owed month. A planned downgrade takes effect
 * first, if everything fits; then the month is charged.
 */
import type { Transaction } from '../../kernel/database/database.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import type { Problem } from '../../contract/errors.ts'
import { plans, type Plan } from '../../contract/plans.ts'
import * as projects from '../projects/service.ts'
import * as usage from '../usage/service.ts'
import { listExcess } from './fit.ts'
import { enqueueMails } from './mail-jobs.ts'
import { chargePlan, isPaidPlan } from './charge-plan.ts'
import { takePayment } from './take-payment.ts'
import { pricePerMonth, today } from './quote.ts'
import * as store from './store.ts'
import { lockPlan, markPaid, recordFailure, type LockedPlan } from './subscription.ts'

const AT_A_TIME = 100

/** Processes every subscription that is due; an error in one does not stop the others. */
export async function processDueSubscriptions(runtime: Runtime): Promise<void> {
  let after: string | null = null
  do {
    const wanted = { month: today(runtime).month, now: runtime.clock.now(), after }
    const due: string[] = await store.listDue(runtime.db, { ...wanted, limit: AT_A_TIME })
    for (const project_id of due) {
      await processSubscription(runtime, project_id).catch((error: unknown) => {
        runtime.log.error({ err: error, project_id }, 'the plan of a project could not be charged')
      })
    }
    after = due.length === AT_A_TIME ? (due.at(-1) ?? null) : null
  } while (after !== null)
}

/** Starts the new month of a subscription, or charges an owed month again, if either is due. */
export async function processSubscription(runtime: Runtime, project_id: string): Promise<void> {
  const known = await projects.find(runtime.db, project_id)
  if (!known) return
  const payment = await runtime.db.transact(async (tx) => {
    const at = await lockPlan(tx, known)
    if (!at?.subscription || (await store.findPending(tx, project_id))) return null
    const { subscription } = at
    const month = today(runtime).month
    if (subscription.state !== 'ended' && subscription.month < month)
      return beginMonth(tx, runtime, { ...at, subscription })
    if (subscription.state !== 'past_due') return null
    const { next_try_at } = subscription
    const counts_as_try = next_try_at !== null && next_try_at <= runtime.clock.now()
    return chargeAndRecord(tx, runtime, { at: { ...at, subscription }, counts_as_try })
  })
  if (payment) await takePayment(runtime, payment)
}

type Subscribed = LockedPlan & { subscription: store.SubscriptionRow }

async function beginMonth(
  tx: Transaction,
  runtime: Runtime,
  before: Subscribed,
): Promise<store.PaymentRow | null> {
  const at = await applyDowngrade(tx, runtime, before)
  const { project, subscription } = at
  const { month } = today(runtime)
  const updated_at = runtime.clock.now()
  if (project.plan === 'free') {
    await store.deleteSubscription(tx, project.id)
    return null
  }
  if (subscription.granted) {
    await store.saveSubscription(tx, { ...subscription, month, updated_at })
    return null
  }
  const owed = {
    ...subscription,
    state: 'past_due',
    month,
    price_micro: pricePerMonth(runtime, project.plan, month),
    next_try_at: updated_at,
    updated_at,
  } as const
  await store.saveSubscription(tx, owed)
  return chargeAndRecord(tx, runtime, { at: { ...at, subscription: owed }, counts_as_try: true })
}

/**
 * Puts a planned downgrade into effect if everything fits, under the locks of everything that the
 * limits count. Returns the state afterwards, without a planned downgrade.
 */
async function applyDowngrade(
  tx: Transaction,
  runtime: Runtime,
  at: Subscribed,
): Promise<Subscribed> {
  const { project, locked, subscription } = at
  const { next_plan: plan } = subscription
  if (plan === null) return at
  for (const { id } of locked) await usage.lockUsage(tx, id)
  const now = runtime.clock.now()
  const excess = await listExcess(tx, { locked, plan, now })
  const kept = { ...subscription, next_plan: null }
  if (excess.length > 0) {
    const notice = { kind: 'blocked', plan, stays: project.plan, excess } as const
    await enqueueMails(tx, runtime, { project, notice })
    return { ...at, subscription: kept }
  }
  await projects.setPlan(tx, locked, { plan, lowered_at: now })
  const price_micro = pricePerMonth(runtime, plan, today(runtime).month)
  const notice = { kind: 'downgraded', plan, price_micro } as const
  await enqueueMails(tx, runtime, { project, notice })
  return { ...at, project: { ...project, plan }, subscription: { ...kept, granted: false } }
}

interface Attempt {
  at: Subscribed
  counts_as_try: boolean
}

async function chargeAndRecord(
  tx: Transaction,
  runtime: Runtime,
  attempt: Attempt,
): Promise<store.PaymentRow | null> {
  const outcome = await chargeOwedMonth(tx, runtime, attempt)
  if (!('problem' in outcome)) return outcome.payment
  const { at, counts_as_try } = attempt
  const { subscription } = at
  const reason = outcome.problem.slug
  await recordFailure(tx, runtime, { at, subscription, reason, counts_as_try })
  return null
}

/** Charges the owed month. Returns the card payment to make after the commit, or the refusal. */
export async function chargeOwedMonth(
  tx: Transaction,
  runtime: Runtime,
  { at: { project, subscription }, counts_as_try }: Attempt,
): Promise<{ payment: store.PaymentRow | null } | { problem: Problem }> {
  const { plan } = project
  if (!isPaidPlan(plan)) return { payment: null }
  const { month, price_micro } = subscription
  const outcome = await chargePlan(tx, runtime, {
    project,
    kind: 'month',
    plan,
    price_micro,
    due_micro: price_micro,
    month,
    description: describeMonth(plan, month),
    counts_as_try,
  })
  if (outcome.state === 'failed') return { problem: outcome.problem }
  if (outcome.state === 'pending') return { payment: outcome.payment }
  await markPaid(tx, runtime, subscription)
  return { payment: null }
}

function describeMonth(plan: Plan, month: string): string {
  return `Plan ${plans[plan].title}, ${month.slice(0, 7)}`
}
