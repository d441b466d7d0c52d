/**
 * The plan of a project: what it is and costs, upgrades, planned downgrades, the payment of an owed
 * month, and plans that the operator sets. Changes run under the lock of the project; a card is
 * charged outside of transactions.
 */
import type { ProjectRow } from '../../contract/caller.ts'
import { Problem } from '../../contract/errors.ts'
import type { MemberCaller } from '../../contract/people.ts'
import { isLargerPlan, plans, type Plan } from '../../contract/plans.ts'
import type { Reader, Transaction } from '../../kernel/database/database.ts'
import { announceRecordsAfter } from '../../kernel/jobs/record-wakeups.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { newId } from '../../kernel/values/ids.ts'
import { microFromEuro } from '../../kernel/values/money.ts'
import * as billing from '../billing/service.ts'
import * as projects from '../projects/service.ts'
import { listExcess, readUsed } from './fit.ts'
import { enqueueMails } from './mail-jobs.ts'
import { chargeOwedMonth, processSubscription } from './months.ts'
import { chargePlan, isPaidPlan } from './charge-plan.ts'
import { takePayment } from './take-payment.ts'
import { presentPlan } from './present.ts'
import { paidForRest, priceNow, pricePerMonth, today } from './quote.ts'
import * as refusals from './refusals.ts'
import type { PlanChange, ProjectPlan } from './schema.ts'
import * as store from './store.ts'
import { applyUpgrade, lockPlan, type LockedPlan } from './subscription.ts'

type MemberContext = Pick<MemberCaller, 'runtime' | 'db' | 'project'>

/** The test project of a pair shows the plan that its live project pays. */
export async function showPlan({ runtime, db, project }: MemberContext): Promise<ProjectPlan> {
  const shown = await findProject(db, project.id)
  const paying_id = projects.findPayingProject(shown)
  const now = runtime.clock.now()
  const other =
    shown.pair_id === null ? undefined : await projects.findRestorable(db, shown.pair_id)
  const used = []
  for (const one of other ? [shown, other] : [shown])
    used.push({ project: one, used: await readUsed(db, one, now) })
  return presentPlan(runtime, {
    project: shown,
    used,
    subscription: await store.findSubscription(db, paying_id),
    pending: await store.findPending(db, paying_id),
    balance_micro: await billing.readSpendableBalance(db, paying_id),
    card: (await billing.findSavedCard(db, paying_id))?.card ?? null,
  })
}

async function findProject(db: Reader, project_id: string): Promise<ProjectRow> {
  const project = await projects.find(db, project_id)
  if (!project) throw new Problem('not_found', 'There is no such project.')
  return project
}

/**
 * Changes to a larger plan at once and to a smaller one at the end of the month. Repeating a change
 * has no effect, so concurrent requests charge once.
 */
export async function changePlan(caller: MemberContext, change: PlanChange): Promise<ProjectPlan> {
  const { runtime, db, project } = caller
  if (project.shape === 'test') throw refusals.testProject()
  await beginDueMonth(runtime, project.id)
  const payment = await db.transact(async (tx) => {
    const at = await lockExisting(tx, project)
    if (at.project.plan === change.plan) return null
    const pending = await store.findPending(tx, project.id)
    if (pending) {
      if (pending.plan === change.plan) return null
      throw refusals.paymentUnderWay()
    }
    const isUpgrade = isLargerPlan(change.plan, at.project.plan)
    return isUpgrade
      ? upgrade(tx, runtime, { at, change })
      : planDowngrade(tx, runtime, { at, change })
  })
  await payByCard(runtime, payment)
  return showPlan(caller)
}

/** Starts a month that the reconciler has not started yet, so that a change is charged to it. */
async function beginDueMonth(runtime: Runtime, project_id: string): Promise<void> {
  const subscription = await store.findSubscription(runtime.db, project_id)
  if (!subscription || subscription.state === 'ended') return
  if (subscription.month >= today(runtime).month) return
  await processSubscription(runtime, project_id)
}

async function lockExisting(tx: Transaction, project: ProjectRow): Promise<LockedPlan> {
  const at = await lockPlan(tx, project)
  if (!at) throw new Problem('not_found', 'There is no such project.')
  return at
}

interface Changing {
  at: LockedPlan
  change: PlanChange
}

async function upgrade(
  tx: Transaction,
  runtime: Runtime,
  { at, change }: Changing,
): Promise<store.PaymentRow | null> {
  const { project, subscription } = at
  const { plan } = change
  if (!isPaidPlan(plan)) return null
  if (subscription?.state === 'past_due') throw refusals.monthOwed(subscription.price_micro)
  const due_micro = priceNow(runtime, { plan: project.plan, subscription, target: plan })
  if (microFromEuro(change.price_now_eur) !== due_micro) throw refusals.priceChanged(due_micro)
  const { day, month, days_left, days } = today(runtime)
  const price_micro = pricePerMonth(runtime, plan, day)
  const priced = { plan, price_micro, due_micro, month }
  const description = `Plan ${plans[plan].title} from ${day}, ${days_left} of ${days} days`
  const order = { ...priced, project, kind: 'upgrade', description, counts_as_try: false } as const
  const outcome = await chargePlan(tx, runtime, order)
  if (outcome.state === 'failed') throw outcome.problem
  if (outcome.state === 'pending') return outcome.payment
  await applyUpgrade(tx, runtime, { at, upgrade: priced })
  return null
}

