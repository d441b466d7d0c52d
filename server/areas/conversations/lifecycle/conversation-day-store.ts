/** SQL of the daily counts of conversations. */
import { sql } from 'kysely'
import type { Transaction } from '../../../kernel/database/database.ts'

export interface CountedDay {
  project_id: string
  test: boolean
  day: string
  conversations_max: number
}

/**
 * Counts one more conversation, and locks the count until the transaction ends. Returns false,
 * counting nothing, if the day has the maximum already.
 */
export async function countConversation(
  tx: Transaction,
  { project_id, test, day, conversations_max }: CountedDay,
): Promise<boolean> {
  const { rows } = await sql`
    insert into conversation_days as used (project_id, test, day, conversations)
    values (${project_id}, ${test}, ${day}, 1)
    on conflict (project_id, test) do update set
      day = excluded.day,
      conversations = case when used.day = excluded.day then used.conversations + 1 else 1 end
    where used.day <> excluded.day or used.conversations < ${conversations_max}
    returning conversations`.execute(tx)
  return rows.length > 0
}
