/** SQL that counts what an agent has used of its limits. */
import { sql } from 'kysely'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import type { RunKey } from './store.ts'

export const DAY_MS = 86_400_000

interface AgentSince {
  project_id: string
  agent_id: string
  since: Date
}

/** The number of runs, or of dry runs, of the agent that started after `since`. */
export async function countStarted(
  tx: Transaction,
  { project_id, agent_id, since, dry_run }: AgentSince & { dry_run: boolean },
): Promise<number> {
  const { count } = await tx
    .selectFrom('agent_runs')
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .where('project_id', '=', project_id)
    .where('agent_id', '=', agent_id)
    .where('dry_run', '=', dry_run)
    .where('started_at', '>', since)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The number of runs of the agent that wait to start. */
export async function countQueued(
  tx: Transaction,
  { project_id, agent_id }: Omit<AgentSince, 'since'>,
): Promise<number> {
  const { count } = await tx
    .selectFrom('agent_runs')
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .where('project_id', '=', project_id)
    .where('agent_id', '=', agent_id)
    .where(sql<boolean>`status = 'queued'`)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Counts steps with these actions that started after `since`; failed ones and dry runs do not count. */
export async function countActions(
  db: Reader,
  { project_id, agent_id, since, actions }: AgentSince & { actions: readonly string[] },
): Promise<number> {
  const { count } = await db
    .selectFrom('agent_steps as s')
    .innerJoin('agent_runs as r', (join) =>
      join.onRef('r.project_id', '=', 's.project_id').onRef('r.id', '=', 's.run_id'),
    )
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .where('r.project_id', '=', project_id)
    .where('r.agent_id', '=', agent_id)
    .where('r.dry_run', '=', false)
    .where('s.action', 'in', actions)
    .where('s.status', 'in', ['done', 'waiting_approval'])
    .where('s.started_at', '>', since)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The cost of the runs of the agent that started at or after `since`. */
export async function sumCosts(
  db: Reader,
  { project_id, agent_id, since }: AgentSince,
): Promise<bigint> {
  const { sum } = await db
    .selectFrom('agent_runs')
    .select(sql<bigint>`coalesce(sum(cost_micro), 0)::bigint`.as('sum'))
    .where('project_id', '=', project_id)
    .where('agent_id', '=', agent_id)
    .where('started_at', '>=', since)
    .executeTakeFirstOrThrow()
  return BigInt(sum)
}

/** Adds the cost of a step to its run. */
export async function addCost(
  tx: Transaction,
  { project_id, id }: RunKey,
  cost_micro: bigint,
): Promise<void> {
  await tx
    .updateTable('agent_runs')
    .set({ cost_micro: sql<bigint>`cost_micro + ${cost_micro}` })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .execute()
}
