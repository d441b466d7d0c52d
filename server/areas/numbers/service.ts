/**
 * The rules of phone numbers: searched, ordered, listed and released. In test mode they come from
 * the fictional range, cost nothing and never reach a carrier. Live numbers need a carrier, and
 * none is connected in this version: asking for one says so and does nothing.
 */
import { isTest, type Caller } from '../../contract/caller.ts'
import { Problem } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { plans } from '../../contract/plans.ts'
import type { Reader, Transaction } from '../../kernel/database.ts'
import { newId } from '../../kernel/ids.ts'
import * as callPlans from '../call-plans/service.ts'
import * as projects from '../projects/service.ts'
import {
  areaPattern,
  type AvailableNumberList,
  type NumberOrder,
  type NumberSearch,
  type OrderedNumber,
  type PhoneNumber,
  type ReleasedNumber,
} from './schema.ts'
import * as store from './store.ts'
import { freeTestNumbers } from './test-range.ts'

export type { NumberRow } from './store.ts'

const AVAILABLE_SHOWN = 10
const CARRIER_RETRY_AFTER_S = 3600
const isArea = new RegExp(areaPattern)
/** Dutch prefixes of numbers that belong to no area. */
const nationalPrefix = /^0?(?:8[458]|91|97)/

export const find = store.find

export async function list(caller: Caller): Promise<PhoneNumber[]> {
  return (await store.list(caller.db, caller.project.id)).map(present)
}

/** Every number of the project in E.164, for rules such as "no plan forwards to itself". */
export async function listE164(db: Reader, project_id: string): Promise<string[]> {
  return (await store.list(db, project_id)).map(({ e164 }) => e164)
}

export async function search(caller: Caller, query: NumberSearch): Promise<AvailableNumberList> {
  const type = typeAsked(query)
  if (!isTest(caller)) throw noCarrier()
  const taken = await listE164(caller.db, caller.project.id)
  const data = freeTestNumbers(taken, AVAILABLE_SHOWN).map((e164) => ({
    e164,
    type,
    from_stock: true,
    test: true,
  }))
  return { data }
}

/** What a search or an order is for; every fault of the two parameters at once. */
function typeAsked({ type, area }: NumberSearch): 'national' | 'geographic' {
  const of_area = area === undefined || nationalPrefix.test(area) ? 'national' : 'geographic'
  const rules: [broken: boolean, path: string, message: string][] = [
    [
      type !== undefined && type !== 'national' && type !== 'geographic',
      '/type',
      'must be national or geographic',
    ],
    [
      area !== undefined && !isArea.test(area),
      '/area',
      'must be an area code of two to five digits, such as 020',
    ],
    [type === 'geographic' && area === undefined, '/area', 'is required for a geographic number'],
    [
      type === 'geographic' && area !== undefined && of_area === 'national',
      '/area',
      'belongs to national numbers',
    ],
    [
      type === 'national' && of_area === 'geographic',
      '/area',
      'belongs to an area; leave it out for a national number',
    ],
  ]
  const errors = rules.filter(([broken]) => broken).map(([, path, message]) => ({ path, message }))
  if (errors.length > 0)
    throw new Problem('validation_failed', 'The search cannot be made like this.', { errors })
  return of_area
}

/** Orders a number: at most three in test mode, checked while the project is locked. */
export async function order(caller: Caller, input: NumberOrder): Promise<OrderedNumber> {
  const type = typeAsked(input)
  if (!isTest(caller)) throw refuseLiveOrder(caller)
  const { house, project } = caller
  return caller.db.transact(async (tx) => {
    await projects.lock(tx, project.id)
    const mine = await store.list(tx, project.id)
    if (mine.filter(({ test }) => test).length >= limits.test_numbers_max) {
      throw new Problem(
        'test_number_limit_reached',
        `This project already has ${limits.test_numbers_max} test numbers.`,
      )
    }
    const [e164] = freeTestNumbers(
      mine.map((number) => number.e164),
      1,
    )
    if (e164 === undefined) throw new Problem('no_numbers_available', 'Every test number is taken.')
    const row = await store.insert(tx, {
      project_id: project.id,
      id: newId(house.clock),
      e164,
      type,
      status: 'active',
      test: true,
      from_stock: true,
      created_at: house.clock.now(),
    })
    await projects.addToNumbersCount(tx, project.id, 1)
    const reply = { ...present(row), from_stock: row.from_stock }
    await caller.remember(tx, reply)
    return reply
  })
}

function refuseLiveOrder({ project }: Caller): Problem {
  if (!plans[project.plan].live_numbers) {
    return new Problem(
      'plan_limit_reached',
      'On the Free plan phone numbers work in test mode only.',
      { status: 402 },
    )
  }
  return noCarrier()
}

function noCarrier(): Problem {
  return new Problem(
    'telephony_unavailable',
    'No carrier is connected, so there are no live numbers.',
    {
      retry_after_s: CARRIER_RETRY_AFTER_S,
    },
  )
}

/** Releases a test number. Its call plan goes with it; its calls and messages stay. */
export async function release(caller: Caller, id: string): Promise<ReleasedNumber> {
  if (!isTest(caller)) {
    throw new Problem(
      'number_release_not_supported',
      'Only a test number can be released, with a test key.',
    )
  }
  const { house, project } = caller
  return caller.db.transact(async (tx) => {
    await projects.lock(tx, project.id)
    const row = await store.find(tx, project.id, id)
    if (!row) throw unknownNumber()
    if (!row.test)
      throw new Problem('number_release_not_supported', 'A live number cannot be released here.')
    await store.release(tx, row, house.clock.now())
    await callPlans.removeFor(tx, project.id, id)
    await projects.addToNumbersCount(tx, project.id, -1)
    return { id: row.id, e164: row.e164, released: true, test: true }
  })
}

/** The number of a caller's project, or 404. */
export async function require(caller: Caller, id: string): Promise<store.NumberRow> {
  const row = await store.find(caller.db, caller.project.id, id)
  if (!row) throw unknownNumber()
  return row
}

/** Keeps a number from being released until the transaction ends; it may be gone already. */
export async function hold(tx: Transaction, number: store.NumberRow): Promise<void> {
  await projects.lock(tx, number.project_id)
  if (!(await store.find(tx, number.project_id, number.id))) throw unknownNumber()
}

function unknownNumber(): Problem {
  return new Problem('not_found', 'This project has no number with this id.')
}

function present(row: store.NumberRow): PhoneNumber {
  return {
    id: row.id,
    e164: row.e164,
    type: row.type,
    status: row.status,
    created_at: row.created_at.toISOString(),
    test: row.test,
  }
}
