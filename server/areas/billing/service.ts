/**
 * The rules of the ledger, as verbs that join the transaction of the business they belong to: an
 * SMS and its charge are kept together or not at all. A verb that throws has written nothing.
 * Every deed has a reference; a deed that is done again under its reference does nothing.
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
import { problemOf } from './ledger/record.ts'
import type { Balance } from './schema.ts'
import * as store from './store.ts'

export { autoReloadBounds, setAutoReload } from './reload/auto-reload.ts'
export { checkTopUp, listTopUps, orderTopUp } from './checkout/checkout.ts'
export { monthOf, readBalance } from './ledger/balance.ts'
export { release, releaseExpiredHolds } from './ledger/holds.ts'
export { putAutoReload } from './reload/own-reload.ts'
export { listMonths } from './months/months.ts'
export type { TopUpOrder } from './people-schema.ts'
export { dayOf } from './ledger/ledger.ts'
export { priceOf, pricesOf } from './ledger/price.ts'
export { charge, hold, settle } from './ledger/spend.ts'
export { credit, topUp } from './ledger/top-up.ts'
export { hasPaid, type HoldState } from './store.ts'

/** What counts against the cap of this calendar month: charges, and what is held now. */
export async function spentThisMonth(
  db: Reader,
  runtime: Runtime,
  project_id: string,
): Promise<MicroEuro> {
  return spentOf(await store.readSpent(db, project_id, monthOf(runtime, runtime.clock.now())))
}

/** What can be spent now. A project that never had anything has nothing. */
export async function balanceOf(db: Reader, project_id: string): Promise<MicroEuro> {
  const { prepaid_micro } = await store.readMoney(db, project_id)
  return prepaid_micro
}

/** What was paid in and is not spent: what can be spent now, and what is held. */
export async function fundsOf(db: Reader, project_id: string): Promise<MicroEuro> {
  const { prepaid_micro, held_micro } = await store.readMoney(db, project_id)
  return prepaid_micro + held_micro
}

/**
 * Throws what `charge` would throw now, and writes nothing: for whoever wants to refuse early. It
 * locks nothing either, so the charge itself may still be refused.
 */
export async function refusalFor(
  db: Reader,
  runtime: Runtime,
  { project_id, amount_micro }: { project_id: string; amount_micro: MicroEuro },
): Promise<void> {
  const means = await store.readMeans(db, project_id, monthOf(runtime, runtime.clock.now()))
  if (!means) throw new Problem('not_found', 'The project whose balance this is no longer exists.')
  const refusal = refusalOf(means, amount_micro)
  if (refusal !== null) throw problemOf(refusal, means, amount_micro)
}

/** What was charged for a record, less what was given back for it. */
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
