/** The SQL of usage. */
import { sql } from 'kysely'
import type { Reader } from '../../kernel/database/database.ts'

export interface UsedRow {
  sites: bigint
  collections: bigint
  data_bytes: bigint
  files_bytes: bigint
  team_members: bigint
  webhook_endpoints: bigint
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
        as webhook_endpoints`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('A select without a table returned no row.')
  return row
}
