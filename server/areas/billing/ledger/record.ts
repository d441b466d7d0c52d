/**
 * Recording a deed in the ledger of a project: under the lock of its books, once per kind and
 * reference, refused when it cannot be afforded, and told to the webhooks in the same transaction.
 */
import assert from 'node:assert/strict'
import { Problem } from '../../../contract/errors.ts'
import type { Transaction } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { euroFromMicro, type MicroEuro } from '../../../kernel/values/money.ts'
import * as webhooks from '../../webhooks/service.ts'
import {
  fallsBelowThreshold,
  monthOf,
  post,
  refusalOf,
  spentOf,
  turnTo,
  type Means,
  type Posting,
  type Refusal,
} from './ledger.ts'
import * as store from '../store.ts'

/** A ledger operation, booked once per kind and reference. */
export interface Deed {
  project_id: string
  kind: store.EntryKind
  source: string
  amount_micro: MicroEuro
  /** What must be there to spend. */
  takes_micro: MicroEuro
  postings: Posting[]
  /** The month that the deed belongs to, if that is over: see `pastMonth`. */
  past_month?: string | null
  description: string
  quantity?: number | null
  unit?: string | null
  reference_id?: string
  reference: string
  lasts_s?: number
  /** Emits no event, because no owner needs to act on it. */
  is_quiet?: boolean
  ended?: { hold_id: string; state: store.HoldState }
}

/** The books of a project in the month of the moment at which they were locked. */
export interface CurrentBooks extends store.LockedBooks {
  now: Date
}

export async function record(tx: Transaction, runtime: Runtime, deed: Deed): Promise<string> {
  const books = await lockBooks(tx, runtime, deed.project_id)
  return recordIn(books, { tx, runtime, deed })
}

/**
 * Writes a deed in books that are locked and returns the id of its entry. Whether it was done
 * before is asked only when that matters, because a repeat is rare: when the reference turns out
 * to be used, and before refusing, since what was already paid is not refused.
 */
export async function recordIn(
  books: CurrentBooks,
  { tx, runtime, deed }: { tx: Transaction; runtime: Runtime; deed: Deed },
): Promise<string> {
  // Neither the cap of a past month nor that of the current month limits this operation.
  const means = deed.past_month ? { ...books, cap_micro: null } : books
  const refusal = refusalOf(means, deed.takes_micro)
  if (refusal === null) {
    const entry = entryOf(deed, books, newId(runtime.clock))
    if (await store.writeEntry(tx, entry)) {
      if (!deed.is_quiet) await announce(tx, runtime, entry)
      return entry.id
    }
  }
  const earlier = await store.findReference(tx, deed)
  if (earlier !== null) return earlier
  assert(refusal, 'An entry is not written only when it is refused or was written before.')
  throw problemOf(refusal, books, deed.takes_micro)
}

function entryOf(deed: Deed, before: CurrentBooks, id: string): store.NewEntry {
  const after = post(before, deed.postings)
  const { lasts_s, ended = null } = deed
  return {
    project_id: deed.project_id,
    id,
    kind: deed.kind,
    source: deed.source,
    amount_micro: deed.amount_micro,
    balance_after_micro: after.prepaid_micro,
    description: deed.description,
    quantity: deed.quantity ?? null,
    unit: deed.unit ?? null,
    reference_id: deed.reference_id ?? id,
    reference: deed.reference,
    crossed_threshold_micro: fallsBelowThreshold(before, after) ? before.threshold_micro : null,
    month: deed.past_month ?? before.month,
    current_month: before.month,
    created_at: before.now,
    postings: deed.postings,
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

/** The books of a project, locked until the transaction ends. */
export async function lockBooks(
  tx: Transaction,
  runtime: Runtime,
  project_id: string,
): Promise<CurrentBooks> {
  const books =
    (await store.lockBooks(tx, project_id)) ?? (await openBooks(tx, runtime, project_id))
  const now = runtime.clock.now()
  return { ...turnTo(books, monthOf(now, runtime.config.billing_timezone)), now }
}

async function openBooks(
  tx: Transaction,
  runtime: Runtime,
  project_id: string,
): Promise<store.LockedBooks> {
  const month = monthOf(runtime.clock.now(), runtime.config.billing_timezone)
  await store.openAccounts(tx, project_id, month)
  const opened = await store.lockBooks(tx, project_id)
  assert(opened, 'A project has accounts once they are opened.')
  return opened
}

/**
 * The month that a deed belongs to if that is over, and null if it is the current one. No deed
 * belongs to a month that has not begun.
 */
export function pastMonth(
  runtime: Runtime,
  { now }: CurrentBooks,
  month: string | undefined,
): string | null {
  if (month === undefined) return null
  assert.match(month, /^\d{4}-(?:0[1-9]|1[0-2])-01$/, 'A month is said by its first day.')
  const current = monthOf(now, runtime.config.billing_timezone)
  assert(month <= current, 'The month of a deed has begun.')
  return month < current ? month : null
}

export function problemOf(refusal: Refusal, books: Means, amount_micro: MicroEuro): Problem {
  const takes = `This takes ${euroFromMicro(amount_micro)} euro`
  if (refusal === 'insufficient_balance') {
    const balance = euroFromMicro(books.prepaid_micro)
    return new Problem(refusal, `${takes} and the balance is ${balance} euro.`)
  }
  const spent = euroFromMicro(spentOf(books))
  const cap = euroFromMicro(books.cap_micro ?? 0n)
  return new Problem(refusal, `${takes}; ${spent} of the ${cap} euro of this month is spent.`)
}
