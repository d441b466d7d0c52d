/**
 * Storage of Idempotency-Keys. The first request with a key locks it and stores its reply; a retry
 * gets that reply. The lock has a fencing token: if the process dies, a retry takes over the
 * expired lock with a new token, and the first request can no longer store a reply, so no effect
 * happens twice. Keys expire after 24 hours.
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

/** Reads the header as Node passes it. Repeated headers are invalid. */
export function readIdempotencyKey(header: string | string[] | undefined): KeyReading {
  if (header === undefined) return { fault: 'missing' }
  const key = Array.isArray(header) ? header.join(', ') : header
  return keyPattern.test(key) ? { key } : { fault: 'invalid' }
}

export interface KeyedRequest {
  project_id: string
  key: string
  /** SHA-256 of method, path and body; the same for a retry. */
  request_hash: Uint8Array
}

/** A stored reply: the status and the JSON text. */
export interface StoredReply {
  status: number
  reply: string
}

export type KeyClaim =
  /**
   * The request may proceed. The value is the token for `storeKeyedReply`, `releaseKey` and
   * `unlockKey`.
   */
  | { fresh: string }
  | { replay: StoredReply }
  | { refused: 'reused' }
  | { refused: 'in_progress'; retry_after_s: number }

export interface ClaimedKey {
  project_id: string
  key: string
  token: string
}

/** A later request took over the key, or the key expired. The transaction must be rolled back. */
export class KeyLost extends Error {
  override readonly name = 'KeyLost'
}

/** Decides how a request with a key continues. Exactly one of concurrent requests is fresh. */
export async function claimKey(runtime: Runtime, approach: KeyedRequest): Promise<KeyClaim> {
  for (;;) {
    // Reads without a lock first, so that a retry gets its reply while the first request runs.
    const now = runtime.clock.now()
    const entry = await readEntry(runtime, approach)
    const verdict = entry && entry.expires_at > now ? judge(entry, approach, now) : 'absent'
    if (typeof verdict === 'object') return verdict
    const token = await runtime.db.transact((tx) =>
      entry ? takeOver(tx, approach, { seen: entry.token, now }) : enter(tx, approach, now),
    )
    // A null token means that another request claimed the key; the next round reads its entry.
    if (token !== null) return { fresh: token }
  }
}

/** The result of claimKey for a retry; null if the request would be the first. */
export async function findClaim(
  runtime: Runtime,
  approach: KeyedRequest,
): Promise<Exclude<KeyClaim, { fresh: string }> | null> {
  const verdict = await findVerdict(runtime, approach)
  return verdict === 'abandoned' ? null : verdict
}

async function findVerdict(runtime: Runtime, approach: KeyedRequest) {
  const now = runtime.clock.now()
  const entry = await readEntry(runtime, approach)
  return entry && entry.expires_at > now ? judge(entry, approach, now) : null
}

/** What became of the last attempt of a request: null if there was none. */
export type Attempt = 'running' | 'ended' | null

/** An ended attempt has a reply or was abandoned, and may have had its effect. */
export async function findAttempt(runtime: Runtime, approach: KeyedRequest): Promise<Attempt> {
  const verdict = await findVerdict(runtime, approach)
  if (verdict === null || verdict === 'abandoned') return verdict && 'ended'
  if ('replay' in verdict) return 'ended'
  return verdict.refused === 'in_progress' ? 'running' : null
}

interface Entry {
  request_hash: Buffer
  token: string
  locked_until: Date
  status: number | null
  reply: string | null
  expires_at: Date
}

function readEntry(
  runtime: Runtime,
  { project_id, key }: KeyedRequest,
): Promise<Entry | undefined> {
  return runtime.db
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'token', 'locked_until', 'status', 'reply', 'expires_at'])
    .where('project_id', '=', project_id)
    .where('key', '=', key)
    .executeTakeFirst()
}

function judge(
  entry: Entry,
  approach: KeyedRequest,
  now: Date,
): Exclude<KeyClaim, { fresh: string }> | 'abandoned' {
  if (!entry.request_hash.equals(approach.request_hash)) return { refused: 'reused' }
  const { status, reply } = entry
  if (status !== null && reply !== null) return { replay: { status, reply } }
  const remaining_ms = entry.locked_until.getTime() - now.getTime()
  if (remaining_ms <= 0) return 'abandoned'
  return { refused: 'in_progress', retry_after_s: Math.max(1, Math.ceil(remaining_ms / 1000)) }
}

async function enter(tx: Transaction, approach: KeyedRequest, now: Date): Promise<string | null> {
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
 * Takes over an abandoned or expired key. Waits for a concurrent commit of a reply; returns null if
 * there is one.
 */
async function takeOver(
  tx: Transaction,
  approach: KeyedRequest,
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

function newHold({ request_hash }: KeyedRequest, now: Date) {
  return {
    request_hash: Buffer.from(request_hash),
    token: randomUUID(),
    locked_until: new Date(now.getTime() + LOCK_MS),
    expires_at: new Date(now.getTime() + REMEMBERED_MS),
  }
}

/**
 * Stores the reply in the transaction of the effect. Throws KeyLost if a later request holds the
 * key, which rolls back the effects of this one.
 */
export async function storeKeyedReply(
  tx: Transaction,
  runtime: Runtime,
  { project_id, key, token, status, reply }: ClaimedKey & StoredReply,
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
  if (!row) throw new KeyLost('A later request holds the Idempotency-Key.')
}

/** Frees the key of a request that was refused without effect. A stored reply stays. */
export async function releaseKey(
  runtime: Runtime,
  { project_id, key, token }: ClaimedKey,
): Promise<void> {
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

/** Ends the lock at once, so that a retry of the same request may proceed. */
export async function unlockKey(
  runtime: Runtime,
  { project_id, key, token }: ClaimedKey,
): Promise<void> {
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

/** Deletes expired keys, in batches that hold locks briefly. */
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
