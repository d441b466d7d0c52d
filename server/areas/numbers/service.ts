/**
 * The rules of phone numbers: search, order, list and release. Test numbers come from the fictional
 * range, cost nothing and never reach a carrier. A live number is ordered at the carrier, once the
 * project meets the prerequisites of the specification, and is charged monthly.
 */
import { isTest, mayBeReal, type Caller } from '../../contract/caller.ts'
import { Problem } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { plans } from '../../contract/plans.ts'
import type { Reader, Transaction } from '../../kernel/database/database.ts'
import { newId } from '../../kernel/values/ids.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { carrierOf, type Carrier } from '../../providers/carrier/carrier.ts'
import * as billing from '../billing/service.ts'
import * as callPlans from '../call-plans/service.ts'
import * as media from '../media/service.ts'
import * as projects from '../projects/service.ts'
import { parseOrder, findSearchedType, type NumberWish } from './orders/read-request.ts'
import { orderLive } from './orders/order.ts'
import { refuseWithPlan } from './orders/prerequisites.ts'
import { present, presentOrdered } from './present.ts'
import type {
  AvailableNumberList,
  NumberOrder,
  NumberSearch,
  OrderedNumber,
  PhoneNumber,
  ReleasedNumber,
} from './schema.ts'
import { AVAILABLE_SHOWN, reserveOffers } from './search.ts'
import * as store from './store.ts'
import { listFreeTestNumbers } from './test-range.ts'
import { findAtCarrier } from './orders/settle.ts'

export { findOrderedType } from './orders/read-request.ts'

export type { NumberRow } from './store.ts'

const CARRIER_RETRY_AFTER_S = 3600

export const find = store.find

export async function list(caller: Caller): Promise<PhoneNumber[]> {
  return (await store.list(caller.db, caller.project.id)).map(present)
}

/** Returns every number of the project in E.164, for rules such as "no plan forwards to itself". */
export async function listE164(db: Reader, project_id: string): Promise<string[]> {
  return (await store.list(db, project_id)).map(({ e164 }) => e164)
}

/** The facts of the project that the check of a call plan needs. */
export async function readPlanFacts({
  db,
  project,
}: Caller): Promise<Pick<callPlans.PlanInput, 'own_numbers' | 'findPlayable'>> {
  return {
    own_numbers: await listE164(db, project.id),
    findPlayable: (ids) => media.findPlayable(db, project.id, ids),
  }
}

/** The numbers of the project that work now, oldest first. */
export async function listActive(db: Reader, project_id: string): Promise<store.NumberRow[]> {
  return (await store.list(db, project_id)).filter(({ status }) => status === 'active')
}

export const findOwner = store.findOwner

/** The oldest number on which people reach the project: live and active. Null if it has none. */
export async function findReachable(db: Reader, project_id: string): Promise<string | null> {
  const numbers = await store.list(db, project_id)
  return numbers.find(({ status, test }) => status === 'active' && !test)?.e164 ?? null
}

/**
 * Returns numbers that can be ordered now: from the carrier, or from the test range in test mode.
 */
export async function search(caller: Caller, query: NumberSearch): Promise<AvailableNumberList> {
  const type = findSearchedType(query)
  if (mayBeReal(caller, 'phone')) {
    const offers = await reserveOffers(caller, requireCarrier(caller), { type, area: query.area })
    const data = offers.map(({ e164, from_stock }) => ({ e164, type, from_stock, test: false }))
    return { data }
  }
  const taken = await listE164(caller.db, caller.project.id)
  const free = listFreeTestNumbers(taken, AVAILABLE_SHOWN)
  return { data: free.map((e164) => ({ e164, type, from_stock: true, test: true })) }
}

/**
 * Orders a number: a live one if the phone rail is live for this caller, otherwise a test number.
 */
export async function order(caller: Caller, input: NumberOrder): Promise<OrderedNumber> {
  const real = mayBeReal(caller, 'phone')
  const wish = parseOrder(input, !real)
  if (!isTest(caller) && !plans[caller.project.plan].live_numbers) {
    const { db, runtime, project } = caller
    const price_micro = billing.findPrice(runtime, `number.${wish.type}`)
    await refuseWithPlan(db, runtime, { project, type: wish.type, price_micro })
  }
  if (!real) return orderTest(caller, wish)
  return orderLive({ caller, carrier: requireCarrier(caller) }, wish)
}

