/**
 * Writes sets of changes to documents under the row lock of the collection, so counts, limits,
 * unique values and change numbers are exact under concurrency.
 */
import assert from 'node:assert/strict'
import { Problem } from '../../../../contract/errors.ts'
import type { Transaction } from '../../../../kernel/database/database.ts'
import type { Runtime } from '../../../../kernel/runtime.ts'
import { newId } from '../../../../kernel/values/ids.ts'
import { inSlices } from '../../../../kernel/limits/slices.ts'
import * as webhooks from '../../../webhooks/service.ts'
import { indexWritten } from '../../assistant-facts.ts'
import { announceChanges, changesTopic } from '../../changes/change-wakeups.ts'
import type { CompiledCollection } from '../../collections/collections.ts'
import * as documents from '../document-store.ts'
import type {
  CollectionScope,
  NewRow,
  RowsToWrite,
  UniqueValueHolder,
  WriteCounts,
} from '../document-store.ts'
import { valueAt } from '../../field-path.ts'
import type { Author } from '../../history/author.ts'
import { keepVersions, type EndedVersion } from '../../history/history-store.ts'
import type { NewDocument } from './insert-store.ts'
import { insertSet } from './insert-together.ts'
import { digestOf, indexKeysOf, type FieldKey } from '../document-check.ts'
import { rulesOf, type Rules } from '../../collections/rules.ts'
import {
  newWriteState,
  applyChange,
  type DocumentChange,
  type TrackedDocument,
  type ChangeResult,
  type WriteStart,
  type WriteState,
} from './write-state.ts'
import * as store from '../../store.ts'

/**
 * Per collection with writes in progress: settles when the last queued write ends. A write holds the row lock
 * of its collection, so concurrent writes would only wait for it, each with a database connection, and ten
 * of them would use up the pool. Here they wait without a connection.
 */
const tails = new WeakMap<Runtime, Map<string, Promise<unknown>>>()

/** Runs `write` after all earlier writes of the collection, whether they succeeded or failed. */
async function runInTurn<T>(
  runtime: Runtime,
  { collection_id }: CollectionScope,
  write: () => Promise<T>,
): Promise<T> {
  const ours = tails.get(runtime) ?? new Map<string, Promise<unknown>>()
  tails.set(runtime, ours)
  const result = (ours.get(collection_id) ?? Promise.resolve()).then(write)
  const end = result.catch(() => {})
  ours.set(collection_id, end)
  try {
    return await result
  } finally {
    if (ours.get(collection_id) === end) ours.delete(collection_id)
  }
}

interface Writing {
  place: CollectionScope
  changes: readonly DocumentChange[]
  /** The author of the changes; null for forms and sales of products, which keep no history. */
  author: Author | null
  /** Writes nothing if any change is refused. */
  all_or_nothing?: boolean
}

interface WritingAlone extends Writing {
  /** The collection as it was when the new documents were checked. */
  checked_against?: CompiledCollection
}

/** Locks the collection, then checks and writes the changes in order. */
export async function writeChanges(
  tx: Transaction,
  runtime: Runtime,
  { place, changes, author, all_or_nothing = false }: Writing,
): Promise<ChangeResult[]> {
  const { project_id, collection_id } = place
  const row = await store.lockCollection(tx, { project_id, id: collection_id })
  if (!row) throw new Problem('not_found', 'The collection was deleted meanwhile.')
  const rules = rulesOf(row)
  const holders = await loadHolders(tx, { place, rules, changes })
  const rows = await loadRows(tx, { place, holders, changes })
  const start = { runtime, place, rules, rows, holders, document_count: row.document_count }
  const hasNothingToWrite = ({ state, results }: Applied) =>
    state.entries.length === 0 || (all_or_nothing && results.some((end) => 'refusal' in end))

  let applied = await inSlices(applyAll({ ...start, bytes_left: Infinity }, changes))
  if (hasNothingToWrite(applied)) return applied.results
  if (!(await writeState(tx, applied.state, { author, bytes_max: null }))) {
    // The set exceeds the plan quota, so each change is checked again against the remaining quota.
    const { bytes, bytes_max } = await documents.findUsage(tx, project_id)
    const bytes_left = bytes_max - bytes
    applied = await inSlices(applyAll({ ...start, bytes_left }, changes))
    if (hasNothingToWrite(applied)) return applied.results
    assert(
      await writeState(tx, applied.state, { author, bytes_max }),
      'Changes within the quota are written.',
    )
  }
  await indexWritten(tx, row, applied.state.tracked.values())
  if (row.webhook_on_insert) {
    const deliveries = await emitCreated(tx, applied.state)
    // What a visitor sent is never refused for the receivers of its owner.
    if (author !== null) await webhooks.requireRoom(tx, project_id, deliveries)
  }
  announceChanges(tx, runtime, collection_id)
  return applied.results
}

