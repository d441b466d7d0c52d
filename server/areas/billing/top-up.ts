/** What adds to the balance: money that was paid, and a charge that is given back. */
import assert from 'node:assert/strict'
import type { Transaction } from '../../kernel/database.ts'
import type { House } from '../../kernel/house.ts'
import type { MicroEuro } from '../../kernel/money.ts'
import { topUpPostings } from './ledger.ts'
import { record } from './record.ts'
import type { ChargeSource } from './spend.ts'

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
}

export async function topUp(tx: Transaction, house: House, order: TopUp): Promise<void> {
  assert(order.amount_micro > 0n, 'A top-up adds something.')
  await record(tx, house, {
    ...order,
    kind: 'top_up',
    takes_micro: 0n,
    postings: topUpPostings(order.amount_micro),
  })
}

/**
 * Gives back a charge for something that was not delivered after all. It stands in the ledger as
 * a top-up of that source and is told to no webhook, because nobody paid anything. What was spent
 * this month stays as it is: the cap limits what is set in motion, and this was.
 */
export async function credit(tx: Transaction, house: House, order: Credit): Promise<void> {
  assert(order.amount_micro > 0n, 'A credit adds something.')
  await record(tx, house, {
    ...order,
    kind: 'top_up',
    takes_micro: 0n,
    postings: topUpPostings(order.amount_micro),
    is_quiet: true,
  })
}
