/** The SQL that deletes old calls, and what was said in them. */
import { sql } from 'kysely'
import type { OldRecords, Retention } from '../../contract/personal-data.ts'
import type { Transaction } from '../../kernel/database/database.ts'
import { firstIdAt } from '../../kernel/values/ids.ts'

/** Compares ids instead of times: an id starts with the time of recording, and has an index. */
async function deleteOldCalls(
  tx: Transaction,
  { project_id, before, count }: OldRecords,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from calls where project_id = ${project_id} and id = any(array(
      select id from calls where project_id = ${project_id} and id < ${firstIdAt(before.getTime())}
      order by id limit ${count}))`.execute(tx)
  return Number(numAffectedRows)
}

/** Deletes transcripts, summaries and messages. The index has only calls with a transcript. */
async function deleteOldContents(
  tx: Transaction,
  { project_id, before, count }: OldRecords,
): Promise<number> {
  const { rows } = await sql`
    with emptied as (
      update calls set transcript = '[]', summary = null, summary_ready_at = null,
        wants_summary = false, instructions = null
      where project_id = ${project_id} and id = any(array(
        select id from calls
        where project_id = ${project_id} and id < ${firstIdAt(before.getTime())}
          and transcript <> '[]'::jsonb
        order by id limit ${count}))
      returning id
    ), messages as (
      delete from call_messages
      where project_id = ${project_id} and call_id in (select id from emptied)
    )
    select id from emptied`.execute(tx)
  return rows.length
}

export const retentions: readonly Retention[] = [
  { kind: 'calls', deleteOld: deleteOldCalls },
  { kind: 'call_contents', deleteOld: deleteOldContents },
]
