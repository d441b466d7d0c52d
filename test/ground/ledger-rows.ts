/**
 * The ledger of a project as its rows are, and what must hold of them at any moment, whoever wrote
 * them and in whatever order: an audit that knows nothing but the rows.
 */
import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { Reader } from '../../server/kernel/database.ts'
import { modelMonthOf, type ModelEntry } from './ledger-model.ts'

type Kind = ModelEntry['kind']

export interface LedgerRows {
  accounts: { kind: string; balance_micro: bigint; month: string; month_micro: bigint }[]
  /** In the order in which they were made. */
  entries: EntryRow[]
  postings: PostingRow[]
  holds: { id: string; amount_micro: bigint; state: 'open' | 'settled' | 'released' }[]
  /** What the webhooks were told, in order. */
  events: string[]
}

export interface EntryRow {
  id: string
  kind: Kind
  source: string
  reference: string
  amount_micro: bigint
  balance_after_micro: bigint
  crossed_threshold_micro: bigint | null
  month: string
  created_at: string
}

interface PostingRow {
  entry_id: string
  from_account: string
  to_account: string
  amount_micro: bigint
}

/** All of it in one statement, so that it is of one moment. */
export async function readLedger(db: Reader, project_id: string): Promise<LedgerRows> {
  const { rows } = await sql<Record<keyof LedgerRows, string | null>>`select
    (select json_agg(a) from ledger_accounts a where project_id = ${project_id}) as accounts,
    (select json_agg(e order by id) from ledger_entries e where project_id = ${project_id})
      as entries,
    (select json_agg(p) from ledger_postings p where project_id = ${project_id}) as postings,
    (select json_agg(h) from ledger_holds h where project_id = ${project_id}) as holds,
    (select json_agg(type order by id) from events where project_id = ${project_id}) as events
    `.execute(db)
  const read = (text: string | null | undefined) => JSON.parse(text ?? '[]', exactMoney)
  const [row] = rows
  return {
    accounts: read(row?.accounts),
    entries: read(row?.entries),
    postings: read(row?.postings),
    holds: read(row?.holds),
    events: read(row?.events),
  }
}

function exactMoney(name: string, value: unknown): unknown {
  if (!name.endsWith('_micro') || typeof value !== 'number') return value
  assert(Number.isSafeInteger(value), 'Amounts of a test are small enough to be read exactly.')
  return BigInt(value)
}

export interface AuditOf {
  /** The spending cap, if there was the same one all the time. */
  cap_micro: bigint | null
  /** Where the months begin and end. */
  zone: string
}

/** Checks every promise of the ledger that can be seen in its rows. */
export function auditLedger(rows: LedgerRows, of: AuditOf): void {
  const { accounts, entries, postings } = rows
  // A project to which everything was refused has no accounts yet.
  assert(accounts.length === 4 || (accounts.length === 0 && entries.length === 0))
  const replayed = replay(rows, of)
  for (const { kind, balance_micro, month, month_micro } of accounts) {
    assert.equal(balance_micro, replayed.total(kind), `${kind} is the sum of its postings`)
    assert.equal(month_micro, replayed.ofMonth(kind, month), `${kind} knows its month`)
  }
  const sum_micro = accounts.reduce((sum, { balance_micro }) => sum + balance_micro, 0n)
  assert.equal(sum_micro, 0n, 'what left one account arrived in another')
  const written = new Set(entries.map(({ id }) => id))
  assert(postings.every(({ entry_id }) => written.has(entry_id)))
  const names = entries.map(({ kind, reference }) => `${kind} ${reference}`)
  assert.equal(new Set(names).size, names.length, 'no reference happened twice')
  auditHolds(rows)
}

/** The month of the clock of whoever wrote an entry. */
export function ownMonth({ created_at }: EntryRow, zone: string): string {
  return modelMonthOf(new Date(created_at), zone)
}

