/** Releases holds: on request, or when they expire. */
import assert from 'node:assert/strict'
import type { Transaction } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { createReleasePostings } from './ledger.ts'
import { lockBooks, recordInBooks, type LedgerOperation } from './record.ts'
import * as store from '../store.ts'

const EXPIRED_HOLDS_AT_A_TIME = 100

/** Releases a hold. Returns its final state: `settled` if it was settled before. */
export async function release(
  tx: Transaction,
  runtime: Runtime,
  { project_id, hold_id }: { project_id: string; hold_id: string },
): Promise<store.HoldState> {
  const books = await lockBooks(tx, runtime, project_id)
  const { state, amount_micro, ...purpose } = await holdOf(tx, project_id, hold_id)
  if (state !== 'open') return state
  const operation: LedgerOperation = {
    ...purpose,
    project_id,
    kind: 'release',
    amount_micro,
    takes_micro: 0n,
    postings: createReleasePostings(amount_micro),
    ended: { hold_id, state: 'released' },
  }
  await recordInBooks(books, { tx, runtime, operation })
  return 'released'
}

/** Releases expired holds, each in its own transaction. Returns their number. */
export async function releaseExpiredHolds(runtime: Runtime): Promise<number> {
  const now = runtime.clock.now()
  const expired = await store.listExpiredHolds(runtime.db, now, EXPIRED_HOLDS_AT_A_TIME)
  for (const hold of expired) await runtime.db.transact((tx) => release(tx, runtime, hold))
  if (expired.length < EXPIRED_HOLDS_AT_A_TIME) return expired.length
  return expired.length + (await releaseExpiredHolds(runtime))
}

export async function holdOf(tx: Transaction, project_id: string, hold_id: string) {
  const found = await store.findHold(tx, project_id, hold_id)
  assert(found, 'A hold that is ended was made before.')
  return found
}
