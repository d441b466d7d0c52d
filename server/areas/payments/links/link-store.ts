/** The SQL of payment links. */
import { sql, type Insertable, type Selectable } from 'kysely'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import type { PaymentLinksTable } from '../../../kernel/database/tables.ts'
import type { OrderKey, OrderRow } from '../orders/order-store.ts'

export type LinkRow = Selectable<PaymentLinksTable>

export function find(db: Reader, { project_id, id }: OrderKey): Promise<LinkRow | undefined> {
  return db
    .selectFrom('payment_links')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .executeTakeFirst()
}

export interface LinksPage {
  project_id: string
  count: number
  after: string | null
}

/** Newest first. */
export function list(db: Reader, { project_id, count, after }: LinksPage): Promise<LinkRow[]> {
  return db
    .selectFrom('payment_links')
    .selectAll()
    .where('project_id', '=', project_id)
    .$if(after !== null, (query) => query.where('id', '<', after!))
    .orderBy('id', 'desc')
    .limit(count)
    .execute()
}

/** Counts the links that are not turned off, but for one. */
export async function countOthersActive(db: Reader, { project_id, id }: OrderKey): Promise<number> {
  const { links } = await db
    .selectFrom('payment_links')
    .select(sql<number>`count(*)::int`.as('links'))
    .where('project_id', '=', project_id)
    .where('id', '!=', id)
    .where('active', '=', sql.lit(true))
    .executeTakeFirstOrThrow()
  return links
}

export function insert(tx: Transaction, row: Insertable<PaymentLinksTable>): Promise<LinkRow> {
  return tx.insertInto('payment_links').values(row).returningAll().executeTakeFirstOrThrow()
}

export type LinkChange = Partial<Pick<LinkRow, 'description' | 'active' | 'expires_at'>>

export function change(
  tx: Transaction,
  { project_id, id }: OrderKey,
  changes: LinkChange,
): Promise<LinkRow | undefined> {
  return tx
    .updateTable('payment_links')
    .set(changes)
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

/** Locks the link, so that one that is not reusable never gets two orders at once. */
export function lock(tx: Transaction, { project_id, id }: OrderKey): Promise<LinkRow | undefined> {
  return tx
    .selectFrom('payment_links')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export async function countPaid(
  tx: Transaction,
  { project_id, id }: OrderKey,
  amount_cents: bigint,
): Promise<void> {
  await tx
    .updateTable('payment_links')
    .set({
      paid_orders: sql`paid_orders + 1`,
      paid_cents: sql`paid_cents + ${amount_cents}`,
    })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .execute()
}

export function findLatestOrder(
  db: Reader,
  { project_id, id }: OrderKey,
): Promise<OrderRow | undefined> {
  return db
    .selectFrom('orders')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('payment_link_id', '=', id)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Counts the orders of a link since a time, up to `max`. */
export async function countOrders(
  db: Reader,
  { project_id, id }: OrderKey,
  { since, max }: { since: Date; max: number },
): Promise<number> {
  const recent = await db
    .selectFrom('orders')
    .select('id')
    .where('project_id', '=', project_id)
    .where('payment_link_id', '=', id)
    .where('created_at', '>', since)
    .limit(max)
    .execute()
  return recent.length
}
