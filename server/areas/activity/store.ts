/** The SQL of the activity. */
import assert from 'node:assert/strict'
import { sql, type CompiledQuery, type Selectable } from 'kysely'
import { limits } from '../../contract/limits.ts'
import { OPERATORS, readCostly } from '../../kernel/database/costly-read.ts'
import type { Database, Reader, Transaction } from '../../kernel/database/database.ts'
import type { ActivityTable } from '../../kernel/database/tables.ts'

export type ActivityRow = Selectable<ActivityTable>
export type ListedRow = ActivityRow & { actor_name: string | null }

/**
 * Inserts a row as the last statement of a transaction. The name of a record that the caller does not
 * know, such as of a deleted one, is that of its newest entry.
 */
export function insertQuery(db: Reader, row: ActivityRow): CompiledQuery {
  const { project_id, id, created_at, entry_point, mode, actor_kind, actor_id } = row
  const { operation, resource_type, resource_id, resource_name, request_id, note, error } = row
  const { address, input, before, after } = row
  return sql`
    insert into activity (project_id, id, created_at, entry_point, mode, actor_kind, actor_id,
      operation, resource_type, resource_id, changes, request_id, note, error, address, input,
      before, after, resource_name)
    values (${project_id}, ${id}, ${created_at}, ${entry_point}, ${mode}, ${actor_kind},
      ${actor_id}, ${operation}, ${resource_type}, ${resource_id}, 1, ${request_id}, ${note},
      ${error}, ${address}, ${jsonOf(input)}, ${jsonOf(before)}, ${jsonOf(after)},
      coalesce(${resource_name}::text, (
        select earlier.resource_name from activity as earlier
        where earlier.project_id = ${project_id} and earlier.resource_id = ${resource_id}
          and earlier.resource_type = ${resource_type} and earlier.resource_name is not null
        order by earlier.id desc limit 1)))`.compile(db)
}

function jsonOf(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value)
}

export type Completion = Pick<
  ActivityRow,
  'project_id' | 'id' | 'resource_id' | 'resource_name' | 'error'
>

/** Adds what is known only after the transaction of the change. */
export function completeQuery(db: Reader, row: Completion): CompiledQuery {
  const { project_id, id, resource_id, resource_name, error } = row
  return sql`update activity set resource_id = ${resource_id}, error = ${error},
      resource_name = coalesce(${resource_name}, resource_name)
    where project_id = ${project_id} and id = ${id}`.compile(db)
}

/** Inserts rows in one statement. A row of a project that was deleted meanwhile is left out. */
export async function insert(db: Database, rows: readonly ActivityRow[]): Promise<void> {
  assert(db.writeAlone, 'Counted changes are written outside of transactions.')
  await db.writeAlone(
    sql`insert into activity select a.*
      from jsonb_populate_recordset(null::activity, ${JSON.stringify(rows)}::jsonb) as a
        join projects as p on p.id = a.project_id`.compile(db),
  )
}

type Filters = Partial<
  Pick<
    ActivityRow,
    | 'actor_id'
    | 'actor_kind'
    | 'entry_point'
    | 'operation'
    | 'resource_type'
    | 'resource_id'
    | 'request_id'
  >
>

export interface ActivityWanted {
  project_id: string
  /** The smallest id that may be shown. */
  first: string
  count: number
  after: string | null
  from: Date | null
  to: Date | null
  /** Entries in this mode, and those without a mode. */
  mode: 'live' | 'test' | null
  /** Columns that must have these values. */
  equal: Filters
}

/** Newest first. A project has a bounded number of rows. */
export function list(db: Reader, wanted: ActivityWanted): Promise<ListedRow[]> {
  const { from, to, after, mode, equal } = wanted
  return withNames(db, wanted.project_id)
    .where('a.id', '>=', wanted.first)
    .$if(after !== null, (query) => query.where('a.id', '<', after!))
    .$if(from !== null, (query) => query.where('a.created_at', '>=', from!))
    .$if(to !== null, (query) => query.where('a.created_at', '<', to!))
    .$if(mode !== null, (query) =>
      query.where((where) => where.or([where('a.mode', '=', mode), where('a.mode', 'is', null)])),
    )
    .where((where) =>
      where.and(
        (Object.entries(equal) as [keyof Filters, string][]).map(([column, value]) =>
          where(`a.${column}`, '=', value),
        ),
      ),
    )
    .orderBy('a.id', 'desc')
    .limit(wanted.count)
    .execute()
}

export function find(
  db: Reader,
  { project_id, id, first }: { project_id: string; id: string; first: string },
): Promise<ListedRow | undefined> {
  return withNames(db, project_id)
    .where('a.id', '=', id)
    .where('a.id', '>=', first)
    .executeTakeFirst()
}

export type ActRow = Pick<
  ActivityRow,
  | 'id'
  | 'created_at'
  | 'entry_point'
  | 'operation'
  | 'project_id'
  | 'resource_id'
  | 'resource_name'
  | 'note'
  | 'error'
  | 'address'
  | 'input'
  | 'before'
  | 'after'
