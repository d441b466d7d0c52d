/**
 * Operations that spend money: charge, hold and settlement. An operation that leaves the balance
 * low enqueues an automatic top-up in the same transaction.
 */
import assert from 'node:assert/strict'
import type { Transaction } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import type { MicroEuro } from '../../../kernel/values/money.ts'
import { holdOf, release } from './holds.ts'
import { enqueueReload } from '../jobs.ts'
import {
  createChargePostings,
  sumPostings,
  createHoldPostings,
  createSettlePostings,
  type ChargeSource,
} from './ledger.ts'
import {
  lockBooks,
  checkPastMonth,
  recordInBooks,
  type CurrentBooks,
  type LedgerOperation,
} from './record.ts'
import type { HoldState } from '../store.ts'

export interface Charge {
  project_id: string
  amount_micro: MicroEuro
  source: ChargeSource
  /** One line for the owner, shown in the list of transactions. */
  description: string
  quantity?: number
  unit?: string
  /** Id of the charged record. */
  reference_id: string
  /** Unique among the charges of the project (for a hold: among its holds), such as `sms:<id>`. */
  reference: string
  /**
   * First day of the calendar month to which the charge belongs, such as 2026-10-01; default: the
   * current month. A charge of a past month counts against no cap.
   */
  month?: string
}

export interface HoldRequest extends Omit<Charge, 'month'> {
  /** Seconds after which an open hold expires. */
  lasts_s?: number
}

export interface Settlement {
  project_id: string
  hold_id: string
  /** The actual cost. */
  amount_micro: MicroEuro
  /** Replaces the description, quantity or unit of the hold. */
  description?: string
  quantity?: number
  unit?: string
}

const HOLD_LASTS_S = 4 * 3600

/**
 * Charges an amount to the balance. Throws billing_blocked if the charge would exceed the monthly
 * spending cap, and insufficient_balance if the balance would fall below zero. A charge of a past
 * month ignores the cap. A charge of zero writes nothing.
 */
export async function charge(
  tx: Transaction,
  runtime: Runtime,
  { month, ...order }: Charge,
): Promise<void> {
  assert(order.amount_micro >= 0n, 'A charge is not negative.')
  if (order.amount_micro === 0n) return
  const books = await lockBooks(tx, runtime, order.project_id)
  const operation: LedgerOperation = {
    ...order,
    kind: 'charge',
    takes_micro: order.amount_micro,
    postings: createChargePostings(order.amount_micro),
    past_month: checkPastMonth(runtime, books, month),
  }
  await spendFrom(books, { tx, runtime, operation })
}

/**
 * Reserves the maximum amount of a service whose price is not known yet. Throws like `charge`.
 * Returns the id of the hold.
 */
export async function hold(tx: Transaction, runtime: Runtime, order: HoldRequest): Promise<string> {
  assert(order.amount_micro >= 0n, 'A hold is not negative.')
  const { lasts_s = HOLD_LASTS_S, ...charge } = order
  const books = await lockBooks(tx, runtime, order.project_id)
  const operation: LedgerOperation = {
    ...charge,
    kind: 'hold',
    takes_micro: order.amount_micro,
    postings: createHoldPostings(order.amount_micro),
    lasts_s,
  }
  return spendFrom(books, { tx, runtime, operation })
}

/**
 * Charges the actual cost of a hold and releases the rest. A cost above the held amount is also
 * taken from the balance, and refused like a charge. A hold ends once. Returns its final state:
 * `released` means that the hold had ended before and nothing was charged.
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
  const operation: LedgerOperation = {
    ...purpose,
    ...changes,
    project_id,
    kind: 'settle',
    amount_micro,
    takes_micro: amount_micro - held_micro,
    postings: createSettlePostings(held_micro, amount_micro),
    ended: { hold_id, state: 'settled' },
  }
  await spendFrom(books, { tx, runtime, operation })
  return 'settled'
}

interface Spending {
  tx: Transaction
  runtime: Runtime
  operation: LedgerOperation
}

async function spendFrom(
  books: CurrentBooks,
  { tx, runtime, operation }: Spending,
): Promise<string> {
  const id = await recordInBooks(books, { tx, runtime, operation })
  const change_micro = sumPostings('prepaid', operation.postings)
  const is_low = books.prepaid_micro + change_micro < books.threshold_micro
  if (books.reloads_when_low && change_micro < 0n && is_low) {
    await enqueueReload(tx, runtime, operation.project_id)
  }
  return id
}
