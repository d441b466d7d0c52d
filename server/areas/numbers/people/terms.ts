/** The terms of a real number for people: its price, and everything that prevents its order. */
import { limits } from '../../../contract/limits.ts'
import type { MemberCaller } from '../../../contract/people.ts'
import { plans } from '../../../contract/plans.ts'
import { euroFromMicro } from '../../../kernel/values/money.ts'
import { carrierOf } from '../../../providers/carrier/carrier.ts'
import * as billing from '../../billing/service.ts'
import * as orders from '../orders/order-store.ts'
import { listBlockers, type Blocker } from '../orders/prerequisites.ts'
import type { NumberType } from '../schema.ts'
import * as store from '../store.ts'
import type { NumberTerms, OrderBlocker, TermsOfType } from './people-schema.ts'

/** The terms of both types of numbers, independently of the mode of the caller. */
export async function showTerms(caller: MemberCaller): Promise<NumberTerms> {
  const general = await generalBlockers(caller)
  return {
    national: await termsOf(caller, 'national', general),
    geographic: await termsOf(caller, 'geographic', general),
  }
}

async function termsOf(
  { db, runtime, project }: MemberCaller,
  type: NumberType,
  general: readonly OrderBlocker[],
): Promise<TermsOfType> {
  const price_micro = billing.findPrice(runtime, `number.${type}`)
  const others = await listBlockers(db, runtime, { project, type, price_micro })
  const price_eur = euroFromMicro(price_micro)
  return { price_eur, blockers: [...general, ...others.map(present)] }
}

/** The blockers that are the same for every type, and are no prerequisites of the project. */
async function generalBlockers(caller: MemberCaller): Promise<OrderBlocker[]> {
  const { db, runtime, project } = caller
  const { length } = (await store.list(db, project.id)).filter(({ test }) => !test)
  const live_count = length + (await orders.countOpenOrders(db, project.id))
  return [
    project.shape === 'test' &&
      own('live_project', 'This is the test project of a pair. Order in its live project.'),
    project.shape !== 'test' &&
      project.rails.phone !== 'live' &&
      own('rail', 'The phone of this project is in test mode.'),
    !plans[project.plan].live_numbers &&
      own('plan', 'The plan of this project has no real numbers.'),
    carrierOf(runtime) === null && own('carrier', 'This server is not connected to a carrier.'),
    live_count >= limits.live_numbers_max &&
      own('number_limit', `This project already has ${limits.live_numbers_max} real numbers.`),
  ].filter((one) => one !== false)
}

function own(code: OrderBlocker['code'], message: string): OrderBlocker {
  return { code, missing: [code], message }
}

const codes: Readonly<Record<string, OrderBlocker['code']>> = {
  company_details_missing: 'company_details',
  spend_cap_missing: 'spending_cap',
  payment_mandate_missing: 'payment_mandate',
  phone_verification_required: 'phone_verification',
  billing_blocked: 'monthly_cap',
  insufficient_balance: 'balance',
  business_required: 'business',
  regulatory_documents_missing: 'number_documents',
}

function present({ problem, missing }: Blocker): OrderBlocker {
  const code = missing.includes('payment_authentication')
    ? 'payment_authentication'
    : (codes[problem.slug] ?? 'level.company')
  return { code, missing: [...missing], message: problem.detail }
}
