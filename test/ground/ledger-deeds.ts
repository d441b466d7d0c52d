/** Deeds of the ledger for its property tests: making them up, doing them, and who they are for. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import * as billing from '../../server/areas/billing/service.ts'
import { Problem } from '../../server/contract/errors.ts'
import type { Reader, Transaction } from '../../server/kernel/database.ts'
import type { House } from '../../server/kernel/house.ts'
import { newId } from '../../server/kernel/ids.ts'
import type { ModelDeed, Outcome, Verb } from './ledger-model.ts'

const REFERENCE_ID = '0193a5d0-0000-7000-8000-000000000001'
const PROJECTS_AT_A_TIME = 200

/** Amounts of all sizes, among them nothing, the least and those beside the threshold. */
const amount = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 6_000_000 }) },
  { weight: 2, arbitrary: fc.constantFrom(0, 1, 4_999_999, 5_000_000, 5_000_001) },
)

/** A deed before it is known when it is done. */
export interface MadeUpDeed extends Omit<ModelDeed, 'month'> {
  /** Of which month a charge or a credit says that it is; null if it says nothing. */
  months_back: number | null
}

/** A deed that is done in a month, by its first day. */
export function deedIn(month: string, { months_back, ...deed }: MadeUpDeed): ModelDeed {
  const has_month = deed.verb === 'charge' || deed.verb === 'credit'
  if (months_back === null || !has_month) return deed
  const said = Temporal.PlainDate.from(month).subtract({ months: months_back })
  return { ...deed, month: said.toString() }
}

function deedsOf(verbs: readonly Verb[], names: readonly string[]) {
  const facts = {
    verb: fc.constantFrom(...verbs),
    name: fc.constantFrom(...names),
    amount,
    months_back: fc.constantFrom(null, null, null, 0, 1, 2),
  }
  return fc.record(facts).map(({ amount, ...deed }): MadeUpDeed => {
    const adds = deed.verb === 'topUp' || deed.verb === 'credit'
    return { ...deed, amount_micro: BigInt(adds ? 2 * amount + 1 : amount) }
  })
}

/** Few names, so that deeds are often done again, and a hold is soon followed by its end. */
export const deedArbitrary: fc.Arbitrary<MadeUpDeed> = fc.oneof(
  { weight: 2, arbitrary: deedsOf(['topUp', 'topUp', 'credit', 'credit'], ['a', 'b', 'c']) },
  { weight: 4, arbitrary: deedsOf(['charge'], ['a', 'b', 'c']) },
  { weight: 5, arbitrary: deedsOf(['hold', 'hold', 'settle', 'settle', 'release'], ['x']) },
)

export interface Act {
  project_id: string
  deed: ModelDeed
  /** How long a hold lasts. */
  lasts_s?: number
}

/** Does a deed in a transaction. One that ends a hold which was never made does nothing. */
export async function perform(tx: Transaction, of: House, act: Act): Promise<void> {
  const { project_id, deed, ...lasting } = act
  const { verb, name: reference, amount_micro, month } = deed
  const order = { project_id, amount_micro, reference, description: 'A deed' }
  const what = { ...order, reference_id: REFERENCE_ID }
  const of_month = month === undefined ? {} : { month }
  if (verb === 'topUp') return billing.topUp(tx, of, { ...what, source: 'payment' })
  if (verb === 'credit') return billing.credit(tx, of, { ...what, ...of_month, source: 'number' })
  if (verb === 'charge') return billing.charge(tx, of, { ...what, ...of_month, source: 'sms' })
  if (verb === 'hold') {
    await billing.hold(tx, of, { ...what, ...lasting, source: 'ai' })
    return
  }
  const hold_id = await holdNamed(tx, project_id, reference)
  if (hold_id === null) return
  if (verb === 'settle') await billing.settle(tx, of, { project_id, hold_id, amount_micro })
  else await billing.release(tx, of, { project_id, hold_id })
}

/** What ends a transaction whose business failed after its deeds. */
export class Lost extends Error {}

/** What a deed or a transaction came to. Anything but a refusal of the ledger is a fault. */
export async function outcomeOf(work: Promise<unknown>): Promise<Outcome | 'lost'> {
  try {
    await work
    return null
  } catch (error) {
    if (error instanceof Lost) return 'lost'
    if (!(error instanceof Problem)) throw error
    assert(error.slug === 'billing_blocked' || error.slug === 'insufficient_balance', error)
    return error.slug
  }
}

async function holdNamed(db: Reader, project_id: string, name: string): Promise<string | null> {
  const found = await db
    .selectFrom('ledger_entries')
    .select('id')
    .where('project_id', '=', project_id)
    .where('kind', '=', 'hold')
    .where('reference', '=', name)
    .executeTakeFirst()
  return found?.id ?? null
}

/** Gives projects with a spending cap, one after the other; they are made many at a time. */
export function projectsWithCap(house: House): (cap_micro: bigint | null) => Promise<string> {
  const made = new Map<bigint | null, string[]>()
  return async (cap_micro) => {
    for (;;) {
      const project_id = made.get(cap_micro)?.pop()
      if (project_id !== undefined) return project_id
      const more = await makeProjects(house, cap_micro)
      made.set(cap_micro, [...(made.get(cap_micro) ?? []), ...more])
    }
  }
}

async function makeProjects(house: House, cap_micro: bigint | null): Promise<string[]> {
  const rows = Array.from({ length: PROJECTS_AT_A_TIME }, () => ({
    id: newId(house.clock),
    name: 'Bakery',
    shape: 'single' as const,
    rails: '{}',
    spending_limit_micro: cap_micro,
    created_at: house.clock.now(),
  }))
  await house.db.transact((tx) => tx.insertInto('projects').values(rows).execute())
  return rows.map(({ id }) => id)
}
