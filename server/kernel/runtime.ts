/**
 * The runtime: settings and open resources of a process, created once and passed as a value to the
 * functions that need them. It contains no business rules.
 */
import type pg from 'pg'
import type { Wakeups } from './jobs/wakeups.ts'
import type { Blobs } from './blobs/blobs-contract.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config/config-types.ts'
import type { Seal } from './secrets/crypto.ts'
import type { Database } from './database/database.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import type { Outbound } from './outbound/outbound.ts'

export interface Runtime {
  config: Config
  db: Database
  /** For work that needs a connection of its own, such as a backup. */
  connection: pg.PoolConfig
  clock: Clock
  log: Log
  seal: Seal
  wakeups: Wakeups
  blobs: Blobs
  metrics: Metrics
  /** For URLs that clients supply: websites, files, client metadata documents. */
  outbound: Outbound
  /** For webhook endpoints, which may be on this machine in development. */
  webhook_outbound: Outbound
}
