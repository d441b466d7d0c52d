/**
 * Writing documents: changes are judged in order and then written as a set, under the lock of the
 * collection. So its counts, its limits, its unique values and the numbers of its changes are
 * true, whoever writes at the same time.
 */
import assert from 'node:assert/strict'
import { Problem } from '../../contract/errors.ts'
import { plans } from '../../contract/plans.ts'
import type { Transaction } from '../../kernel/database/database.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { newId } from '../../kernel/values/ids.ts'
import { atOnce, inSlices } from '../../kernel/limits/slices.ts'
import * as webhooks from '../webhooks/service.ts'
import { learnWritten } from './assistant-facts.ts'
import { announceChanges, changesTopic } from './change-wakeups.ts'
import * as documents from './document-store.ts'
import type { Holder, NewRow, Place, Rows } from './document-store.ts'
import { valueAt } from './field-path.ts'
import { insertionOf, insertNew, type Insertion, type NewDocument } from './insert-store.ts'
import { digestOf, keysOf, type FieldKey } from './judge.ts'
import { rulesOf, type Rules } from './rules.ts'
import {
  newState,
  rollBack,
  savepointOf,
  settleChange,
  type Change,
  type Held,
  type Outcome,
  type Start,
  type State,
} from './state.ts'
import * as store from './store.ts'

/** Changes that somebody asked for together. */
export interface Group {
  changes: readonly Change[]
  /** None of them is written unless all can be. */
  all_or_nothing?: boolean
}

interface Writing {
  place: Place
  groups: readonly Group[]
}

interface Judged {
  state: State
  /** Of each group. */
  outcomes: Outcome[][]
  /** Nothing is to be written. */
  idle: boolean
}

/** What came of groups of changes. */
export interface Written {
  /** Of each group. */
  outcomes: Outcome[][]
  /** The collection as this left it, where that is known. */
  known: Known | null
}

/** A collection as a transaction left it: it is that until another one writes it. */
export interface Known {
  row: store.LockedCollection
  /** The number of that write. */
  write_id: string
}

/** Judges and writes changes of one collection, in order. Each has its outcome. */
export async function writeChanges(
  tx: Transaction,
  runtime: Runtime,
  { place, changes }: { place: Place; changes: readonly Change[] },
): Promise<Outcome[]> {
  const { outcomes } = await writeGroups(tx, runtime, { place, groups: [{ changes }] })
  return outcomes[0] ?? []
}

/** The same for several groups, each judged in the state that those before it left. */
export async function writeGroups(
  tx: Transaction,
  runtime: Runtime,
  { place, groups }: Writing,
): Promise<Written> {
  const changes = groups.flatMap((group) => group.changes)
  const { project_id, collection_id } = place
  const row = await store.lockCollection(tx, { project_id, id: collection_id })
  if (!row) throw new Problem('not_found', 'The collection was deleted meanwhile.')
  const rules = rulesOf(row)
  const holders = await loadHolders(tx, { place, rules, changes })
  const rows = await loadRows(tx, { place, holders, changes })
  const bytes_max = plans[row.plan].data_bytes_max
  const start = { runtime, place, rules, rows, holders, document_count: row.document_count }

  let judged = await inSlices(judge({ ...start, bytes_left: Infinity }, groups))
  if (judged.idle) return { outcomes: judged.outcomes, known: null }
  let written = await writeState(tx, judged.state, bytes_max)
  if (!written) {
    // Some of it is more than the plan has room for, and with what is left each is judged again.
    const bytes_left = bytes_max - (await documents.findUsage(tx, project_id))
    judged = await inSlices(judge({ ...start, bytes_left }, groups))
    if (judged.idle) return { outcomes: judged.outcomes, known: null }
    written = await writeState(tx, judged.state, bytes_max)
    assert(written, 'What was judged with what is left fits.')
  }
  await learnWritten(tx, row, judged.state.held.values())
  if (row.webhook_on_insert) await tellOfNew(tx, judged.state)
  announceChanges(tx, runtime, collection_id)
  const { write_id } = written
  const known = write_id === null ? null : { row: grown(row, judged.state), write_id }
  return { outcomes: judged.outcomes, known }
}

/** New documents judged by the collection as a write before them leaves it. */
export interface Foreseen extends Written {
  known: Known
  insertion: Insertion
}

