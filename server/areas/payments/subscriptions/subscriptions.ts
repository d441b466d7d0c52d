/** Subscriptions: created with their first order, listed, and canceled by the business or customer. */
import { mayBeReal, type Caller } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { readPage } from '../../../contract/schema/pages.ts'
import type { Transaction } from '../../../kernel/database/database.ts'
import { announceRecordsAfter } from '../../../kernel/jobs/record-wakeups.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { newId } from '../../../kernel/values/ids.ts'
import * as projects from '../../projects/service.ts'
import {
  centsFromEuro,
  euroFromCents,
  hundredthsFromPercent,
  percentFromHundredths,
} from '../orders/amounts.ts'
import { createCheckoutUrl } from '../orders/checkout-url.ts'
import { readDraft, refuse } from '../orders/draft.ts'
import { insertOrder } from '../orders/insert-order.ts'
import type { OrderKey, OrderRow } from '../orders/order-store.ts'
import { enqueueExpiry } from '../pay/jobs.ts'
import type {
  NewSubscription,
  Subscription,
  SubscriptionInput,
  SubscriptionPage,
  SubscriptionsQuery,
} from './subscription-schema.ts'
import * as store from './subscription-store.ts'
import { createSubscriptionUrl, readSubscriptionToken } from './subscription-url.ts'

const DEFAULT_VAT_PERCENT = 21
const ORDERS_SHOWN = 24

export function create(caller: Caller, input: SubscriptionInput): Promise<NewSubscription> {
  const { runtime, project } = caller
  const now = runtime.clock.now()
  const vat_percent = input.vat_percent ?? DEFAULT_VAT_PERCENT
  const amount_cents = centsFromEuro(input.amount_eur)
  if (amount_cents === null) throw refuse('/amount_eur', 'must be in whole cents')
  const vat_hundredths = hundredthsFromPercent(vat_percent)
  if (vat_hundredths === null) throw refuse('/vat_percent', 'must have at most two decimals')
  const row = {
    project_id: project.id,
    id: newId(runtime.clock),
    test: !mayBeReal(caller, 'payments'),
    status: 'pending',
    description: input.description.trim(),
    amount_cents: BigInt(amount_cents),
    vat_hundredths,
    every: input.interval,
    times: input.times ?? null,
    paid_times: 0,
    failed_times: 0,
    customer_name: input.customer.name ?? null,
    customer_email: input.customer.email.toLowerCase(),
    created_at: now,
  } as const
  return caller.db.transact(async (tx) => {
    const subscription = await store.insert(tx, row)
    const order = await insertPeriod(tx, runtime, subscription)
    const reply = {
      subscription: present(runtime, subscription),
      checkout_url: createCheckoutUrl(runtime, order),
    }
    if (caller.idempotency_key !== null) await caller.remember(tx, reply)
    return reply
  })
}

interface Period {
  description: string
  amount_eur: number
  vat_percent: number
  customer: { name?: string; email?: string }
  now: Date
}

function draftOf({ description, amount_eur, vat_percent, customer, now }: Period) {
  const last_ms = now.getTime() + limits.order_lifetime_max_s * 1000
  const item = { name: description.trim(), quantity: 1, unit_price_eur: amount_eur, vat_percent }
  return readDraft({ items: [item], customer, expires_at: new Date(last_ms).toISOString() }, now)
}

/** The order of the next period. */
export function insertPeriod(
  tx: Transaction,
  runtime: Runtime,
  row: store.SubscriptionRow & Partial<Pick<OrderRow, 'customer_language'>>,
): Promise<OrderRow> {
  const { project_id, test, id: subscription_id, customer_name, customer_email } = row
  const draft = draftOf({
    description: row.description,
    amount_eur: euroFromCents(row.amount_cents),
    vat_percent: percentFromHundredths(row.vat_hundredths),
    customer: {
      ...(customer_name !== null && { name: customer_name }),
      ...(customer_email !== null && { email: customer_email }),
    },
    now: runtime.clock.now(),
  })
  const { customer_language = null } = row
  const facts = { project_id, test, draft, subscription_id, customer_language }
  return insertOrder(tx, runtime, facts)
}

export async function list(caller: Caller, query: SubscriptionsQuery): Promise<SubscriptionPage> {
  const { db, project, runtime } = caller
  const { limit, cursor, ...equal } = query
  // In one order, whatever that of the request was.
  const filters = JSON.stringify(Object.entries(equal).toSorted())
  const { data, next_cursor } = await readPage(caller, {
    // A cursor is valid for the same filters only.
    list: `payment subscriptions ${filters}`,
    query: { limit, ...(cursor !== undefined && { cursor }) },
    read: (count, after) => store.list(db, { project_id: project.id, count, after, equal }),
  })
  return { data: data.map((row) => present(runtime, row)), next_cursor }
}

export async function find({ db, project, runtime }: Caller, id: string): Promise<Subscription> {
  const row = await store.find(db, { project_id: project.id, id })
  if (!row) throw unknown()
  return present(runtime, row)
}

export async function cancel(caller: Caller, id: string): Promise<Subscription> {
  const { runtime, project } = caller
  const key = { project_id: project.id, id }
  const row = await store.find(caller.db, key)
  if (row && caller.mode === 'test' && !row.test) {
    throw new Problem('forbidden', 'A test key cannot cancel a real subscription.')
  }
  return present(runtime, await end({ ...runtime, db: caller.db }, key))
}

/** Canceling again changes nothing. The first order of a pending one cannot be paid any more. */
function end(runtime: Runtime, key: OrderKey): Promise<store.SubscriptionRow> {
  return runtime.db.transact(async (tx) => {
    const row = await store.lock(tx, key)
    if (!row) throw unknown()
    if (row.ended_at !== null) return row
    const ended_at = runtime.clock.now()
    const [first] = row.status === 'pending' ? await store.listOrders(tx, key, 1) : []
    announceRecordsAfter(tx, runtime, key.project_id, 'orders')
    if (first) await enqueueExpiry(tx, runtime, { ...first, expires_at: ended_at })
    return store.change(tx, key, { status: 'canceled', next_at: null, ended_at, mandate: null })
  })
}

const unknown = () => new Problem('not_found', 'This project has no subscription with this id.')

export interface OpenedSubscription {
  subscription: store.SubscriptionRow
  business: string
  orders: OrderRow[]
}

/** Throws not_found for a token that this server did not issue. */
export async function findSubscriptionByToken(
  runtime: Runtime,
  token: string,
): Promise<OpenedSubscription> {
  const key = readSubscriptionToken(runtime, token)
  const subscription = key && (await store.find(runtime.db, key))
  const project = subscription && (await projects.find(runtime.db, subscription.project_id))
  if (!subscription || !project) throw unknown()
  const orders = await store.listOrders(runtime.db, subscription, ORDERS_SHOWN)
  return { subscription, business: project.name, orders }
}

export async function cancelByToken(runtime: Runtime, token: string): Promise<void> {
  const { subscription } = await findSubscriptionByToken(runtime, token)
  await end(runtime, subscription)
}

function present(runtime: Runtime, row: store.SubscriptionRow): Subscription {
  return {
    id: row.id,
    status: row.status,
    description: row.description,
    amount_eur: euroFromCents(row.amount_cents),
    vat_percent: percentFromHundredths(row.vat_hundredths),
    interval: row.every,
    times: row.times,
    paid_times: row.paid_times,
    customer: { name: row.customer_name, email: row.customer_email },
    next_payment_at: row.next_at?.toISOString() ?? null,
    manage_url: createSubscriptionUrl(runtime, row),
    ended_at: row.ended_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    test: row.test,
  }
}
