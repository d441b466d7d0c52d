/** Operations that add to the balance: top-ups, and refunds of charges. */
import assert from 'node:assert/strict'
import type { Transaction } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import type { MicroEuro } from '../../../kernel/values/money.ts'
import { createCreditPostings, createTopUpPostings, type ChargeSource } from './ledger.ts'
import {
  lockBooks,
  checkPastMonth,
  recordOperation,
  recordInBooks,
  type LedgerOperation,
} from './record.ts'

export interface TopUp {
  project_id: string
  amount_micro: MicroEuro
  source: 'payment'
  description: string
  /** Unique among the top-ups of the project, such as the provider's payment id. */
  reference: string
  /** Id of the payment record; default: the id of the transaction. */
  reference_id?: string
}

export interface Credit {
  project_id: string
  amount_micro: MicroEuro
  source: ChargeSource
  description: string
  /** Unique among the top-ups of the project, such as `number:<id>:refused`. */
  reference: string
  /** Id of the record that was charged. */
  reference_id: string
  /** First day of the calendar month of the charge; default: the current month. */
  month?: string
}

export async function topUp(tx: Transaction, runtime: Runtime, order: TopUp): Promise<void> {
  assert(order.amount_micro > 0n, 'A top-up adds something.')
  await recordOperation(tx, runtime, {
    ...order,
    kind: 'top_up',
    takes_micro: 0n,
    postings: createTopUpPostings(order.amount_micro),
  })
}

/** Credits a paid automatic top-up, once. */
export function addReload(
  tx: Transaction,
  runtime: Runtime,
  { project_id, id, amount_micro }: { project_id: string; id: string; amount_micro: MicroEuro },
): Promise<void> {
  const description = 'Automatic top-up'
  const names = { reference: id, reference_id: id }
  return topUp(tx, runtime, { project_id, amount_micro, source: 'payment', description, ...names })
}

/**
 * Refunds a charge for a service that was not delivered, and lowers the spending of its month. The
 * ledger entry is a top-up with the source of the charge. It emits no event, because nobody paid.
 */
export async function credit(
  tx: Transaction,
  runtime: Runtime,
  { month, ...order }: Credit,
): Promise<void> {
  const { amount_micro, project_id } = order
  assert(amount_micro > 0n, 'A credit adds something.')
  const books = await lockBooks(tx, runtime, project_id)
  const past_month = checkPastMonth(runtime, books, month)
  const { charged_micro, revenue_micro } = books
  const givable_micro = past_month === null ? charged_micro : revenue_micro - charged_micro
  const operation: LedgerOperation = {
    ...order,
    kind: 'top_up',
    takes_micro: 0n,
    postings: createCreditPostings(amount_micro, givable_micro),
    past_month,
    is_quiet: true,
  }
  await recordInBooks(books, { tx, runtime, operation })
}
