/**
 * Settles an order at the carrier: either with a number and its first month charged, or without a
 * number and with a refund. Requests and the reconciler share this code. The row lock ensures that
 * an order is settled once; the second caller finds it settled.
 */
import type { Caller } from '../../../contract/caller.ts'
import type { Transaction } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import {
  CarrierError,
  type Carrier,
  type CarrierOrder,
} from '../../../providers/carrier/carrier.ts'
import * as billing from '../../billing/service.ts'
import * as projects from '../../projects/service.ts'
import { addMonth } from './months.ts'
import * as orders from './order-store.ts'
import { presentOrdered } from '../present.ts'
import type { OrderedNumber } from '../schema.ts'
import * as store from '../store.ts'

/** An order that the carrier does not know after this time was never received. */
export const LOST_AFTER_MS = 60_000

/**
 * The carrier's state of an order: null if it has none, `unknown` if the carrier does not answer.
 */
export async function findAtCarrier(
  carrier: Carrier,
  { e164, id }: Pick<orders.OrderRow, 'e164' | 'id'>,
): Promise<CarrierOrder | 'unknown' | null> {
  try {
    const found = await carrier.find({ e164, reference: id })
    return found === null || found.e164 === e164 ? found : 'unknown'
  } catch (error) {
    if (error instanceof CarrierError) return 'unknown'
    throw error
  }
}

interface Conclusion {
  runtime: Runtime
  carrier: Carrier
  /** The request that waits for the order; null in a reconciler. */
  caller: Caller | null
}

/** Settles an order by the carrier's result. Returns null if the order brought no number. */
export async function settleOrder(
  { runtime, carrier, caller }: Conclusion,
  order: orders.OrderRow,
  result: CarrierOrder,
): Promise<OrderedNumber | null> {
  const { state } = result
  if (state === 'failed') {
    await abandonOrder(runtime, order, 'failed')
    return null
  }
  const ordered = await runtime.db.transact(async (tx) => {
    const project = await projects.findLocked(tx, order.project_id)
    const { state: settled } = await orders.lockOrder(tx, order)
    // A deleted project cannot pay for a number.
    if (settled === 'placed' && !project) await endWith(tx, runtime, { order, state: 'lost' })
    else if (settled === 'placed') await keepNumber(tx, runtime, { order, state })
    if (!project || (settled !== 'placed' && settled !== 'done')) return null
    const number = await store.find(tx, order.project_id, order.id)
    const reply = number ? await presentOrdered(tx, number) : null
    if (reply) await caller?.remember(tx, reply)
    return reply
  })
  // The order was given up and refunded meanwhile, so the number is returned to the carrier.
  if (!ordered)
    await carrier.release(result).catch((error: unknown) => {
      // returnLateNumbers retries for a day after an order was given up.
      runtime.log.warn(
        { err: error },
        'a number that arrived too late could not be returned to the carrier yet',
      )
    })
  return ordered
}

interface Keeping {
  order: orders.OrderRow
  state: 'active' | 'pending'
}

/** Stores the number, charges its first month and ends the order, in one transaction. */
async function keepNumber(
  tx: Transaction,
  runtime: Runtime,
  { order, state }: Keeping,
): Promise<void> {
  const { project_id, id, e164, type, hold_id, price_micro } = order
  const now = runtime.clock.now()
  const month = billing.findBillingMonth(runtime, now)
  await orders.setOrderState(tx, order, 'done')
  await orders.deleteReservation(tx, e164)
  await projects.updateOrdersCount(tx, { project_id, type, by: -1 })
  await projects.updateNumbersCount(tx, { project_id, type, by: 1 })
  // `project_id` also pays, because only a project that pays for itself orders live numbers. The
  // ledger is locked last.
  const settlement = { project_id, hold_id, amount_micro: price_micro }
  const held = await billing.settle(tx, runtime, settlement)
  await store.insert(tx, {
    project_id,
    id,
    e164,
    type,
    status: state,
    test: false,
    from_stock: order.from_stock ?? state === 'active',
    created_at: now,
    // If the hold has expired, it charged nothing, so this month is still owed.
    next_charge_on: held === 'settled' ? addMonth(month) : month,
  })
}

/** Ends an order without a number and refunds its amount. */
export function abandonOrder(
  runtime: Runtime,
  order: orders.OrderRow,
  state: 'failed' | 'lost',
): Promise<void> {
  return runtime.db.transact(async (tx) => {
    await projects.lock(tx, order.project_id)
    const { state: settled } = await orders.lockOrder(tx, order)
    if (settled === 'placed') await endWith(tx, runtime, { order, state })
  })
}

interface End {
  order: orders.OrderRow
  state: 'failed' | 'lost'
}

async function endWith(tx: Transaction, runtime: Runtime, { order, state }: End): Promise<void> {
  const { project_id, type, hold_id } = order
  await orders.setOrderState(tx, order, state)
  await projects.updateOrdersCount(tx, { project_id, type, by: -1 })
  await billing.release(tx, runtime, { project_id, hold_id })
}
