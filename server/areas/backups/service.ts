/**
 * Backups to a folder or a bucket. A lock of the database session, which ends with the process, lets
 * one backup and one restore test run at a time across all processes.
 */
import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { BackupFault } from '../../kernel/backup/backup-fault.ts'
import { checkBackup, keyIdsOf } from '../../kernel/backup/backup-format.ts'
import { chooseExpired } from '../../kernel/backup/choose-expired.ts'
import { withClient } from '../../kernel/backup/connection.ts'
import { dropStaleTests, tryLock } from '../../kernel/backup/store.ts'
import {
  nameAt,
  openTarget,
  sourceOf,
  type BackupTarget,
  type StoredBackup,
} from '../../kernel/backup/target.ts'
import { testRestore } from '../../kernel/backup/test-restore.ts'
import { writeSnapshot } from '../../kernel/backup/write-snapshot.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { newId } from '../../kernel/values/ids.ts'
import { keysOfFile } from '../files/service.ts'
import { toDocumentKey } from '../verification/service.ts'
import * as store from './store.ts'

export { listBackups, type ListedBackup } from './list.ts'
export { readFacts, type BackupFacts } from './store.ts'

const DAY_MS = 86_400_000
const FAILED_KEPT_MS = 90 * DAY_MS
const ERROR_CHARACTERS_MAX = 500

export interface BackupOrder {
  /** The time of the schedule; null for a request of the operator. */
  scheduled_for: Date | null
  signal?: AbortSignal
}

export interface FinishedBackup {
  name: string
  bytes: number
  started_at: Date
  finished_at: Date
  /** Names of older backups that were deleted. */
  deleted: string[]
}

/**
 * Writes a backup, reads it back completely, and deletes expired ones. Throws a BackupFault if another
 * one runs. A failed backup leaves no file and a row with its error.
 */
export async function backUp(runtime: Runtime, order: BackupOrder): Promise<FinishedBackup> {
  const target = openTarget(runtime.config)
  try {
    return await withLock(runtime, 'backup', async (client) => {
      const { id, name, started_at } = await begin(runtime, order)
      try {
        await write({ runtime, client, target, name, signal: order.signal })
        const stored = await target.list()
        const bytes = stored.find((one) => one.name === name)?.bytes ?? 0
        const finished_at = runtime.clock.now()
        await runtime.db.transact((tx) =>
          store.updateRun(tx, id, { state: 'complete', finished_at, bytes: BigInt(bytes) }),
        )
        const deleted = await deleteExpired(runtime, target, stored)
        await abortOldUploads(runtime, target)
        return { name, bytes, started_at, finished_at, deleted }
      } catch (error) {
        await fail({ runtime, target, name, id }, error)
        throw error
      }
    })
  } finally {
    await target.close()
  }
}

async function withLock<T>(
  { connection }: Runtime,
  lock: 'backup' | 'restore test',
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  return withClient(connection, async (client) => {
    if (await tryLock(client, lock)) return work(client)
    throw new BackupFault(`Another ${lock} is running: try again when it has ended.`)
  })
}

async function begin(
  { db, clock }: Runtime,
  { scheduled_for }: BackupOrder,
): Promise<{ id: string; name: string; started_at: Date }> {
  const started_at = clock.now()
  const id = newId(clock)
  const name = nameAt(started_at, randomBytes(3).toString('hex'))
  await db.transact(async (tx) => {
    await store.failRunning(tx, started_at, 'The process ended while it wrote the backup.')
    await store.insertRun(tx, { id, name, started_at, scheduled_for, state: 'running' })
  })
  return { id, name, started_at }
}

interface Writing {
  runtime: Runtime
  client: pg.Client
  target: BackupTarget
  name: string
  signal: AbortSignal | undefined
}

async function write({ runtime, client, target, name, signal }: Writing): Promise<void> {
  const { clock, seal, config } = runtime
  await writeSnapshot({
    client,
    connection: runtime.connection,
    now: clock.now(),
    key_ids: [seal.key_id, seal.previous?.key_id],
    // Objects in a bucket stay there; downloading all of them would take too long.
    blobs: config.blobs.address === 'disk' ? runtime.blobs : null,
    keysOfFile,
    keyOfDocument: toDocumentKey,
    keep: (content) => target.put(name, content),
    signal,
  })
  await checkBackup(sourceOf(target, name))
}

