/** The SQL that deletes old emails. */
import { sql } from 'kysely'
import type { OldRecords, Retention } from '../../contract/personal-data.ts'
import type { Transaction } from '../../kernel/database/database.ts'
import { firstIdAt } from '../../kernel/values/ids.ts'

/** The id of an email has the time of its creation. Scheduled emails stay until they are sent. */
async function deleteOldEmails(
  tx: Transaction,
  { project_id, before, count }: OldRecords,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from emails where project_id = ${project_id} and id = any(array(
      select id from emails
      where project_id = ${project_id} and id < ${firstIdAt(before.getTime())}
        and status <> 'scheduled'
      order by id limit ${count}))`.execute(tx)
  return Number(numAffectedRows)
}

export const retentions: readonly Retention[] = [{ kind: 'emails', deleteOld: deleteOldEmails }]