/**
 * The same without waiting for the lock, for documents that nothing but their own data and the
 * collection decides on. Null when there is more to it.
 */
export function foresee(
  runtime: Runtime,
  { place, groups }: Writing,
  before: Known,
): Foreseen | null {
  const { row } = before
  const rules = rulesOf(row)
  if (!isPlain(row, rules) || !groups.every((one) => isOfNew(one, rules))) return null
  const { document_count, plan } = row
  const nothing = { rows: [], holders: [], bytes_left: Infinity }
  const start = { runtime, place, rules, document_count, ...nothing }
  const { state, outcomes } = atOnce(judge(start, groups))
  // Who is refused is told why by the collection as it is.
  if (outcomes.some((ends) => ends.some((end) => 'refusal' in end))) return null
  const documents = newOnly(state, [...state.held.values()])
  if (!documents || documents.length === 0) return null
  const bytes_max = plans[plan].data_bytes_max
  const { now, bytes_added: bytes } = state
  const write_id = newId(runtime.clock)
  const judged_by = { write_id: before.write_id, plan }
  const set = { ...place, bytes, bytes_max, now, documents, write_id, judged_by }
  const known = { row: grown(row, state), write_id }
  return { outcomes, known, insertion: insertionOf(set) }
}

/**
 * Writes them in one statement, once the write before them is done, if that left the collection as
 * they were judged by. Null, and nothing was done, when it did not.
 */
export async function writeForeseen(runtime: Runtime, foreseen: Foreseen): Promise<Written | null> {
  const { insertion, ...written } = foreseen
  if (!(await insertNew(runtime.db, insertion))) return null
  runtime.wakeups.announce(changesTopic(written.known.row.id))
  return written
}

/** Nobody else has to be told of new documents, or asked about them. */
function isPlain(row: store.LockedCollection, { fields }: Rules): boolean {
  return !row.webhook_on_insert && !row.assistant_facts && !fields.some(({ unique }) => unique)
}

/** Whether all of it is new documents that were checked by these rules before. */
function isOfNew({ changes }: Group, rules: Rules): boolean {
  return changes.every(
    (change) =>
      change.op === 'create' && change.id === undefined && change.prepared?.rules === rules,
  )
}

function grown(row: store.LockedCollection, state: State): store.LockedCollection {
  return {
    ...row,
    document_count: state.document_count,
    bytes: row.bytes + BigInt(state.bytes_added),
    change_number: row.change_number + BigInt(state.entries.length),
  }
}

/** Yields after each change, because a schema can make the check of one take long. */
function* judge(start: Start, groups: readonly Group[]): Generator<void, Judged> {
  const state = newState(start)
  const outcomes: Outcome[][] = []
  for (const { changes, all_or_nothing = false } of groups) {
    const before = savepointOf(state)
    const ends: Outcome[] = []
    for (const change of changes) {
      ends.push(settleChange(state, change))
      yield
    }
    if (all_or_nothing && ends.some((end) => 'refusal' in end)) rollBack(state, before)
    outcomes.push(ends)
  }
  return { state, outcomes, idle: state.entries.length === 0 }
}

interface Loading {
  place: Place
  changes: readonly Change[]
}

/** Who holds the values that unique fields may get. */
async function loadHolders(
  tx: Transaction,
  { place, rules, changes }: Loading & { rules: Rules },
): Promise<Holder[]> {
  const fields = rules.fields.filter(({ unique }) => unique)
  const wanted = changes.flatMap((change) =>
    fields.flatMap(({ name, path }) => {
      const digest = 'data' in change ? digestOf(valueAt(change.data, path)) : null
      return digest ? [{ field: name, digest }] : []
    }),
  )
  return wanted.length === 0 ? [] : documents.findHolders(tx, { ...place, wanted })
}

/** The documents that are changed, or that may be by an upsert. */
async function loadRows(
  tx: Transaction,
  { place, holders, changes }: Loading & { holders: readonly Holder[] },
) {
  const named = changes.flatMap((change) => ('id' in change && change.id ? [change.id] : []))
  const upserts = changes.some(({ op }) => op === 'upsert')
  const meant = upserts ? holders.map(({ document_id }) => document_id) : []
  const ids = [...new Set([...named, ...meant])]
  return ids.length === 0 ? [] : documents.findDocuments(tx, { ...place, ids })
}

