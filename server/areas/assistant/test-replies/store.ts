/** SQL of the daily count of free model replies in test mode. */
import { sql } from 'kysely'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'

export interface ProjectDay {
  project_id: string
  /** A date such as 2026-12-31. */
  day: string
}

export async function countUsed(db: Reader, { project_id, day }: ProjectDay): Promise<number> {
  const row = await db
    .selectFrom('assistant_test_replies')
    .select('replies')
    .where('project_id', '=', project_id)
    .where('day', '=', day)
    .executeTakeFirst()
  return row?.replies ?? 0
}

/**
 * Counts one more reply, and locks the count until the transaction ends. Returns false, counting
 * nothing, if the day has `replies_max` already.
 */
export async function countReply(
  tx: Transaction,
  { project_id, day, replies_max }: ProjectDay & { replies_max: number },
): Promise<boolean> {
  const { rows } = await sql<{ replies: number }>`
    insert into assistant_test_replies as used (project_id, day, replies)
    values (${project_id}, ${day}, 1)
    on conflict (project_id) do update set
      day = excluded.day,
      replies = case when used.day = excluded.day then used.replies + 1 else 1 end
    where used.day <> excluded.day or used.replies < ${replies_max}
    returning replies`.execute(tx)
  return rows.length > 0
}

/** Takes back one reply of the day; does nothing if the count is of another day. */
export async function uncountReply(
  tx: Transaction,
  { project_id, day }: ProjectDay,
): Promise<void> {
  await tx
    .updateTable('assistant_test_replies')
    .set({ replies: sql<number>`replies - 1` })
    .where('project_id', '=', project_id)
    .where('day', '=', day)
    .where('replies', '>', 0)
    .execute()
}
