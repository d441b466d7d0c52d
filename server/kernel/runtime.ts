/**
 * What a running Homeport holds: its settings and its held resources, made once in main.ts and
 * passed as a value to whoever needs them. Nothing here is a rule of the business.
 */
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
  clock: Clock
  log: Log
  seal: Seal
  wakeups: Wakeups
  blobs: Blobs
  metrics: Metrics
  /** To whatever clients name: websites, files, documents of programs. */
  outbound: Outbound
  /** To the addresses of webhooks, which in development may be on this machine. */
  webhook_outbound: Outbound
}