/** Writes changes in a transaction of their own, after the earlier writes of the collection. */
export function writeInTurn(runtime: Runtime, writing: WritingAlone): Promise<ChangeResult[]> {
  return runInTurn(
    runtime,
    writing.place,
    async () =>
      (await insertNew(runtime, writing)) ??
      runtime.db.transact((tx) => writeChanges(tx, runtime, writing)),
  )
}

/**
 * Writes a set of new documents with one statement. Returns null, writing nothing, if the set needs
 * a transaction of several statements, or if a limit, a unique value, an id or a new setting
 * prevents it.
 */
async function insertNew(
  runtime: Runtime,
  { place, changes, checked_against: collection }: WritingAlone,
): Promise<ChangeResult[] | null> {
  if (!runtime.db.writeAlone || !collection || !isPlain(collection)) return null
  const { rules, row } = collection
  const [first] = changes
  if (first?.op !== 'create') return null
  const { source, test } = first
  const now = runtime.clock.now()
  const documents = changes.flatMap((one): NewDocument[] => {
    if (one.op !== 'create' || one.prepared?.rules !== rules) return []
    if (one.source !== source || one.test !== test) return []
    return [{ id: one.id?.toLowerCase() ?? newId(runtime.clock), prepared: one.prepared }]
  })
  if (documents.length !== changes.length) return null
  if (rules.fields.some(({ unique }) => unique) && repeatsUniqueValue(documents)) return null
  const set = {
    ...place,
    settings_version: row.settings_version,
    source,
    test,
    created_at: now,
    bytes: documents.reduce((sum, { prepared }) => sum + prepared.bytes, 0),
    fields: rules.fields.map(({ name }) => name),
    documents,
  }
  if (!(await insertSet(runtime.db, set))) return null
  runtime.wakeups.announce(changesTopic(place.collection_id))
  return documents.map(({ id, prepared: { data, bytes } }) => ({
    document: {
      project_id: place.project_id,
      collection_id: place.collection_id,
      id,
      data,
      version: 1,
      source,
      bytes,
      test,
      created_at: now,
      updated_at: now,
    },
  }))
}

function repeatsUniqueValue(documents: readonly NewDocument[]): boolean {
  const digests = documents.flatMap(({ prepared }) =>
    prepared.keys.flatMap(({ field, digest }) => (digest ? [field + digest.toString('hex')] : [])),
  )
  return new Set(digests).size < digests.length
}

/** Whether an insert into the collection has no effect outside its own tables. */
function isPlain({ row }: CompiledCollection): boolean {
  return !row.webhook_on_insert && !row.assistant_facts
}

export async function writeChange(
  runtime: Runtime,
  collection: CompiledCollection,
  { change, author }: { change: DocumentChange; author: Author | null },
): Promise<ChangeResult> {
  const place = documents.scopeOf(collection.row)
  const writing = { place, changes: [change], author, checked_against: collection }
  const [result] = await writeInTurn(runtime, writing)
  assert(result, 'Every change has a result.')
  return result
}

interface Applied {
  state: WriteState
  results: ChangeResult[]
}

/** A generator that yields after each change, because a schema can make the check expensive. */
function* applyAll(
  start: WriteStart,
  changes: readonly DocumentChange[],
): Generator<void, Applied> {
  const state = newWriteState(start)
  const results: ChangeResult[] = []
  for (const change of changes) {
    results.push(applyChange(state, change))
    yield
  }
  return { state, results }
}

interface Loading {
  place: CollectionScope
  changes: readonly DocumentChange[]
}

/** Finds the documents that have the unique values of the changes. */
async function loadHolders(
  tx: Transaction,
  { place, rules, changes }: Loading & { rules: Rules },
): Promise<UniqueValueHolder[]> {
  const fields = rules.fields.filter(({ unique }) => unique)
  const wanted = changes.flatMap((change) =>
    fields.flatMap(({ name, path }) => {
      const digest = 'data' in change ? digestOf(valueAt(change.data, path)) : null
      return digest ? [{ field: name, digest }] : []
    }),
  )
  return wanted.length === 0 ? [] : documents.findHolders(tx, { ...place, wanted })
}

