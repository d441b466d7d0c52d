/** The customers of a project, with what they ordered and paid. */
import type { Caller } from '../../../contract/caller.ts'
import { limits } from '../../../contract/limits.ts'
import { refuseSlowSearch } from '../../../contract/problems/search-timeout.ts'
import { readPage } from '../../../contract/schema/pages.ts'
import { euroFromCents } from '../orders/amounts.ts'
import type { Customer, CustomerPage, CustomersQuery } from './customer-schema.ts'
import * as store from './customer-store.ts'

export async function list(caller: Caller, query: CustomersQuery): Promise<CustomerPage> {
  const { db, project } = caller
  const { limit, cursor, email, q, test } = query
  const page = await readPage(caller, {
    // A cursor is valid for the same filters only.
    list: `customers ${JSON.stringify({ email, q, test })}`,
    query: { limit, ...(cursor !== undefined && { cursor }) },
    read: (count, after) =>
      store.list(db, { project_id: project.id, count, after, email, q, test }),
    goesOn: ({ is_end }) => is_end,
  }).catch(refuseSlow({ email, q, test }))
  const data = page.data.filter(({ is_newest }) => is_newest).map(present)
  return { data, next_cursor: page.next_cursor }
}

const refuseSlow = refuseSlowSearch(
  limits.customer_search_s_max,
  'Search for the whole address with email.',
)

function present(row: store.CustomerRow): Customer {
  return {
    email: row.email,
    name: row.name,
    orders: row.orders,
    paid_orders: row.paid_orders,
    paid_eur: euroFromCents(row.paid_cents),
    refunded_eur: euroFromCents(row.refunded_cents),
    charged_back_eur: euroFromCents(row.charged_back_cents),
    running_subscriptions: row.running_subscriptions,
    first_order_at: row.first_order_at.toISOString(),
    last_order_at: row.last_order_at.toISOString(),
    test: row.test,
  }
}
