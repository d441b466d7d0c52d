/** Checks the limits of the agent before a step. */
import type { Operation } from '../../../../contract/operation.ts'
import { microFromEuro } from '../../../../kernel/values/money.ts'
import type { Reader } from '../../../../kernel/database/database.ts'
import { NOTIFY_OWNER } from '../../definition/check.ts'
import type { StepWork } from './step.ts'
import * as store from '../usage-store.ts'

const DAY_MS = 86_400_000
const emailActions = [NOTIFY_OWNER, 'emails.create', 'emails.create_batch']

export type ReachedLimit =
  | 'steps_per_run'
  | 'actions_per_run'
  | 'emails_per_day'
  | 'cost_per_run'
  | 'cost_per_month'

/** Thrown if the run has reached a limit; it ends before this step. */
export class LimitReached extends Error {
  readonly reason: ReachedLimit
  constructor(reason: ReachedLimit) {
    super(`The run has reached its limit of ${reason}.`)
    this.reason = reason
  }
}

/** Throws LimitReached if the step may not run. `operation` is null for a mail to the owner. */
export async function requireLimits(work: StepWork, operation: Operation | null): Promise<void> {
  const { definition, done, step } = work
  const taken = done.filter(({ status, type }) => status !== 'skipped' && type !== 'model').length
  if (taken >= definition.limits.max_actions_per_run) throw new LimitReached('actions_per_run')
  if (emailActions.includes(step.action)) await requireEmails(work)
  if (operation?.effect === 'money') await requireCost(work)
}

async function requireEmails({ caller, run, definition }: StepWork): Promise<void> {
  const { db, clock } = caller.runtime
  const since = new Date(clock.now_ms() - DAY_MS)
  const sent = await store.countActions(db, { ...run, since, actions: emailActions })
  if (sent >= definition.limits.max_emails_per_day) throw new LimitReached('emails_per_day')
}

async function requireCost(work: StepWork): Promise<void> {
  const left = await findCostLeft(work.caller.runtime.db, work)
  if (left && left.micro <= 0n) throw new LimitReached(left.limit)
}

/** What the run may still cost, by the lower of its two limits; null without a limit. */
export async function findCostLeft(
  db: Reader,
  { caller, run, definition, done }: Omit<StepWork, 'step'>,
): Promise<{ limit: ReachedLimit; micro: bigint } | null> {
  const { max_cost_eur_per_run, max_cost_eur_per_month } = definition.limits
  const lefts: { limit: ReachedLimit; micro: bigint }[] = []
  if (max_cost_eur_per_run !== null) {
    const spent = done.reduce((sum, { cost_micro }) => sum + cost_micro, 0n)
    lefts.push({ limit: 'cost_per_run', micro: microFromEuro(max_cost_eur_per_run) - spent })
  }
  if (max_cost_eur_per_month !== null) {
    const month = `${caller.runtime.clock.now().toISOString().slice(0, 7)}-01T00:00:00Z`
    const spent = await store.sumCosts(db, { ...run, since: new Date(month) })
    lefts.push({ limit: 'cost_per_month', micro: microFromEuro(max_cost_eur_per_month) - spent })
  }
  return lefts.toSorted((one, other) => (one.micro < other.micro ? -1 : 1))[0] ?? null
}
