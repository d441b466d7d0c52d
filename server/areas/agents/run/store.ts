/** SQL of the runs of agents and their steps. Conditions of partial indexes are literals, not parameters. */
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import type { AgentRunsTable, AgentStepsTable } from '../../../kernel/database/tables.ts'

export type RunRow = Selectable<AgentRunsTable>
export type StepRow = Selectable<AgentStepsTable>
export type RunStatus = RunRow['status']

export interface RunKey {
  project_id: string
  id: string
}

const isOpen = sql<boolean>`ended_at is null`
const isQueued = sql<boolean>`status = 'queued'`
const hasStarted = sql<boolean>`status in ('running', 'waiting_approval')`

export function insertRun(tx: Transaction, row: Insertable<AgentRunsTable>): Promise<RunRow> {
  return tx.insertInto('agent_runs').values(row).returningAll().executeTakeFirstOrThrow()
}

export async function insertRuns(
  tx: Transaction,
  rows: readonly Insertable<AgentRunsTable>[],
): Promise<void> {
  if (rows.length > 0)
    await tx
      .insertInto('agent_runs')
      .values([...rows])
      .execute()
}

export function findRun(db: Reader, { project_id, id }: RunKey): Promise<RunRow | undefined> {
  return runQuery(db, { project_id, id }).executeTakeFirst()
}

/** Locks a run that has not ended, until the transaction ends. */
export function lockOpenRun(tx: Transaction, key: RunKey): Promise<RunRow | undefined> {
  return runQuery(tx, key).where(isOpen).forNoKeyUpdate().executeTakeFirst()
}

function runQuery(db: Reader, { project_id, id }: RunKey) {
  return db
    .selectFrom('agent_runs')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('id', '=', id)
}

export function findByRequest(
  tx: Transaction,
  { project_id, agent_id, request_hash }: Pick<RunRow, 'project_id' | 'agent_id' | 'request_hash'>,
): Promise<RunKey | undefined> {
  return tx
    .selectFrom('agent_runs')
    .select(['project_id', 'id'])
    .where('project_id', '=', project_id)
    .where('agent_id', '=', agent_id)
    .where('request_hash', '=', request_hash)
    .executeTakeFirst()
}

export function updateRun(
  tx: Transaction,
  { project_id, id }: RunKey,
  change: Updateable<AgentRunsTable>,
): Promise<RunRow | undefined> {
  return tx
    .updateTable('agent_runs')
    .set(change)
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .where(isOpen)
    .returningAll()
    .executeTakeFirst()
}

export async function deleteRun(tx: Transaction, { project_id, id }: RunKey): Promise<void> {
  await tx
    .deleteFrom('agent_runs')
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .execute()
}

export interface RunFilter {
  project_id: string
  agent_id: string
  status: RunStatus | null
  count: number
  after: string | null
}

/** Newest first. */
export function listRuns(
  db: Reader,
  { project_id, agent_id, status, count, after }: RunFilter,
): Promise<RunRow[]> {
  return db
    .selectFrom('agent_runs')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('agent_id', '=', agent_id)
    .$if(status !== null, (query) => query.where('status', '=', status!))
    .$if(after !== null, (query) => query.where('id', '<', after))
    .orderBy('id', 'desc')
    .limit(count)
    .execute()
}

/** Whether another run of the agent has started and not ended. */
export async function hasActiveRun(
  tx: Transaction,
  { project_id, agent_id, id }: Pick<RunRow, 'project_id' | 'agent_id' | 'id'>,
): Promise<boolean> {
  const row = await tx
    .selectFrom('agent_runs')
    .select('id')
    .where('project_id', '=', project_id)
    .where('agent_id', '=', agent_id)
    .where('id', '<>', id)
    .where('dry_run', '=', false)
    .where(isOpen)
    .where(hasStarted)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Queued runs of a project: the oldest of each agent, then the second oldest of each, and so on. */
export async function listQueued(
  db: Reader,
  { project_id, count }: { project_id: string; count: number },
): Promise<RunKey[]> {
  const { rows } = await sql<RunKey>`
    select project_id, id from agent_runs
    where project_id = ${project_id} and ended_at is null and status = 'queued'
    order by row_number() over (partition by agent_id order by id), id limit ${count}
  `.execute(db)
  return rows
}

/** The oldest queued run of an agent; undefined without one. */
export function findNextQueued(
  tx: Transaction,
  { project_id, agent_id }: Pick<RunRow, 'project_id' | 'agent_id'>,
): Promise<RunKey | undefined> {
  return tx
    .selectFrom('agent_runs')
    .select(['project_id', 'id'])
    .where('project_id', '=', project_id)
    .where('agent_id', '=', agent_id)
    .where(isOpen)
    .where(isQueued)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

/**
 * Runs of all projects that can continue: those whose approval was decided or does not exist, queued
 * ones of agents without an active run, and running ones that resumed before `resumed_before`. Takes
 * the projects in turn, so that a long queue of one does not delay another.
 */
export async function listToResume(
  db: Reader,
  { now, resumed_before, count }: { now: Date; resumed_before: Date; count: number },
): Promise<RunKey[]> {
  const { rows } = await sql<RunKey>`
    select r.project_id, r.id from agent_runs as r where r.ended_at is null and (
      r.status = 'waiting_approval' and not exists (
        select 1 from agent_steps as s
          join approvals as p on p.project_id = s.project_id and p.id = s.approval_id
        where s.project_id = r.project_id and s.run_id = r.id and s.status = 'waiting_approval'
          and p.ended_at is null and p.expires_at > ${now})
      or r.status = 'running' and r.resumed_at <= ${resumed_before}
      or r.status = 'queued' and not exists (
        select 1 from agent_runs as o
        where o.project_id = r.project_id and o.agent_id = r.agent_id and o.ended_at is null
          and not o.dry_run
          and o.status in ('running', 'waiting_approval')))
    order by row_number() over (partition by r.project_id order by r.status desc, r.id), r.id
    limit ${count}
  `.execute(db)
  return rows
}

export function listSteps(db: Reader, { project_id, id }: RunKey): Promise<StepRow[]> {
  return db
    .selectFrom('agent_steps')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('run_id', '=', id)
    .orderBy('seq')
    .execute()
}

export async function insertStep(tx: Transaction, row: Insertable<AgentStepsTable>): Promise<void> {
  await tx.insertInto('agent_steps').values(row).execute()
}

export async function updateStep(
  tx: Transaction,
  { project_id, run_id, seq }: Pick<StepRow, 'project_id' | 'run_id' | 'seq'>,
  change: Updateable<AgentStepsTable>,
): Promise<void> {
  await tx
    .updateTable('agent_steps')
    .set(change)
    .where('project_id', '=', project_id)
    .where('run_id', '=', run_id)
    .where('seq', '=', seq)
    .execute()
}

/** Deletes runs that ended before `until`. Returns their number. */
export async function deleteEnded(
  tx: Transaction,
  { until, limit }: { until: Date; limit: number },
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from agent_runs using (
      select project_id, id from agent_runs where ended_at <= ${until}
      limit ${limit} for update skip locked
    ) as old
    where agent_runs.project_id = old.project_id and agent_runs.id = old.id
  `.execute(tx)
  return Number(numAffectedRows)
}
