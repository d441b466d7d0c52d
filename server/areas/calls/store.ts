/** The SQL of calls. */
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import { limits } from '../../contract/limits.ts'
import { readCostly } from '../../kernel/database/costly-read.ts'
import type { Reader, Transaction } from '../../kernel/database/database.ts'
import type { CallsTable } from '../../kernel/database/tables.ts'
import { firstIdAt } from '../../kernel/values/ids.ts'

export type CallRow = Selectable<CallsTable>
export type ListedCall = Omit<
  CallRow,
  | 'project_id'
  | 'number_id'
  | 'language'
  | 'path'
  | 'transcript'
  | 'wants_summary'
  | 'summary'
  | 'instructions'
  | 'carrier_id'
>

export async function insert(tx: Transaction, row: Insertable<CallsTable>): Promise<void> {
  await tx.insertInto('calls').values(row).execute()
}

export function find(db: Reader, project_id: string, id: string): Promise<CallRow | undefined> {
  return db
    .selectFrom('calls')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .executeTakeFirst()
}

export interface CallsPage {
  project_id: string
  count: number
  after: string | null
  /** Values that calls must have. */
  equal: Partial<Pick<CallRow, 'number_id' | 'direction' | 'status' | 'test'>> & {
    from?: string
    to?: string
  }
  since: string | undefined
  until: string | undefined
  /** Words that the transcript or summary must contain. */
  words: readonly string[]
}

/** Identifies a call. */
export interface CallKey {
  project_id: string
  id: string
}

/** Returns the calls in the order of the ids; undefined for a missing one. */
export async function findMany(
  db: Reader,
  keys: readonly CallKey[],
): Promise<(CallRow | undefined)[]> {
  return inOrder(keys, await amongKeys(db, keys).selectAll('calls').execute())
}

/** Like `findMany`, without the columns that lists omit. */
export async function findListed(
  db: Reader,
  keys: readonly CallKey[],
): Promise<(ListedCall | undefined)[]> {
  return inOrder(
    keys,
    await amongKeys(db, keys)
      .select([...listedColumns, 'calls.project_id'])
      .execute(),
  )
}

function amongKeys(db: Reader, keys: readonly CallKey[]) {
  const projects = keys.map(({ project_id }) => project_id)
  const ids = keys.map(({ id }) => id)
  return db
    .selectFrom('calls')
    .innerJoin(
      sql<CallKey>`unnest(${projects}::uuid[], ${ids}::uuid[])`.as<'key'>(
        sql`key (project_id, id)`,
      ),
      (join) =>
        join.onRef('key.project_id', '=', 'calls.project_id').onRef('key.id', '=', 'calls.id'),
    )
}

function inOrder<Row extends CallKey>(keys: readonly CallKey[], rows: readonly Row[]) {
  const name = ({ project_id, id }: CallKey) => `${project_id} ${id}`
  const found = new Map(rows.map((row) => [name(row), row]))
  return keys.map((key) => found.get(name(key)))
}

const listedColumns = [
  'calls.id',
  'calls.direction',
  'calls.from_number',
  'calls.to_number',
  'calls.status',
  'calls.purpose',
  'calls.created_at',
  'calls.started_at',
  'calls.answered_at',
  'calls.ended_at',
  'calls.hangup_cause',
  'calls.hangup_by',
  'calls.summary_ready_at',
  'calls.test',
] as const

/**
 * Newest first, without transcripts, which lists omit. A search or filter throws `StatementTimeout` after
 * `call_search_s_max`.
 */
export function list(db: Reader, page: CallsPage): Promise<ListedCall[]> {
  const { project_id, after, count, words } = page
  const has_filter = Object.values(page.equal).some((value) => value !== undefined)
  const is_search = words.length > 0
  const chosen = is_search ? selectSearched(db, page) : selectFiltered(db, page)
  const query = chosen
    .select(listedColumns)
    .$if(after !== null, (query) => query.where('calls.id', '<', after!))
    .orderBy('calls.id', 'desc')
    .limit(count)
  if (!is_search && !has_filter) return query.execute()
  const timeout_ms = limits.call_search_s_max * 1000
  return readCostly(db, { project_id, query: query.compile(), timeout_ms })
}

