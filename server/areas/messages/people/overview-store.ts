/** The SQL of the figures about messages. */
import { sql } from 'kysely'
import type { Reader } from '../../../kernel/database/database.ts'
import { firstIdAt } from '../../../kernel/values/ids.ts'

export interface DayCounts {
  day: string
  delivered: number
  failed: number
  pending: number
  received: number
}

export interface CountedDays {
  project_id: string
  test: boolean
  since: Date
  time_zone: string
}

export async function countByDay(
  db: Reader,
  { project_id, test, since, time_zone }: CountedDays,
): Promise<DayCounts[]> {
  const query = sql<DayCounts>`
    select (created_at at time zone ${time_zone})::date::text as day,
      count(*) filter (where status = 'delivered')::int as delivered,
      count(*) filter (where status = 'failed')::int as failed,
      count(*) filter (where status in ('queued', 'sent'))::int as pending,
      count(*) filter (where status = 'received')::int as received
    from messages
    where project_id = ${project_id} and test = ${test} and id >= ${firstIdAt(since.getTime())}
    group by 1 order by 1`
  return (await query.execute(db)).rows
}

export async function countOptOuts(
  db: Reader,
  { project_id, test }: { project_id: string; test: boolean },
): Promise<number> {
  const { count } = await db
    .selectFrom('message_opt_outs')
    .select((row) => row.fn.countAll<bigint>().as('count'))
    .where('project_id', '=', project_id)
    .where('test', '=', test)
    .executeTakeFirstOrThrow()
  return Number(count)
}