/** Goes through the entries one by one, as if each were the last. */
function replay({ entries, postings }: LedgerRows, { cap_micro, zone }: AuditOf) {
  const totals = new Map<string, bigint>()
  const add = (name: string, amount_micro: bigint) =>
    totals.set(name, (totals.get(name) ?? 0n) + amount_micro)
  const total = (account: string) => totals.get(account) ?? 0n
  const ofMonth = (account: string, month: string) => total(`${account} ${month}`)
  const holds = new Map<string, bigint>()
  let current = ''
  for (const entry of entries) {
    const { id, kind, month, reference, amount_micro } = entry
    const own = ownMonth(entry, zone)
    if (own > current) current = own
    const is_past = month < own && (kind === 'charge' || kind === 'top_up')
    if (!is_past) assert.equal(month, current, 'a month does not go back')
    const charged = ofMonth('revenue', current)
    const givable_micro = is_past ? total('revenue') - charged : charged
    const moves = postings.filter(({ entry_id }) => entry_id === id)
    const held_micro = holds.get(reference) ?? 0n
    assert.deepEqual(shapeOf(moves), expectedShape(entry, { held_micro, givable_micro }))
    if (kind === 'hold') holds.set(reference, amount_micro)
    const unspent_before = total('prepaid') + total('held')
    const spent_before = charged + total('held')
    for (const { from_account, to_account, amount_micro } of moves) {
      for (const suffix of ['', ` ${month}`]) {
        add(from_account + suffix, -amount_micro)
        add(to_account + suffix, amount_micro)
      }
    }
    for (const account of ['prepaid', 'held', 'revenue', `revenue ${current}`]) {
      assert(total(account) >= 0n, `${account} is not below zero after ${kind} ${reference}`)
    }
    assert.equal(entry.balance_after_micro, total('prepaid'), 'balance_after is the balance')
    const unspent = total('prepaid') + total('held')
    const threshold_micro = entry.crossed_threshold_micro
    if (threshold_micro !== null) {
      assert(unspent_before >= threshold_micro && unspent < threshold_micro, 'it crossed')
    }
    const spent = ofMonth('revenue', current) + total('held')
    const is_within = cap_micro === null || spent <= cap_micro || spent <= spent_before
    assert(is_within, `the cap is not passed by ${kind} ${reference}`)
  }
  return { total, ofMonth }
}

function shapeOf(moves: readonly Omit<PostingRow, 'entry_id'>[]): string[] {
  return moves
    .map(({ from_account, to_account, amount_micro }) => [from_account, to_account, amount_micro])
    .map((parts) => parts.join(' '))
    .toSorted()
}

/** What an entry has to move, by plain arithmetic. */
function expectedShape(
  { kind, source, amount_micro }: EntryRow,
  { held_micro, givable_micro }: { held_micro: bigint; givable_micro: bigint },
): string[] {
  const least = (limit_micro: bigint) => (amount_micro < limit_micro ? amount_micro : limit_micro)
  const from_hold_micro = least(held_micro)
  const given_micro = source === 'payment' ? 0n : least(givable_micro)
  const moves: Record<Kind, [from: string, to: string, amount_micro: bigint][]> = {
    top_up: [
      ['revenue', 'prepaid', given_micro],
      ['funding', 'prepaid', amount_micro - given_micro],
    ],
    charge: [['prepaid', 'revenue', amount_micro]],
    hold: [['prepaid', 'held', amount_micro]],
    release: [['held', 'prepaid', held_micro]],
    settle: [
      ['held', 'revenue', from_hold_micro],
      ['held', 'prepaid', held_micro - from_hold_micro],
      ['prepaid', 'revenue', amount_micro - from_hold_micro],
    ],
  }
  return moves[kind]
    .filter(([, , amount_micro]) => amount_micro > 0n)
    .map((parts) => parts.join(' '))
    .toSorted()
}

const endedBy: Partial<Record<Kind, 'settled' | 'released'>> = {
  settle: 'settled',
  release: 'released',
}

/** Each hold was made by one entry and ended by at most one, in the state that this one says. */
function auditHolds({ entries, holds, accounts }: LedgerRows): void {
  const made = entries.filter(({ kind }) => kind === 'hold')
  assert.equal(holds.length, made.length)
  for (const { id, amount_micro, state } of holds) {
    const hold = made.find((entry) => entry.id === id)
    assert(hold, 'a hold has the id of its entry')
    assert.equal(amount_micro, hold.amount_micro)
    const ends = entries.filter(({ kind, reference }) => {
      return reference === hold.reference && endedBy[kind] !== undefined
    })
    assert(ends.length <= 1, 'a hold ends once')
    assert.equal(state, endedBy[ends[0]?.kind ?? 'hold'] ?? 'open')
  }
  const ended = entries.filter(({ kind }) => endedBy[kind] !== undefined)
  assert.equal(ended.length, holds.filter(({ state }) => state !== 'open').length)
  const open_micro = holds.reduce(
    (sum, { amount_micro, state }) => (state === 'open' ? sum + amount_micro : sum),
    0n,
  )
  const held = accounts.find(({ kind }) => kind === 'held')
  assert.equal(open_micro, held?.balance_micro ?? 0n, 'what is held is the sum of the open holds')
}
