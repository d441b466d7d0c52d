/**
 * The ways to a page of documents. Each is written so that PostgreSQL has one plan for it, whatever
 * it knows of the data and however often the statement was prepared: a walk has its limit within,
 * and a document is looked up by its key in a lateral query that cannot be joined another way.
 */
import { sql } from 'kysely'
import { Problem } from '../../../../contract/errors.ts'
import { readTogether, type Reader } from '../../../../kernel/database/database.ts'
import { foundColumns, type FoundDocument, type Place } from '../../document-store.ts'
import { sortKey } from '../../sort-key.ts'
import { countComparisons, type Filter, type Scalar } from '../filter.ts'
import type { Keys, Narrowing } from '../narrow.ts'
import { idDescends, type Position, type Sort } from '../sort.ts'
import { readCostly } from './costly-read.ts'
import { filterSql } from './filter-sql.ts'
import { searchSql, type Search } from './search-sql.ts'
import { afterSql, direction, orderOfMany, orderSql } from './sort-sql.ts'
import type { Sql } from './value-sql.ts'

/** Which documents are meant. */
export interface Wanted extends Place {
  filter: Filter | null
  search: Search | null
  /** Where days begin and times without a zone are read. */
  timezone: string
}

/** Which of them make a page. */
export interface Page extends Wanted {
  sort: Sort
  after: Position | null
  limit: number
}

/** How many entries a walk looks at, as part of the statement: a parameter would hide it. */
export type WalkLength = 101 | 201 | 501 | 1001 | 10_001

const columns = sql.raw(foundColumns)

/** All documents are looked at and the first ones kept. */
export async function readByScan(db: Reader, page: Page): Promise<FoundDocument[]> {
  const { from, order } = orderOfMany(page.sort)
  const query = sql<FoundDocument>`
    select ${columns} from documents as d ${from}
    where ${isWanted(page)} and ${isAfter(page)}
    order by ${order} limit ${sql.lit(page.limit)}
  `
  return readCostly(db, page.project_id, query)
}

/** The documents with some keys are looked at and the first ones kept. */
export async function readNarrowed(
  db: Reader,
  page: Page,
  narrowing: Narrowing,
): Promise<FoundDocument[]> {
  const { from, order } = orderOfMany(page.sort)
  const query = sql<FoundDocument>`
    select ${columns} from (
      select k.document_id from document_keys as k where ${hasKeys(page, narrowing)} offset 0
    ) as k
    cross join lateral (
      select d.* from documents as d
      where ${isWanted(page)} and d.id = k.document_id and ${isAfter(page)} offset 0
    ) as d ${from}
    order by ${order} limit ${sql.lit(page.limit)}
  `
  if (!narrowing.is_few) return readCostly(db, page.project_id, query)
  const { rows } = await query.execute(db)
  return rows
}

/** How many documents have these keys, counted up to `most`. */
export async function countNarrowed(
  db: Reader,
  place: Place,
  { narrowing, most }: { narrowing: Narrowing; most: number },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (
      select from document_keys as k where ${hasKeys(place, narrowing)} limit ${sql.lit(most)}
    ) as k
  `.execute(db)
  return rows[0]?.count ?? 0
}

/**
 * Longest index scan that counts as quick: 501 entries with at most 4 comparisons each take a few
 * ms.
 */
const QUICK_MAX = 501
const QUICK_COMPARISONS_MAX = 4

function isQuick({ search, filter }: Page, length: WalkLength): boolean {
  const is_short = search === null && length <= QUICK_MAX
  return is_short && countComparisons(filter) <= QUICK_COMPARISONS_MAX
}

/** Quick walks travel together: what they wait for is PostgreSQL being woken, not its work. */
async function readWalk(
  db: Reader,
  walk: Sql<FoundDocument>,
  { page, length }: { page: Page; length: WalkLength },
): Promise<FoundDocument[]> {
  if (isQuick(page, length)) return readTogether(db, walk.compile(db))
  return readCostly(db, page.project_id, walk)
}

const lowestId = '00000000-0000-0000-0000-000000000000'
const highestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/**
 * Goes along the ids, which is the order of creation. Its rows are the next ones, maybe not all.
 * Where to walk is said by both ends, which PostgreSQL takes for many rows: if it thought that the
 * collection has few, it would read and sort all of them.
 */
export async function readAlongIds(
  db: Reader,
  page: Page,
  length: WalkLength,
): Promise<FoundDocument[]> {
  const { project_id, collection_id, after, sort } = page
  const descends = idDescends(sort)
  const turn = direction(descends)
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
    where ${isWanted(page)}
    order by ${order} limit ${sql.lit(page.limit)}
  `
  return readWalk(db, walk, { page, length })
}

