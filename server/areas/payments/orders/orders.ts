/** The rules of orders: create, list, read, and the simulated customer of test mode. */
import { mayBeReal, type Caller } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import { readPage } from '../../../contract/schema/pages.ts'
import { play } from '../pay/checkout-page.ts'
import { refresh } from '../pay/refresh.ts'
import * as refunds from '../refunds/refund-store.ts'
import * as sites from '../../sites/service.ts'
import { euroFromCents } from './amounts.ts'
import type {
  NewOrder,
  Order,
  OrderDetail,
  OrderInput,
  OrderPage,
  OrdersQuery,
  TestPaymentInput,
} from './order-schema.ts'
import * as store from './order-store.ts'
import { present, presentRefund } from './present.ts'
import { readDraft } from './draft.ts'
import { insertOrder } from './insert-order.ts'

export async function create(caller: Caller, input: OrderInput): Promise<NewOrder> {
  const { runtime, project } = caller
  const draft = readDraft(input, runtime.clock.now())
  if (input.site_id !== undefined) await sites.findSite(caller, input.site_id)
  return caller.db.transact(async (tx) => {
    const mode = { project_id: project.id, test: !mayBeReal(caller, 'payments') }
    const order = present(runtime, await insertOrder(tx, runtime, { ...mode, draft }))
    const reply = { order, checkout_url: order.checkout_url }
    if (caller.idempotency_key !== null) await caller.remember(tx, reply)
    return reply
  })
}

export async function list(caller: Caller, query: OrdersQuery): Promise<OrderPage> {
  const { project, db, runtime } = caller
  const { limit, cursor, ...equal } = query
  const is_filtered = Object.keys(equal).length > 0
  const page = await readPage(caller, {
    // A cursor is valid for the same filters only.
    list: is_filtered ? `orders ${JSON.stringify(equal)}` : 'orders',
    query: { limit, ...(cursor !== undefined && { cursor }) },
    read: (count, after) => store.list(db, { project_id: project.id, count, after, equal }),
  })
  return { data: page.data.map((row) => present(runtime, row)), next_cursor: page.next_cursor }
}

export async function find(caller: Caller, id: string): Promise<OrderDetail> {
  const row = await findRow(caller, id)
  const made = await refunds.list(caller.db, row)
  const timeline = await store.listTimeline(caller.db, row)
  return {
    ...present(caller.runtime, row),
    refunds: made.map(presentRefund),
    timeline: timeline.map(({ event, amount_cents, happened_at }) => ({
      event,
      amount_eur: amount_cents === null ? null : euroFromCents(amount_cents),
      happened_at: happened_at.toISOString(),
    })),
  }
}

async function findRow({ db, project }: Caller, id: string): Promise<store.OrderRow> {
  const row = await store.find(db, { project_id: project.id, id })
  if (!row) throw new Problem('not_found', 'This project has no order with this id.')
  return row
}

/** Plays the customer of a test order, as on the test page. */
export async function simulate(
  caller: Caller,
  id: string,
  { outcome }: TestPaymentInput,
): Promise<Order> {
  const row = await findRow(caller, id)
  if (!row.test) throw new Problem('not_found', 'This order is not a test order.')
  await play(caller.runtime, row, { outcome, calls_back: true })
  return present(caller.runtime, (await refresh(caller.runtime, row)) ?? row)
}
