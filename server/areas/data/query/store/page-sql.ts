/**
 * The SQL of a page of documents. Two access paths: scan an index in page order up to a number of
 * entries, or read all matching documents and sort them. The statements leave the planner only one
 * plan, whatever the statistics: limits in subqueries, and lateral subqueries with `offset 0`.
 */
import { sql } from 'kysely'
import { Problem } from '../../../../contract/errors.ts'
import { readTogether, type Reader } from '../../../../kernel/database/database.ts'
import {
  foundColumns,
  type FoundDocument,
  type CollectionScope,
} from '../../documents/document-store.ts'
import { sortKey } from '../../sort-key.ts'
import { countComparisons, type Filter } from '../filter/filter.ts'
import type { KeyRange, Keys } from '../key-ranges.ts'
import { idDescends, type SortPosition, type Sort } from '../sort.ts'
import { readCostly } from './costly-read.ts'
import { filterSql } from './filter-sql.ts'
import { searchSql, type SearchPatterns } from './search-sql.ts'
import { afterPositionSql, orderSql, sortDirection } from './sort-sql.ts'
import type { Sql } from './value-sql.ts'

/** A selection of documents. */
export interface Matching extends CollectionScope {
  filter: Filter | null
  search: SearchPatterns | null
  /** Zone in which days begin and local times are read. */
  timezone: string
}

/** A selection with the order and limit of a page. */
export interface PageSelection extends Matching {
  sort: Sort
  after: SortPosition | null
  limit: number
}

const columns = sql.raw(foundColumns)

/**
 * Reads and sorts all matching documents. Of those, index entries within every range of `ranges`
 * select the documents to read; none means the whole collection.
 */
export async function readMatching(
  db: Reader,
  page: PageSelection,
  ranges: readonly KeyRange[],
): Promise<FoundDocument[]> {
  const { from, order } = orderSql(page.sort)
  const entries = ranges.map(
    (range) => sql`select k.document_id from document_keys as k where ${hasKeys(page, range)}`,
  )
  const keyed = sql`(select document_id from (${sql.join(entries, sql` intersect `)}) as k
    offset 0) as k cross join`
  const query = sql<FoundDocument>`
    select ${columns} from ${ranges.length > 0 ? keyed : sql``} lateral (
      select d.* from documents as d
      where ${matchesSql(page)} and ${isAfter(page)}
        and ${ranges.length > 0 ? sql`d.id = k.document_id` : sql`true`} offset 0
    ) as d ${from}
    order by ${order} limit ${sql.lit(page.limit)}
  `
  if (!ranges.some(({ is_few }) => is_few)) return readCostly(db, page.project_id, query)
  const { rows } = await query.execute(db)
  return rows
}

/** Longest quick index scan: 501 entries with at most four comparisons take a few milliseconds. */
const QUICK_MAX = 501
const QUICK_COMPARISONS_MAX = 4

function isQuick({ search, filter }: PageSelection, length: number): boolean {
  const is_short = search === null && length <= QUICK_MAX
  return is_short && countComparisons(filter) <= QUICK_COMPARISONS_MAX
}

export interface OrderedScan {
  /** The field whose index is scanned, and the key range of the filter for it; null means the id. */
  keyed: KeyScan | null
  /** Maximum number of index entries. */
  length: number
  /** Whether every entry is on the page, so fewer documents than the limit are the end of the list. */
  is_complete: boolean
  /** Whether it reads so little that it may share a round trip with others. */
  is_small: boolean
}

interface KeyScan {
  field: string
  /** Null: all keys. */
  keys: Keys | null
}

/** Scans an index in the order of the page. May return fewer documents than match. */
export async function readInOrder(
  db: Reader,
  page: PageSelection,
  { keyed, length, is_small }: OrderedScan,
): Promise<FoundDocument[]> {
  const query = keyed ? inKeyOrder(page, keyed, length) : inIdOrder(page, length)
  if (!isQuick(page, length)) return readCostly(db, page.project_id, query)
  if (is_small) return readTogether(db, query.compile(db))
  return (await query.execute(db)).rows
}

const lowestId = '00000000-0000-0000-0000-000000000000'
const highestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/**
 * The order of ids is that of creation. The bounds on both sides make the planner expect many rows;
 * otherwise it would sort all.
 */
function inIdOrder(page: PageSelection, length: number): Sql<FoundDocument> {
  const { project_id, collection_id, after, sort } = page
  const descends = idDescends(sort)
  const turn = sortDirection(descends)
  const order = sql`d.project_id ${turn}, d.collection_id ${turn}, d.id ${turn}`
  const end = (id: string) => sql`(${project_id}::uuid, ${collection_id}::uuid, ${id}::uuid)`
  const low = !descends && after ? after.id : lowestId
  const high = descends && after ? after.id : highestId
  return sql<FoundDocument>`
    select ${columns} from (
      select d.* from documents as d
      where (d.project_id, d.collection_id, d.id) >= ${end(low)}
        and (d.project_id, d.collection_id, d.id) <= ${end(high)}
        and ${isNotLast(page, sql`d.id`)}
      order by ${order} limit ${sql.lit(length)}
    ) as d
    where ${matchesSql(page)}
    order by ${order} limit ${sql.lit(page.limit)}
  `
}

