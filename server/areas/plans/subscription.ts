/**
 * The changes of a subscription: a larger plan takes effect, a month is paid, an attempt fails, and
 * after the last failed attempt the project gets the limits of Free. All run under the lock of the
 * project, with the mails in the same transaction.
 */
import type { ProjectRow } from '../../contract/caller.ts'
import { limits } from '../../contract/limits.ts'
import type { Plan } from '../../contract/plans.ts'
import type { Transaction } from '../../kernel/database/database.ts'
import { announceRecordsAfter } from '../../kernel/jobs/record-wakeups.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import type { MicroEuro } from '../../kernel/values/money.ts'
import * as billing from '../billing/service.ts'
import * as projects from '../projects/service.ts'
import { enqueueMails } from './mail-jobs.ts'
import { monthReference } from './charge-plan.ts'
import { pricePerMonth } from './quote.ts'
import * as store from './store.ts'

const DAY_MS = 86_400_000
/** Days until the next attempt, after the first and the second failed one. */
const PAUSE_DAYS = { after_paid_month: [3, 4], otherwise: [1, 1] }

/** A locked project whose plan is billed, with the other project of its pair, deleted or not. */
export interface LockedPlan {
  project: ProjectRow
  locked: readonly ProjectRow[]
  subscription: store.SubscriptionRow | undefined
}

/** Locks a project and reads its subscription; null if it was deleted. */
export async function lockPlan(
  tx: Transaction,
  { id, pair_id }: Pick<ProjectRow, 'id' | 'pair_id'>,
): Promise<LockedPlan | null> {
  const locked = await projects.lockWithPair(tx, { id, pair_id })
  const project = locked.find((one) => one.id === id && one.deleted_at === null)
  if (!project) return null
  return { project, locked, subscription: await store.findSubscription(tx, id) }
}

/** Values of a subscription without a failed payment. */
const settled = { tries: 0, next_try_at: null, failure: null, failed_at: null } as const

export interface Upgrade {
  plan: Plan
  price_micro: MicroEuro
  due_micro: MicroEuro
  month: string
}

/** Puts a paid upgrade into effect. A planned downgrade is dropped. */
export async function applyUpgrade(
  tx: Transaction,
  runtime: Runtime,
  { at, upgrade }: { at: LockedPlan; upgrade: Upgrade },
): Promise<void> {
  const { plan, price_micro, due_micro, month } = upgrade
  const { project, locked } = at
  await projects.setPlan(tx, locked, { plan, lowered_at: null })
  const now = runtime.clock.now()
  await store.saveSubscription(tx, {
    project_id: project.id,
    state: 'active',
    granted: false,
    price_micro,
    month,
    next_plan: null,
    updated_at: now,
    ...settled,
  })
  announceRecordsAfter(tx, runtime, project.id, 'plan')
  const notice = { kind: 'upgraded', plan, due_micro, price_micro } as const
  await enqueueMails(tx, runtime, { project, notice })
}

/** Marks the owed month as paid. */
export async function markPaid(
  tx: Transaction,
  runtime: Runtime,
  subscription: store.SubscriptionRow,
): Promise<void> {
  const updated_at = runtime.clock.now()
  await store.saveSubscription(tx, { ...subscription, ...settled, state: 'active', updated_at })
  announceRecordsAfter(tx, runtime, subscription.project_id, 'plan')
}

export interface FailedTry {
  at: LockedPlan
  subscription: store.SubscriptionRow
  reason: string
  counts_as_try: boolean
}

/** Records a failed attempt to charge the owed month. The last attempt ends the plan. */
export async function recordFailure(
  tx: Transaction,
  runtime: Runtime,
  { at, subscription, reason, counts_as_try }: FailedTry,
): Promise<void> {
  const { project, locked } = at
  const now = runtime.clock.now()
  const failed = { ...subscription, failure: reason, failed_at: now, updated_at: now }
  announceRecordsAfter(tx, runtime, project.id, 'plan')
  if (!counts_as_try) return store.saveSubscription(tx, failed)
  const { price_micro, month } = subscription
  const tries = subscription.tries + 1
  if (tries >= limits.plan_payment_tries_max) {
    await projects.setPlan(tx, locked, { plan: 'free', lowered_at: now })
    const ended = { state: 'ended', next_plan: null, next_try_at: null, price_micro: 0n } as const
    await store.saveSubscription(tx, { ...failed, ...ended, tries })
    const notice = { kind: 'ended', plan: project.plan, reason } as const
    return enqueueMails(tx, runtime, { project, notice })
  }
  const hasPaid = await hasPaidMonthBefore(tx, runtime, { project, month })
  const pauses = (hasPaid ? PAUSE_DAYS.after_paid_month : PAUSE_DAYS.otherwise).slice(tries - 1)
  const afterDays = (days: number) => new Date(now.getTime() + days * DAY_MS)
  const next_try_at = afterDays(pauses[0] ?? 0)
  await store.saveSubscription(tx, { ...failed, state: 'past_due', tries, next_try_at })
  const tries_left = limits.plan_payment_tries_max - tries
  const { plan } = project
  const notice = {
    kind: 'failed',
    plan,
    due_micro: price_micro,
    month,
    reason,
    next_try_at,
    last_try_at: afterDays(pauses.reduce((sum, days) => sum + days, 0)),
    tries_left,
  } as const
  await enqueueMails(tx, runtime, { project, notice })
}

/** Whether the month before was charged as a whole month, at the price of this plan or more. */
async function hasPaidMonthBefore(
  tx: Transaction,
  runtime: Runtime,
  { project: { id: project_id, plan }, month }: { project: ProjectRow; month: string },
): Promise<boolean> {
  const before = Temporal.PlainDate.from(month).subtract({ months: 1 }).toString()
  const reference = monthReference(before)
  const paid_micro = await billing.readChargeByReference(tx, { project_id, reference })
  return paid_micro > 0n && paid_micro >= pricePerMonth(runtime, plan, before)
}
