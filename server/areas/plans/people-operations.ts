/** The operations of plans, for people only. */
import { peopleOperation } from '../../contract/people.ts'
import { PlanChange, ProjectPlan } from './schema.ts'
import * as plans from './service.ts'

const shared = { status: 200, reply: ProjectPlan } as const

export const get = peopleOperation({
  ...shared,
  name: 'plan.get',
  route: 'GET /projects/{project_id}/plan',
  about:
    'The plan of the project with its use, its price and state, and every plan with its limits, ' +
    'what changing to it costs now and what does not fit.',
  keywords:
    'subscription, pricing, package, tier, what do we pay, limits, compare plans, monthly fee',
  access: 'viewer',
  effect: 'read',
  errors: [],
  run: (_input, caller) => plans.showPlan(caller),
})

export const change = peopleOperation({
  ...shared,
  name: 'plan.change',
  route: 'PUT /projects/{project_id}/plan',
  about:
    'Changes the plan: to a larger one at once, for the rest of the month pro rata, from the ' +
    'balance or the saved card; to a smaller one at the end of the month, if everything fits.',
  keywords: 'upgrade, downgrade, subscription, pricing, package, tier, cancel subscription',
  access: 'owner',
  fresh: true,
  effect: 'money',
  body: PlanChange,
  errors: [
    'conflict',
    'plan_limit_reached',
    'payment_required',
    'billing_blocked',
    'insufficient_balance',
    'payment_mandate_missing',
  ],
  run: ({ body }, caller) => plans.changePlan(caller, body),
})

export const cancel = peopleOperation({
  ...shared,
  name: 'plan.cancel_downgrade',
  route: 'DELETE /projects/{project_id}/plan/planned',
  about: 'Cancels the planned downgrade, so that the plan stays.',
  keywords: 'keep plan, undo downgrade',
  access: 'owner',
  fresh: true,
  effect: 'write',
  errors: ['conflict'],
  run: (_input, caller) => plans.cancelDowngrade(caller),
})

export const pay = peopleOperation({
  ...shared,
  name: 'plan.pay',
  route: 'POST /projects/{project_id}/plan/payments',
  about: 'Pays the owed month of the plan now, from the balance or the saved card.',
  keywords: 'overdue, unpaid subscription, settle',
  access: 'admin',
  fresh: true,
  effect: 'money',
  errors: ['conflict', 'payment_required', 'billing_blocked', 'insufficient_balance'],
  run: (_input, caller) => plans.payOwedMonth(caller),
})
