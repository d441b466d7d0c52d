/** The reply about the plan of a project. */
import type { ProjectRow } from '../../contract/caller.ts'
import { limits } from '../../contract/limits.ts'
import { isLargerPlan, planNames, plans, type Plan } from '../../contract/plans.ts'
import { toPortalUrl, toProjectUrl } from '../../contract/manifest/portal-pages.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { euroFromMicro } from '../../kernel/values/money.ts'
import {
  findExcess,
  limitNames,
  maximaOf,
  pagesOfLimits,
  type Excess,
  type HalfOfPair,
  type Used,
} from './fit.ts'
import { priceNow, pricePerMonth, today } from './quote.ts'
import type * as schema from './schema.ts'
import type { PaymentRow, SubscriptionRow } from './store.ts'

export interface PlanDetails {
  project: ProjectRow
  /** The use of the project, and of the other project of its pair. */
  used: readonly { project: HalfOfPair; used: readonly Used[] }[]
  subscription: SubscriptionRow | undefined
  pending: PaymentRow | undefined
  balance_micro: bigint
  card: { brand: string; last4: string } | null
}

export function presentPlan(runtime: Runtime, facts: PlanDetails): schema.ProjectPlan {
  const { project, subscription, pending, card, balance_micro } = facts
  const { plan } = project
  const isBilled = subscription !== undefined && !subscription.granted && plan !== 'free'
  const { next_month } = today(runtime)
  return {
    plan,
    title: plans[plan].title,
    state: stateOf(plan, subscription),
    is_changeable: project.shape !== 'test',
    price_month_eur: isBilled ? euroFromMicro(subscription.price_micro) : 0,
    renews_on: isBilled ? next_month : null,
    planned: plannedOf(runtime, facts),
    failed_payment: failureOf(subscription),
    pending_payment: pending
      ? {
          plan: pending.plan,
          amount_eur: euroFromMicro(pending.card_micro),
          created_at: pending.created_at.toISOString(),
        }
      : null,
    balance_eur: euroFromMicro(balance_micro),
    card: card && { brand: card.brand, last4: card.last4 },
    used: facts.used.find((one) => one.project.id === project.id)?.used.slice() ?? [],
    plans: planNames.map((target) => presentOffer(runtime, facts, target)),
  }
}

function stateOf(plan: Plan, row: SubscriptionRow | undefined): schema.ProjectPlan['state'] {
  if (plan === 'free') return row?.state === 'ended' ? 'ended' : 'free'
  if (!row || row.granted || row.state === 'ended') return 'granted'
  return row.state
}

function presentOffer(
  runtime: Runtime,
  facts: PlanDetails,
  target: Plan,
): schema.ProjectPlan['plans'][number] {
  const { project, subscription } = facts
  const { day, next_month } = today(runtime)
  const isLarger = isLargerPlan(target, project.plan)
  const takes_effect_on = isLarger || target === project.plan ? day : next_month
  const maxima = maximaOf(target)
  return {
    plan: target,
    title: plans[target].title,
    change: target === project.plan ? null : isLarger ? 'upgrade' : 'downgrade',
    price_month_eur: euroFromMicro(pricePerMonth(runtime, target, takes_effect_on)),
    price_now_eur: euroFromMicro(priceNow(runtime, { plan: project.plan, subscription, target })),
    takes_effect_on,
    limits: limitNames.map((name) => ({ name, max: maxima[name] })),
    does_not_fit: excessOf(runtime, facts, target),
  }
}

function excessOf(runtime: Runtime, { used }: PlanDetails, plan: Plan): schema.Excess[] {
  return used
    .flatMap((one) => findExcess(one.project, one.used, plan))
    .map((one) => presentExcess(runtime, one))
}

export function presentExcess(
  { config }: Runtime,
  { name, used, max, project }: Excess,
): schema.Excess {
  // A deleted project is restored on the page of all projects.
  const url = project.deleted_at
    ? toPortalUrl(config)
    : toProjectUrl(config, project.id, pagesOfLimits[name])
  return { name, used, max, url }
}

function plannedOf(runtime: Runtime, facts: PlanDetails): schema.ProjectPlan['planned'] {
  const plan = facts.subscription?.next_plan ?? null
  if (plan === null) return null
  const { next_month } = today(runtime)
  return {
    plan,
    title: plans[plan].title,
    on: next_month,
    price_month_eur: euroFromMicro(pricePerMonth(runtime, plan, next_month)),
    does_not_fit: excessOf(runtime, facts, plan),
  }
}

function failureOf(row: SubscriptionRow | undefined): schema.ProjectPlan['failed_payment'] {
  if (!row || row.state === 'active' || row.failure === null || row.failed_at === null) return null
  return {
    amount_eur: euroFromMicro(row.price_micro),
    reason: row.failure,
    failed_at: row.failed_at.toISOString(),
    tries: row.tries,
    tries_max: limits.plan_payment_tries_max,
    next_try_at: row.next_try_at?.toISOString() ?? null,
  }
}