function requireCarrier({ runtime }: Caller): Carrier {
  const carrier = carrierOf(runtime)
  if (carrier) return carrier
  throw new Problem(
    'telephony_unavailable',
    'No carrier is connected, so there are no live numbers.',
    { retry_after_s: CARRIER_RETRY_AFTER_S },
  )
}

/** Assigns a number of the test range. The limit of three is checked under the project lock. */
function orderTest(caller: Caller, wish: NumberWish): Promise<OrderedNumber> {
  const { runtime, project } = caller
  return caller.db.transact(async (tx) => {
    await projects.lock(tx, project.id)
    const mine = await store.list(tx, project.id)
    const e164 = chooseTestNumber(mine, wish)
    const row = await store.insert(tx, {
      project_id: project.id,
      id: newId(runtime.clock),
      e164,
      type: wish.type,
      status: 'active',
      test: true,
      from_stock: true,
      created_at: runtime.clock.now(),
    })
    await projects.updateNumbersCount(tx, { project_id: project.id, type: wish.type, by: 1 })
    const reply = await presentOrdered(tx, row)
    await caller.remember(tx, reply)
    return reply
  })
}

function chooseTestNumber(mine: readonly store.NumberRow[], wish: NumberWish): string {
  const taken = mine.map(({ e164 }) => e164)
  if (wish.e164 !== undefined && taken.includes(wish.e164)) {
    throw new Problem('number_already_yours', `${wish.e164} already belongs to this project.`)
  }
  if (mine.filter(({ test }) => test).length >= limits.test_numbers_max) {
    throw new Problem(
      'test_number_limit_reached',
      `This project already has ${limits.test_numbers_max} test numbers.`,
    )
  }
  const e164 = wish.e164 ?? listFreeTestNumbers(taken, 1)[0]
  if (e164 === undefined) throw new Problem('no_numbers_available', 'Every test number is taken.')
  return e164
}

/** Releases a test number. Its call plan is deleted; its calls and messages stay. */
export async function release(caller: Caller, id: string): Promise<ReleasedNumber> {
  if (!isTest(caller)) {
    throw new Problem(
      'number_release_not_supported',
      'Only a test number can be released, with a test key.',
    )
  }
  const { runtime, project } = caller
  return caller.db.transact(async (tx) => {
    await projects.lock(tx, project.id)
    const row = await store.find(tx, project.id, id)
    if (!row) throw unknownNumber()
    if (!row.test)
      throw new Problem('number_release_not_supported', 'A live number cannot be released here.')
    await store.release(tx, row, runtime.clock.now())
    await callPlans.removePlanOf(tx, project.id, id)
    await projects.updateNumbersCount(tx, { project_id: project.id, type: row.type, by: -1 })
    return { id: row.id, e164: row.e164, released: true, test: true }
  })
}

/** Finds a number of the caller's project; throws 404 not_found otherwise. */
export async function requireNumber(caller: Caller, id: string): Promise<store.NumberRow> {
  const row = await store.find(caller.db, caller.project.id, id)
  if (!row) throw unknownNumber()
  return row
}

/** Whether the assistant can answer calls to a number: simulated ones, or through a carrier. */
export function hasVoiceAi(runtime: Runtime, { test }: store.NumberRow): boolean {
  return test || carrierOf(runtime) !== null
}

/** Locks a number against release until the transaction ends; throws 404 not_found if it is gone. */
export async function holdNumber(tx: Transaction, number: store.NumberRow): Promise<void> {
  await projects.lock(tx, number.project_id)
  if (!(await store.find(tx, number.project_id, number.id))) throw unknownNumber()
}

function unknownNumber(): Problem {
  return new Problem('not_found', 'This project has no number with this id.')
}

/** Idempotent. Throws if the carrier refuses or does not reply, so that the job retries. */
export async function returnNumbers(runtime: Runtime, project_id: string): Promise<void> {
  const live = (await store.list(runtime.db, project_id)).filter(({ test }) => !test)
  if (live.length === 0) return
  const carrier = carrierOf(runtime)
  if (!carrier) throw new Error('There is no carrier to which the phone numbers can be returned.')
  for (const number of live) {
    const found = await findAtCarrier(carrier, number)
    if (found === 'unknown') throw new Error(`The carrier does not say who has ${number.e164}.`)
    if (found) await carrier.release(found)
  }
}
