/**
 * The SQL of a page of documents. Two access paths: scan an index in page order up to a number of
 * entries, or read all matching documents and sort them. The statements leave the planner only one
 * plan, whatever the statistics: limits in subqueries, and lateral subqueries with `offset 0`.
 */
import { sql } from 'kysely'
import { Problem } from '../../../../contract/errors.ts'
import type { Reader } from '../../../../kernel/database/database.ts'
import {
  foundColumns,
  type FoundDocument,
  type CollectionScope,
} from '../../documents/document-store.ts'
import { sortKey } from '../../fields/sort-key.ts'
import { countComparisons, type Filter, type Scalar } from '../filter/filter.ts'
import type { KeyRange, Keys } from '../key-ranges.ts'
import { idDescends, type SortPosition, type Sort } from '../sort.ts'
import { readCostly } from './costly-read.ts'
import { filterSql } from './filter-sql.ts'
import { searchSql, type SearchPatterns } from './search-sql.ts'
import { afterPositionSql, sortDirection, orderSqlWithJoin, orderSql } from './sort-sql.ts'
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

/** Maximum number of index entries. A literal in the SQL, because the plan depends on it. */
export type ScanLength = 101 | 501 | 1001 | 10_001

const columns = sql.raw(foundColumns)

/** Reads and sorts all matching documents, or only those within `keys`. */
export async function readMatching(
  db: Reader,
  page: PageSelection,
  keys: KeyRange | null,
): Promise<FoundDocument[]> {
  const { from, order } = orderSqlWithJoin(page.sort)
  const keyed = sql`(
    select k.document_id from document_keys as k where ${keys ? hasKeys(page, keys) : sql`true`}
    offset 0) as k cross join`
  const query = sql<FoundDocument>`
    select ${columns} from ${keys ? keyed : sql``} lateral (
      select d.* from documents as d
      where ${matchesSql(page)} and ${isAfter(page)}
        and ${keys ? sql`d.id = k.document_id` : sql`true`} offset 0
    ) as d ${from}
    order by ${order} limit ${sql.lit(page.limit)}
  `
  if (!keys?.is_few) return readCostly(db, page.project_id, query)
  const { rows } = await query.execute(db)
  return rows
}