/** Excludes the last document of the previous page, which the bounds of a scan include. */
function isNotLast({ after }: PageSelection, id: Sql<unknown>): Sql<boolean> {
  return after === null ? sql`true` : sql`${id} <> ${after.id}::uuid`
}

/**
 * Keys sort as the values do, so the entries of a single sort field are in page order. Of several, it
 * includes all ties of the first, because the others order them.
 */
function inKeyOrder(page: PageSelection, scan: KeyScan, length: number): Sql<FoundDocument> {
  const [{ descending }, ...further] = page.sort
  const turn = sortDirection(descending)
  const documents = (selected: Sql<unknown>) => sql`cross join lateral (
        select ${selected} from documents as d
        where ${matchesSql(page)} and d.id = k.document_id and ${isAfter(page)} offset 0
      ) as d`
  const entries = sql`select k.collection_id, k.field, k.key, k.document_id from document_keys as k
        where ${isInScan(page, scan)} and ${isNotLast(page, sql`k.document_id`)}`
  const keyOrder = sql`k.collection_id ${turn}, k.field ${turn}, k.key ${turn}`
  if (further.length === 0) {
    const entryOrder = sql`${keyOrder}, k.document_id ${turn}`
    return sql<FoundDocument>`
      select d.* from (${entries} order by ${entryOrder} limit ${sql.lit(length)}) as k
      ${documents(columns)}
      order by ${entryOrder} limit ${sql.lit(page.limit)}
    `
  }
  const { from, order } = orderSql(page.sort)
  return sql<FoundDocument>`
    select ${columns} from (
      select d.* from (
        ${entries} order by ${keyOrder} fetch first (${sql.lit(length)}) rows with ties
      ) as k
      ${documents(sql`d.*`)}
      order by ${keyOrder} fetch first (${sql.lit(page.limit)}) rows with ties
    ) as d ${from}
    order by ${order} limit ${sql.lit(page.limit)}
  `
}

/** Bounds on both sides, for the reason given at inIdOrder. */
function isInScan(
  { collection_id, sort, after }: PageSelection,
  { field, keys }: KeyScan,
): Sql<boolean> {
  const [{ descending }] = sort
  const bounds = boundsOf(keys)
  const from = after && sortKey(after.values[0] ?? null)
  const low = from && !descending ? highestOf([from, bounds.low]) : bounds.low
  const high = from && descending ? lowestOf([from, bounds.high]) : bounds.high
  // With one sort field, the ids of equal keys are in page order too.
  const idAt = (key: Buffer, otherwise: string) =>
    after && sort.length === 1 && from?.equals(key) ? after.id : otherwise
  const end = (key: Buffer, id: string) =>
    sql`(${collection_id}::uuid, ${field}::text, ${key}::bytea, ${id}::uuid)`
  return sql`(k.collection_id, k.field, k.key, k.document_id)
      >= ${end(low, descending ? lowestId : idAt(low, lowestId))}
    and (k.collection_id, k.field, k.key, k.document_id)
      <= ${end(high, descending ? idAt(high, highestId) : highestId)}`
}

const everyKey = { low: Buffer.of(0x00), high: Buffer.of(0xff) }

function boundsOf(keys: Keys | null): { low: Buffer; high: Buffer } {
  if (keys === null) return everyKey
  return 'low' in keys ? keys : { low: lowestOf(keys.any), high: highestOf(keys.any) }
}

function lowestOf(keys: readonly Buffer[]): Buffer {
  return keys.toSorted(Buffer.compare)[0] ?? everyKey.low
}

function highestOf(keys: readonly Buffer[]): Buffer {
  return keys.toSorted(Buffer.compare).at(-1) ?? everyKey.high
}

/** Throws 400 for a time zone that Node knows and PostgreSQL does not. */
export async function readInTimezone<T>(timezone: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    const text = error instanceof Error ? error.message : ''
    if (!/^time zone ".*" not recognized$/.test(text)) throw error
    throw new Problem('invalid_parameter', `timezone ${timezone} is not known.`, { cause: error })
  }
}

export async function countMatching(db: Reader, wanted: Matching): Promise<number> {
  const query = sql<{ count: number }>`
    select count(*)::integer as count from documents as d where ${matchesSql(wanted)}
  `
  const rows = await readCostly(db, wanted.project_id, query)
  return rows[0]?.count ?? 0
}

/** Returns the condition that a document `d` matches. */
export function matchesSql(wanted: Matching): Sql<boolean> {
  const { project_id, collection_id, filter, search, timezone } = wanted
  const conditions = [
    sql`d.project_id = ${project_id} and d.collection_id = ${collection_id}`,
    ...(filter ? [filterSql(filter, timezone)] : []),
    ...(search ? [searchSql(search)] : []),
  ]
  return sql`(${sql.join(conditions, sql` and `)})`
}

function isAfter({ sort, after }: PageSelection): Sql<boolean> {
  return after === null ? sql`true` : afterPositionSql(sort, after)
}

function hasKeys(
  { collection_id }: CollectionScope,
  { field, keys }: Pick<KeyRange, 'field' | 'keys'>,
): Sql<boolean> {
  const within: Sql<boolean> =
    'any' in keys
      ? sql`k.key = any(${[...keys.any]}::bytea[])`
      : sql`k.key between ${keys.low}::bytea and ${keys.high}::bytea`
  return sql`k.collection_id = ${collection_id} and k.field = ${field} and ${within}`
}
