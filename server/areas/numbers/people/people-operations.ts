/** The operations of numbers for people only: the overview, the terms, and the check of a plan. */
import { peopleOperation } from '../../../contract/people.ts'
import { PlanCheck, SentPlan } from '../../call-plans/schema.ts'
import * as callPlans from '../../call-plans/service.ts'
import { NumberId } from '../schema.ts'
import * as numbers from '../service.ts'
import { showOverview } from './overview.ts'
import { CallPlanSchema, NumbersOverview, NumberTerms } from './people-schema.ts'
import { showTerms } from './terms.ts'

export const overview = peopleOperation({
  name: 'numbers.overview',
  route: 'GET /projects/{project_id}/numbers/overview',
  about:
    'The phone numbers of the project with their monthly costs, the first steps of a call to ' +
    'each, and the orders under way.',
  keywords: 'phone costs, who rings first, monthly price, orders under way',
  access: 'viewer',
  effect: 'read',
  status: 200,
  reply: NumbersOverview,
  errors: [],
  run: (_input, caller) => showOverview(caller),
})

export const terms = peopleOperation({
  name: 'numbers.terms',
  route: 'GET /projects/{project_id}/numbers/terms',
  about: 'The price of a real number of each type, and everything that prevents its order.',
  keywords:
    'price of a number, cost, requirements, can I order, monthly fee, how much does a number cost',
  access: 'viewer',
  effect: 'read',
  status: 200,
  reply: NumberTerms,
  errors: [],
  run: (_input, caller) => showTerms(caller),
})

export const planSchema = peopleOperation({
  name: 'numbers.call_plan_schema',
  route: 'GET /projects/{project_id}/numbers/call-plan-schema',
  about: 'The schemas of the node types of call plans, for editors.',
  keywords: 'node types, JSON schema, IVR blocks, openapi',
  access: 'viewer',
  effect: 'read',
  status: 200,
  reply: CallPlanSchema,
  errors: [],
  run: async () => ({ nodes: callPlans.nodeSchemas }),
})

export const checkPlan = peopleOperation({
  name: 'numbers.check_call_plan',
  route: 'POST /projects/{project_id}/numbers/{id}/call-plan/check',
  about: 'Checks a call plan as PUT /numbers/{id}/call-plan would, without storing it.',
  keywords: 'validate call flow, IVR, errors, before activating, lint',
  access: 'viewer',
  effect: 'read',
  params: NumberId,
  body: SentPlan,
  status: 200,
  reply: PlanCheck,
  errors: ['not_found'],
  async run({ params, body, text }, caller) {
    const number = await numbers.requireNumber(caller, params.id)
    const facts = await numbers.readPlanFacts(caller)
    return callPlans.checkPlan(caller, { number, ...facts, plan: body, text })
  },
})
