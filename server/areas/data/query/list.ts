/**
 * Reads a page of documents: filter, search, sort, keyset position. If the first sort field is
 * indexed, it scans that index up to a limit. If that does not fill the page, it reads all documents
 * within the key ranges of the filter, and sorts those that match.
 */
import type { Reader } from '../../../kernel/database/database.ts'
import type { FoundDocument } from '../documents/document-store.ts'
import { writeFieldPath, type FieldPath } from '../field-path.ts'
import type { CollectionRow } from '../store.ts'
import { parseFields } from './fields.ts'
import { countComparisons, type Filter, type FilterTime } from './filter/filter.ts'
import { parseFilter } from './filter/filter-grammar.ts'
import type { FieldUse } from './filter/field-use.ts'
import {
  beyondRange,
  keyedField,
  keyRangesOf,
  type KeyedFields,
  type KeyRange,
} from './key-ranges.ts'
import { idDescends, newestFirst, parseSort, type SortPosition, type Sort } from './sort.ts'
import * as store from './store/page-sql.ts'
import type { SearchPatterns } from './store/search-sql.ts'

export interface ListRequest {
  collection: Pick<CollectionRow, 'project_id' | 'id' | 'indexes' | 'unique_fields' | 'bytes'> & {
    document_count: number
  }
  filter?: Filter | null
  search?: SearchPatterns | null
  sort?: Sort
  /** positionOf() the last document of the previous page; null for the first page. */
  after?: SortPosition | null
  /** At most 10,000. */
  limit: number
  /** Zone of local times in the data; default UTC. */
  timezone?: string
}

/** Returns at most `limit` documents in order; fewer only at the end of the list. */
export async function listDocuments(db: Reader, request: ListRequest): Promise<FoundDocument[]> {
  const page = pageOf(request)
  const ranges = keyRangesOf(page.filter, request.collection)
  const scan = ranges.some(({ is_few }) => is_few) ? null : scanOf(page, request, ranges)
  const found = scan && (await store.readInOrder(db, { ...page, filter: scan.filter }, scan))
  if (found && (scan.is_complete || found.length >= page.limit)) return found
  return store.readMatching(db, page, ranges)
}

function pageOf(request: ListRequest): store.PageSelection {
  const { collection, filter = null, search = null, after = null, limit } = request
  const { sort = newestFirst, timezone = 'UTC' } = request
  const place = { project_id: collection.project_id, collection_id: collection.id }
  return { ...place, filter, search, timezone, sort, after, limit }
}

/** A longer index scan costs as much as reading all matching documents. */
const SCAN_LENGTH = 501
/** A scan of more may take longer than a round trip that others share should. */
const SMALL_SCAN_BYTES = 1_000_000

interface ScanInOrder extends store.OrderedScan {
  /** What is checked for each entry. */
  filter: Filter | null
}

/** Returns the index scan in the order of the page; null if there is none, or it saves nothing. */
function scanOf(
  page: store.PageSelection,
  { collection }: ListRequest,
  ranges: readonly KeyRange[],
): ScanInOrder | null {
  const name = indexFor(page.sort, collection)
  if (name === undefined) return null
  const range = ranges.find((one) => one.field === name)
  const filter = range ? beyondRange(page.filter, range, collection) : page.filter
  // Without a filter every entry is on the page. Further sort fields need all ties of the first.
  const is_complete = filter === null && page.search === null && page.sort.length === 1
  const length = is_complete ? page.limit : SCAN_LENGTH
  if (!is_complete && (length < page.limit || collection.document_count < length)) return null
  const document_bytes = Number(collection.bytes) / Math.max(1, collection.document_count)
  // Each comparison reads the document again.
  const read_bytes = document_bytes * length * (1 + countComparisons(filter))
  const keyed = name === null ? null : { field: name, keys: range?.keys ?? null }
  return { keyed, filter, length, is_complete, is_small: read_bytes <= SMALL_SCAN_BYTES }
}

/** The index of the first sort field; null means that of the ids, undefined that there is none. */
function indexFor([{ field }]: Sort, fields: KeyedFields): string | null | undefined {
  if ('system' in field) return field.system === 'id' ? null : undefined
  return keyedField(field.path, fields) ?? undefined
}

/** Counts the matching documents of all pages. */
export function countDocuments(
  db: Reader,
  request: Omit<ListRequest, 'limit' | 'sort' | 'after'>,
): Promise<number> {
  return store.countMatching(db, pageOf({ ...request, limit: 0 }))
}

export interface ListParameters {
  filter?: string | undefined
  sort?: string | undefined
  fields?: string | undefined
}

export interface ParsedList {
  filter: Filter | null
  sort: Sort
  /** The data fields to return; null means all. */
  fields: FieldPath[] | null
  /** All data fields that the parameters use, for requireKnownFields(). */
  fieldUses: readonly FieldUse[]
}

/** Parses filter, sort and fields. Throws a 400 Problem with the position of a syntax error. */
export function parseList(
  { filter: text, sort, fields }: ListParameters,
  moment: FilterTime,
): ParsedList {
  const fieldUses: FieldUse[] = []
  const shown = parseFields(fields, fieldUses)
  const filter =
    text === undefined ? null : parseFilter({ text, parameter: 'filter', moment, fieldUses })
  const order = parseSort({ text: sort, parameter: 'sort', fieldUses })
  return { filter, sort: withoutConstants(order, filter), fields: shown, fieldUses }
}

/** Removes sort fields that the filter fixes to one value, because they do not affect the order. */
function withoutConstants(sort: Sort, filter: Filter | null): Sort {
  const parts = filter?.is === 'and' ? filter.parts : filter ? [filter] : []
  const constant = new Set<string>()
  for (const part of parts) {
    if (part.is !== 'equal' || 'system' in part.field || !('value' in part.literal)) continue
    if (part.literal.value !== null) constant.add(writeFieldPath(part.field.path))
  }
  const deciding = sort.filter(
    ({ field }) => 'system' in field || !constant.has(writeFieldPath(field.path)),
  )
  const [first, ...rest] = deciding
  return first ? [first, ...rest] : [{ ...newestFirst[0], descending: idDescends(sort) }]
}
