/**
 * Charges the periods of subscriptions that are due. The order of a period is written first; a job then
 * charges it at the provider, with the id of the order as idempotency key.
 */
import { Type } from 'typebox'
import { mayBeReal } from '../../../contract/caller.ts'
import { enqueue, job, reconciler } from '../../../kernel/jobs/jobs.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import * as projects from '../../projects/service.ts'
import { findProvider } from '../account/account.ts'
import { openCheckout } from '../account/open-account.ts'
import { advance } from '../orders/advance.ts'
import * as orders from '../orders/order-store.ts'
import { isPayable } from '../orders/transitions.ts'
import { insertPeriod } from './subscriptions.ts'
import * as store from './subscription-store.ts'

const CHARGE_EVERY_S = 60
const CHARGE_AT_A_TIME = 200
const LATER_MS = 3_600_000

export const chargeSubscriptions = reconciler({
  name: 'payments.charge_subscriptions',
  every_s: CHARGE_EVERY_S,
  async run(runtime) {
    const due = await store.listDue(runtime.db, runtime.clock.now(), CHARGE_AT_A_TIME)
    for (const key of due) {
      try {
        await beginPeriod(runtime, key)
      } catch (error) {
        const subscription_id = key.id
        runtime.log.error({ subscription_id, err: error }, 'a period could not be charged')
      }
    }
  },
})

/**
 * Waits while the order of the last attempt is on its way, while payments are in test mode, and while the
 * project has no account.
 */
async function beginPeriod(runtime: Runtime, key: orders.OrderKey): Promise<void> {
  const { db, clock } = runtime
  await db.transact(async (tx) => {
    const row = await store.lock(tx, key)
    if (!row?.next_at || row.next_at > clock.now()) return
    const [latest] = await store.listOrders(tx, key, 1)
    const project = await projects.find(tx, key.project_id)
    const is_allowed = row.test || (project && mayBeReal({ mode: 'live', project }, 'payments'))
    const next_at = new Date(clock.now_ms() + LATER_MS)
    await store.change(tx, key, { next_at })
    if ((latest && isPayable(latest.status)) || !is_allowed) return
    if ((await findProvider(tx, row)) === null) return
    const { customer_language = null } = latest ?? {}
    const period = await insertPeriod(tx, runtime, { ...row, customer_language })
    const { id: order_id, project_id } = period
    await enqueue(tx, runtime, chargeOrder, { payload: { project_id, order_id }, project_id })
  })
}

export const chargeOrder = job({
  name: 'orders.charge',
  payload: Type.Object({ project_id: Type.String(), order_id: Type.String() }),
  retry_after_s: [5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400],
  async run({ runtime, payload: { project_id, order_id }, finish }) {
    const key = { project_id, id: order_id }
    const row = await orders.find(runtime.db, key)
    const id = row?.subscription_id
    const subscription = id ? await store.find(runtime.db, { project_id, id }) : undefined
    if (!row || !subscription || row.status !== 'open' || row.provider_reference) return finish()
    const { amount_cents, number } = row
    const { mandate, ended_at } = subscription
    const checkout = ended_at === null ? await openCheckout(runtime, row) : null
    const description = `Order ${number}`
    const reference =
      checkout && mandate !== null
        ? await checkout.charge({ project_id, order_id, amount_cents, description, mandate })
        : null
    const seen = reference !== null && (await checkout?.read({ project_id, reference }))
    const failed = { amount_cents, refunded_cents: 0n, charged_back: false, mandate: null }
    await finish(async (tx) => {
      const locked = await orders.lock(tx, key)
      if (!locked) return
      if (reference !== null) await orders.change(tx, key, { provider_reference: reference })
      const changed = { ...locked, provider_reference: reference }
      await advance(tx, runtime, { row: changed, seen: seen || { ...failed, state: 'failed' } })
    })
  },
})
