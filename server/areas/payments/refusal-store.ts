/** The SQL of refused orders of visitors. */
import { sql, type Insertable, type Selectable } from 'kysely'
import type { Reader, Transaction } from '../../kernel/database/database.ts'
import type { OrderRefusalsTable } from '../../kernel/database/tables.ts'

export type RefusalRow = Selectable<OrderRefusalsTable>

/** Adds one to the count of the day and reason. One row for many refusals limits what an attack stores. */
export async function count(
  tx: Transaction,
  row: Omit<Insertable<OrderRefusalsTable>, 'orders' | 'first_at'>,
): Promise<void> {
  await tx
    .insertInto('order_refusals')
    .values({ ...row, orders: 1, first_at: row.last_at })
    .onConflict((conflict) =>
      conflict.columns(['day', 'reason', 'project_id', 'test']).doUpdateSet({
        orders: sql<number>`least(order_refusals.orders + 1, 1000000000)`,
        last_at: sql<Date>`excluded.last_at`,
      }),
    )
    .execute()
}

/** Newest first. */
export function list(
  db: Reader,
  page: { project_id: string; count: number; after: string | null },
): Promise<RefusalRow[]> {
  const { project_id, count: limit, after } = page
  return db
    .selectFrom('order_refusals')
    .selectAll()
    .where('project_id', '=', project_id)
    .$if(after !== null, (query) => query.where('id', '<', after!))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

export async function removeBefore(tx: Transaction, day: string): Promise<void> {
  await tx.deleteFrom('order_refusals').where('day', '<', day).execute()
}
