/**
 * What becomes of orders when nobody waits for them any more. The carrier is asked by our
 * reference: an order that it knows is settled, one that it does not know came to nothing. A number
 * that turns up after its order was given up goes back to the carrier.
 */
import type { House } from '../../kernel/house.ts'
import {
  CarrierError,
  carrierOf,
  type Carrier,
  type CarrierOrder,
} from '../../providers/carrier/carrier.ts'
import * as billing from '../billing/service.ts'
import * as callPlans from '../call-plans/service.ts'
import * as projects from '../projects/service.ts'
import * as orders from './order-store.ts'
import { monthAfter } from './months.ts'
import { abandon, conclude, findAtCarrier, LOST_AFTER_MS } from './settle.ts'
import * as store from './store.ts'

const AT_A_TIME = 100
/** How long a number may still turn up whose order was given up. */
const STRAY_MS_MAX = 24 * 3600 * 1000

export async function settleOpenOrders(house: House): Promise<void> {
  const carrier = carrierOf(house)
  if (!carrier) return
  for (const order of await listOrders(house, 'placed')) {
    const result = await findAtCarrier(carrier, order)
    if (result === 'unknown') continue
    if (result === null) await abandon(house, order, 'lost')
    else await conclude({ house, carrier, caller: null }, order, result)
  }
}

function listOrders(house: House, state: 'placed' | 'lost'): Promise<orders.OrderRow[]> {
  const now_ms = house.clock.now_ms()
  const from = new Date(state === 'lost' ? now_ms - STRAY_MS_MAX : 0)
  const to = new Date(now_ms - LOST_AFTER_MS)
  return orders.listOrders(house.db, { state, from, to }, AT_A_TIME)
}

export async function returnStrays(house: House): Promise<void> {
  const carrier = carrierOf(house)
  if (!carrier) return
  for (const order of await listOrders(house, 'lost')) {
    const result = await findAtCarrier(carrier, order)
    if (result === 'unknown' || result === null) continue
    if (result.state === 'failed' || (await giveBack(house, carrier, result))) {
      await house.db.transact((tx) => orders.setOrderState(tx, order, 'failed'))
    }
  }
}

/** False while the number is not there yet, or the carrier does not take it back: then again later. */
async function giveBack(house: House, carrier: Carrier, order: CarrierOrder): Promise<boolean> {
  try {
    await carrier.release(order)
    house.log.warn({ e164: order.e164 }, 'a number that came too late was given back')
    return order.state === 'active'
  } catch (error) {
    if (!(error instanceof CarrierError)) throw error
    house.log.warn({ err: error }, 'the carrier did not take a number back')
    return false
  }
}

export async function followRegistrations(house: House): Promise<void> {
  const carrier = carrierOf(house)
  if (!carrier) return
  let after: string | null = null
  for (;;) {
    const pending: store.NumberRow[] = await store.listPending(house.db, {
      after,
      limit: AT_A_TIME,
    })
    for (const number of pending) await followRegistration(house, carrier, number)
    after = pending.at(-1)?.id ?? null
    if (pending.length < AT_A_TIME) return
  }
}

async function followRegistration(
  house: House,
  carrier: Carrier,
  number: store.NumberRow,
): Promise<void> {
  const result = await findAtCarrier(carrier, number)
  if (result === 'unknown' || result === null) return
  if (result.state === 'active') await activate(house, number)
  if (result.state === 'failed') await takeBack(house, number)
}

/** While a registration is under way nothing more is charged, so the next month is paid next. */
function activate(house: House, number: store.NumberRow): Promise<void> {
  const next = monthAfter(billing.monthOf(house, house.clock.now()))
  return house.db.transact((tx) =>
    store.activate(tx, number, isPaid(house, number) ? next : number.next_charge_on),
  )
}

/** Whether the first month was charged. */
function isPaid(house: House, { created_at, next_charge_on }: store.NumberRow): boolean {
  return next_charge_on !== null && next_charge_on > billing.monthOf(house, created_at)
}

/** A number that the registration refused never worked: it goes, and what it cost is given back. */
function takeBack(house: House, number: store.NumberRow): Promise<void> {
  const { project_id, id, type, e164 } = number
  return house.db.transact(async (tx) => {
    await projects.lock(tx, project_id)
    const row = await store.lockNumber(tx, number)
    if (row?.status !== 'pending') return
    await store.release(tx, row, house.clock.now())
    await callPlans.removeFor(tx, project_id, id)
    await projects.addToNumbersCount(tx, { project_id, type, by: -1 })
    const cost_micro = await billing.chargedFor(tx, project_id, id)
    if (cost_micro === 0n) return
    await billing.credit(tx, house, {
      project_id,
      amount_micro: cost_micro,
      source: 'number',
      description: `Phone number ${e164} could not be registered`,
      reference: `number:${id}:refused`,
      reference_id: id,
    })
  })
}
