/**
 * Houses for tests of the kernel: real parts on a database of their own, with no app and no
 * server in them. Two houses on one database are like two processes. The clock stands still until
 * it is moved, so that every time in a test is exact.
 */
import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import type pg from 'pg'
import { createWakeups } from '../../server/kernel/wakeups.ts'
import { openBlobs } from '../../server/kernel/blobs/blobs.ts'
import { movableClock, type MovableClock } from '../../server/kernel/clock.ts'
import { readConfig } from '../../server/kernel/config.ts'
import { createSeal } from '../../server/kernel/crypto.ts'
import { openDatabase } from '../../server/kernel/database.ts'
import type { House } from '../../server/kernel/house.ts'
import { createLog } from '../../server/kernel/log.ts'
import { createMetrics } from '../../server/kernel/metrics.ts'
import { createOutbound } from '../../server/kernel/outbound.ts'
import { createTestDatabase, dropTestDatabase } from './cluster.ts'

export interface BareHouse extends House {
  clock: MovableClock
  /** What was logged, as parsed lines. */
  logged: Record<string, unknown>[]
  close(): Promise<void>
}

export interface BareGround {
  connection: pg.PoolConfig
  /** One more process, so to say: its own pool, wake-ups and metrics on the same database. */
  openHouse(clock?: MovableClock): BareHouse
}

const START_MS = Date.parse('2026-03-02T09:00:00Z')

/** A clock that moves only when it is told to. */
export function standingClock(offset_s = 0): MovableClock {
  const base = { now: () => new Date(START_MS), now_ms: () => START_MS }
  return movableClock(offset_s * 1000, base)
}

/** Opens a database with all migrations, which goes when the test file or suite ends. */
export async function openBareGround(): Promise<BareGround> {
  const houses: BareHouse[] = []
  // Said before the database is asked for: what is said first is done first.
  after(async () => {
    for (const house of houses) await house.close()
    await dropTestDatabase(connection)
    rmSync(folder, { recursive: true, force: true })
  })
  const folder = freeFolder()
  const connection = await createTestDatabase()
  return {
    connection,
    openHouse(clock = standingClock()) {
      const house = openBareHouse(connection, clock, folder)
      houses.push(house)
      return house
    },
  }
}

/** A house on a database that runs already. Its folder is made when something is kept there. */
export function openBareHouse(
  connection: pg.PoolConfig,
  clock: MovableClock,
  folder = freeFolder(),
): BareHouse {
  const logged: Record<string, unknown>[] = []
  const log = createLog('debug', { write: (line) => void logged.push(JSON.parse(line)) })
  const outbound = createOutbound({ allow_private: false, allow_cidrs: [], proxy_url: null })
  const webhook_outbound = outbound
  const db = openDatabase({ connection, onError: () => {} })
  const config = readConfig({ HOMEPORT_DATA_DIR: folder }, tmpdir())
  const blobs = openBlobs(config)
  let closing: Promise<void> | null = null
  return {
    config,
    db,
    clock,
    log,
    seal: createSeal('a master secret for tests, long enough'),
    wakeups: createWakeups(),
    blobs,
    metrics: createMetrics(),
    outbound,
    webhook_outbound,
    logged,
    close: () => (closing ??= closeAll([db, outbound, blobs])),
  }
}

function freeFolder(): string {
  return join(tmpdir(), `homeport-house-${randomUUID()}`)
}

async function closeAll(parts: readonly { close(): Promise<void> }[]): Promise<void> {
  await Promise.all(parts.map((part) => part.close()))
}
