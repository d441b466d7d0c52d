/** SQL of the daily use of public chat tokens. */
import { sql } from 'kysely'
import type { Reader, Transaction } from '../../kernel/database/database.ts'

export interface TokenDay {
  project_id: string
  token_id: string
  day: string
}

export interface TokenUse {
  token_id: string
  conversations: number
  spent_micro: bigint
}

/**
 * Counts one more conversation of a token, and locks its count until the transaction ends. Returns
 * false, counting nothing, if the day has the maximum already, which is at least one.
 */
export async function countOfToken(
  tx: Transaction,
  { project_id, token_id, day, conversations_max }: TokenDay & { conversations_max: number },
): Promise<boolean> {
  const { rows } = await sql`
    insert into chat_token_days as used (project_id, token_id, day, conversations, spent_micro)
    values (${project_id}, ${token_id}, ${day}, 1, 0)
    on conflict (project_id, token_id) do update set
      day = excluded.day,
      conversations = case when used.day = excluded.day then used.conversations + 1 else 1 end,
      spent_micro = case when used.day = excluded.day then used.spent_micro else 0 end
    where used.day <> excluded.day or used.conversations < ${conversations_max}
    returning conversations`.execute(tx)
  return rows.length > 0
}

/** Adds a reserved cost. Returns false, adding nothing, if the limit would be exceeded. */
export async function spendOfToken(
  tx: Transaction,
  {
    project_id,
    token_id,
    day,
    amount_micro,
    limit_micro,
  }: TokenDay & {
    amount_micro: bigint
    limit_micro: bigint
  },
): Promise<boolean> {
  if (amount_micro > limit_micro) return false
  const { rows } = await sql`
    insert into chat_token_days as used (project_id, token_id, day, conversations, spent_micro)
    values (${project_id}, ${token_id}, ${day}, 0, ${amount_micro})
    on conflict (project_id, token_id) do update set
      day = excluded.day,
      conversations = case when used.day = excluded.day then used.conversations else 0 end,
      spent_micro = case when used.day = excluded.day
        then used.spent_micro + excluded.spent_micro else excluded.spent_micro end
    where used.day <> excluded.day or used.spent_micro + excluded.spent_micro <= ${limit_micro}
    returning spent_micro`.execute(tx)
  return rows.length > 0
}

/** Replaces a reserved cost by the actual one; does nothing on another day. */
export async function correctSpent(
  tx: Transaction,
  { project_id, token_id, day, change_micro }: TokenDay & { change_micro: bigint },
): Promise<void> {
  if (change_micro === 0n) return
  await sql`
    update chat_token_days set spent_micro = greatest(0, spent_micro + ${change_micro})
    where project_id = ${project_id} and token_id = ${token_id} and day = ${day}`.execute(tx)
}

/** The use of tokens on a day; tokens without use are missing. */
export function listTokenUse(
  db: Reader,
  { project_id, token_ids, day }: { project_id: string; token_ids: readonly string[]; day: string },
): Promise<TokenUse[]> {
  return db
    .selectFrom('chat_token_days')
    .select(['token_id', 'conversations', 'spent_micro'])
    .where('project_id', '=', project_id)
    .where(sql<boolean>`token_id = any(${token_ids}::uuid[])`)
    .where('day', '=', day)
    .execute()
}
