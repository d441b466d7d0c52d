/**
 * The memory behind the header Idempotency-Key: the first request with a key passes the gate and
 * leaves its reply there; a retry gets that reply. The first holds a lock with a token: if its
 * process dies, a retry takes the key over once the lock has run out, under a new token, and
 * should the first still be alive then, it can no longer remember anything, so nothing is done
 * twice. A key is kept for 24 hours; one that is older is as good as absent.
 */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Transaction } from '../database/database.ts'
import type { Runtime } from '../runtime.ts'
import { reconciler } from '../jobs/jobs.ts'

const LOCK_MS = 90_000
const REMEMBERED_MS = 24 * 3600 * 1000
const SWEEP_EVERY_S = 3600
const SWEEP_BATCH = 1000
const keyPattern = /^[!-~]{1,255}$/

export type KeyReading = { key: string } | { fault: 'missing' | 'invalid' }

/** The key in a header as Node gives it: two headers of the name are no key. */
export function readIdempotencyKey(header: string | string[] | undefined): KeyReading {
  if (header === undefined) return { fault: 'missing' }
  const key = Array.isArray(header) ? header.join(', ') : header
  return keyPattern.test(key) ? { key } : { fault: 'invalid' }
}

export interface Approach {
  project_id: string
  key: string
  /** SHA-256 of what makes two requests the same: method, path and body. */
  request_hash: Uint8Array
}

/** A reply as it was sent: the status and the JSON text. */
export interface RememberedReply {
  status: number
  reply: string
}

export type Gate =
  /** Go on, and show this token when remembering or forgetting. */
  | { fresh: string }
  | { replay: RememberedReply }
  | { refused: 'reused' }
  | { refused: 'in_progress'; retry_after_s: number }

export interface Ticket {
  project_id: string
  key: string
  token: string
}

/** The key was taken over by a later request, or ran out. The transaction must be rolled back. */
export class TicketLost extends Error {
  override readonly name = 'TicketLost'
}

/** Decides what becomes of a request with a key. Of any number at once, one is fresh. */
export async function openGate(runtime: Runtime, approach: Approach): Promise<Gate> {
  for (;;) {
    // Read first and without a lock, so that a retry is answered while the first is at work.
    const now = runtime.clock.now()
    const entry = await readEntry(runtime, approach)
    const verdict = entry && entry.expires_at > now ? judge(entry, approach, now) : 'absent'
    if (typeof verdict === 'object') return verdict
    const token = await runtime.db.transact((tx) =>
      entry ? takeOver(tx, approach, { seen: entry.token, now }) : enter(tx, approach, now),
    )
    // Somebody else was faster: what they left says how it goes on.
    if (token !== null) return { fresh: token }
  }
}

/** What openGate would answer to a retry; null when the request would be the first. */
export async function findVerdict(
  runtime: Runtime,
  approach: Approach,
): Promise<Exclude<Gate, { fresh: string }> | null> {
  const now = runtime.clock.now()
  const entry = await readEntry(runtime, approach)
  if (!entry || entry.expires_at <= now) return null
  const verdict = judge(entry, approach, now)
  return verdict === 'abandoned' ? null : verdict
}

interface Entry {
  request_hash: Buffer
  token: string
  locked_until: Date
  status: number | null
  reply: string | null
  expires_at: Date
}

function readEntry(runtime: Runtime, { project_id, key }: Approach): Promise<Entry | undefined> {
  return runtime.db
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'token', 'locked_until', 'status', 'reply', 'expires_at'])
    .where('project_id', '=', project_id)
    .where('key', '=', key)
    .executeTakeFirst()
}

function judge(
  entry: Entry,
  approach: Approach,
  now: Date,
): Exclude<Gate, { fresh: string }> | 'abandoned' {
  if (!entry.request_hash.equals(approach.request_hash)) return { refused: 'reused' }
  const { status, reply } = entry
  if (status !== null && reply !== null) return { replay: { status, reply } }
  const remaining_ms = entry.locked_until.getTime() - now.getTime()
  if (remaining_ms <= 0) return 'abandoned'
  return { refused: 'in_progress', retry_after_s: Math.max(1, Math.ceil(remaining_ms / 1000)) }
}