interface Failed {
  runtime: Runtime
  target: BackupTarget
  name: string
  id: string
}

/** Failures of the clean-up are logged, so that the first error reaches the caller. */
async function fail({ runtime, target, name, id }: Failed, error: unknown): Promise<void> {
  const { log, clock, db } = runtime
  const finished_at = clock.now()
  try {
    await db.transact((tx) =>
      store.updateRun(tx, id, { state: 'failed', finished_at, error: textOf(error) }),
    )
    await target.remove([name])
  } catch (err) {
    log.warn({ err, backup: name }, 'a failed backup could not be cleaned up')
  }
}

/** Returns the names of the deleted backups. A failure is logged: the new backup is complete. */
async function deleteExpired(
  { db, clock, log, config }: Runtime,
  target: BackupTarget,
  stored: readonly StoredBackup[],
): Promise<string[]> {
  const { keep_daily: daily, keep_weekly: weekly } = config.backups
  const expired = chooseExpired(stored, { daily, weekly, timezone: config.billing_timezone })
  const names = expired.map(({ name }) => name)
  const before = new Date(clock.now_ms() - FAILED_KEPT_MS)
  try {
    if (names.length > 0) await target.remove(names)
    await db.transact((tx) => store.deleteRuns(tx, { names, before }))
    return names
  } catch (err) {
    log.warn({ err }, 'expired backups could not be deleted')
    return []
  }
}

/** Removes what killed processes left in a bucket. A failure is logged: the new backup is complete. */
async function abortOldUploads({ clock, log }: Runtime, target: BackupTarget): Promise<void> {
  try {
    const aborted = await target.abortUploads(new Date(clock.now_ms() - DAY_MS))
    if (aborted > 0) log.info({ aborted }, 'parts of interrupted backups were deleted')
  } catch (err) {
    log.warn({ err }, 'parts of interrupted backups could not be deleted')
  }
}

/**
 * Restores the newest backup into a temporary database and records the result; null if there is no
 * backup. Throws the error of a failed test.
 */
export async function testLatest(runtime: Runtime): Promise<string | null> {
  const target = openTarget(runtime.config)
  try {
    return await withLock(runtime, 'restore test', async (client) => {
      await dropStaleTests(client)
      return await testNewest(runtime, target)
    })
  } finally {
    await target.close()
  }
}

async function testNewest(runtime: Runtime, target: BackupTarget): Promise<string | null> {
  for (;;) {
    const [newest] = await target.list()
    if (!newest) return null
    const { name } = newest
    try {
      await testStored(runtime, target, name)
      await recordTest(runtime, newest, null)
      return name
    } catch (error) {
      // A backup that was written meanwhile may have deleted this one.
      if (!(await target.list()).some((one) => one.name === name)) continue
      await recordTest(runtime, newest, textOf(error))
      throw error
    }
  }
}

async function testStored(runtime: Runtime, target: BackupTarget, name: string): Promise<void> {
  const { connection, seal } = runtime
  const from = sourceOf(target, name)
  const { header } = await testRestore({ connection, from, progress: () => {} })
  const known = [seal.key_id, seal.previous?.key_id]
  const missing = keyIdsOf(header).filter((id) => !known.includes(id))
  if (missing.length > 0)
    throw new BackupFault(`Its secrets need the master key ${missing.join(' and ')}.`)
}

async function recordTest(
  { db, clock }: Runtime,
  { name, bytes, created_at }: StoredBackup,
  test_error: string | null,
): Promise<void> {
  const tested_at = clock.now()
  const row = await store.findRun(db, name)
  await db.transact((tx) =>
    row
      ? store.updateRun(tx, row.id, { tested_at, test_error })
      : // A backup from before a restore has no row.
        store.insertRun(tx, {
          id: newId(clock),
          name,
          started_at: created_at,
          finished_at: created_at,
          state: 'complete',
          bytes: BigInt(bytes),
          tested_at,
          test_error,
        }),
  )
}

function textOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.replaceAll('\0', '').slice(0, ERROR_CHARACTERS_MAX)
}