async function planDowngrade(
  tx: Transaction,
  runtime: Runtime,
  { at, change }: Changing,
): Promise<null> {
  const { project, locked, subscription } = at
  const { plan, price_now_eur } = change
  if (price_now_eur !== 0) throw refusals.priceChanged(0n)
  const updated_at = runtime.clock.now()
  const excess = await listExcess(tx, { locked, plan, now: updated_at })
  if (excess.length > 0) throw refusals.doesNotFit(runtime, plan, excess)
  const granted = {
    project_id: project.id,
    state: 'active',
    granted: true,
    price_micro: 0n,
    month: today(runtime).month,
    tries: 0,
    next_try_at: null,
    failure: null,
    failed_at: null,
  } as const
  const known = subscription && subscription.state !== 'ended' ? subscription : granted
  await store.saveSubscription(tx, { ...known, next_plan: plan, updated_at })
  announceRecordsAfter(tx, runtime, project.id, 'plan')
  return null
}

/** Charges the card. An unknown outcome is shown as a pending payment. */
async function payByCard(runtime: Runtime, payment: store.PaymentRow | null): Promise<void> {
  const outcome = payment && (await takePayment(runtime, payment))
  if (outcome?.state === 'failed') throw refusals.cardRefused(outcome.reason)
}

export async function cancelDowngrade(caller: MemberContext): Promise<ProjectPlan> {
  const { runtime, db, project } = caller
  if (project.shape === 'test') throw refusals.testProject()
  await db.transact(async (tx) => {
    const { subscription } = await lockExisting(tx, project)
    if (!subscription || subscription.next_plan === null) return
    const updated_at = runtime.clock.now()
    await store.saveSubscription(tx, { ...subscription, next_plan: null, updated_at })
    announceRecordsAfter(tx, runtime, project.id, 'plan')
  })
  return showPlan(caller)
}

/** Pays the owed month now. A failure does not count as one of the attempts. */
export async function payOwedMonth(caller: MemberContext): Promise<ProjectPlan> {
  const { runtime, db, project } = caller
  if (project.shape === 'test') throw refusals.testProject()
  await beginDueMonth(runtime, project.id)
  const payment = await db.transact(async (tx) => {
    const at = await lockExisting(tx, project)
    const { subscription } = at
    if (subscription?.state !== 'past_due') return null
    if (await store.findPending(tx, project.id)) return null
    const attempt = { at: { ...at, subscription }, counts_as_try: false }
    const tried = await chargeOwedMonth(tx, runtime, attempt)
    if ('problem' in tried) throw tried.problem
    return tried.payment
  })
  await payByCard(runtime, payment)
  return showPlan(caller)
}

/**
 * Sets the plan of a project and of the other project of its pair, for the operator. Such a plan
 * costs nothing; what was paid for the rest of the month returns to the balance. Returns false if
 * there is no such project.
 */
export async function setByOperator(
  runtime: Runtime,
  { project_id, plan }: { project_id: string; plan: Plan },
): Promise<boolean> {
  const known = await projects.find(runtime.db, project_id)
  if (!known) return false
  const id = projects.findPayingProject(known)
  return runtime.db.transact(async (tx) => {
    const locked = await projects.lockWithPair(tx, known)
    const before = locked.find((one) => one.id === project_id)
    if (!before || before.deleted_at !== null) return false
    const subscription = await store.findSubscription(tx, id)
    const isLower = isLargerPlan(before.plan, plan)
    const lowered_at = isLower ? runtime.clock.now() : null
    await projects.setPlan(tx, locked, { plan, lowered_at })
    await store.deleteSubscription(tx, id)
    for (const one of locked) announceRecordsAfter(tx, runtime, one.id, 'plan')
    await refundRest(tx, runtime, { project_id: id, subscription })
    return true
  })
}

async function refundRest(
  tx: Transaction,
  runtime: Runtime,
  {
    project_id,
    subscription,
  }: { project_id: string; subscription: store.SubscriptionRow | undefined },
): Promise<void> {
  const amount_micro = paidForRest(runtime, subscription)
  if (amount_micro <= 0n) return
  await billing.credit(tx, runtime, {
    project_id,
    amount_micro,
    source: 'plan',
    description: `Rest of the plan from ${today(runtime).day}`,
    reference: `plan:refund:${newId(runtime.clock)}`,
    reference_id: project_id,
  })
}

/** Mails the owners that their forms refuse what visitors send. */
export async function enqueueVisitorsFullMails(
  tx: Transaction,
  runtime: Runtime,
  { project, what }: { project: ProjectRow; what: 'files' | 'documents' },
): Promise<void> {
  const notice = { kind: 'visitors_full', plan: project.plan, what } as const
  await enqueueMails(tx, runtime, { project, notice })
}