async function enter(tx: Transaction, approach: Approach, now: Date): Promise<string | null> {
  const { project_id, key } = approach
  const row = await tx
    .insertInto('idempotency_keys')
    .values({ project_id, key, ...newHold(approach, now) })
    .onConflict((conflict) => conflict.doNothing())
    .returning('token')
    .executeTakeFirst()
  return row?.token ?? null
}

/**
 * Takes a key that was abandoned or has run out. It waits for a first request that is just about
 * to commit its reply, and then leaves the key to it.
 */
async function takeOver(
  tx: Transaction,
  approach: Approach,
  { seen, now }: { seen: string; now: Date },
): Promise<string | null> {
  const row = await tx
    .updateTable('idempotency_keys')
    .set({ ...newHold(approach, now), status: null, reply: null })
    .where('project_id', '=', approach.project_id)
    .where('key', '=', approach.key)
    .where('token', '=', seen)
    .where((row) => row.or([row('status', 'is', null), row('expires_at', '<=', now)]))
    .returning('token')
    .executeTakeFirst()
  return row?.token ?? null
}

function newHold({ request_hash }: Approach, now: Date) {
  return {
    request_hash: Buffer.from(request_hash),
    token: randomUUID(),
    locked_until: new Date(now.getTime() + LOCK_MS),
    expires_at: new Date(now.getTime() + REMEMBERED_MS),
  }
}

/**
 * Keeps the reply, in the transaction that makes it true. Throws TicketLost when a later request
 * has the key by now, so that the effects of only one of them are kept.
 */
export async function remember(
  tx: Transaction,
  runtime: Runtime,
  { project_id, key, token, status, reply }: Ticket & RememberedReply,
): Promise<void> {
  const now = runtime.clock.now()
  const row = await tx
    .updateTable('idempotency_keys')
    .set({ status, reply, expires_at: new Date(now.getTime() + REMEMBERED_MS) })
    .where('project_id', '=', project_id)
    .where('key', '=', key)
    .where('token', '=', token)
    .where('status', 'is', null)
    .returning('token')
    .executeTakeFirst()
  if (!row) throw new TicketLost('A later request holds the Idempotency-Key.')
}

/** Frees a key whose request was refused before any effect. What is remembered stays. */
export async function forget(runtime: Runtime, { project_id, key, token }: Ticket): Promise<void> {
  await runtime.db.transact((tx) =>
    tx
      .deleteFrom('idempotency_keys')
      .where('project_id', '=', project_id)
      .where('key', '=', key)
      .where('token', '=', token)
      .where('status', 'is', null)
      .execute(),
  )
}

/** Lets the next request with the key pass, if it is the same as this one. */
export async function loosen(runtime: Runtime, { project_id, key, token }: Ticket): Promise<void> {
  await runtime.db.transact((tx) =>
    tx
      .updateTable('idempotency_keys')
      .set({ locked_until: runtime.clock.now() })
      .where('project_id', '=', project_id)
      .where('key', '=', key)
      .where('token', '=', token)
      .where('status', 'is', null)
      .execute(),
  )
}

/** Removes keys that ran out, in bites that keep nobody waiting. */
export const sweepIdempotencyKeys = reconciler({
  name: 'idempotency_keys.sweep',
  every_s: SWEEP_EVERY_S,
  async run(runtime) {
    const now = runtime.clock.now()
    for (let swept = SWEEP_BATCH; swept === SWEEP_BATCH;) {
      swept = await runtime.db.transact((tx) => sweep(tx, now))
    }
  },
})

async function sweep(tx: Transaction, now: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from idempotency_keys using (
      select project_id, key from idempotency_keys where expires_at <= ${now}
      limit ${SWEEP_BATCH} for update skip locked
    ) as old
    where idempotency_keys.project_id = old.project_id and idempotency_keys.key = old.key
  `.execute(tx)
  return Number(numAffectedRows)
}
