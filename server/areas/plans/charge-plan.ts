/**
 * Charges a plan: to the balance if it covers the amount, else to the saved card. The caller has
 * locked the project. The card is charged after the transaction, see `take-payment.ts`.
 */
import type { ProjectRow } from '../../contract/caller.ts'
import { Problem } from '../../contract/errors.ts'
import type { Plan } from '../../contract/plans.ts'
import type { Transaction } from '../../kernel/database/database.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { newId } from '../../kernel/values/ids.ts'
import type { MicroEuro } from '../../kernel/values/money.ts'
import { paymentsOf } from '../../providers/payments/payments.ts'
import * as billing from '../billing/service.ts'
import * as store from './store.ts'

/** The smallest amount that a card provider accepts. */
const CARD_MICRO_MIN = 500_000n

export interface PlanCharge {
  project: ProjectRow
  kind: store.PaymentRow['kind']
  plan: store.PaymentRow['plan']
  /** Price of the whole month. */
  price_micro: MicroEuro
  due_micro: MicroEuro
  /** First day of the month to which the charge belongs. */
  month: string
  /** One line for the owner, shown in the list of transactions. */
  description: string
  /** Whether a failure counts as one of the attempts after which the plan ends. */
  counts_as_try: boolean
}

export type ChargeOutcome =
  | { state: 'paid' }
  /** The card has to be charged after the commit. */
  | { state: 'pending'; payment: store.PaymentRow }
  /** Nothing was written. */
  | { state: 'failed'; problem: Problem }

export async function chargePlan(
  tx: Transaction,
  runtime: Runtime,
  order: PlanCharge,
): Promise<ChargeOutcome> {
  const id = newId(runtime.clock)
  const problem = await chargeBalance(tx, runtime, { ...order, id, project_id: order.project.id })
  if (problem === null) return { state: 'paid' }
  if (problem.slug !== 'insufficient_balance') return { state: 'failed', problem }
  const card = await billing.findSavedCard(tx, order.project.id)
  if (card === undefined || paymentsOf(runtime) === null)
    return { state: 'failed', problem: await explainMissingFunds(tx, order.project.id, problem) }
  const { kind, plan, price_micro, due_micro, month, description, counts_as_try } = order
  const { payment_method, customer } = card
  const payment = await store.insertPayment(tx, {
    project_id: order.project.id,
    id,
    kind,
    from_plan: order.project.plan,
    plan,
    price_micro,
    due_micro,
    card_micro: due_micro < CARD_MICRO_MIN ? CARD_MICRO_MIN : due_micro,
    month,
    counts_as_try,
    state: 'pending',
    payment_method,
    customer,
    description,
    created_at: runtime.clock.now(),
  })
  return { state: 'pending', payment }
}

/**
 * Returns `payment_mandate_missing` if the project has neither a card nor a balance; else
 * `problem`.
 */
async function explainMissingFunds(
  tx: Transaction,
  project_id: string,
  problem: Problem,
): Promise<Problem> {
  if ((await billing.readUnspentFunds(tx, project_id)) > 0n) return problem
  return new Problem('payment_mandate_missing', problem.detail)
}

export interface BalanceCharge {
  project_id: string
  id: string
  kind: store.PaymentRow['kind']
  due_micro: MicroEuro
  month: string
  description: string
}

/**
 * Charges the balance. Returns why it was refused, having written nothing; null if it was charged.
 * A month of a project is charged once.
 */
export async function chargeBalance(
  tx: Transaction,
  runtime: Runtime,
  { project_id, id, kind, due_micro, month, description }: BalanceCharge,
): Promise<Problem | null> {
  try {
    await billing.charge(tx, runtime, {
      project_id,
      amount_micro: due_micro,
      source: 'plan',
      description,
      reference_id: id,
      reference: kind === 'month' ? monthReference(month) : `plan:upgrade:${id}`,
      month,
    })
    return null
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}

/** The reference of the charge of a whole month, given by its first day. */
export function monthReference(month: string): string {
  return `plan:month:${month}`
}

/** Whether a plan can be charged for; Free cannot. */
export function isPaidPlan(plan: Plan): plan is store.PaymentRow['plan'] {
  return plan !== 'free'
}
