/** The SQL of customers. They have no table: a customer is the email address of orders. */
import { sql } from 'kysely'
import { limits } from '../../../contract/limits.ts'
import { readCostly } from '../../../kernel/database/costly-read.ts'
import type { Reader } from '../../../kernel/database/database.ts'

export interface CustomerRow {
  /** Of their newest order, by which customers are sorted. */
  id: string
  /** False for an order whose customer has a later one, at which a page ended. */
  is_newest: boolean
  /** Whether the page ended here because it had looked at enough orders. */
  is_end: boolean
  email: string
  name: string | null
  test: boolean
  orders: number
  paid_orders: number
  paid_cents: bigint
  refunded_cents: bigint
  charged_back_cents: bigint
  running_subscriptions: number
  first_order_at: Date
  last_order_at: Date
}

export interface CustomersPage {
  project_id: string
  count: number
  after: string | null
  /** Undefined for all. */
  test: boolean | undefined
  email: string | undefined
  /** A part of the address. */
  q: string | undefined
}

/**
 * Newest order first. Walks the orders from the newest on, looks up for each whether its customer has a
 * later one, and ends when the page is full or after `customer_list_orders_max` orders. Sums up the orders of
 * the customers of the page only. Throws `StatementTimeout` after `customer_search_s_max`.
 */
export async function list(db: Reader, page: CustomersPage): Promise<CustomerRow[]> {
  const { project_id, count, after, test, email, q } = page
  const all = sql`true`
  // A literal, so that the plan for all parameters is made for it.
  const walk = sql.lit(limits.customer_list_orders_max)
  const query = sql<CustomerRow>`
    select newest.*, sums.*, (
      select count(*)::int from payment_subscriptions
      where project_id = ${project_id} and customer_email = newest.email
        and test = newest.test and status in ('active', 'past_due')
    ) as running_subscriptions
    from (
      select walked.id, test, email, later.id is null as is_newest, place = ${walk} as is_end
      from (
        select id, test, customer_email as email, row_number() over (order by id desc) as place
        from orders
        where project_id = ${project_id} and customer_email is not null
          and ${test === undefined ? all : sql`test = ${test}`}
          and ${email === undefined ? all : sql`customer_email = ${email.toLowerCase()}`}
          and ${q === undefined ? all : sql`strpos(customer_email, ${q.toLowerCase()}) > 0`}
          and ${after === null ? all : sql`id < ${after}`}
        order by id desc limit ${walk}
      ) as walked left join lateral (
        select id from orders
        where project_id = ${project_id} and customer_email = walked.email
          and test = walked.test and id > walked.id
        limit 1
      ) as later on true
      where later.id is null or place = ${walk}
      order by walked.id desc limit ${count}
    ) as newest cross join lateral (
      select count(*)::int as orders, count(paid_at)::int as paid_orders,
        coalesce(sum(amount_cents) filter (where paid_at is not null), 0)::bigint as paid_cents,
        sum(refunded_cents)::bigint as refunded_cents,
        coalesce(sum(amount_cents - refunded_cents) filter (where status = 'charged_back'), 0)::bigint
          as charged_back_cents,
        min(created_at) as first_order_at, max(created_at) as last_order_at,
        (array_agg(customer_name order by id desc) filter (where customer_name is not null))[1] as name
      from orders as own
      where own.project_id = ${project_id} and own.test = newest.test
        and own.customer_email = newest.email
    ) as sums
    order by newest.id desc`.compile(db)
  const timeout_ms = limits.customer_search_s_max * 1000
  return readCostly(db, { project_id, query, timeout_ms })
}
