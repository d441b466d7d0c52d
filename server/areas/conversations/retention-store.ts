/** The SQL that deletes old conversations and unanswered questions. */
import { sql } from 'kysely'
import type { OldRecords, Retention } from '../../contract/personal-data.ts'
import type { Transaction } from '../../kernel/database/database.ts'
import { firstIdAt } from '../../kernel/values/ids.ts'

/** The id of a conversation has the time at which it began. Open ones stay until they are closed. */
async function deleteOldConversations(
  tx: Transaction,
  { project_id, before, count }: OldRecords,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from conversations where project_id = ${project_id} and id = any(array(
      select id from conversations
      where status = 'closed' and project_id = ${project_id}
        and id < ${firstIdAt(before.getTime())}
      order by id limit ${count}))`.execute(tx)
  return Number(numAffectedRows)
}

async function deleteOldQuestions(
  tx: Transaction,
  { project_id, before, count }: OldRecords,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from unanswered_questions where project_id = ${project_id} and id = any(array(
      select id from unanswered_questions
      where project_id = ${project_id} and last_asked_at < ${before}
      order by last_asked_at limit ${count}))`.execute(tx)
  return Number(numAffectedRows)
}

export const retentions: readonly Retention[] = [
  { kind: 'conversations', deleteOld: deleteOldConversations },
  { kind: 'unanswered_questions', deleteOld: deleteOldQuestions },
]