function selectFiltered(db: Reader, { project_id, equal, since, until }: CallsPage) {
  const { number_id, direction, status, test, from, to } = equal
  const firstId = (time: string) => firstIdAt(Date.parse(time))
  return (
    db
      .selectFrom('calls')
      .where('calls.project_id', '=', project_id)
      .$if(number_id !== undefined, (query) => query.where('calls.number_id', '=', number_id!))
      .$if(direction !== undefined, (query) => query.where('calls.direction', '=', direction!))
      .$if(status !== undefined, (query) => query.where('calls.status', '=', status!))
      .$if(test !== undefined, (query) => query.where('calls.test', '=', test!))
      .$if(from !== undefined, (query) => query.where('calls.from_number', '=', from!))
      .$if(to !== undefined, (query) => query.where('calls.to_number', '=', to!))
      // Calls have the time of their record in their id.
      .$if(since !== undefined, (query) => query.where('calls.id', '>=', firstId(since!)))
      .$if(until !== undefined, (query) => query.where('calls.id', '<', firstId(until!)))
  )
}

/** The newest of the filtered calls whose transcript or summary contains all words. */
function selectSearched(db: Reader, page: CallsPage) {
  const newest = selectFiltered(db, page)
    .selectAll('calls')
    .orderBy('calls.id', 'desc')
    .limit(limits.call_search_calls_max)
  const patterns = page.words.map((word) => `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`)
  return db.selectFrom(newest.as('calls')).where(
    sql<boolean>`concat(calls.summary ->> 'text', ' ', (
      select string_agg(line ->> 'text', ' ') from jsonb_array_elements(calls.transcript) as line
    )) ilike all (${patterns}::text[])`,
  )
}

/** Deletes an ended call and its messages. Returns false if there is none. */
export async function remove(tx: Transaction, { project_id, id }: CallKey): Promise<boolean> {
  const result = await tx
    .deleteFrom('calls')
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .where('ended_at', 'is not', null)
    .executeTakeFirst()
  return result.numDeletedRows === 1n
}

export function lock(tx: Transaction, { project_id, id }: CallKey): Promise<CallRow | undefined> {
  return tx
    .selectFrom('calls')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export async function change(
  tx: Transaction,
  { project_id, id }: CallKey,
  changes: Updateable<CallsTable>,
): Promise<void> {
  await tx
    .updateTable('calls')
    .set(changes)
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .execute()
}

/** Whether a call that came in was taken before. */
export async function isKnownAtCarrier(db: Reader, carrier_id: string): Promise<boolean> {
  const row = await db
    .selectFrom('calls')
    .select('id')
    .where('carrier_id', '=', carrier_id)
    .executeTakeFirst()
  return row !== undefined
}

/** The number of running calls of a direction. */
export async function countRunning(
  db: Reader,
  { project_id, direction, test }: Pick<CallRow, 'project_id' | 'direction' | 'test'>,
): Promise<number> {
  const { calls } = await db
    .selectFrom('live_calls')
    .innerJoin('calls', (join) =>
      join
        .onRef('calls.project_id', '=', 'live_calls.project_id')
        .onRef('calls.id', '=', 'live_calls.call_id'),
    )
    .select(({ fn }) => fn.countAll<string>().as('calls'))
    .where('live_calls.project_id', '=', project_id)
    .where('calls.direction', '=', direction)
    .where('calls.test', '=', test)
    .executeTakeFirstOrThrow()
  return Number(calls)
}

/** Deletes the summary, and prevents another one. Returns false if there is no call. */
export async function removeSummary(
  tx: Transaction,
  { project_id, id }: CallKey,
): Promise<boolean> {
  const result = await tx
    .updateTable('calls')
    .set({ summary: null, summary_ready_at: null, wants_summary: false })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

export interface NewSummary {
  project_id: string
  id: string
  summary: string
  now: Date
}

/** Stores the summary of a call that has none. Returns false if it has one or was deleted. */
export async function storeSummary(
  tx: Transaction,
  { project_id, id, summary, now }: NewSummary,
): Promise<boolean> {
  const result = await tx
    .updateTable('calls')
    .set({ summary, summary_ready_at: now })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .where('wants_summary', '=', true)
    .where('summary_ready_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}
