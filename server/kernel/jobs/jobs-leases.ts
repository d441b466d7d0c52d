/**
 * The leases that this process holds. A heartbeat renews them by the server's clock, and always
 * before expired leases are returned: if the clock is moved by an hour, the leases of dead
 * processes expire, but not those of running work. If a lease is lost anyway, the signal of its run
 * aborts, and the fencing token blocks its effects.
 */
import assert from 'node:assert/strict'
import { isDatabaseUnavailable } from '../database/database.ts'
import type { Runtime } from '../runtime.ts'
import { releaseJobs, renewLeases, returnLostJobs, type JobRow } from './jobs-store.ts'

const SECOND_MS = 1000
const LEASE_MS = 60 * SECOND_MS
const HEARTBEAT_MS = 10 * SECOND_MS
const LOOK_MS = SECOND_MS

/** The lease expired and another run got the job. The transaction must be rolled back. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

export interface JobLease {
  readonly row: JobRow
  readonly signal: AbortSignal
  /** Whether the job was released by `stop` while it ran. */
  readonly released: boolean
}

class Holding implements JobLease {
  readonly row: JobRow
  lease_until_ms: number
  released = false
  private readonly abortion = new AbortController()

  constructor(row: JobRow, lease_until: Date) {
    this.row = row
    this.lease_until_ms = lease_until.getTime()
  }

  get signal(): AbortSignal {
    return this.abortion.signal
  }

  abort(message: string): void {
    this.abortion.abort(new LeaseLost(message))
  }
}

/**
 * Renews the leases of this process, and makes jobs with an expired lease of any process due again.
 */
export class Leases {
  private readonly runtime: Runtime
  private readonly topic: string
  private readonly held = new Map<string, Holding>()
  /**
   * Ids of jobs whose end this process could not record. Their expired leases do not count as
   * crashes.
   */
  private readonly unrecorded = new Set<string>()
  private readonly timer = setInterval(() => this.look(), LOOK_MS)
  private readonly unlisten: () => void
  private looked_ms = -Infinity
  private claiming: Promise<void> | null = null
  private looking: Promise<void> | null = null
  private lookAgain = false

  constructor(runtime: Runtime, topic: string) {
    this.runtime = runtime
    this.topic = topic
    this.unlisten = runtime.wakeups.listen(topic, () => this.lookAtRing())
    this.look()
  }

  /** Claims jobs by `take`, with leases that start now. At most one claim at a time. */
  async claim(take: (now: Date, lease_until: Date) => Promise<JobRow[]>): Promise<JobLease[]> {
    assert(this.claiming === null)
    const now = this.runtime.clock.now()
    const lease_until = new Date(now.getTime() + LEASE_MS)
    const claiming = Promise.withResolvers<void>()
    this.claiming = claiming.promise
    try {
      const rows = await take(now, lease_until)
      return rows.map((row) => this.hold(row, lease_until))
    } finally {
      this.claiming = null
      claiming.resolve()
    }
  }

  private hold(row: JobRow, lease_until: Date): JobLease {
    const holding = new Holding(row, lease_until)
    this.unrecorded.delete(row.id)
    this.held.set(row.lease_token, holding)
    return holding
  }

  /** The run ended, but its result could not be recorded. Its lease expires. */
  abandon({ row }: JobLease): void {
    this.unrecorded.add(row.id)
  }

  /** The run ended, so its lease is no longer renewed. */
  drop({ row }: JobLease): void {
    this.held.delete(row.lease_token)
  }

  /**
   * Aborts running jobs and releases them, so that other processes need not wait for the leases to
   * expire.
   */
  async stop(): Promise<void> {
    clearInterval(this.timer)
    this.unlisten()
    while (this.looking) await this.looking
    const holdings = [...this.held.values()]
    for (const holding of holdings) {
      holding.released = true
      this.lose(holding, 'The process stops.')
    }
    if (holdings.length === 0) return
    const rows = holdings.map(({ row }) => row)
    try {
      await this.runtime.db.transact((tx) => releaseJobs(tx, rows))
    } catch (error) {
      this.runtime.log.warn(
        { err: error },
        'jobs could not be released and wait until their leases expire',
      )
    }
  }

  /**
   * Handles a wake-up. Wake-ups are frequent, so it is ignored unless the clock advanced by
   * LOOK_MS.
   */
  private lookAtRing(): void {
    if (this.runtime.clock.now_ms() - this.looked_ms >= LOOK_MS) this.look()
  }

  private look(): void {
    this.looked_ms = this.runtime.clock.now_ms()
    this.lookAgain = this.looking !== null
    if (this.looking) return
    this.looking = this.renewAndJudge()
      .catch((error: unknown) => {
        if (!isDatabaseUnavailable(error))
          this.runtime.log.error({ err: error }, 'renewing leases failed')
        this.loseOverdue()
      })
      .finally(() => {
        this.looking = null
        if (this.lookAgain) this.look()
      })
  }

  private async renewAndJudge(): Promise<void> {
    // Renews before waiting as well, because a claim on a slow database must not delay the
    // heartbeat.
    await this.renewInTime()
    // If the clock moves during a claim, the new leases must be renewed before they are checked.
    while (this.claiming) await this.claiming
    const now = await this.renewInTime()
    const lost = await this.runtime.db.transact((tx) =>
      returnLostJobs(tx, now, [...this.unrecorded]),
    )
    for (const { kind } of lost) {
      this.runtime.log.warn({ job: kind }, 'the lease of a job expired and the job is due again')
    }
    if (lost.length > 0) this.runtime.wakeups.announce(this.topic)
  }

  /** Renews all leases if one is older than a heartbeat. Returns the time used. */
  private async renewInTime(): Promise<Date> {
    const now = this.runtime.clock.now()
    const soon_ms = now.getTime() + LEASE_MS - HEARTBEAT_MS
    const holdings = [...this.held.values()]
    if (holdings.some(({ lease_until_ms }) => lease_until_ms <= soon_ms)) {
      await this.renew(holdings, new Date(now.getTime() + LEASE_MS))
    }
    return now
  }

  private async renew(holdings: readonly Holding[], lease_until: Date): Promise<void> {
    const rows = holdings.map(({ row }) => row)
    const kept = await this.runtime.db.transact((tx) => renewLeases(tx, rows, lease_until))
    for (const holding of holdings) {
      if (kept.has(holding.row.lease_token)) holding.lease_until_ms = lease_until.getTime()
      else if (this.held.has(holding.row.lease_token)) {
        this.lose(holding, 'The job was given to another run.')
      }
    }
  }

  /** Expires leases by the clock of the server while the database is unavailable. */
  private loseOverdue(): void {
    const now_ms = this.runtime.clock.now_ms()
    for (const holding of this.held.values()) {
      if (holding.lease_until_ms <= now_ms) {
        this.lose(holding, 'The lease could not be renewed in time.')
      }
    }
  }

  private lose(holding: Holding, message: string): void {
    this.held.delete(holding.row.lease_token)
    holding.abort(message)
  }
}
