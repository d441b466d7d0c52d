/**
 * Deeds that take money: a charge, money set aside, and what that comes to in the end. One that
 * leaves the balance low orders an automatic top-up in the same transaction, so none is forgotten.
 */
import assert from 'node:assert/strict'
import type { Transaction } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import type { MicroEuro } from '../../../kernel/values/money.ts'
import { holdOf, release } from './holds.ts'
import { orderReload } from '../jobs.ts'
import {
  chargePostings,
  changeOf,
  holdPostings,
  settlePostings,
  type ChargeSource,
} from './ledger.ts'
import { lockBooks, pastMonth, recordIn, type CurrentBooks, type Deed } from './record.ts'
import type { HoldState } from '../store.ts'

export interface Charge {
  project_id: string
  amount_micro: MicroEuro
  source: ChargeSource
  /** One line for the owner, who reads it in the list of transactions. */
  description: string
  quantity?: number
  unit?: string
  /** The record that is charged for. */
  reference_id: string
  /** Unique among the charges (or holds) of the project, such as `sms:<id>`. */
  reference: string
  /**
   * The calendar month it belongs to, by its first day, such as 2026-10-01; the current one by
   * default. One that is over has no cap any more, and the current one is not charged for it.
   */
  month?: string
}

export interface HoldRequest extends Omit<Charge, 'month'> {
  /** How long the hold lasts if it is neither settled nor released. */
  lasts_s?: number
}

export interface Settlement {
  project_id: string
  hold_id: string
  /** What it cost in the end. */
  amount_micro: MicroEuro
  /** Where they differ from what the hold said. */
  description?: string
  quantity?: number
  unit?: string
}

const HOLD_LASTS_S = 4 * 3600

/**
 * Takes an amount from the balance. Throws billing_blocked when the spending cap of the month
 * would be passed and insufficient_balance when the balance would go below zero; a charge of a
 * month that is over looks at the balance alone. A charge of nothing leaves no trace.
 */
export async function charge(
  tx: Transaction,
  runtime: Runtime,
  { month, ...order }: Charge,
): Promise<void> {
  assert(order.amount_micro >= 0n, 'A charge is not negative.')
  if (order.amount_micro === 0n) return
  const books = await lockBooks(tx, runtime, order.project_id)
  const deed: Deed = {
    ...order,
    kind: 'charge',
    takes_micro: order.amount_micro,
    postings: chargePostings(order.amount_micro),
    past_month: pastMonth(runtime, books, month),
  }
  await spendFrom(books, { tx, runtime, deed })
}

/**
 * Sets an amount aside before something whose price is not known yet, so that it can never cost
 * more than there is. Refuses as `charge` does. Returns the id of the hold.
 */
export async function hold(tx: Transaction, runtime: Runtime, order: HoldRequest): Promise<string> {
  assert(order.amount_micro >= 0n, 'A hold is not negative.')
  const { lasts_s = HOLD_LASTS_S, ...charge } = order
  const books = await lockBooks(tx, runtime, order.project_id)
  const deed: Deed = {
    ...charge,
    kind: 'hold',
    takes_micro: order.amount_micro,
    postings: holdPostings(order.amount_micro),
    lasts_s,
  }
  return spendFrom(books, { tx, runtime, deed })
}

/**
 * Charges what it cost in the end and gives the rest back. More than was held is taken from the
 * balance, and refused as `charge` refuses. A hold ends once: the answer says how it ended, so
 * `released` means that this settlement came too late and charged nothing.
 */
export async function settle(
  tx: Transaction,
  runtime: Runtime,
  order: Settlement,
): Promise<HoldState> {
  const { project_id, hold_id, amount_micro, ...changes } = order
  assert(amount_micro >= 0n, 'A settlement is not negative.')
  if (amount_micro === 0n) return release(tx, runtime, { project_id, hold_id })
  const books = await lockBooks(tx, runtime, project_id)
  const { state, amount_micro: held_micro, ...purpose } = await holdOf(tx, project_id, hold_id)
  if (state !== 'open') return state
  const deed: Deed = {
    ...purpose,
    ...changes,
    project_id,
    kind: 'settle',
    amount_micro,
    takes_micro: amount_micro - held_micro,
    postings: settlePostings(held_micro, amount_micro),
    ended: { hold_id, state: 'settled' },
  }
  await spendFrom(books, { tx, runtime, deed })
  return 'settled'
}

interface Spending {
  tx: Transaction
  runtime: Runtime
  deed: Deed
}

async function spendFrom(books: CurrentBooks, { tx, runtime, deed }: Spending): Promise<string> {
  const id = await recordIn(books, { tx, runtime, deed })
  const change_micro = changeOf('prepaid', deed.postings)
  const is_low = books.prepaid_micro + change_micro < books.threshold_micro
  if (books.reloads_when_low && change_micro < 0n && is_low) {
    await orderReload(tx, runtime, deed.project_id)
  }
  return id
}
