/**
 * Records an operation in the ledger of a project: under the lock of its accounts, once per kind
 * and reference, refused if the project cannot afford it. Events are written in the same
 * transaction.
 */
import assert from 'node:assert/strict'
import { Problem } from '../../../contract/errors.ts'
import type { Transaction } from '../../../kernel/database/database.ts'
import { announceRecordsAfter } from '../../../kernel/jobs/record-wakeups.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { euroFromMicro, type MicroEuro } from '../../../kernel/values/money.ts'
import * as webhooks from '../../webhooks/service.ts'
import {
  fallsBelowThreshold,
  toMonth,
  applyPostings,
  findRefusal,
  sumSpent,
  moveToMonth,
  type SpendingLimits,
  type Posting,
  type LedgerRefusal,
} from './ledger.ts'
import * as store from '../store.ts'

/** A ledger operation, booked once per kind and reference. */
export interface LedgerOperation {
  project_id: string
  kind: store.EntryKind
  source: string
  amount_micro: MicroEuro
  /**
   * Amount that the balance and the cap must cover; an operation with zero or less is never
   * refused.
   */
  takes_micro: MicroEuro
  postings: Posting[]
  /** The month to which the operation belongs if it is a past month; see `pastMonth`. */
  past_month?: string | null
  description: string
  quantity?: number | null
  unit?: string | null
  reference_id?: string
  reference: string
  lasts_s?: number
  /** Whether the operation emits no event, because no owner needs to act on it. */
  is_quiet?: boolean
  ended?: { hold_id: string; state: store.HoldState }
}

/** The locked books of a project with the time of their lock, in the month of that time. */
export interface CurrentBooks extends store.LockedBooks {
  now: Date
}

export async function recordOperation(
  tx: Transaction,
  runtime: Runtime,
  operation: LedgerOperation,
): Promise<string> {
  const books = await lockBooks(tx, runtime, operation.project_id)
  return recordInBooks(books, { tx, runtime, operation })
}

/**
 * Writes an operation to locked books and returns the id of its entry. A repeated reference is
 * rare, so it is looked up only if the insert conflicts, or before a refusal, because an operation
 * that was already paid is not refused.
 */
export async function recordInBooks(
  books: CurrentBooks,
  { tx, runtime, operation }: { tx: Transaction; runtime: Runtime; operation: LedgerOperation },
): Promise<string> {
  // An operation of a past month counts against no cap: neither that of its month nor the current
  // one.
  const spending_limits = operation.past_month ? { ...books, cap_micro: null } : books
  const refusal = findRefusal(spending_limits, operation.takes_micro)
  if (refusal === null) {
    const entry = entryOf(operation, books, newId(runtime.clock))
    if (await store.writeEntry(tx, entry)) {
      announceRecordsAfter(tx, runtime, entry.project_id, 'balance')
      if (!operation.is_quiet) await announce(tx, runtime, entry)
      return entry.id
    }
  }
  const earlier = await store.findReference(tx, operation)
  if (earlier !== null) return earlier
  assert(refusal, 'An entry is not written only when it is refused or was written before.')
  throw toProblem(refusal, books, operation.takes_micro)
}

function entryOf(operation: LedgerOperation, before: CurrentBooks, id: string): store.NewEntry {
  const after = applyPostings(before, operation.postings)
  const { lasts_s, ended = null } = operation
  return {
    project_id: operation.project_id,
    id,
    kind: operation.kind,
    source: operation.source,
    amount_micro: operation.amount_micro,
    balance_after_micro: after.prepaid_micro,
    description: operation.description,
    quantity: operation.quantity ?? null,
    unit: operation.unit ?? null,
    reference_id: operation.reference_id ?? id,
    reference: operation.reference,
    crossed_threshold_micro: fallsBelowThreshold(before, after) ? before.threshold_micro : null,
    month: operation.past_month ?? before.month,
    current_month: before.month,
    created_at: before.now,
    postings: operation.postings,
    hold_lasts_s: lasts_s ?? null,
    ended,
  }
}

async function announce(tx: Transaction, runtime: Runtime, entry: store.NewEntry): Promise<void> {
  const { project_id, id, kind, crossed_threshold_micro } = entry
  const subject = { transaction_id: id }
  if (kind === 'top_up') {
    await webhooks.emit(tx, runtime, { project_id, type: 'balance.topped_up', subject })
  }
  if (crossed_threshold_micro !== null) {
    await webhooks.emit(tx, runtime, { project_id, type: 'balance.low', subject })
  }
}

/** Reads the books of a project and locks them until the transaction ends. */
export async function lockBooks(
  tx: Transaction,
  runtime: Runtime,
  project_id: string,
): Promise<CurrentBooks> {
  const books =
    (await store.lockBooks(tx, project_id)) ?? (await openBooks(tx, runtime, project_id))
  const now = runtime.clock.now()
  return { ...moveToMonth(books, toMonth(now, runtime.config.billing_timezone)), now }
}

async function openBooks(
  tx: Transaction,
  runtime: Runtime,
  project_id: string,
): Promise<store.LockedBooks> {
  const month = toMonth(runtime.clock.now(), runtime.config.billing_timezone)
  await store.openAccounts(tx, project_id, month)
  const opened = await store.lockBooks(tx, project_id)
  assert(opened, 'A project has accounts once they are opened.')
  return opened
}

/**
 * Returns `month` if it is a past month, and null if it is the current one or undefined. Throws for
 * a future month.
 */
export function checkPastMonth(
  runtime: Runtime,
  { now }: CurrentBooks,
  month: string | undefined,
): string | null {
  if (month === undefined) return null
  assert.match(month, /^\d{4}-(?:0[1-9]|1[0-2])-01$/, 'A month is said by its first day.')
  const current = toMonth(now, runtime.config.billing_timezone)
  assert(month <= current, 'The month of a operation has begun.')
  return month < current ? month : null
}

export function toProblem(
  refusal: LedgerRefusal,
  books: SpendingLimits,
  amount_micro: MicroEuro,
): Problem {
  const takes = `This takes ${euroFromMicro(amount_micro)} euro`
  if (refusal === 'insufficient_balance') {
    const balance = euroFromMicro(books.prepaid_micro)
    return new Problem(refusal, `${takes} and the balance is ${balance} euro.`)
  }
  const spent = euroFromMicro(sumSpent(books))
  const cap = euroFromMicro(books.cap_micro ?? 0n)
  return new Problem(refusal, `${takes}; ${spent} of the ${cap} euro of this month is spent.`)
}
