/** The SQL of usage. */
import { sql, type Selectable } from 'kysely'
import type { Reader, Transaction } from '../../kernel/database/database.ts'
import type { ModelUsageTable } from '../../kernel/database/tables.ts'

export interface UsedRow {
  sites: bigint
  collections: bigint
  data_bytes: bigint
  files_bytes: bigint
  team_members: bigint
  webhook_endpoints: bigint
  /** Live numbers, and open orders of them. */
  live_numbers: bigint
}

/** Counts what a project has. Expired invitations take no place in the team. */
export async function readUsage(
  db: Reader,
  { project_id, now }: { project_id: string; now: Date },
): Promise<UsedRow> {
  const { rows } = await sql<UsedRow>`
    select
      (select count(*) from sites where project_id = ${project_id}) as sites,
      (select count(*) from collections where project_id = ${project_id}) as collections,
      coalesce((select bytes from data_usage where project_id = ${project_id}), 0) as data_bytes,
      coalesce((select bytes from file_usage where project_id = ${project_id}), 0) as files_bytes,
      (select count(*) from members where project_id = ${project_id})
        + (select count(*) from invitations
          where project_id = ${project_id} and expires_at > ${now}) as team_members,
      (select count(*) from webhook_endpoints where project_id = ${project_id})
        as webhook_endpoints,
      (select count(*) from numbers
        where project_id = ${project_id} and not test and released_at is null)
        + (select count(*) from number_orders
          where project_id = ${project_id} and state = 'placed') as live_numbers
    `.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('A select without a table returned no row.')
  return row
}

/**
 * Waits for writers of documents and files of a project and blocks further ones until the
 * transaction ends, so that what `readUsage` returns stays true. The caller has locked the project.
 */
export async function lockUsage(tx: Transaction, project_id: string): Promise<void> {
  await sql`select 1 from collections where project_id = ${project_id} order by id for update`.execute(
    tx,
  )
  await sql`select 1 from data_usage where project_id = ${project_id} for update`.execute(tx)
  await sql`insert into file_usage (project_id, bytes) values (${project_id}, 0)
    on conflict (project_id) do update set bytes = file_usage.bytes`.execute(tx)
}

export function readModelUsage(
  db: Reader,
  { project_id, from, to }: { project_id: string; from: string; to: string },
): Promise<Selectable<ModelUsageTable>[]> {
  return db
    .selectFrom('model_usage')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .orderBy('day', 'desc')
    .orderBy('area')
    .orderBy('model')
    .orderBy('test')
    .execute()
}