/** Counts documents within a key range, up to `most`. */
export async function countKeyed(
  db: Reader,
  place: CollectionScope,
  { keys, most }: { keys: KeyRange; most: number },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (
      select from document_keys as k where ${hasKeys(place, keys)} limit ${sql.lit(most)}
    ) as k
  `.execute(db)
  return rows[0]?.count ?? 0
}

/** Longest quick index scan: 501 entries with at most four comparisons take a few milliseconds. */
const QUICK_MAX = 501
const QUICK_COMPARISONS_MAX = 4

function isQuick({ search, filter }: PageSelection, length: ScanLength): boolean {
  const is_short = search === null && length <= QUICK_MAX
  return is_short && countComparisons(filter) <= QUICK_COMPARISONS_MAX
}

async function readScan(
  db: Reader,
  walk: Sql<FoundDocument>,
  { page, length }: { page: PageSelection; length: ScanLength },
): Promise<FoundDocument[]> {
  if (isQuick(page, length)) return (await walk.execute(db)).rows
  return readCostly(db, page.project_id, walk)
}

const lowestId = '00000000-0000-0000-0000-000000000000'
const highestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/**
 * Scans in id order, which is creation order. May return fewer documents than match. The bounds on
 * both sides make the planner expect many rows; otherwise it would sort all.
 */
export async function readInIdOrder(
  db: Reader,
  page: PageSelection,
  length: ScanLength,
): Promise<FoundDocument[]> {
  const { project_id, collection_id, after, sort } = page
  const descends = idDescends(sort)
  const turn = sortDirection(descends)
  const order = sql`d.project_id ${turn}, d.collection_id ${turn}, d.id ${turn}`
  const end = (id: string) => sql`(${project_id}::uuid, ${collection_id}::uuid, ${id}::uuid)`
  const low = !descends && after ? after.id : lowestId
  const high = descends && after ? after.id : highestId
  const walk = sql<FoundDocument>`
    select ${columns} from (
      select d.* from documents as d
      where (d.project_id, d.collection_id, d.id) >= ${end(low)}
        and (d.project_id, d.collection_id, d.id) <= ${end(high)}
        and ${after === null ? sql`true` : sql`d.id <> ${after.id}::uuid`}
      order by ${order} limit ${sql.lit(length)}
    ) as d
    where ${matchesSql(page)}
    order by ${order} limit ${sql.lit(page.limit)}
  `
  return readScan(db, walk, { page, length })
}

export interface KeyScan {
  field: string
  /** Key range of the filter for the same field; null if there is none. */
  keys: Keys | null
  length: ScanLength
}

/** Scans the index of a field in order. May return fewer documents than match. */
export async function readInKeyOrder(
  db: Reader,
  page: PageSelection,
  scan: KeyScan,
): Promise<FoundDocument[]> {
  return page.sort.length === 1 ? scanByOneField(db, page, scan) : scanByFirstField(db, page, scan)
}

async function scanByOneField(
  db: Reader,
  page: PageSelection,
  scan: KeyScan,
): Promise<FoundDocument[]> {
  const [{ descending }] = page.sort
  const turn = sortDirection(descending)
  const order = sql`k.collection_id ${turn}, k.field ${turn}, k.key ${turn}, k.document_id ${turn}`
  const sign = descending ? sql`<` : sql`>`
  const query = sql<FoundDocument>`
    select ${columns} from (
      select k.collection_id, k.field, k.key, k.document_id from document_keys as k
      where ${isInScan(page, scan)} and ${
        page.after === null
          ? sql`true`
          : sql`(k.key, k.document_id) ${sign}
              (${keyOf(page.after.values)}::bytea, ${page.after.id}::uuid)`
      }
      order by ${order} limit ${sql.lit(scan.length)}
    ) as k
    cross join lateral (
      select d.* from documents as d where ${matchesSql(page)} and d.id = k.document_id offset 0
    ) as d
    order by ${order} limit ${sql.lit(page.limit)}
  `
  return readScan(db, query, { page, length: scan.length })
}

function keyOf([value = null]: readonly Scalar[]): Buffer {
  return sortKey(value)
}

/** Includes all ties of the last first-field value, because further sort fields order them. */
async function scanByFirstField(
  db: Reader,
  page: PageSelection,
  scan: KeyScan,
): Promise<FoundDocument[]> {
  const [{ descending }] = page.sort
  const turn = sortDirection(descending)
  const order = sql`k.collection_id ${turn}, k.field ${turn}, k.key ${turn}`
  const query = sql<FoundDocument>`
    select ${columns} from (
      select d.* from (
        select k.collection_id, k.field, k.key, k.document_id from document_keys as k
        where ${isInScan(page, scan)}
        order by ${order} fetch first (${sql.lit(scan.length)}) rows with ties
      ) as k
      cross join lateral (
        select d.* from documents as d
        where ${matchesSql(page)} and d.id = k.document_id and ${isAfter(page)} offset 0
      ) as d
      order by ${order} fetch first (${sql.lit(page.limit)}) rows with ties
    ) as d
    order by ${orderSql(page.sort)} limit ${sql.lit(page.limit)}
  `
  return readScan(db, query, { page, length: scan.length })
}

/** Bounds on both sides, for the reason given at readInIdOrder. */
function isInScan(
  { collection_id, sort, after }: PageSelection,
  { field, keys }: KeyScan,
): Sql<boolean> {
  const [{ descending }] = sort
  const bounds = boundsOf(keys)
  const from = after && keyOf(after.values)
  const low = from && !descending ? highestOf([from, bounds.low]) : bounds.low
  const high = from && descending ? lowestOf([from, bounds.high]) : bounds.high
  const end = (key: Buffer, id: string) =>
    sql`(${collection_id}::uuid, ${field}::text, ${key}::bytea, ${id}::uuid)`
  return sql`(k.collection_id, k.field, k.key, k.document_id) >= ${end(low, lowestId)}
    and (k.collection_id, k.field, k.key, k.document_id) <= ${end(high, highestId)}`
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
