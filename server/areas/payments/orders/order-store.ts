/** The SQL of orders. */
import { sql, type Insertable, type Selectable } from 'kysely'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import type { OrdersTable, OrderTimelineTable } from '../../../kernel/database/tables.ts'

export type OrderRow = Selectable<OrdersTable>
export type TimelineRow = Selectable<OrderTimelineTable>

export interface OrderKey {
  project_id: string
  id: string
}

/** The next number. Locks the counter until the transaction ends, so a rollback leaves no gap. */
export async function takeNumber(
  tx: Transaction,
  { project_id, test }: { project_id: string; test: boolean },
): Promise<number> {
  const { last_number } = await tx
    .insertInto('order_counters')
    .values({ project_id, test, last_number: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'test'])
        .doUpdateSet({ last_number: sql<number>`order_counters.last_number + 1` }),
    )
    .returning('last_number')
    .executeTakeFirstOrThrow()
  return last_number
}

export function insert(tx: Transaction, row: Insertable<OrdersTable>): Promise<OrderRow> {
  return tx.insertInto('orders').values(row).returningAll().executeTakeFirstOrThrow()
}

export function find(db: Reader, { project_id, id }: OrderKey): Promise<OrderRow | undefined> {
  return db
    .selectFrom('orders')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Returns the orders in the sequence of the keys; undefined for a missing one. */
export async function findMany(
  db: Reader,
  keys: readonly OrderKey[],
): Promise<(OrderRow | undefined)[]> {
  const projects = keys.map(({ project_id }) => project_id)
  const ids = keys.map(({ id }) => id)
  const rows = await db
    .selectFrom('orders')
    .innerJoin(
      sql<OrderKey>`unnest(${projects}::uuid[], ${ids}::uuid[])`.as<'key'>(
        sql`key (project_id, id)`,
      ),
      (join) =>
        join.onRef('key.project_id', '=', 'orders.project_id').onRef('key.id', '=', 'orders.id'),
    )
    .selectAll('orders')
    .execute()
  const found = new Map(rows.map((row) => [`${row.project_id} ${row.id}`, row]))
  return keys.map(({ project_id, id }) => found.get(`${project_id} ${id}`))
}

export function lock(tx: Transaction, { project_id, id }: OrderKey): Promise<OrderRow | undefined> {
  return tx
    .selectFrom('orders')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export interface OrdersPage {
  project_id: string
  count: number
  after: string | null
  equal: {
    status?: OrderRow['status']
    number?: number
    test?: boolean
    payment_link_id?: string
    subscription_id?: string
    customer_email?: string
    since?: string
  }
}

/** Newest first. */
export function list(db: Reader, page: OrdersPage): Promise<OrderRow[]> {
  const { project_id, count, after } = page
  const { status, number, test, payment_link_id, subscription_id, customer_email, since } =
    page.equal
  return db
    .selectFrom('orders')
    .selectAll()
    .where('project_id', '=', project_id)
    .$if(status !== undefined, (query) => query.where('status', '=', status!))
    .$if(number !== undefined, (query) => query.where('number', '=', number!))
    .$if(payment_link_id !== undefined, (query) =>
      query.where('payment_link_id', '=', payment_link_id!),
    )
    .$if(subscription_id !== undefined, (query) =>
      query.where('subscription_id', '=', subscription_id!),
    )
    .$if(customer_email !== undefined, (query) =>
      query.where('customer_email', '=', customer_email!.toLowerCase()),
    )
    .$if(test !== undefined, (query) => query.where('test', '=', test!))
    .$if(since !== undefined, (query) => query.where('created_at', '>=', new Date(since!)))
    .$if(after !== null, (query) => query.where('id', '<', after!))
    .orderBy('id', 'desc')
    .limit(count)
    .execute()
}

export type OrderChange = Partial<
  Pick<
    OrderRow,
    | 'status'
    | 'provider_reference'
    | 'refunded_cents'
    | 'paid_at'
    | 'ended_at'
    | 'checked_at'
    | 'stock'
    | 'customer_language'
  >
>

/** Changes an order that `lock` locked. */
export async function change(
  tx: Transaction,
  { project_id, id }: OrderKey,
  changes: OrderChange,
): Promise<void> {
  await tx
    .updateTable('orders')
    .set(changes)
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .execute()
}

export interface VisitorShop {
  project_id: string
  test: boolean
}

/** Counts the open orders of visitors, and the failed and paid ones created after `since`. */
export async function countOfVisitors(
  db: Reader,
  { project_id, test }: VisitorShop,
  since: Date,
): Promise<{ open: number; failed: number; paid: number }> {
  const { rows } = await sql<{ open: number; failed: number; paid: number }>`
    select (select count(*)::int from orders where project_id = ${project_id} and test = ${test}
        and public_token_id is not null and status = 'open') as open,
      count(*) filter (where status = 'failed')::int as failed,
      count(*) filter (where paid_at is not null)::int as paid
    from orders where project_id = ${project_id} and test = ${test}
      and public_token_id is not null and created_at > ${since}
  `.execute(db)
  return rows[0]!
}

/** The order of a payment at a provider. */
export function findByReference(
  db: Reader,
  key: { project_id: string; provider: OrderRow['provider']; reference: string },
): Promise<OrderRow | undefined> {
  return db
    .selectFrom('orders')
    .selectAll()
    .where('project_id', '=', key.project_id)
    .where('provider', '=', key.provider)
    .where('provider_reference', '=', key.reference)
    .executeTakeFirst()
}

/** Those of the addresses whose orders were paid. Test orders count only if `test` is set. */
export async function findCustomerAddresses(
  db: Reader,
  {
    project_id,
    addresses,
    test,
  }: { project_id: string; addresses: readonly string[]; test: boolean },
): Promise<string[]> {
  const rows = await db
    .selectFrom('orders')
    .select('customer_email')
    .distinct()
    .where('project_id', '=', project_id)
    .where(sql<boolean>`customer_email = any(${addresses}::text[])`)
    .where('paid_at', 'is not', null)
    .$if(!test, (query) => query.where('test', '=', false))
    .execute()
  return rows.flatMap(({ customer_email }) => customer_email ?? [])
}

export type Unsettled = OrderKey & { checked_at: Date | null }

/** Orders of any project without an outcome that were not read since `before`, longest ago first. */
export function listUnsettled(
  db: Reader,
  { before, limit }: { before: Date; limit: number },
): Promise<Unsettled[]> {
  return (
    db
      .selectFrom('orders')
      .select(['project_id', 'id', 'checked_at'])
      // Literals, because PostgreSQL could not use the partial index with parameters.
      .where(sql<boolean>`status in ('open', 'pending') and provider_reference is not null`)
      .where((row) => row.or([row('checked_at', 'is', null), row('checked_at', '<', before)]))
      .orderBy(sql`checked_at nulls first`)
      .limit(limit)
      .execute()
  )
}

export async function insertTimeline(
  tx: Transaction,
  row: Insertable<OrderTimelineTable>,
): Promise<void> {
  await tx.insertInto('order_timeline').values(row).execute()
}

/** Oldest first. The transitions of an order are few and its refunds limited. */
export function listTimeline(db: Reader, { project_id, id }: OrderKey): Promise<TimelineRow[]> {
  return db
    .selectFrom('order_timeline')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('order_id', '=', id)
    .orderBy('id')
    .execute()
}
