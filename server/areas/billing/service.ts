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
import { firstIdAt } from '../../kernel/values/ids.ts'
import type { MicroEuro } from '../../kernel/values/money.ts'
import * as projects from '../projects/service.ts'
import { findBillingMonth, readBalance } from './ledger/balance.ts'
import { findRefusal, sumSpent } from './ledger/ledger.ts'
import { toProblem } from './ledger/record.ts'
import type { Balance } from './schema.ts'
import * as store from './store.ts'

export { autoReloadBounds, setAutoReload } from './reload/auto-reload.ts'
export { findBillingMonth, readBalance } from './ledger/balance.ts'
export { release, releaseExpiredHolds } from './ledger/holds.ts'
export type { TopUpOrder } from './people-schema.ts'
export { toDay } from './ledger/ledger.ts'
export { findPrice, readPrices } from './ledger/price.ts'
export { charge, hold, settle } from './ledger/spend.ts'
export { credit, topUp } from './ledger/top-up.ts'
export { findSavedCard } from './reload/reload-store.ts'
export { hasPaid, readChargeByReference, type HoldState } from './store.ts'

/**
 * Returns the amount that counts against the cap of this calendar month: charges and open holds.
 */
export async function spentThisMonth(
  db: Reader,
  runtime: Runtime,
  project_id: string,
): Promise<MicroEuro> {
  return sumSpent(
    await store.readSpent(db, project_id, findBillingMonth(runtime, runtime.clock.now())),
  )
}

/** Returns the spendable balance; zero for a project without entries. */
export async function readSpendableBalance(db: Reader, project_id: string): Promise<MicroEuro> {
  const { prepaid_micro } = await store.readMoney(db, project_id)
  return prepaid_micro
}

/** Returns the unspent money: the spendable balance and open holds. */
export async function readUnspentFunds(db: Reader, project_id: string): Promise<MicroEuro> {
  const { prepaid_micro, held_micro } = await store.readMoney(db, project_id)
  return prepaid_micro + held_micro
}

/**
 * Throws the error that `charge` would throw now, so that callers can refuse early. It writes and
 * locks nothing, so the charge itself may still be refused.
 */
export async function requireAffordable(
  db: Reader,
  runtime: Runtime,
  { project_id, amount_micro }: { project_id: string; amount_micro: MicroEuro },
): Promise<void> {
  const spending_limits = await store.readSpendingLimits(
    db,
    project_id,
    findBillingMonth(runtime, runtime.clock.now()),
  )
  if (!spending_limits)
    throw new Problem('not_found', 'The project whose balance this is no longer exists.')
  const refusal = findRefusal(spending_limits, amount_micro)
  if (refusal !== null) throw toProblem(refusal, spending_limits, amount_micro)
}

/** Returns the charges of a record minus its credits. */
export function sumCharged(
  db: Reader,
  project_id: string,
  reference_id: string,
): Promise<MicroEuro> {
  return store.readCharged(db, project_id, reference_id)
}

/** Charges of a record are made within this time of its creation. */
const CHARGED_WITHIN_MS = 7 * 24 * 60 * 60 * 1000

/** Returns the charges of records by their ids. Records without charges are absent. */
export async function readChargedByRecord(
  db: Reader,
  project_id: string,
  records: readonly { id: string; created_at: Date }[],
): Promise<Map<string, MicroEuro>> {
  if (records.length === 0) return new Map()
  const times_ms = records.map(({ created_at }) => created_at.getTime())
  return store.readChargedByRecord(db, {
    project_id,
    ids: records.map(({ id }) => id),
    from_id: firstIdAt(Math.min(...times_ms)),
    before_id: firstIdAt(Math.max(...times_ms) + CHARGED_WITHIN_MS),
  })
}

/** Reply of GET /balance. A test key of a pair reads the balance of the live project. */
export function show(caller: Caller): Promise<Balance> {
  const project_id = projects.findPayingProject(caller.project)
  return readBalance(caller.db, caller.runtime, { project_id, test: isTest(caller) })
}
