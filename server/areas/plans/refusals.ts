/** The errors of changing or paying a plan. */
import { Problem } from '../../contract/errors.ts'
import { plans, type Plan } from '../../contract/plans.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { euroFromMicro, type MicroEuro } from '../../kernel/values/money.ts'
import type { Excess } from './fit.ts'
import { reasonIn } from './mail-texts.ts'
import { presentExcess } from './present.ts'

export function testProject(): Problem {
  const user_message = 'This is the test project of a pair. The plan belongs to its live project.'
  return new Problem('conflict', user_message, {
    user_message,
    next_step: 'Open Billing in the live project, and change the plan there.',
  })
}

export function priceChanged(price_now_micro: MicroEuro): Problem {
  const price_now_eur = euroFromMicro(price_now_micro)
  const user_message = `The price is ${price_now_eur} euro now, so nothing was changed or charged.`
  return new Problem('conflict', user_message, {
    user_message,
    next_step: 'Read GET /projects/{project_id}/plan again, show the new price, and confirm it.',
    fields: { price_now_eur },
  })
}

export function paymentUnderWay(): Problem {
  const user_message = 'Another card payment of the plan is under way, so nothing was changed.'
  return new Problem('conflict', user_message, {
    user_message,
    next_step: 'Wait a minute, and read GET /projects/{project_id}/plan again.',
  })
}

export function monthOwed(owed_micro: MicroEuro): Problem {
  const owed = euroFromMicro(owed_micro)
  const user_message = `The plan of this month is not paid yet: ${owed} euro. Pay it first.`
  return new Problem('payment_required', user_message, {
    user_message,
    next_step:
      'Pay it with POST /projects/{project_id}/plan/payments or on the page Plan in Billing, then ' +
      'change the plan.',
  })
}

export function cardRefused(reason: string): Problem {
  const detail = `The card was not charged: ${reason}.`
  return new Problem('payment_required', detail, {
    user_message: `The payment failed, so nothing was changed: ${reasonIn('en', reason)}`,
    next_step:
      'Open Billing and top up the balance, or save another card with a top-up. Then try again on ' +
      'the page Plan.',
    fields: { reason },
  })
}

export function doesNotFit(runtime: Runtime, plan: Plan, excess: readonly Excess[]): Problem {
  const { title } = plans[plan]
  const names = excess.map(({ name }) => name.replaceAll('_', ' ')).join(', ')
  return new Problem('plan_limit_reached', `The project has more than ${title} allows: ${names}.`, {
    status: 409,
    user_message: `This project has more than the plan ${title} allows: ${names}.`,
    next_step:
      'Make room on the pages that does_not_fit links to, then choose the plan again under ' +
      'Billing. The other project of a pair counts too; if it is deleted, restore it first.',
    fields: { does_not_fit: excess.map((one) => presentExcess(runtime, one)) },
  })
}
