/**
 * Runs work once per key and stores its reply in the same transaction, so that a repetition gets
 * the reply instead of a second effect. The caller derives the key from the request. Rows share the
 * table of Idempotency-Keys; a space in the key distinguishes them.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { sha256 } from '../secrets/crypto.ts'
import type { Reader, Transaction } from '../database/database.ts'
import type { Runtime } from '../runtime.ts'

export interface SingleRun {
  project_id: string
  /** Contains a space, which no Idempotency-Key does. */
  key: string
  /** How long a repeat gets the stored reply. */
  lifetime_ms: number
}

/** The stored reply; null if there is none or it expired. */
export async function findSingleReply(
  { db, clock }: Runtime,
  run: SingleRun,
): Promise<string | null> {
  const entry = await readEntry(db, run)
  return entry && entry.expires_at > clock.now() ? entry.reply : null
}

/**
 * Runs `work` in a transaction that also stores its reply. A repeat gets the stored reply with
 * `replayed: true`; a concurrent repeat waits for the first transaction to end. If `work` throws,
 * nothing is stored.
 */
export function runSingle(
  { db, clock }: Runtime,
  run: SingleRun,
  work: (tx: Transaction) => Promise<string>,
): Promise<{ reply: string; replayed: boolean }> {
  return db.transact(async (tx) => {
    if (!(await claim(tx, run, clock.now()))) {
      const reply = (await readEntry(tx, run))?.reply ?? null
      assert(reply !== null, 'A key is committed together with its reply.')
      return { reply, replayed: true }
    }
    const reply = await work(tx)
    await tx
      .updateTable('idempotency_keys')
      .set({ status: 201, reply })
      .where('project_id', '=', run.project_id)
      .where('key', '=', run.key)
      .execute()
    return { reply, replayed: false }
  })
}

function readEntry(db: Reader, { project_id, key }: SingleRun) {
  return db
    .selectFrom('idempotency_keys')
    .select(['reply', 'expires_at'])
    .where('project_id', '=', project_id)
    .where('key', '=', key)
    .executeTakeFirst()
}

/** Inserts the key or takes over an expired one; false if it is in use. */
async function claim(tx: Transaction, run: SingleRun, now: Date): Promise<boolean> {
  const { project_id, key, lifetime_ms } = run
  const held = {
    request_hash: sha256(key),
    token: randomUUID(),
    locked_until: now,
    status: null,
    reply: null,
    expires_at: new Date(now.getTime() + lifetime_ms),
  }
  const row = await tx
    .insertInto('idempotency_keys')
    .values({ project_id, key, ...held })
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'key'])
        .doUpdateSet(held)
        .where('idempotency_keys.expires_at', '<=', now),
    )
    .returning('token')
    .executeTakeFirst()
  return row !== undefined
}
