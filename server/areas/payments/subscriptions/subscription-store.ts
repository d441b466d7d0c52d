/** The SQL of subscriptions. */
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import type { PaymentSubscriptionsTable } from '../../../kernel/database/tables.ts'
import type { OrderKey, OrderRow } from '../orders/order-store.ts'

export type SubscriptionRow = Selectable<PaymentSubscriptionsTable>

export function insert(
  tx: Transaction,
  row: Insertable<PaymentSubscriptionsTable>,
): Promise<SubscriptionRow> {
  return tx.insertInto('payment_subscriptions').values(row).returningAll().executeTakeFirstOrThrow()
}

export function find(
  db: Reader,
  { project_id, id }: OrderKey,
): Promise<SubscriptionRow | undefined> {
  return db
    .selectFrom('payment_subscriptions')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .executeTakeFirst()
}

export function lock(
  tx: Transaction,
  { project_id, id }: OrderKey,
): Promise<SubscriptionRow | undefined> {
  return tx
    .selectFrom('payment_subscriptions')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

/** Newest first. */
export function list(
  db: Reader,
  page: {
    project_id: string
    count: number
    after: string | null
    equal: { customer_email?: string; test?: boolean }
  },
): Promise<SubscriptionRow[]> {
  const { project_id, count, after } = page
  const { customer_email, test } = page.equal
  return db
    .selectFrom('payment_subscriptions')
    .selectAll()
    .where('project_id', '=', project_id)
    .$if(customer_email !== undefined, (query) =>
      query.where('customer_email', '=', customer_email!.toLowerCase()),
    )
    .$if(test !== undefined, (query) => query.where('test', '=', test!))
    .$if(after !== null, (query) => query.where('id', '<', after!))
    .orderBy('id', 'desc')
    .limit(count)
    .execute()
}

/** Subscriptions of any project whose next charge is due, longest ago first. */
export function listDue(db: Reader, now: Date, limit: number): Promise<OrderKey[]> {
  return db
    .selectFrom('payment_subscriptions')
    .select(['project_id', 'id'])
    .where(sql<boolean>`next_at is not null`)
    .where('next_at', '<=', now)
    .orderBy('next_at')
    .limit(limit)
    .execute()
}

export function change(
  tx: Transaction,
  { project_id, id }: OrderKey,
  changes: Updateable<PaymentSubscriptionsTable>,
): Promise<SubscriptionRow> {
  return tx
    .updateTable('payment_subscriptions')
    .set(changes)
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Newest first. */
export function listOrders(
  db: Reader,
  { project_id, id }: OrderKey,
  limit: number,
): Promise<OrderRow[]> {
  return db
    .selectFrom('orders')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('subscription_id', '=', id)
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute()
}
