/** The SQL of the balance by month. */
import { sql } from 'kysely'
import type { Reader } from '../../kernel/database/database.ts'

interface MonthPart {
  /** First day of the month. */
  month: string
  source: string
  paid_micro: bigint
  spent_micro: bigint
}

/** Sums by month and source, newest month first. Credits reduce the spent amount. */
export async function readMonths(
  db: Reader,
  { project_id, limit }: { project_id: string; limit: number },
): Promise<MonthPart[]> {
  const { rows } = await sql<MonthPart>`
    with part as (
      select month, source,
        sum(case when kind = 'top_up' and source = 'payment' then amount_micro else 0 end)::bigint
          as paid_micro,
        sum(case when kind <> 'top_up' then amount_micro
          when source <> 'payment' then -amount_micro else 0 end)::bigint as spent_micro
      from ledger_entries
      where project_id = ${project_id} and kind in ('top_up', 'charge', 'settle')
      group by month, source
    )
    select month::text as month, source, paid_micro, spent_micro from part
    where month in (select distinct month from part order by month desc limit ${limit})
    order by month desc, source`.execute(db)
  return rows
}
