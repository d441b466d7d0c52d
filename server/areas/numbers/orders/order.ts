/**
 * Orders a live number. The order and its hold are stored before the carrier request and settled
 * after the reply, so that a crash, a lost reply or a retry never orders or charges twice. An
 * unsettled order is settled by a retry with the same Idempotency-Key or by a reconciler, whichever
 * comes first.
 */
import assert from 'node:assert/strict'
import type { Caller } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { plans } from '../../../contract/plans.ts'
import type { Transaction } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { newId } from '../../../kernel/values/ids.ts'
import {
  CarrierError,
  type Carrier,
  type CarrierOrder,
} from '../../../providers/carrier/carrier.ts'
import * as billing from '../../billing/service.ts'
import * as projects from '../../projects/service.ts'
import type { NumberWish } from './read-request.ts'
import * as orders from './order-store.ts'
import { refuseWithPlan, requirePrerequisites } from './prerequisites.ts'
import { presentOrdered } from '../present.ts'
import type { NumberType, OrderedNumber } from '../schema.ts'
import { listOffers } from '../search.ts'
import { abandonOrder, settleOrder, findAtCarrier, LOST_AFTER_MS } from './settle.ts'
import * as store from '../store.ts'

/** Maximum number of attempts if the carrier has sold the chosen number meanwhile. */
const TRIES_MAX = 5
/**
 * Lifetime of the balance hold of an order. It exceeds the time that an order can stay open,
 * because an expired hold is released.
 */
const HOLD_LASTS_S = 7 * 24 * 3600
const RETRY_AFTER_S = 60

interface MemberContext {
  caller: Caller
  carrier: Carrier
}

/** Orders a number and returns it. Throws the Problem that prevents it. */
export async function orderLive(context: MemberContext, wish: NumberWish): Promise<OrderedNumber> {
  const { runtime, project } = context.caller
  const earlier = await findEarlier(context.caller)
  const resumed = earlier && (await resume(context, earlier))
  if (resumed) return resumed
  await requireRoom(context.caller.db, project.id)
  const price_micro = priceOf(runtime, wish.type)
  await requirePrerequisites(context.caller.db, runtime, { project, type: wish.type, price_micro })
  const offers = await offersFor(context, wish)
  let tries = 0
  for (const offer of offers) {
    const is_named = wish.e164 !== undefined
    const order = await place(context.caller, { ...offer, type: wish.type, is_named })
    if (!order) continue
    const ordered = await carryOut(context, order, wish)
    if (ordered) return ordered
    if (++tries === TRIES_MAX) break
  }
  throw noneLeft(wish)
}

function alreadyYours(e164: string, is_open: boolean): Problem {
  const detail = is_open
    ? `${e164} is being ordered by this project already.`
    : `${e164} already belongs to this project.`
  return new Problem('number_already_yours', detail)
}

function noneLeft({ e164 }: NumberWish): Problem {
  return e164 === undefined
    ? new Problem('no_numbers_available', 'The carrier has no free number in this area.')
    : new Problem('number_unavailable', `${e164} was ordered by another customer meanwhile.`)
}

function priceOf(runtime: Runtime, type: NumberType) {
  return billing.findPrice(runtime, `number.${type}`)
}

async function requireRoom(db: Transaction | Caller['db'], project_id: string): Promise<void> {
  const live = (await store.list(db, project_id)).filter(({ test }) => !test).length
  if (live + (await orders.countOpenOrders(db, project_id)) < limits.live_numbers_max) return
  throw new Problem(
    'number_limit_reached',
    `This project already has ${limits.live_numbers_max} live numbers, orders under way included.`,
  )
}

/** Returns the candidates: the requested number, or the results of a search. */
async function offersFor(
  { caller, carrier }: MemberContext,
  { type, area, e164 }: NumberWish,
): Promise<Named[]> {
  if (e164 === undefined) return listOffers(caller, carrier, { type, area })
  const { db, project, runtime } = caller
  const mine = await store.list(db, project.id)
  const orderer = await orders.findOrderingProject(db, e164)
  if (mine.some((number) => number.e164 === e164) || orderer === project.id) {
    throw alreadyYours(e164, orderer === project.id)
  }
  const now = runtime.clock.now()
  const taken = await orders.findTaken(db, { project_id: project.id, e164s: [e164], now })
  if (taken.has(e164)) return []
  const reserved = await orders.findReservation(db, { project_id: project.id, e164, now })
  return [{ e164, from_stock: reserved?.from_stock ?? null }]
}

/**
 * A number that was requested without a search; the carrier reports later whether it is in stock.
 */
interface Named {
  e164: string
  from_stock: boolean | null
}

/**
 * Stores the order and holds its first month. Returns null if another project is ordering the
 * number.
 */