> & { operator: string | null; project_name: string | null }

export interface ActFilter {
  /** Part of the address of the operator. */
  operator?: string
  entry_point?: 'operator' | 'command_line'
  /** Start of the name of the operation or command. */
  operation?: string
  project_id?: string
  from?: string
  to?: string
}

/**
 * Acts of operators in all projects, newest first. Throws `StatementTimeout` after
 * `operator_list_s_max`.
 */
export function listActs(
  db: Reader,
  { after, count, filter }: { after: string | null; count: number; filter: ActFilter },
): Promise<ActRow[]> {
  const { operator, entry_point, operation, project_id, from, to } = filter
  const query = db
    .selectFrom('activity as a')
    .leftJoin('people as o', 'o.id', 'a.actor_id')
    .leftJoin('projects as p', 'p.id', 'a.project_id')
    .select(['a.id', 'a.created_at', 'a.entry_point', 'a.operation', 'a.project_id'])
    .select(['a.resource_id', 'a.resource_name', 'a.note', 'a.error'])
    .select(['a.address', 'a.input', 'a.before', 'a.after'])
    .select(['o.email as operator', 'p.name as project_name'])
    .where('a.entry_point', 'in', ['operator', 'command_line'])
    .$if(after !== null, (query) => query.where('a.id', '<', after!))
    .$if(operator !== undefined, (query) =>
      query.where(sql<boolean>`strpos(lower(o.email), ${operator!.toLowerCase()}) > 0`),
    )
    .$if(entry_point !== undefined, (query) => query.where('a.entry_point', '=', entry_point!))
    .$if(operation !== undefined, (query) =>
      query.where(sql<boolean>`starts_with(a.operation, ${operation!})`),
    )
    .$if(project_id !== undefined, (query) => query.where('a.project_id', '=', project_id!))
    .$if(from !== undefined, (query) => query.where('a.created_at', '>=', new Date(from!)))
    .$if(to !== undefined, (query) => query.where('a.created_at', '<', new Date(to!)))
    .orderBy('a.id', 'desc')
    .limit(count)
  const timeout_ms = limits.operator_list_s_max * 1000
  return readCostly(db, { project_id: OPERATORS, query: query.compile(), timeout_ms })
}

function withNames(db: Reader, project_id: string) {
  return db
    .selectFrom('activity as a')
    .leftJoin('api_keys as k', (join) =>
      join
        .onRef('k.id', '=', 'a.actor_id')
        .onRef('k.project_id', '=', 'a.project_id')
        .on('a.actor_kind', '=', 'api_key'),
    )
    .leftJoin('connections as c', (join) =>
      join
        .onRef('c.project_id', '=', 'a.project_id')
        .onRef('c.id', '=', 'a.actor_id')
        .on('a.actor_kind', '=', 'connection'),
    )
    .leftJoin('agents as g', (join) =>
      join
        .onRef('g.project_id', '=', 'a.project_id')
        .onRef('g.id', '=', 'a.actor_id')
        .on('a.actor_kind', '=', 'agent'),
    )
    .leftJoin('people as p', (join) =>
      join.onRef('p.id', '=', 'a.actor_id').on('a.actor_kind', '=', 'person'),
    )
    .selectAll('a')
    .select(sql<string | null>`coalesce(k.name, c.client_name, g.name, p.email)`.as('actor_name'))
    .where('a.project_id', '=', project_id)
}

/** A project with entries to delete: all up to the id `last`. */
export interface Excess {
  project_id: string
  last: string | null
}

/** The excess of the next projects after `after`; `last` is null where there is none. */
export async function findExcess(
  db: Reader,
  { after, first, kept_max, count }: ExcessSearch,
): Promise<Excess[]> {
  const { rows } = await sql<Excess>`
    select p.id as project_id, greatest(
      (select id from activity where project_id = p.id order by id desc
        offset ${kept_max} limit 1),
      (select id from activity where project_id = p.id and id < ${first} order by id desc
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

/**
 * Deletes up to `count` of the oldest entries up to the id `last`, except acts of operators. Returns
 * their number.
 */
export async function deleteUpTo(
  tx: Transaction,
  { project_id, last, count }: { project_id: string; last: string; count: number },
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from activity where project_id = ${project_id} and id in (
      select id from activity where project_id = ${project_id} and id <= ${last}
        and entry_point not in ('operator', 'command_line')
      order by id limit ${count})`.execute(tx)
  return Number(numAffectedRows)
}

/** Deletes up to `count` of the oldest acts of operators before the id `first`. */
export async function deleteActs(
  tx: Transaction,
  { first, count }: { first: string; count: number },
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from activity where (project_id, id) in (
      select project_id, id from activity
      where id < ${first} and entry_point in ('operator', 'command_line')
      order by id limit ${count})`.execute(tx)
  return Number(numAffectedRows)
}
