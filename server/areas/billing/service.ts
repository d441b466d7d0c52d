/**
 * The rules of the ledger, as functions that join the caller's transaction: an SMS and its charge
 * are stored together or not at all. A function that throws has written nothing. Every operation
 * has a reference; repeating it under the same reference has no effect.
 */
import type { Caller } from '../../contract/caller.ts'
import { isTest } from '../../contract/caller.ts'
import { Problem } from '../../contract/errors.ts'
import type { Reader } from '../../kernel/database/database.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import type { MicroEuro } from '../../kernel/values/money.ts'
import * as projects from '../projects/service.ts'
import { monthOf, readBalance } from './ledger/balance.ts'
import { refusalOf, spentOf } from './ledger/ledger.ts'
import { problemOfRefusal } from './ledger/record.ts'
import type { Balance } from './schema.ts'
import * as store from './store.ts'

export { autoReloadBounds, setAutoReload } from './reload/auto-reload.ts'
export { checkTopUp, listTopUps, orderTopUp } from './checkout/checkout.ts'
export { monthOf, readBalance } from './ledger/balance.ts'
export { release, releaseExpiredHolds } from './ledger/holds.ts'
export { putAutoReload } from './reload/own-reload.ts'
export { listMonths } from './months/months.ts'
export type { TopUpOrder } from './people/people-schema.ts'
export { dayOf } from './ledger/ledger.ts'
export { priceOf, pricesOf } from './ledger/price.ts'
export { charge, hold, settle } from './ledger/spend.ts'
export { credit, topUp } from './ledger/top-up.ts'
export { hasPaid, type HoldState } from './store.ts'

/** The amount that counts against the cap of this calendar month: charges and open holds. */
export async function spentThisMonth(
  db: Reader,
  runtime: Runtime,
  project_id: string,
): Promise<MicroEuro> {
  return spentOf(await store.readSpent(db, project_id, monthOf(runtime, runtime.clock.now())))
}

/** The spendable balance; zero for a project without entries. */
export async function balanceOf(db: Reader, project_id: string): Promise<MicroEuro> {
  const { prepaid_micro } = await store.readMoney(db, project_id)
  return prepaid_micro
}

/** Unspent money: the spendable balance and open holds. */
export async function fundsOf(db: Reader, project_id: string): Promise<MicroEuro> {
  const { prepaid_micro, held_micro } = await store.readMoney(db, project_id)
  return prepaid_micro + held_micro
}

/**
 * Throws the error that `charge` would throw now, so callers can refuse early. It writes and locks
 * nothing, so the charge itself may still be refused.
 */
export async function refusalFor(
  db: Reader,
  runtime: Runtime,
  { project_id, amount_micro }: { project_id: string; amount_micro: MicroEuro },
): Promise<void> {
  const spending_limits = await store.readSpendingLimits(
    db,
    project_id,
    monthOf(runtime, runtime.clock.now()),
  )
  if (!spending_limits)
    throw new Problem('not_found', 'The project whose balance this is no longer exists.')
  const refusal = refusalOf(spending_limits, amount_micro)
  if (refusal !== null) throw problemOfRefusal(refusal, spending_limits, amount_micro)
}

/** The charges of a record minus its credits. */
export function chargedFor(
  db: Reader,
  project_id: string,
  reference_id: string,
): Promise<MicroEuro> {
  return store.readCharged(db, project_id, reference_id)
}

/** GET /balance. A test key of a pair reads the balance of the live project. */
export function show(caller: Caller): Promise<Balance> {
  const project_id = projects.payingProject(caller.project)
  return readBalance(caller.db, caller.runtime, { project_id, test: isTest(caller) })
}
