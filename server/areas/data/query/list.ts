/**
 * A page of documents: filtered, searched, sorted, after a place. Where the first field to sort by
 * has keys, the documents are walked in its order; where the filter names a field with keys, only
 * those that have them are read; and only what neither way finishes looks at the whole collection.
 */
import type { Reader } from '../../../kernel/database/database.ts'
import type { FoundDocument } from '../document-store.ts'
import { writeFieldPath, type FieldPath } from '../field-path.ts'
import type { CollectionRow } from '../store.ts'
import { parseFields } from './fields.ts'
import type { Filter, Moment } from './filter.ts'
import { parseFilter } from './filter-grammar.ts'
import type { Mention } from './mention.ts'
import { besidesKeys, keyedField, narrowingsOf, type Narrowing } from './narrow.ts'
import { idDescends, newestFirst, parseSort, type Position, type Sort } from './sort.ts'
import * as store from './store/page-sql.ts'
import type { Search } from './store/search-sql.ts'

export interface ListRequest {
  collection: Pick<CollectionRow, 'project_id' | 'id' | 'indexes' | 'unique_fields'> & {
    document_count: number
  }
  filter?: Filter | null
  search?: Search | null
  sort?: Sort
  /** The place after which the page begins: positionOf() the last document of the one before. */
  after?: Position | null
  /** At most 10,000. */
  limit: number
  /** Where times of the data without a zone are read; UTC when left out. */
  timezone?: string
}

/** Documents in order, at most `limit`; fewer only when there are no more. */
export async function listDocuments(db: Reader, request: ListRequest): Promise<FoundDocument[]> {
  const page = pageOf(request)
  const narrowings = narrowingsOf(page.filter, request.collection)
  const few = narrowings.find(({ is_few }) => is_few)
  if (few) return store.readNarrowed(db, page, few)
  const walked = await walk(db, page, { request, narrowings })
  if (walked && walked.length >= page.limit) return walked
  const narrow = await narrowest(db, page, narrowings)
  return narrow ? store.readNarrowed(db, page, narrow) : store.readByScan(db, page)
}

function pageOf(request: ListRequest): store.Page {
  const { collection, filter = null, search = null, after = null, limit } = request
  const { sort = newestFirst, timezone = 'UTC' } = request
  const place = { project_id: collection.project_id, collection_id: collection.id }
  return { ...place, filter, search, timezone, sort, after, limit }
}

// To look at more in order costs as much as to look at all of them in any.
const WALK_MATCHING_MAX = 501
// With values to narrow by at hand, few matches are found that way sooner than on a long walk.
const WALK_NARROWABLE_MAX = 201
const SHORT_PAGE_MAX = 50
/** A smaller collection is read in one go. */
const WALKED_MIN = 101
const walkLengths: readonly store.WalkLength[] = [WALKED_MIN, 501, 1001, 10_001]

interface Walking {
  request: ListRequest
  narrowings: readonly Narrowing[]
}

/** What a walk along the order finds of the page; null where none would find all of it. */
async function walk(
  db: Reader,
  page: store.Page,
  { request, narrowings }: Walking,
): Promise<FoundDocument[] | null> {
  const [{ field }] = page.sort
  const matches_all = page.filter === null && page.search === null
  const length = matches_all ? lengthFor(page.limit) : matchingLength(page, narrowings)
  // What is not longer than the walk is read in one go, and a walk shorter than the page cannot fill it.
  if (length < page.limit || request.collection.document_count < length) return null
  if ('system' in field) {
    if (field.system !== 'id') return null
    return store.readAlongIds(db, page, length)
  }
  const name = keyedField(field.path, request.collection)
  if (name === null) return null
  const narrowing = narrowings.find((one) => one.field === name)
  const left = narrowing ? { ...page, filter: besidesKeys(page.filter, narrowing) } : page
  const keys = narrowing?.keys ?? null
  return store.readAlongKeys(db, left, { field: name, keys, length })
}

function matchingLength(page: store.Page, narrowings: readonly Narrowing[]): store.WalkLength {
  const is_narrowable = narrowings.some(({ keys }) => 'any' in keys)
  return is_narrowable && page.limit <= SHORT_PAGE_MAX ? WALK_NARROWABLE_MAX : WALK_MATCHING_MAX
}

function lengthFor(limit: number): store.WalkLength {
  return walkLengths.find((length) => length >= limit) ?? 10_001
}

const NARROWED_MAX = 2_000

/** The narrowing with the fewest documents, if they are clearly fewer than all. */
async function narrowest(
  db: Reader,
  page: store.Page,
  narrowings: readonly Narrowing[],
): Promise<Narrowing | null> {
  let best: { narrowing: Narrowing; count: number } | null = null
  for (const narrowing of narrowings) {
    const most: number = best?.count ?? NARROWED_MAX
    const count = await store.countNarrowed(db, page, { narrowing, most })
    if (count < most) best = { narrowing, count }
  }
  return best?.narrowing ?? null
}

/** How many documents match, all pages together. */
export function countDocuments(
  db: Reader,
  request: Omit<ListRequest, 'limit' | 'sort' | 'after'>,
): Promise<number> {
  return store.countWanted(db, pageOf({ ...request, limit: 0 }))
}

export interface Asked {
  filter?: string | undefined
  sort?: string | undefined
  fields?: string | undefined
}

export interface ReadAsked {
  filter: Filter | null
  sort: Sort
  /** The only fields of the data to show; null for all of them. */
  fields: FieldPath[] | null
  /** Every field of the data that is named, for requireKnownFields(). */
  mentions: readonly Mention[]
}

/** Parses filter, sort and fields. Throws a 400 Problem with the position of a syntax error. */
export function readAsked({ filter: text, sort, fields }: Asked, moment: Moment): ReadAsked {
  const mentions: Mention[] = []
  const shown = parseFields(fields, mentions)
  const filter =
    text === undefined ? null : parseFilter({ text, parameter: 'filter', moment, mentions })
  const order = parseSort({ text: sort, parameter: 'sort', mentions })
  return { filter, sort: withoutConstants(order, filter), fields: shown, mentions }
}

/** A field that the filter gives one value does not decide anything in the order. */
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
