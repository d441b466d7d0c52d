/**
 * Settles orders without a waiting request. It looks them up at the carrier by our reference: a
 * known order is settled, an unknown one is given up. A number that appears after its order was
 * given up is returned to the carrier.
 */
import { isDatabaseUnavailable } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import {
  CarrierError,
  carrierOf,
  type Carrier,
  type CarrierOrder,
} from '../../../providers/carrier/carrier.ts'
import * as billing from '../../billing/service.ts'
import * as callPlans from '../../call-plans/service.ts'
import * as projects from '../../projects/service.ts'
import * as orders from './order-store.ts'
import { abandonOrder, settleOrder, findAtCarrier, LOST_AFTER_MS } from './settle.ts'
import * as store from '../store.ts'

const AT_A_TIME = 100
const DAY_MS = 24 * 3600 * 1000
/** Time in which a number may still appear at the carrier after its order was given up. */
const STRAY_MS_MAX = DAY_MS
/** Maximum duration of a registration; a longer one is given up. */
const REGISTRATION_MS_MAX = 90 * DAY_MS

export async function settleOpenOrders(runtime: Runtime): Promise<void> {
  const carrier = carrierOf(runtime)
  if (!carrier) return
  await forEach(runtime, ordersIn(runtime, 'placed'), async (order) => {
    const result = await findAtCarrier(carrier, order)
    if (result === 'unknown') return
    if (result === null) await abandonOrder(runtime, order, 'lost')
    else await settleOrder({ runtime, carrier, caller: null }, order, result)
  })
}

/** Returns orders in a state that are old enough to have a result, page by page. */
function ordersIn(runtime: Runtime, state: 'placed' | 'lost') {
  const now_ms = runtime.clock.now_ms()
  const from = new Date(state === 'lost' ? now_ms - STRAY_MS_MAX : 0)
  const to = new Date(now_ms - LOST_AFTER_MS)
  return (after: string | null) =>
    orders.listOrders(runtime.db, { state, from, to, after, limit: AT_A_TIME })
}

/** Processes all pages. An error in one row is logged and does not stop the others. */
async function forEach<Row extends { id: string }>(
  runtime: Runtime,
  read: (after: string | null) => Promise<Row[]>,
  work: (row: Row) => Promise<void>,
): Promise<void> {
  let after: string | null = null
  for (;;) {
    const rows: Row[] = await read(after)
    for (const row of rows) {
      await work(row).catch((error: unknown) => {
        if (isDatabaseUnavailable(error)) throw error
        runtime.log.error({ err: error, order_id: row.id }, 'an order could not be settled')
      })
    }
    after = rows.at(-1)?.id ?? null
    if (rows.length < AT_A_TIME) return
  }
}

export async function returnLateNumbers(runtime: Runtime): Promise<void> {
  const carrier = carrierOf(runtime)
  if (!carrier) return
  await forEach(runtime, ordersIn(runtime, 'lost'), async (order) => {
    const result = await findAtCarrier(carrier, order)
    if (result === 'unknown' || result === null) return
    if (result.state === 'failed' || (await returnToCarrier(runtime, carrier, result))) {
      await runtime.db.transact((tx) => orders.setOrderState(tx, order, 'failed'))
    }
  })
}

/**
 * Returns false, for a later retry, while the number is missing or the carrier refuses its return.
 */
async function returnToCarrier(
  runtime: Runtime,
  carrier: Carrier,
  order: CarrierOrder,
): Promise<boolean> {
  try {
    await carrier.release(order)
    runtime.log.warn(
      { e164: order.e164 },
      'a number that arrived too late was returned to the carrier',
    )
    return order.state === 'active'
  } catch (error) {
    if (!(error instanceof CarrierError)) throw error
    runtime.log.warn({ err: error }, 'the carrier did not take a number back')
    return false
  }
}

export async function updateRegistrations(runtime: Runtime): Promise<void> {
  const carrier = carrierOf(runtime)
  if (!carrier) return
  const read = (after: string | null) => store.listPending(runtime.db, { after, limit: AT_A_TIME })
  await forEach(runtime, read, (number) => followRegistration(runtime, carrier, number))
}

async function followRegistration(
  runtime: Runtime,
  carrier: Carrier,
  number: store.NumberRow,
): Promise<void> {
  const result = await findAtCarrier(carrier, number)
  if (result === 'unknown') return
  if (result?.state === 'active') {
    await runtime.db.transact((tx) => store.activate(tx, number))
    return
  }
  const waits_ms = runtime.clock.now_ms() - number.created_at.getTime()
  if (result?.state !== 'failed' && waits_ms <= REGISTRATION_MS_MAX) return
  await removeAndRefund(runtime, number)
  if (result?.state === 'pending') await returnToCarrier(runtime, carrier, result)
}

/** Removes a number whose registration failed and refunds its first month. */
function removeAndRefund(runtime: Runtime, number: store.NumberRow): Promise<void> {
  const { project_id, id, type, e164 } = number
  return runtime.db.transact(async (tx) => {
    await projects.lock(tx, project_id)
    const row = await store.lockNumber(tx, number)
    if (row?.status !== 'pending') return
    await store.release(tx, row, runtime.clock.now())
    await callPlans.removePlanOf(tx, project_id, id)
    await projects.updateNumbersCount(tx, { project_id, type, by: -1 })
    const cost_micro = await billing.sumCharged(tx, project_id, id)
    if (cost_micro === 0n) return
    await billing.credit(tx, runtime, {
      project_id,
      amount_micro: cost_micro,
      source: 'number',
      description: `Phone number ${e164} could not be registered`,
      reference: `number:${id}:refused`,
      month: billing.findBillingMonth(runtime, number.created_at),
      reference_id: id,
    })
  })
}