/** Reads the documents that the changes name or may upsert. */
async function loadRows(
  tx: Transaction,
  { place, holders, changes }: Loading & { holders: readonly UniqueValueHolder[] },
) {
  const named = changes.flatMap((change) => ('id' in change && change.id ? [change.id] : []))
  const upserts = changes.some(({ op }) => op === 'upsert')
  const meant = upserts ? holders.map(({ document_id }) => document_id) : []
  const ids = [...new Set([...named, ...meant])]
  return ids.length === 0 ? [] : documents.findDocuments(tx, { ...place, ids })
}

/**
 * Returns false, writing nothing, if the quota would be exceeded: `bytes_max`, or that of the plan
 * if it is null.
 */
async function writeState(
  tx: Transaction,
  state: WriteState,
  { author, bytes_max }: Pick<WriteCounts, 'bytes_max'> & Pick<Writing, 'author'>,
): Promise<boolean> {
  const { place, tracked, documents_added, bytes_added, entries } = state
  const all = [...tracked.values()]
  const inserted = all.filter((one) => !one.before && one.now)
  const updated = all.filter((one) => one.before && one.now && one.prepared)
  const deleted = all.flatMap((one) => (one.before && !one.now ? [one.before.id] : []))
  const keyed = keyChanges(state, all)
  const removed = [...keyed.values()].flatMap((one) => one.removed)
  const counts = { documents: documents_added, bytes: bytes_added, bytes_max }
  if (!(await documents.recordWrite(tx, { ...place, ...counts, entries, removed }))) return false
  if (author) await keepEnded(tx, state, author)
  if (deleted.length > 0) await documents.deleteRows(tx, { ...place, ids: deleted })
  if (updated.length > 0) await documents.updateRows(tx, rowsOf(place, updated, keyed))
  if (inserted.length > 0) await documents.insertRows(tx, rowsOf(place, inserted, keyed))
  return true
}

/** Copies the stored documents to the history, before they are updated or deleted. */
async function keepEnded(
  tx: Transaction,
  { place, runtime, tracked, now }: WriteState,
  author: Author,
): Promise<void> {
  const ended = [...tracked.values()].flatMap(({ before, now: next, prepared }): EndedVersion[] => {
    if (!before || (next && !prepared)) return []
    const ended_by = next ? 'changed' : 'deleted'
    return [{ id: newId(runtime.clock), document_id: before.id, ended_by }]
  })
  if (ended.length > 0) await keepVersions(tx, { ...place, ended, author, now })
}

function rowsOf(
  place: CollectionScope,
  all: readonly TrackedDocument[],
  keyed: KeyChanges,
): RowsToWrite {
  const rows = all.map(({ now, prepared }): NewRow => {
    assert(now && prepared)
    const { data: _data, ...row } = now
    return { ...row, text: prepared.text }
  })
  return { ...place, rows, keys: all.flatMap((one) => keyed.get(one)?.added ?? []) }
}

/** The index keys of each document to delete and to insert. */
type KeyChanges = ReadonlyMap<
  TrackedDocument,
  Record<'removed' | 'added', readonly documents.IndexKey[]>
>

function keyChanges({ rules }: WriteState, all: readonly TrackedDocument[]): KeyChanges {
  const changes = all.map((one) => {
    const { before, now, prepared } = one
    const is_untouched = now !== null && prepared === null
    const had = before && !is_untouched ? indexKeysOf(rules.fields, before.data) : []
    const has = prepared?.keys ?? []
    const document_id = now?.id ?? before?.id ?? ''
    const without = (some: readonly FieldKey[], others: readonly FieldKey[]) =>
      some
        .filter((key) => !others.some((other) => isSameKey(key, other)))
        .map((key) => ({ document_id, ...key }))
    return [one, { removed: without(had, has), added: without(has, had) }] as const
  })
  return new Map(changes)
}

function isSameKey(one: FieldKey, other: FieldKey): boolean {
  const is_same = (a: Buffer | null, b: Buffer | null) => (a && b ? a.equals(b) : a === b)
  return one.field === other.field && one.key.equals(other.key) && is_same(one.digest, other.digest)
}

/** Emits document.created for each new document, whatever its source. Returns the number of deliveries. */
async function emitCreated(
  tx: Transaction,
  { runtime, place, tracked }: WriteState,
): Promise<number> {
  const { project_id, collection_id } = place
  const created = [...tracked.values()].flatMap(({ before, now }) =>
    !before && now ? [now.id] : [],
  )
  const subjects = created.map((document_id) => ({ collection_id, document_id }))
  return webhooks.emitAll(tx, runtime, { project_id, type: 'document.created', subjects })
}