export interface KeyWalk {
  field: string
  /** What the filter says of the same field, if anything. */
  keys: Keys | null
  length: WalkLength
}

/** Goes along the keys of the field to sort by. Its rows are the next ones, maybe not all. */
export async function readAlongKeys(
  db: Reader,
  page: Page,
  walk: KeyWalk,
): Promise<FoundDocument[]> {
  return page.sort.length === 1 ? alongOneField(db, page, walk) : alongFirstField(db, page, walk)
}

async function alongOneField(db: Reader, page: Page, walk: KeyWalk): Promise<FoundDocument[]> {
  const [{ descending }] = page.sort
  const turn = direction(descending)
  const order = sql`k.collection_id ${turn}, k.field ${turn}, k.key ${turn}, k.document_id ${turn}`
  const sign = descending ? sql`<` : sql`>`
  const query = sql<FoundDocument>`
    select ${columns} from (
      select k.collection_id, k.field, k.key, k.document_id from document_keys as k
      where ${isOnWalk(page, walk)} and ${
        page.after === null
          ? sql`true`
          : sql`(k.key, k.document_id) ${sign}
              (${keyOf(page.after.values)}::bytea, ${page.after.id}::uuid)`
      }
      order by ${order} limit ${sql.lit(walk.length)}
    ) as k
    cross join lateral (
      select d.* from documents as d where ${isWanted(page)} and d.id = k.document_id offset 0
    ) as d
    order by ${order} limit ${sql.lit(page.limit)}
  `
  return readWalk(db, query, { page, length: walk.length })
}

function keyOf([value = null]: readonly Scalar[]): Buffer {
  return sortKey(value)
}

/**
 * With more fields to sort by, all documents whose first field is the same as that of the last one
 * are taken along, and the further fields decide among them.
 */
async function alongFirstField(db: Reader, page: Page, walk: KeyWalk): Promise<FoundDocument[]> {
  const [{ descending }] = page.sort
  const turn = direction(descending)
  const order = sql`k.collection_id ${turn}, k.field ${turn}, k.key ${turn}`
  const query = sql<FoundDocument>`
    select ${columns} from (
      select d.* from (
        select k.collection_id, k.field, k.key, k.document_id from document_keys as k
        where ${isOnWalk(page, walk)}
        order by ${order} fetch first (${sql.lit(walk.length)}) rows with ties
      ) as k
      cross join lateral (
        select d.* from documents as d
        where ${isWanted(page)} and d.id = k.document_id and ${isAfter(page)} offset 0
      ) as d
      order by ${order} fetch first (${sql.lit(page.limit)}) rows with ties
    ) as d
    order by ${orderSql(page.sort)} limit ${sql.lit(page.limit)}
  `
  return readWalk(db, query, { page, length: walk.length })
}

/** Between the lowest and the highest key, both ends said as those of readAlongIds are. */
function isOnWalk({ collection_id, sort, after }: Page, { field, keys }: KeyWalk): Sql<boolean> {
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

/**
 * Runs a reading that names a time zone. Node and PostgreSQL each have a list of them, and one that
 * only Node knows is the request's fault and not the service's.
 */
export async function readAlike<T>(timezone: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    const text = error instanceof Error ? error.message : ''
    if (!/^time zone ".*" not recognized$/.test(text)) throw error
    throw new Problem('invalid_parameter', `timezone ${timezone} is not known.`, { cause: error })
  }
}

export async function countWanted(db: Reader, wanted: Wanted): Promise<number> {
  const query = sql<{ count: number }>`
    select count(*)::integer as count from documents as d where ${isWanted(wanted)}
  `
  const rows = await readCostly(db, wanted.project_id, query)
  return rows[0]?.count ?? 0
}

/** Whether a document `d` is one that is meant. */
export function isWanted(wanted: Wanted): Sql<boolean> {
  const { project_id, collection_id, filter, search, timezone } = wanted
  const conditions = [
    sql`d.project_id = ${project_id} and d.collection_id = ${collection_id}`,
    ...(filter ? [filterSql(filter, timezone)] : []),
    ...(search ? [searchSql(search)] : []),
  ]
  return sql`(${sql.join(conditions, sql` and `)})`
}

function isAfter({ sort, after }: Page): Sql<boolean> {
  return after === null ? sql`true` : afterSql(sort, after)
}

/** The collection is one of the project's, and its documents are looked up by both. */
function hasKeys(
  { collection_id }: Place,
  { field, keys }: Pick<Narrowing, 'field' | 'keys'>,
): Sql<boolean> {
  const within: Sql<boolean> =
    'any' in keys
      ? sql`k.key = any(${[...keys.any]}::bytea[])`
      : sql`k.key between ${keys.low}::bytea and ${keys.high}::bytea`
  return sql`k.collection_id = ${collection_id} and k.field = ${field} and ${within}`
}
