/** The prices of plans: per month, and of an immediate change. */
import { isLargerPlan, type Plan } from '../../contract/plans.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import type { MicroEuro } from '../../kernel/values/money.ts'
import * as billing from '../billing/service.ts'
import { monthDayOf, priceOfRest, priceOfUpgrade, roundToCents, type MonthDay } from './pro-rata.ts'
import type { SubscriptionRow } from './store.ts'

type Subscription = Pick<SubscriptionRow, 'state' | 'granted' | 'month' | 'price_micro'> | undefined

/** Today in the billing time zone. */
export function today(runtime: Runtime): MonthDay {
  return monthDayOf(billing.toDay(runtime.clock.now(), runtime.config.billing_timezone))
}

/** The price of a month that begins on, or contains, a day such as 2026-12-01; in whole cents. */
export function pricePerMonth(runtime: Runtime, plan: Plan, day: string): MicroEuro {
  return plan === 'free' ? 0n : roundToCents(billing.findPrice(runtime, `plan.${plan}`, day))
}

/** The monthly price at which the rest of this month is paid; zero if it is not paid. */
function paidPrice(subscription: Subscription, { month }: MonthDay): MicroEuro {
  const isPaid = subscription?.state === 'active' && !subscription.granted
  return isPaid && subscription.month >= month ? subscription.price_micro : 0n
}

/** What the change to a larger plan costs now; zero for other changes. */
export function priceNow(
  runtime: Runtime,
  { plan, subscription, target }: { plan: Plan; subscription: Subscription; target: Plan },
): MicroEuro {
  if (!isLargerPlan(target, plan)) return 0n
  const day = today(runtime)
  const price_micro = pricePerMonth(runtime, target, day.day)
  return priceOfUpgrade({ paid_micro: paidPrice(subscription, day), price_micro }, day)
}

/** What was paid for the rest of this month. */
export function paidForRest(runtime: Runtime, subscription: Subscription): MicroEuro {
  const day = today(runtime)
  return priceOfRest(paidPrice(subscription, day), day)
}
