/** The SQL that deletes old messages. */
import { sql } from 'kysely'
import type { OldRecords, Retention } from '../../contract/personal-data.ts'
import type { Transaction } from '../../kernel/database/database.ts'
import { firstIdAt } from '../../kernel/values/ids.ts'

/** The id of a message has the time at which it was accepted. */
async function deleteOldMessages(
  tx: Transaction,
  { project_id, before, count }: OldRecords,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from messages where project_id = ${project_id} and id = any(array(
      select id from messages where project_id = ${project_id}
        and id < ${firstIdAt(before.getTime())}
      order by id limit ${count}))`.execute(tx)
  return Number(numAffectedRows)
}

export const retentions: readonly Retention[] = [{ kind: 'messages', deleteOld: deleteOldMessages }]
