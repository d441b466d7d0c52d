/**
 * Exports documents as a file. Reads the next page only when the client has taken the previous one
 * (backpressure), by keyset pagination.
 */
import type { Caller } from '../../../contract/caller.ts'
import type { StreamReply } from '../../../contract/operations/streams.ts'
import { createPause } from '../../../kernel/limits/slices.ts'
import { findCollection, type CompiledCollection } from '../collections/collections.ts'
import { scopeOf } from '../documents/document-store.ts'
import { requireKnownFields } from '../query/filter/check-fields.ts'
import { listDocuments, parseList, type ListParameters } from '../query/list.ts'
import { positionOf, type SortPosition } from '../query/sort.ts'
import { layoutOf, type Layout } from './table/columns.ts'
import { formats, type FormatName } from './files.ts'
import { flatten, type FlatRecord } from './record.ts'
import * as store from './store.ts'

const PAGE_BYTES = 524_288
const PAGE_MIN = 8
const PAGE_MAX = 1000
// More than the columns of a table, so that leftover fields are detected.
const NAMES_MAX = 1100

export interface Export {
  name: string
  format: FormatName
  asked: ListParameters
  signal: AbortSignal
}

export async function exportDocuments(
  caller: Caller,
  { name, format, asked, signal }: Export,
): Promise<StreamReply> {
  const collection = await findCollection(caller, name)
  const { media_types, charset, columns, write } = formats[format]
  const read = readNow(caller, asked)
  await requireKnownFields(caller.db, collection.row, read)
  const pages = readPages(caller, { collection, asked: read, signal })
  const layout = columns ? await layoutFor(caller, collection) : { columns: [], more: true }
  return {
    media_type: charset ? `${media_types[0]}; charset=${charset}` : media_types[0],
    headers: {
      'Content-Disposition': `attachment; filename="${fileName(caller, name)}.${format}"`,
    },
    chunks: write(pages, layout),
  }
}

/**
 * Parses the list parameters. The default is oldest first, so that documents added meanwhile come
 * last.
 */
function readNow({ runtime }: Caller, { filter, sort = 'id' }: ListParameters) {
  return parseList({ filter, sort }, { now_ms: runtime.clock.now_ms(), timezone: 'UTC' })
}

/** Collection names are slugs, which every file system accepts. */
function fileName({ runtime }: Caller, name: string): string {
  return `${name}-${runtime.clock.now().toISOString().slice(0, 10)}`
}

async function layoutFor({ db }: Caller, { row }: CompiledCollection): Promise<Layout> {
  const place = scopeOf(row)
  const found = await store.findFieldNames(db, { ...place, limit: NAMES_MAX })
  return layoutOf(JSON.parse(row.schema), found)
}

interface Pages {
  collection: CompiledCollection
  asked: ReturnType<typeof parseList>
  signal: AbortSignal
}

async function* readPages(
  { db }: Caller,
  { collection, asked, signal }: Pages,
): AsyncGenerator<FlatRecord[]> {
  const { row: found } = collection
  const bytes_each = Number(found.bytes) / Math.max(1, found.document_count)
  const limit = Math.floor(Math.min(PAGE_MAX, Math.max(PAGE_MIN, PAGE_BYTES / (bytes_each + 1))))
  const pause = createPause()
  let after: SortPosition | null = null
  for (;;) {
    signal.throwIfAborted()
    const rows = await listDocuments(db, { collection: found, ...asked, after, limit })
    const records: FlatRecord[] = []
    for (const row of rows) {
      records.push(flatten(row))
      await pause()
    }
    if (records.length > 0) yield records
    const last = rows.at(-1)
    if (!last || rows.length < limit) return
    after = positionOf(last, asked.sort)
  }
}
