/** Reads and writes many documents of a collection, for exports and imports. */
import { isTest, type Caller } from '../../../contract/caller.ts'
import { createPause } from '../../../kernel/limits/slices.ts'
import type { Transaction } from '../../../kernel/database/database.ts'
import { requireKnownFields } from '../query/filter/check-fields.ts'
import { listDocuments, parseList, type ListParameters } from '../query/list.ts'
import { positionOf, type SortPosition } from '../query/sort.ts'
import type { CollectionRow } from '../store.ts'
import { lockCollection } from '../store.ts'
import type { JsonObject } from '../schema.ts'
import { createdMs, dataOf, updatedMs, findDocuments, scopeOf } from './document-store.ts'
import type { DocumentChange, ChangeResult } from './write/write-state.ts'
import { authorOf } from '../history/author.ts'
import { writeChanges } from './write/write.ts'

const PAGE_BYTES = 524_288
const PAGE_MIN = 8
const PAGE_MAX = 1000

export interface StoredDocument {
  id: string
  data: JsonObject
  version: number
  source: string
  created_at: string
  updated_at: string
}

interface Selection extends Pick<ListParameters, 'filter' | 'sort'> {
  signal: AbortSignal
}

/**
 * Returns the matching documents in pages, each read when it is taken. The default order is oldest
 * first, so that documents added meanwhile come last. Throws 400 for a filter that cannot match.
 */
export async function readAllDocuments(
  { db, runtime }: Caller,
  collection: CollectionRow,
  { filter, sort = 'id', signal }: Selection,
): Promise<AsyncIterable<StoredDocument[]>> {
  const moment = { now_ms: runtime.clock.now_ms(), timezone: 'UTC' }
  const asked = parseList({ filter, sort }, moment)
  await requireKnownFields(db, collection, asked)
  const bytes_each = Number(collection.bytes) / Math.max(1, collection.document_count)
  const limit = Math.floor(Math.min(PAGE_MAX, Math.max(PAGE_MIN, PAGE_BYTES / (bytes_each + 1))))
  return (async function* pages() {
    const pause = createPause()
    let after: SortPosition | null = null
    for (;;) {
      signal.throwIfAborted()
      const rows = await listDocuments(db, { collection, ...asked, after, limit })
      const documents: StoredDocument[] = []
      for (const row of rows) {
        const { id, version, source } = row
        const created_at = new Date(createdMs(row)).toISOString()
        const updated_at = new Date(updatedMs(row)).toISOString()
        documents.push({ id, data: dataOf(row), version, source, created_at, updated_at })
        await pause()
      }
      if (documents.length > 0) yield documents
      const last = rows.at(-1)
      if (!last || rows.length < limit) return
      after = positionOf(last, asked.sort)
    }
  })()
}

interface Imported {
  /** `id` or a unique field identifies existing documents; null creates every document. */
  by: string | null
  documents: readonly { id: string | undefined; data: JsonObject }[]
}

/** Creates or replaces documents. The results are in their order. */
export async function writeImported(
  tx: Transaction,
  caller: Caller,
  { collection, by, documents }: Imported & { collection: CollectionRow },
): Promise<ChangeResult[]> {
  const place = scopeOf(collection)
  const known = by === 'id' ? await lockKnown(tx, collection, documents) : new Set<string>()
  const origin = { source: 'import' as const, test: isTest(caller) }
  const changes = documents.map(({ id, data }): DocumentChange => {
    if (by !== null && by !== 'id')
      return { op: 'upsert', by, data, version: null, must_exist: false, ...origin }
    if (id === undefined) return { op: 'create', data, ...origin }
    if (known.has(id)) return { op: 'replace', id, data, version: null }
    if (by === 'id') known.add(id)
    return { op: 'create', id, data, ...origin }
  })
  return writeChanges(tx, caller.runtime, { place, changes, author: authorOf(caller) })
}

/** Locks the collection and returns which of the ids exist. */
async function lockKnown(
  tx: Transaction,
  collection: CollectionRow,
  documents: Imported['documents'],
): Promise<Set<string>> {
  await lockCollection(tx, collection)
  const ids = documents.flatMap(({ id }) => (id === undefined ? [] : [id]))
  const rows = await findDocuments(tx, { ...scopeOf(collection), ids })
  return new Set(rows.map(({ id }) => id))
}
