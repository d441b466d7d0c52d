/** Reads a page of documents for an HTTP request: parameters, cursor, count. */
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import type { Reader } from '../../../kernel/database/database.ts'
import { inSlices } from '../../../kernel/limits/slices.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import * as assistant from '../../assistant/service.ts'
import { dataOf, type FoundDocument } from '../documents/document-store.ts'
import type { FieldPath } from '../field-path.ts'
import type { CollectionRow } from '../store.ts'
import { fitsSort, listIdentity, readListCursor, writeListCursor } from './cursor.ts'
import { requireKnownFields } from './filter/check-fields.ts'
import { warnAboutUnusedFields } from './filter/unused-fields.ts'
import { countDocuments, listDocuments, parseList, type ParsedList } from './list.ts'
import { wordsOf } from './search-words.ts'
import { positionOf, type SortPosition } from './sort.ts'
import { readInTimezone } from './store/page-sql.ts'
import { searchFor, type SearchPatterns } from './store/search-sql.ts'
import { isTimezone } from './filter/times.ts'
import { formatSize } from '../../../kernel/values/size.ts'

export interface PageParameters {
  filter?: string | undefined
  sort?: string | undefined
  fields?: string | undefined
  q?: string | undefined
  /** IANA name; default UTC. */
  timezone?: string | undefined
  count?: boolean | undefined
  limit: number
  cursor?: string | undefined
}

export interface DocumentPageRequest {
  runtime: Runtime
  db: Reader
  collection: CollectionRow
  asked: PageParameters
  /** Checks the parsed parameters before anything is read; throws if they are not allowed. */
  allow?(asked: ParsedList): void
  /** The only fields that a problem may name; undefined allows all. */
  showable?: readonly FieldPath[]
  show: ShowRow
  /** Whether the reply may warn about fields that no document has. */
  warns?: boolean
  /** Maximum size of the documents together, except for a single one. */
  bytes_max: number
}

/** Returns the JSON text of a document in the reply; `fields` null means all fields. */
export type ShowRow = (row: FoundDocument, fields: readonly FieldPath[] | null) => string

export interface DocumentPage {
  /** The documents as JSON texts. */
  shown: string[]
  next_cursor: string | null
  /** The number of matching documents of all pages; null if not requested. */
  count: number | null
  warnings: string[]
}

export async function readDocumentPage(request: DocumentPageRequest): Promise<DocumentPage> {
  const { db, collection, asked, allow } = request
  const reading = parsePage(request)
  allow?.(reading.read)
  const { read, after, timezone } = reading
  await requireKnownFields(db, collection, {
    fieldUses: read.fieldUses,
    showable: request.showable,
  })
  const search = await readSearch(db, collection, asked.q)
  const wanted = { collection, ...read, search, timezone }
  const found = await readInTimezone(timezone, async () => ({
    rows: await listDocuments(db, { ...wanted, after, limit: asked.limit + 1 }),
    count: asked.count ? await countDocuments(db, wanted) : null,
  }))
  const page = await inSlices(pageOf(request, reading, found))
  if (!request.warns) return page
  const [first] = found.rows
  const { fieldUses } = read
  const listed = { fieldUses, ...(first && fieldUses.length > 0 && { example: dataOf(first) }) }
  return { ...page, warnings: await warnAboutUnusedFields(db, collection, listed) }
}

/** The parsed request. */
interface ParsedPage {
  read: ParsedList
  timezone: string
  list: string
  now_ms: number
  after: SortPosition | null
}

function parsePage({ runtime, asked, collection }: DocumentPageRequest): ParsedPage {
  const timezone = readTimezone(asked.timezone)
  const list = listIdentity([collection.id, asked.filter, asked.sort, asked.q, timezone])
  const from = asked.cursor === undefined ? null : readListCursor(runtime.seal, list, asked.cursor)
  const now_ms = from?.now_ms ?? runtime.clock.now_ms()
  const read = parseList(asked, { now_ms, timezone })
  const after = from && fitsSort(from.after, read.sort) ? from.after : null
  return { read, timezone, list, now_ms, after }
}

/**
 * The page ends at the limit or before the document that would make it too large. Yields after each
 * document, because parsing wide documents takes milliseconds.
 */
function* pageOf(
  { runtime, asked, show, bytes_max }: DocumentPageRequest,
  { read, list, now_ms }: ParsedPage,
  { rows, count }: { rows: FoundDocument[]; count: number | null },
): Generator<void, DocumentPage> {
  const shown: string[] = []
  let bytes = 0
  for (const row of rows.slice(0, asked.limit)) {
    const text = show(row, read.fields)
    bytes += Buffer.byteLength(text)
    if (bytes > bytes_max && shown.length > 0) break
    shown.push(text)
    yield
  }
  const last = rows.length > shown.length ? rows[shown.length - 1] : undefined
  const place = last && { now_ms, after: positionOf(last, read.sort) }
  return {
    shown,
    count,
    warnings: [],
    next_cursor: place ? writeListCursor(runtime.seal, list, place) : null,
  }
}

export function readTimezone(name = 'UTC'): string {
  if (isTimezone(name)) return name
  throw new Problem('invalid_parameter', `timezone ${name.slice(0, 60)} is not known.`, {
    user_message: 'The time zone is not known. It is a name such as Europe/Amsterdam.',
  })
}

/** Returns the search patterns; null if there is no `q`. */
export async function readSearch(
  db: Reader,
  { project_id, bytes }: CollectionRow,
  q: string | undefined,
): Promise<SearchPatterns | null> {
  if (q === undefined) return null
  const words = wordsOf(q)
  if (words.length === 0 || words.length > limits.search_words_max) {
    const most = limits.search_words_max
    throw new Problem('invalid_parameter', `q must have 1 to ${most} search words.`)
  }
  if (bytes > limits.search_bytes_max) {
    const most = formatSize(limits.search_bytes_max)
    const detail = `q searches collections of up to ${most}; this one is larger.`
    throw new Problem('invalid_parameter', detail, {
      user_message: 'This collection is too large to be searched by words. Use a filter instead.',
    })
  }
  const languages = await assistant.readLanguages(db, project_id)
  return searchFor(db, { languages, words })
}
