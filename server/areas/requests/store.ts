/** The SQL of the request log. */
import assert from 'node:assert/strict'
import { CompiledQuery, sql, type Selectable } from 'kysely'
import type { Database, Reader, Transaction } from '../../kernel/database/database.ts'
import type { RequestLogTable } from '../../kernel/database/tables.ts'

export type RequestRow = Selectable<RequestLogTable>
export type ListedRow = RequestRow & { actor_name: string | null }

/** Uses of keys nearer than this to the last recorded one are not written. */
const USE_PRECISION_S = 60

const columnTypes: Record<keyof RequestRow, string> = {
  project_id: 'uuid',
  id: 'uuid',
  created_at: 'timestamptz',
  entry_point: 'text',
  mode: 'text',
  method: 'text',
  path: 'text',
  message: 'text',
  tool: 'text',
  operation: 'text',
  status: 'smallint',
  error: 'text',
  actor_kind: 'text',
  actor_id: 'uuid',
  request_id: 'text',
  duration_ms: 'integer',
  source: 'text',
}
const columns = Object.keys(columnTypes) as (keyof RequestRow)[]
const columnNames = columns.join(', ')

/** An array for each column, because a JSON record costs PostgreSQL ten times as much. */
const insertText = `with logged as (
    select r.* from unnest(${Object.values(columnTypes)
      .map((type, at) => `$${at + 1}::${type}[]`)
      .join(', ')}) as r (${columnNames})
    join projects as p on p.id = r.project_id
  ), used as (
    update api_keys as k set last_used_at = u.at
    from (
      select c.id, l.at
      from api_keys as c join (
        select actor_id, max(created_at) as at from logged
        where actor_kind = 'api_key' group by actor_id
      ) as l on l.actor_id = c.id
      where c.last_used_at is null
        or c.last_used_at < l.at - make_interval(secs => ${USE_PRECISION_S})
      -- Another process that records the same key may hold its row.
      for no key update of c skip locked
    ) as u
    where k.id = u.id
  )
  insert into request_log (${columnNames}) select ${columnNames} from logged`

/**
 * Inserts rows in one statement, which also records the last use of their keys. A row of a project
 * that was deleted meanwhile is left out.
 */
export async function insert(db: Database, rows: readonly RequestRow[]): Promise<void> {
  assert(db.writeAlone, 'The log is written outside of transactions.')
  const parameters = columns.map((column) => rows.map((row) => row[column]))
  await db.writeAlone(CompiledQuery.raw(insertText, parameters))
}

export interface RequestsWanted {
  project_id: string
  /** The smallest id that may be shown. */
  first: string
  count: number
  after: string | null
  statuses: readonly [number, number] | null
  from: Date | null
  to: Date | null
  /** Columns that must have these values. */
  equal: Partial<
    Pick<RequestRow, 'error' | 'entry_point' | 'mode' | 'actor_id' | 'operation' | 'request_id'>
  >
}

/** Newest first. Filters need no index, because a project has a bounded number of rows. */
export function list(db: Reader, wanted: RequestsWanted): Promise<ListedRow[]> {
  const { statuses, from, to, after, equal } = wanted
  return withNames(db, wanted.project_id)
    .where('r.id', '>=', wanted.first)
    .$if(after !== null, (query) => query.where('r.id', '<', after!))
    .$if(statuses !== null, (query) =>
      query.where('r.status', '>=', statuses![0]).where('r.status', '<', statuses![1]),
    )
    .$if(from !== null, (query) => query.where('r.created_at', '>=', from!))
    .$if(to !== null, (query) => query.where('r.created_at', '<', to!))
    .where((where) =>
      where.and(
        (Object.entries(equal) as [keyof typeof equal, string][]).map(([column, value]) =>
          where(`r.${column}`, '=', value),
        ),
      ),
    )
    .orderBy('r.id', 'desc')
    .limit(wanted.count)
    .execute()
}

export function find(
  db: Reader,
  { project_id, id, first }: { project_id: string; id: string; first: string },
): Promise<ListedRow | undefined> {
  return withNames(db, project_id)
    .where('r.id', '=', id)
    .where('r.id', '>=', first)
    .executeTakeFirst()
}

function withNames(db: Reader, project_id: string) {
  return db
    .selectFrom('request_log as r')
    .leftJoin('api_keys as k', (join) =>
      join
        .onRef('k.id', '=', 'r.actor_id')
        .onRef('k.project_id', '=', 'r.project_id')
        .on('r.actor_kind', '=', 'api_key'),
    )
    .leftJoin('connections as c', (join) =>
      join
        .onRef('c.project_id', '=', 'r.project_id')
        .onRef('c.id', '=', 'r.actor_id')
        .on('r.actor_kind', '=', 'connection'),
    )
    .leftJoin('people as p', (join) =>
      join.onRef('p.id', '=', 'r.actor_id').on('r.actor_kind', '=', 'person'),
    )
    .selectAll('r')
    .select(sql<string | null>`coalesce(k.name, c.client_name, p.email)`.as('actor_name'))
    .where('r.project_id', '=', project_id)
}

/** A project, and the last id of its entries to delete; null if there is none. */
export interface Excess {
  project_id: string
  last: string | null
}

/** Returns the excess of the next projects after `after`. */
export async function findExcess(
  db: Reader,
  { after, first, kept_max, count }: ExcessSearch,
): Promise<Excess[]> {
  const { rows } = await sql<Excess>`
    select p.id as project_id, greatest(
      (select id from request_log where project_id = p.id order by id desc
        offset ${kept_max} limit 1),
      (select id from request_log where project_id = p.id and id < ${first} order by id desc
        limit 1)
    ) as last
    from projects as p where p.id > ${after} order by p.id limit ${count}`.execute(db)
  return rows
}

export interface ExcessSearch {
  after: string
  /** The smallest id that is young enough. */
  first: string
  kept_max: number
  count: number
}

/** Deletes up to `count` of the oldest entries up to the id `last`. Returns their number. */
export async function deleteUpTo(
  tx: Transaction,
  { project_id, last, count }: { project_id: string; last: string; count: number },
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from request_log where project_id = ${project_id} and id = any(array(
      select id from request_log where project_id = ${project_id} and id <= ${last}
      order by id limit ${count}))`.execute(tx)
  return Number(numAffectedRows)
}
