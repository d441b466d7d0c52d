/**
 * The leases that this process holds. A heartbeat renews them by the server's clock, and always
 * before any lease is judged: so a clock that is moved by an hour makes the leases of dead
 * processes run out, and not those of the work that goes on here. Should one be lost all the
 * same, its run is notified by its signal, and the fence keeps its effects out.
 */
import assert from 'node:assert/strict'
import { isDatabaseAway } from '../database/database.ts'
import type { Runtime } from '../runtime.ts'
import { releaseJobs, renewLeases, returnLostJobs, type JobRow } from './jobs-store.ts'

const SECOND_MS = 1000
const LEASE_MS = 60 * SECOND_MS
const HEARTBEAT_MS = 10 * SECOND_MS
const LOOK_MS = SECOND_MS

/** A run went on while its job was given to somebody else. Its transaction is rolled back. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

export interface Lease {
  readonly row: JobRow
  readonly signal: AbortSignal
  /** Whether the job was given back on purpose while it ran. */
  readonly released: boolean
}

class Holding implements Lease {
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

/** Keeps the leases held here, and makes jobs due whose lease ran out anywhere. */
export class Leases {
  private readonly runtime: Runtime
  private readonly topic: string
  private readonly held = new Map<string, Holding>()
  /**
   * Jobs whose result this process could not record. Their lease expires without counting as a
   * crash.
   */
  private readonly survived = new Set<string>()
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

  /** Claims jobs by `take`, with leases from now on. One claim at a time. */
  async claim(take: (now: Date, lease_until: Date) => Promise<JobRow[]>): Promise<Lease[]> {
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

  private hold(row: JobRow, lease_until: Date): Lease {
    const holding = new Holding(row, lease_until)
    this.survived.delete(row.id)
    this.held.set(row.lease_token, holding)
    return holding
  }

  /** The run ended, but this could not be recorded. Its lease is left to run out. */
  abandon({ row }: Lease): void {
    this.survived.add(row.id)
  }

  /** The run has ended: there is nothing to renew any more. */
  drop({ row }: Lease): void {
    this.held.delete(row.lease_token)
  }

  /** Aborts what still runs and gives it back, so that nobody has to wait for the leases. */
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
        'jobs could not be given back and wait for their leases',
      )
    }
  }

  /** Rings are many: only one after which the clock has gone on is worth a look. */
  private lookAtRing(): void {
    if (this.runtime.clock.now_ms() - this.looked_ms >= LOOK_MS) this.look()
  }

  private look(): void {
    this.looked_ms = this.runtime.clock.now_ms()
    this.lookAgain = this.looking !== null
    if (this.looking) return
    this.looking = this.renewAndJudge()
      .catch((error: unknown) => {
        if (!isDatabaseAway(error)) this.runtime.log.error({ err: error }, 'renewing leases failed')
        this.loseOverdue()
      })
      .finally(() => {
        this.looking = null
        if (this.lookAgain) this.look()
      })
  }

  private async renewAndJudge(): Promise<void> {
    // Once before waiting, because a claim on a slow database must not hold up the heartbeat.
    await this.renewInTime()
    // Leases that are taken while the clock is moved would be judged before they are renewed.
    while (this.claiming) await this.claiming
    const now = await this.renewInTime()
    const lost = await this.runtime.db.transact((tx) => returnLostJobs(tx, now, [...this.survived]))
    for (const { kind } of lost) {
      this.runtime.log.warn({ job: kind }, 'a job was lost with its process and is due again')
    }
    if (lost.length > 0) this.runtime.wakeups.announce(this.topic)
  }

  /** Renews all leases when one has gone on for a heartbeat. Returns the time it went by. */
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

  /** While the database does not answer, a lease runs out by the clock. */
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