function place(
  caller: Caller,
  { e164, from_stock, type, is_named }: Named & { type: NumberType; is_named: boolean },
): Promise<orders.OrderRow | null> {
  const { runtime, project, idempotency_key } = caller
  assert(idempotency_key !== null, 'An order has an Idempotency-Key.')
  const now = runtime.clock.now()
  const price_micro = priceOf(runtime, type)
  return caller.db
    .transact(async (tx) => {
      const fresh = await projects.findLocked(tx, project.id)
      if (!fresh) throw new Problem('project_deleted', 'The project of this key was deleted.')
      if (!plans[fresh.plan].live_numbers)
        await refuseWithPlan(tx, runtime, { project: fresh, type, price_micro })
      await requireRoom(tx, project.id)
      await requirePrerequisites(tx, runtime, { project: fresh, type, price_micro })
      const id = newId(runtime.clock)
      // Read before the ledger, because the ledger is locked last and the order needs its hold.
      const orderer = await orders.findOrderingProject(tx, e164)
      const has = (await store.list(tx, project.id)).some((number) => number.e164 === e164)
      if (is_named && (has || orderer === project.id)) throw alreadyYours(e164, !has)
      if (has || orderer !== null) return null
      await projects.updateOrdersCount(tx, { project_id: project.id, type, by: 1 })
      const hold_id = await billing.hold(tx, runtime, {
        project_id: project.id,
        amount_micro: price_micro,
        source: 'number',
        description: `Phone number ${e164}, first month`,
        quantity: 1,
        unit: 'month',
        reference_id: id,
        reference: `number:${id}:first`,
        lasts_s: HOLD_LASTS_S,
      })
      const row: orders.OrderRow = {
        project_id: project.id,
        id,
        idempotency_key,
        e164,
        type,
        from_stock,
        state: 'placed',
        hold_id,
        price_micro,
        created_at: now,
      }
      if (await orders.insertOrder(tx, row)) return row
      throw new Overtaken()
    })
    .catch((error: unknown) => {
      if (error instanceof Overtaken) return null
      throw error
    })
}

/** Another order of the number was inserted between the read and the insert of this one. */
class Overtaken extends Error {}

/** Sends the order to the carrier. Returns null if the number is sold and another may be tried. */
async function carryOut(
  { caller, carrier }: MemberContext,
  order: orders.OrderRow,
  { e164 }: NumberWish,
): Promise<OrderedNumber | null> {
  const { runtime } = caller
  try {
    const result = await carrier.order({ e164: order.e164, reference: order.id })
    return await concludeFor({ caller, carrier }, order, result)
  } catch (error) {
    if (!(error instanceof CarrierError)) throw error
    runtime.log.warn({ err: error, order_id: order.id }, 'the carrier did not take an order')
    if (error.fault === 'unknown') throw outcomeUnknown()
    await abandonOrder(runtime, order, 'failed')
    if (error.fault === 'number_taken' && e164 === undefined) return null
    throw problemOf(error, order.e164)
  }
}

function problemOf({ fault }: CarrierError, e164: string): Problem {
  if (fault === 'number_taken') return noneLeft({ type: 'national', area: undefined, e164 })
  if (fault === 'refused') {
    return refusedByCarrier()
  }
  return new Problem('telephony_unavailable', 'The carrier takes no orders at the moment.', {
    retry_after_s: RETRY_AFTER_S,
  })
}

function refusedByCarrier(): Problem {
  return new Problem('upstream_error', 'The carrier refused the order. Nothing was charged.')
}

function outcomeUnknown(): Problem {
  return new Problem(
    'order_status_unknown',
    'The carrier has not said yet whether the number was ordered.',
    { outcome_unknown: true },
  )
}

function findEarlier({ db, runtime, project, idempotency_key }: Caller) {
  assert(idempotency_key !== null, 'An order has an Idempotency-Key.')
  const remembered_ms = limits.idempotency_key_remembered_s * 1000
  const since = new Date(runtime.clock.now_ms() - remembered_ms)
  return orders.findOrderOfKey(db, { project_id: project.id, key: idempotency_key, since })
}

/**
 * Continues an order of the same Idempotency-Key. Returns null if it ended without a number, so
 * that a new order may start.
 */
async function resume(
  { caller, carrier }: MemberContext,
  order: orders.OrderRow,
): Promise<OrderedNumber | null> {
  const { runtime } = caller
  if (order.state === 'done') return remember(caller, order)
  const result = await findAtCarrier(carrier, order)
  if (result === 'unknown') throw outcomeUnknown()
  if (result !== null) return concludeFor({ caller: replaying(caller), carrier }, order, result)
  if (runtime.clock.now_ms() - order.created_at.getTime() < LOST_AFTER_MS) throw outcomeUnknown()
  await abandonOrder(runtime, order, 'lost')
  return null
}

/** Returns the caller, marked as replaying the order of an earlier request. */
function replaying(caller: Caller): Caller {
  return { ...caller, remember: (tx, reply) => caller.remember(tx, reply, { replayed: true }) }
}

async function concludeFor(
  { caller, carrier }: MemberContext,
  order: orders.OrderRow,
  result: CarrierOrder,
): Promise<OrderedNumber> {
  const ordered = await settleOrder({ runtime: caller.runtime, carrier, caller }, order, result)
  if (!ordered) throw refusedByCarrier()
  return ordered
}

/** Stores the number of an order that a reconciler settled as the reply to this request. */
function remember(caller: Caller, order: orders.OrderRow): Promise<OrderedNumber | null> {
  return caller.db.transact(async (tx) => {
    const number = await store.find(tx, order.project_id, order.id)
    if (!number) return null
    const reply = await presentOrdered(tx, number)
    await caller.remember(tx, reply, { replayed: true })
    return reply
  })
}
