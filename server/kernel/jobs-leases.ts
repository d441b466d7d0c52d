/**
 * The leases that this process holds. A heartbeat renews them by the house's clock, and always
 * before any lease is judged: so a clock that is moved by an hour makes the leases of dead
 * processes run out, and not those of the work that goes on here. Should one be lost all the
 * same, its run is told by its signal, and the fence keeps its effects out.
 */
import { isDatabaseAway } from './database.ts'
import type { House } from './house.ts'
import { releaseJobs, renewLeases, returnLostJobs, type JobRow } from './jobs-store.ts'

const SECOND_MS = 1000
export const LEASE_MS = 60 * SECOND_MS
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
  private readonly house: House
  private readonly topic: string
  private readonly held = new Map<string, Holding>()
  private readonly timer = setInterval(() => this.look(), LOOK_MS)
  private readonly unlisten: () => void
  private renewed_ms: number
  private looked_ms = -Infinity
  private looking: Promise<void> | null = null
  private lookAgain = false

  constructor(house: House, topic: string) {
    this.house = house
    this.topic = topic
    this.renewed_ms = house.clock.now_ms()
    this.unlisten = house.bell.listen(topic, () => this.lookAtRing())
    this.look()
  }

  /** For a job that was claimed just now. */
  hold(row: JobRow, lease_until: Date): Lease {
    const holding = new Holding(row, lease_until)
    this.held.set(row.lease_token, holding)
    return holding
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
      await this.house.db.transact((tx) => releaseJobs(tx, rows))
    } catch (error) {
      this.house.log.warn({ err: error }, 'jobs could not be given back and wait for their leases')
    }
  }

  /** Rings are many: only one after which the clock has gone on is worth a look. */
  private lookAtRing(): void {
    if (this.house.clock.now_ms() - this.looked_ms >= LOOK_MS) this.look()
  }

  private look(): void {
    const now_ms = this.house.clock.now_ms()
    this.looked_ms = now_ms
    this.lookAgain = this.looking !== null
    if (this.looking) return
    this.looking = this.renewAndJudge(now_ms)
      .catch((error: unknown) => {
        if (!isDatabaseAway(error)) this.house.log.error({ err: error }, 'renewing leases failed')
        this.loseOverdue()
      })
      .finally(() => {
        this.looking = null
        if (this.lookAgain) this.look()
      })
  }

  private async renewAndJudge(now_ms: number): Promise<void> {
    if (now_ms - this.renewed_ms >= HEARTBEAT_MS) await this.renew(now_ms)
    const now = new Date(now_ms)
    const lost = await this.house.db.transact((tx) => returnLostJobs(tx, now))
    for (const { kind } of lost) {
      this.house.log.warn({ job: kind }, 'a job was lost with its process and is due again')
    }
    if (lost.length > 0) this.house.bell.ring(this.topic)
  }

  private async renew(now_ms: number): Promise<void> {
    const holdings = [...this.held.values()]
    const lease_until_ms = now_ms + LEASE_MS
    if (holdings.length > 0) {
      const rows = holdings.map(({ row }) => row)
      const lease_until = new Date(lease_until_ms)
      const kept = await this.house.db.transact((tx) => renewLeases(tx, rows, lease_until))
      for (const holding of holdings) {
        if (kept.has(holding.row.lease_token)) holding.lease_until_ms = lease_until_ms
        else if (this.held.has(holding.row.lease_token)) {
          this.lose(holding, 'The job was given to another run.')
        }
      }
    }
    this.renewed_ms = now_ms
  }

  /** While the database does not answer, a lease runs out by the clock. */
  private loseOverdue(): void {
    const now_ms = this.house.clock.now_ms()
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
