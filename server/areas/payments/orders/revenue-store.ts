/** The SQL of revenue by day. */
import { sql } from 'kysely'
import type { Reader } from '../../../kernel/database/database.ts'

interface Place {
  project_id: string
  test: boolean
  since: Date
  timezone: string
}

export async function readDays(db: Reader, { project_id, test, since, timezone }: Place) {
  const { rows } = await sql<{
    day: string
    orders: number
    paid_cents: bigint
    refunded_cents: bigint
  }>`
    select to_char(paid_at at time zone ${timezone}, 'YYYY-MM-DD') as day, count(*)::int as orders,
      sum(amount_cents)::bigint as paid_cents, sum(refunded_cents)::bigint as refunded_cents
    from orders where project_id = ${project_id} and test = ${test} and paid_at > ${since}
    group by 1 order by 1`.execute(db)
  return rows
}
