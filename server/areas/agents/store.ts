/** SQL of agents and their versions. */
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import { limits } from '../../contract/limits.ts'
import type { Reader, Transaction } from '../../kernel/database/database.ts'
import type { AgentsTable, AgentVersionsTable } from '../../kernel/database/tables.ts'

export type AgentRow = Selectable<AgentsTable>

export interface AgentKey {
  project_id: string
  id: string
}

/** Serializes the creation of agents of a project until the transaction ends. */
export async function lockAgents(tx: Transaction, project_id: string): Promise<void> {
  const key = `agents of ${project_id}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(tx)
}

export async function countAgents(tx: Transaction, project_id: string): Promise<number> {
  const { count } = await tx
    .selectFrom('agents')
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .where('project_id', '=', project_id)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export function insert(tx: Transaction, row: Insertable<AgentsTable>): Promise<AgentRow> {
  return tx.insertInto('agents').values(row).returningAll().executeTakeFirstOrThrow()
}

export async function insertVersion(
  tx: Transaction,
  row: Insertable<AgentVersionsTable>,
): Promise<void> {
  await tx.insertInto('agent_versions').values(row).execute()
}

/** The definition of a version; undefined if the agent was deleted. */
export async function findDefinition(
  db: Reader,
  { project_id, id, version }: AgentKey & { version: number },
): Promise<unknown> {
  const row = await db
    .selectFrom('agent_versions')
    .select('definition')
    .where('project_id', '=', project_id)
    .where('agent_id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst()
  return row?.definition
}

/** Newest first. `before` is a version; null begins with the newest. */
export function listVersions(
  db: Reader,
  { project_id, id, count, before }: AgentKey & { count: number; before: number | null },
): Promise<Selectable<AgentVersionsTable>[]> {
  return db
    .selectFrom('agent_versions')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('agent_id', '=', id)
    .$if(before !== null, (query) => query.where('version', '<', before!))
    .orderBy('version', 'desc')
    .limit(count)
    .execute()
}

/** Newest first. */
export function list(
  db: Reader,
  { project_id, count, after }: { project_id: string; count: number; after: string | null },
): Promise<AgentRow[]> {
  return db
    .selectFrom('agents')
    .selectAll()
    .where('project_id', '=', project_id)
    .$if(after !== null, (query) => query.where('id', '<', after))
    .orderBy('id', 'desc')
    .limit(count)
    .execute()
}

export function find(db: Reader, { project_id, id }: AgentKey): Promise<AgentRow | undefined> {
  return agentQuery(db, { project_id, id }).executeTakeFirst()
}

/** Locks an agent until the transaction ends. Its runs start under this lock, one at a time. */
export function lock(tx: Transaction, key: AgentKey): Promise<AgentRow | undefined> {
  return agentQuery(tx, key).forNoKeyUpdate().executeTakeFirst()
}

function agentQuery(db: Reader, { project_id, id }: AgentKey) {
  return db
    .selectFrom('agents')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('id', '=', id)
}

export function update(
  tx: Transaction,
  { project_id, id }: AgentKey,
  change: Updateable<AgentsTable>,
): Promise<AgentRow | undefined> {
  return tx
    .updateTable('agents')
    .set(change)
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

export async function remove(tx: Transaction, { project_id, id }: AgentKey): Promise<void> {
  await tx.deleteFrom('agents').where('project_id', '=', project_id).where('id', '=', id).execute()
}

/**
 * Locks agents of all projects whose schedule is due, the longest due first. Skips rows that another
 * transaction has locked.
 */
export function lockDue(
  tx: Transaction,
  { now, count }: { now: Date; count: number },
): Promise<(AgentRow & { is_queue_full: boolean })[]> {
  const queued = sql<bigint>`(select count(*) from agent_runs as r
    where r.project_id = agents.project_id and r.agent_id = agents.id and r.status = 'queued')`
  return tx
    .selectFrom('agents')
    .selectAll()
    .select(sql<boolean>`${queued} >= ${limits.agent_queued_runs_max}`.as('is_queue_full'))
    .where('next_run_at', '<=', now)
    .orderBy('next_run_at')
    .limit(count)
    .forNoKeyUpdate()
    .skipLocked()
    .execute()
}

export async function scheduleNext(
  tx: Transaction,
  agents: readonly (AgentKey & { next_run_at: Date | null })[],
): Promise<void> {
  const of = <Value>(value: (agent: (typeof agents)[number]) => Value) => agents.map(value)
  await sql`
    update agents set next_run_at = given.next_run_at
    from unnest(${of((one) => one.project_id)}::uuid[], ${of(({ id }) => id)}::uuid[],
      ${of((one) => one.next_run_at)}::timestamptz[]) as given (project_id, id, next_run_at)
    where agents.project_id = given.project_id and agents.id = given.id
  `.execute(tx)
}
