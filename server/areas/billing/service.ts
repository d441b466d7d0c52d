/**
 * The rules of the ledger, as verbs that join the transaction of the business they belong to: an
 * SMS and its charge are kept together or not at all. A verb that throws has written nothing.
 * Every deed has a reference; a deed that is done again under its reference does nothing.
 */
import assert from 'node:assert/strict'
import type { Caller } from '../../contract/caller.ts'
import { isTest } from '../../contract/caller.ts'
import { Problem } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import type { Reader, Transaction } from '../../kernel/database.ts'
import type { House } from '../../kernel/house.ts'
import type { MicroEuro } from '../../kernel/money.ts'
import * as projects from '../projects/service.ts'
import {
  chargePostings,
  holdPostings,
  monthOf,
  releasePostings,
  settlePostings,
  spentOf,
  topUpPostings,
} from './ledger.ts'
import { presentBalance } from './present.ts'
import { lockBooks, record, recordIn, type Deed } from './record.ts'
import type { Balance } from './schema.ts'
import * as store from './store.ts'

export type { HoldState } from './store.ts'

export type ChargeSource = 'ai' | 'call' | 'domain' | 'email' | 'number' | 'sms'

export interface TopUp {
  project_id: string
  amount_micro: MicroEuro
  source: 'payment'
  description: string
  /** Unique among the top-ups of the project, such as the provider's payment id. */
  reference: string
  /** The record of the payment; without one the transaction refers to itself. */
  reference_id?: string
}

export interface Charge {
  project_id: string
  amount_micro: MicroEuro
  source: ChargeSource
  /** One line for the owner, who reads it in the list of transactions. */
  description: string
  quantity?: number
  unit?: string
  /** The record that is charged for. */
  reference_id: string
  /** Unique among the charges (or holds) of the project, such as `sms:<id>`. */
  reference: string
}

export interface HoldRequest extends Charge {
  /** How long the money may stay set aside if nobody settles or releases it. */
  lasts_s?: number
}

export interface Settlement {
  project_id: string
  hold_id: string
  /** What it cost in the end. */
  amount_micro: MicroEuro
  /** Where they differ from what the hold said. */
  description?: string
  quantity?: number
  unit?: string
}

const HOLD_LASTS_S = 4 * 3600
const EXPIRED_HOLDS_AT_A_TIME = 100

export async function topUp(tx: Transaction, house: House, order: TopUp): Promise<void> {
  assert(order.amount_micro > 0n, 'A top-up adds something.')
  await record(tx, house, {
    ...order,
    kind: 'top_up',
    takes_micro: 0n,
    postings: topUpPostings(order.amount_micro),
  })
}

/**
 * Takes an amount from the balance. Throws billing_blocked when the spending cap of the month
 * would be passed and insufficient_balance when the balance would go below zero. A charge of
 * nothing leaves no trace.
 */
export async function charge(tx: Transaction, house: House, order: Charge): Promise<void> {
  assert(order.amount_micro >= 0n, 'A charge is not negative.')
  if (order.amount_micro === 0n) return
  await record(tx, house, {
    ...order,
    kind: 'charge',
    takes_micro: order.amount_micro,
    postings: chargePostings(order.amount_micro),
  })
}

/**
 * Sets an amount aside before something whose price is not known yet, so that it can never cost
 * more than there is. Refuses as `charge` does. Returns the id of the hold.
 */
export function hold(tx: Transaction, house: House, order: HoldRequest): Promise<string> {
  assert(order.amount_micro >= 0n, 'A hold is not negative.')
  const { lasts_s = HOLD_LASTS_S, ...charge } = order
  return record(tx, house, {
    ...charge,
    kind: 'hold',
    takes_micro: order.amount_micro,
    postings: holdPostings(order.amount_micro),
    lasts_s,
  })
}

/**
 * Charges what it cost in the end and gives the rest back. More than was held is taken from the
 * balance, and refused as `charge` refuses. A hold ends once: the answer says how it ended, so
 * `released` means that this settlement came too late and charged nothing.
 */
export async function settle(
  tx: Transaction,
  house: House,
  order: Settlement,
): Promise<store.HoldState> {
  const { project_id, hold_id, amount_micro, ...changes } = order
  assert(amount_micro >= 0n, 'A settlement is not negative.')
  if (amount_micro === 0n) return release(tx, house, { project_id, hold_id })
  const books = await lockBooks(tx, house, project_id)
  const { state, amount_micro: held_micro, ...purpose } = await holdOf(tx, project_id, hold_id)
  if (state !== 'open') return state
  const deed: Deed = {
    ...purpose,
    ...changes,
    project_id,
    kind: 'settle',
    amount_micro,
    takes_micro: amount_micro - held_micro,
    postings: settlePostings(held_micro, amount_micro),
    ended: { hold_id, state: 'settled' },
  }
  await recordIn(books, { tx, house, deed })
  return 'settled'
}

/** Gives back what was held. Returns how the hold ended: `settled` if that came first. */
export async function release(
  tx: Transaction,
  house: House,
  { project_id, hold_id }: { project_id: string; hold_id: string },
): Promise<store.HoldState> {
  const books = await lockBooks(tx, house, project_id)
  const { state, amount_micro, ...purpose } = await holdOf(tx, project_id, hold_id)
  if (state !== 'open') return state
  const deed: Deed = {
    ...purpose,
    project_id,
    kind: 'release',
    amount_micro,
    takes_micro: 0n,
    postings: releasePostings(amount_micro),
    ended: { hold_id, state: 'released' },
  }
  await recordIn(books, { tx, house, deed })
  return 'released'
}

/** Gives back, hold by hold, what nobody settled in time. Returns how many holds that were. */
export async function releaseExpiredHolds(house: House): Promise<number> {
  const now = house.clock.now()
  const expired = await store.listExpiredHolds(house.db, now, EXPIRED_HOLDS_AT_A_TIME)
  for (const hold of expired) await house.db.transact((tx) => release(tx, house, hold))
  if (expired.length < EXPIRED_HOLDS_AT_A_TIME) return expired.length
  return expired.length + (await releaseExpiredHolds(house))
}

/** What counts against the cap of this calendar month: charges, and what is held now. */
export async function spentThisMonth(
  db: Reader,
  house: House,
  project_id: string,
): Promise<MicroEuro> {
  return spentOf(await store.readSpent(db, project_id, monthOf(house.clock.now())))
}

/** GET /balance. A test key of a pair reads the balance of the live project. */
export function show(caller: Caller): Promise<Balance> {
  const project_id = projects.payingProject(caller.project)
  return readBalance(caller.db, caller.house, { project_id, test: isTest(caller) })
}

export async function readBalance(
  db: Reader,
  house: House,
  { project_id, test }: { project_id: string; test: boolean },
): Promise<Balance> {
  const month = monthOf(house.clock.now())
  const found = await store.findBalance(db, {
    project_id,
    month,
    limit: limits.balance_transactions_max,
  })
  if (!found) throw new Problem('not_found', 'The project whose balance this is no longer exists.')
  return presentBalance(found.balance, found.transactions, test)
}

async function holdOf(tx: Transaction, project_id: string, hold_id: string) {
  const found = await store.findHold(tx, project_id, hold_id)
  assert(found, 'A hold that is ended was made before.')
  return found
}
