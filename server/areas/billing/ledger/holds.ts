/** Money that was set aside, and how it is given back: when asked, or when its time is over. */
import assert from 'node:assert/strict'
import type { Transaction } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { releasePostings } from './ledger.ts'
import { lockBooks, recordIn, type Deed } from './record.ts'
import * as store from '../store.ts'

const EXPIRED_HOLDS_AT_A_TIME = 100

/** Gives back what was held. Returns how the hold ended: `settled` if that came first. */
export async function release(
  tx: Transaction,
  runtime: Runtime,
  { project_id, hold_id }: { project_id: string; hold_id: string },
): Promise<store.HoldState> {
  const books = await lockBooks(tx, runtime, project_id)
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
  await recordIn(books, { tx, runtime, deed })
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
