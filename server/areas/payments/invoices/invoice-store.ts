/** The SQL of invoices and credit notes. */
import { sql, type Insertable, type Selectable } from 'kysely'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import type { OrderInvoicesTable } from '../../../kernel/database/tables.ts'
import type { OrderKey } from '../orders/order-store.ts'

export type InvoiceRow = Selectable<OrderInvoicesTable>

/** The next number. Locks the counter until the transaction ends, so a rollback leaves no gap. */
export async function takeNumber(
  tx: Transaction,
  { project_id, test }: { project_id: string; test: boolean },
): Promise<number> {
  const { last_number } = await tx
    .insertInto('invoice_counters')
    .values({ project_id, test, last_number: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'test'])
        .doUpdateSet({ last_number: sql<number>`invoice_counters.last_number + 1` }),
    )
    .returning('last_number')
    .executeTakeFirstOrThrow()
  return last_number
}

export async function insert(tx: Transaction, row: Insertable<OrderInvoicesTable>): Promise<void> {
  await tx.insertInto('order_invoices').values(row).execute()
}

export function find(db: Reader, { project_id, id }: OrderKey): Promise<InvoiceRow | undefined> {
  return db
    .selectFrom('order_invoices')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** The number of the invoice of an order; null if it has none. */
export async function findNumber(db: Reader, { project_id, id }: OrderKey): Promise<number | null> {
  const row = await db
    .selectFrom('order_invoices')
    .select('number')
    .where('project_id', '=', project_id)
    .where('order_id', '=', id)
    .where('kind', '=', 'invoice')
    .executeTakeFirst()
  return row?.number ?? null
}

export interface InvoicesPage {
  project_id: string
  count: number
  after: string | null
  order_id: string | undefined
}

/** Newest first. */
export function list(db: Reader, page: InvoicesPage): Promise<InvoiceRow[]> {
  const { project_id, count, after, order_id } = page
  return db
    .selectFrom('order_invoices')
    .selectAll()
    .where('project_id', '=', project_id)
    .$if(order_id !== undefined, (query) => query.where('order_id', '=', order_id!))
    .$if(after !== null, (query) => query.where('id', '<', after!))
    .orderBy('id', 'desc')
    .limit(count)
    .execute()
}
