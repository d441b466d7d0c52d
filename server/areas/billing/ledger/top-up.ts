/** What adds to the balance: money that was paid, and a charge that is given back. */
import assert from 'node:assert/strict'
import type { Transaction } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import type { MicroEuro } from '../../../kernel/values/money.ts'
import { creditPostings, topUpPostings, type ChargeSource } from './ledger.ts'
import { lockBooks, pastMonth, record, recordIn, type Deed } from './record.ts'

export interface TopUp {
  project_id: string
  amount_micro: MicroEuro
  source: 'payment'
  description: string
  /** Unique among the top-ups of the project, such as the provider's payment id. */
  reference: string
  /** The record of the payment; without one the transaction refers to itself. */
  reference_id?: string
}

export interface Credit {
  project_id: string
  amount_micro: MicroEuro
  source: ChargeSource
  description: string
  /** Unique among the top-ups of the project, such as `number:<id>:refused`. */
  reference: string
  /** The record that was charged for. */
  reference_id: string
  /** The calendar month in which it was charged, by its first day; the current one by default. */
  month?: string
}

export async function topUp(tx: Transaction, runtime: Runtime, order: TopUp): Promise<void> {
  assert(order.amount_micro > 0n, 'A top-up adds something.')
  await record(tx, runtime, {
    ...order,
    kind: 'top_up',
    takes_micro: 0n,
    postings: topUpPostings(order.amount_micro),
  })
}

/** The top-up that an automatic one comes to, once. */
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
 * Gives back a charge for something that was not delivered after all: its month has spent that
 * much less. It stands in the ledger as a top-up of that source and is told to no webhook, because
 * nobody paid anything.
 */
export async function credit(
  tx: Transaction,
  runtime: Runtime,
  { month, ...order }: Credit,
): Promise<void> {
  const { amount_micro, project_id } = order
  assert(amount_micro > 0n, 'A credit adds something.')
  const books = await lockBooks(tx, runtime, project_id)
  const past_month = pastMonth(runtime, books, month)
  const { charged_micro, revenue_micro } = books
  const givable_micro = past_month === null ? charged_micro : revenue_micro - charged_micro
  const deed: Deed = {
    ...order,
    kind: 'top_up',
    takes_micro: 0n,
    postings: creditPostings(amount_micro, givable_micro),
    past_month,
    is_quiet: true,
  }
  await recordIn(books, { tx, runtime, deed })
}