/** Null, and nothing is done, when the plan has no room for it. By whom is not known of all. */
async function writeState(
  tx: Transaction,
  state: State,
  bytes_max: number,
): Promise<{ write_id: string | null } | null> {
  const { runtime, place, now, held, documents_added, bytes_added, entries } = state
  const all = [...held.values()]
  const made = newOnly(state, all)
  if (made) {
    const write_id = newId(runtime.clock)
    const counts = { bytes: bytes_added, bytes_max, now, documents: made }
    const insertion = insertionOf({ ...place, ...counts, write_id, judged_by: null })
    return (await insertNew(tx, insertion)) ? { write_id } : null
  }
  const inserted = all.filter((one) => !one.before && one.now)
  const updated = all.filter((one) => one.before && one.now && one.prepared)
  const deleted = all.flatMap((one) => (one.before && !one.now ? [one.before.id] : []))
  const keyed = keyChanges(state, all)
  const gone = [...keyed.values()].flatMap((one) => one.gone)
  const counts = { documents: documents_added, bytes: bytes_added, bytes_max }
  if (!(await documents.keepBooks(tx, { ...place, ...counts, entries, gone }))) return null
  if (deleted.length > 0) await documents.deleteRows(tx, { ...place, ids: deleted })
  if (updated.length > 0) await documents.updateRows(tx, rowsOf(place, updated, keyed))
  if (inserted.length > 0) await documents.insertRows(tx, rowsOf(place, inserted, keyed))
  return { write_id: null }
}

/** The documents, if all that happened is that each was made; otherwise null. */
function newOnly({ entries }: State, all: readonly Held[]): NewDocument[] | null {
  const made: NewDocument[] = []
  for (const { before, now, prepared } of all) {
    if (before || !now || !prepared || now.version !== 1) return null
    const { id, source, bytes, test } = now
    made.push({ id, source, bytes, test, text: prepared.text, keys: prepared.keys })
  }
  // A document that was made, deleted and made again has more than one entry.
  return made.length === entries.length ? made : null
}

function rowsOf(place: Place, all: readonly Held[], keyed: KeyChanges): Rows {
  const rows = all.map(({ now, prepared }): NewRow => {
    assert(now && prepared)
    const { data: _data, ...row } = now
    return { ...row, text: prepared.text }
  })
  return { ...place, rows, keys: all.flatMap((one) => keyed.get(one)?.added ?? []) }
}

/** Of each document, the keys that it had and has no longer, and those that it has now. */
type KeyChanges = ReadonlyMap<Held, Record<'gone' | 'added', readonly documents.Key[]>>

function keyChanges({ rules }: State, all: readonly Held[]): KeyChanges {
  const changes = all.map((one) => {
    const { before, now, prepared } = one
    const is_untouched = now !== null && prepared === null
    const had = before && !is_untouched ? keysOf(rules.fields, before.data) : []
    const has = prepared?.keys ?? []
    const document_id = now?.id ?? before?.id ?? ''
    const without = (some: readonly FieldKey[], others: readonly FieldKey[]) =>
      some
        .filter((key) => !others.some((other) => isSameKey(key, other)))
        .map((key) => ({ document_id, ...key }))
    return [one, { gone: without(had, has), added: without(has, had) }] as const
  })
  return new Map(changes)
}

function isSameKey(one: FieldKey, other: FieldKey): boolean {
  const is_same = (a: Buffer | null, b: Buffer | null) => (a && b ? a.equals(b) : a === b)
  return one.field === other.field && one.key.equals(other.key) && is_same(one.digest, other.digest)
}

/** What came by the API or a form is told to the webhooks of the project. */
async function tellOfNew(tx: Transaction, { runtime, place, held }: State): Promise<void> {
  const { project_id, collection_id } = place
  const told = [...held.values()].flatMap(({ before, now }) =>
    !before && now && ['api', 'form'].includes(now.source) ? [now.id] : [],
  )
  const subjects = told.map((document_id) => ({ collection_id, document_id }))
  await webhooks.emitAll(tx, runtime, { project_id, type: 'document.created', subjects })
}
