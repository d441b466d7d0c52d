/** The SQL of the transactions of a month. Ids are ordered by time, so a month is a range of ids. */
import { sql } from 'kysely'
import type { Reader } from '../../../kernel/database/database.ts'
import { transactionColumns, type TransactionRow } from '../store.ts'

export interface MonthSpan {
  project_id: string
  /** The first id of the month, and the first id after it. */
  first: string
  end: string
}

export interface TransactionsWanted extends MonthSpan {
  count: number
  /** The id after which the page begins; null for the first page. */
  after: string | null
  type: 'charge' | 'top_up' | null
  source: string | null
}

/** Newest first. Filters read at most the transactions of the month. */
export function listTransactions(
  db: Reader,
  wanted: TransactionsWanted,
): Promise<TransactionRow[]> {
  const { type, source, after } = wanted
  return db
    .selectFrom('ledger_entries')
    .select(transactionColumns)
    .where('project_id', '=', wanted.project_id)
    .where('kind', 'in', ['top_up', 'charge', 'settle'])
    .where('id', '>=', wanted.first)
    .where('id', '<', after ?? wanted.end)
    .$if(type === 'top_up', (query) => query.where('kind', '=', 'top_up'))
    .$if(type === 'charge', (query) => query.where('kind', '<>', 'top_up'))
    .$if(source !== null, (query) => query.where('source', '=', source!))
    .orderBy('id', 'desc')
    .limit(wanted.count)
    .execute()
}

export interface DayPart {
  day: string
  source: string
  paid_micro: bigint
  spent_micro: bigint
}

/** Sums by day and source, oldest day first. Credits reduce the spent amount. */
export async function sumByDay(
  db: Reader,
  { project_id, first, end, timezone }: MonthSpan & { timezone: string },
): Promise<DayPart[]> {
  const { rows } = await sql<DayPart>`
    select (created_at at time zone ${timezone})::date::text as day, source,
      sum(case when kind = 'top_up' and source = 'payment' then amount_micro else 0 end)::bigint
        as paid_micro,
      sum(case when kind <> 'top_up' then amount_micro
        when source <> 'payment' then -amount_micro else 0 end)::bigint as spent_micro
    from ledger_entries
    where project_id = ${project_id} and kind in ('top_up', 'charge', 'settle')
      and id >= ${first} and id < ${end}
    group by 1, source order by 1, source`.execute(db)
  return rows
}
