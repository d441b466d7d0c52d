/** SQL of the daily count of free model replies in test mode, and of the use of models. */
import { sql } from 'kysely'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import type { ModelUsageTable } from '../../../kernel/database/tables.ts'

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

export type UsageArea = ModelUsageTable['area']

export interface UsedModel {
  project_id: string
  day: string
  area: UsageArea
  model: string
  test: boolean
  estimated_requests: number
  input_tokens: number
  cached_tokens: number
  output_tokens: number
  cost_micro: bigint
}

/** Adds one request to the use of its day. */
export async function addUsage(tx: Transaction, used: UsedModel): Promise<void> {
  const { project_id, day, area, model, test, estimated_requests, cost_micro } = used
  const { input_tokens, cached_tokens, output_tokens } = used
  await sql`
    insert into model_usage as known (project_id, day, area, model, test, requests,
      estimated_requests, input_tokens, cached_tokens, output_tokens, cost_micro)
    values (${project_id}, ${day}, ${area}, ${model}, ${test}, 1, ${estimated_requests},
      ${input_tokens}, ${cached_tokens}, ${output_tokens}, ${cost_micro})
    on conflict (project_id, day, area, model, test) do update set
      requests = known.requests + 1,
      estimated_requests = known.estimated_requests + excluded.estimated_requests,
      input_tokens = known.input_tokens + excluded.input_tokens,
      cached_tokens = known.cached_tokens + excluded.cached_tokens,
      output_tokens = known.output_tokens + excluded.output_tokens,
      cost_micro = known.cost_micro + excluded.cost_micro`.execute(tx)
}
