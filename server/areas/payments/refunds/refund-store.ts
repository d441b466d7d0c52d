/** The SQL of refunds. */
import { sql, type Insertable, type Selectable } from 'kysely'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import type { OrderRefundsTable } from '../../../kernel/database/tables.ts'
import type { OrderKey } from '../orders/order-store.ts'

export type RefundRow = Selectable<OrderRefundsTable>

export function insert(tx: Transaction, row: Insertable<OrderRefundsTable>): Promise<RefundRow> {
  return tx.insertInto('order_refunds').values(row).returningAll().executeTakeFirstOrThrow()
}

/** Oldest first. */
export function list(db: Reader, { project_id, id }: OrderKey): Promise<RefundRow[]> {
  return db
    .selectFrom('order_refunds')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('order_id', '=', id)
    .orderBy('id')
    .execute()
}

export function find(db: Reader, { project_id, id }: OrderKey): Promise<RefundRow | undefined> {
  return db
    .selectFrom('order_refunds')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** A page of the pending refunds of any project that were created before the time, by id. */
export function listPending(
  db: Reader,
  { before, after, limit }: { before: Date; after: string | null; limit: number },
): Promise<OrderKey[]> {
  return (
    db
      .selectFrom('order_refunds')
      .select(['project_id', 'id'])
      // A literal, because PostgreSQL could not use the partial index with a parameter.
      .where(sql<boolean>`status = 'pending'`)
      .where('created_at', '<', before)
      .$if(after !== null, (query) => query.where('id', '>', after!))
      .orderBy('id')
      .limit(limit)
      .execute()
  )
}

/** Ends a pending refund. Returns false if it ended before. */
export async function end(
  tx: Transaction,
  { project_id, id }: OrderKey,
  changes: { status: 'succeeded' | 'failed'; provider_reference: string | null; ended_at: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('order_refunds')
    .set(changes)
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
