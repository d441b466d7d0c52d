/**
 * Fair scheduling of a scarce resource (threads, memory, connections) among owners such as projects.
 * Units go to the waiting owner that uses the fewest, so an owner with many requests delays only
 * itself. Queues are bounded; requests above the bound are refused.
 */

export interface SlotOptions {
  /** What the units are used for, as a clause that follows "while": `files are imported`. */
  name: string
  /** Units in use at once: of all owners, and of one owner. */
  units: number
  units_each: number
  /** Requests that wait at once: of all owners, and of one owner. */
  waiting_max: number
  waiting_each_max: number
  /** Maximum wait of a request; unlimited by default. */
  wait_ms_max?: number
  retry_after_s: number
  /** Called after each change with the numbers of running and waiting requests. */
  onChange?(use: { running: number; waiting: number }): void
}

export interface Demand {
  /** Number of units, 1 by default. Capped at the maximum of an owner. */
  units?: number
  /** Aborting it ends the wait. */
  signal?: AbortSignal
}

export interface Slots {
  /** Waits for units and returns the function that releases them. Throws `NoSlot`. */
  take(owner: string, demand?: Demand): Promise<() => void>
  run<T>(owner: string, work: () => Promise<T>): Promise<T>
}

/** The request was refused before it had any effect; the client can retry soon. */
export class NoSlot extends Error {
  override readonly name = 'NoSlot'
  /** Whether the queue is full of requests of the same owner, not of other owners. */
  readonly is_own: boolean
  readonly retry_after_s: number

  constructor({ name, retry_after_s }: SlotOptions, is_own: boolean) {
    const whose = is_own ? ' of yours' : ''
    super(`Too many requests${whose} wait here while ${name}.`)
    this.is_own = is_own
    this.retry_after_s = retry_after_s
  }
}

interface Waiting {
  owner: string
  units: number
  granted: PromiseWithResolvers<void>
}

export function createSlots(options: SlotOptions): Slots {
  return new FairSlots(options)
}

class FairSlots implements Slots {
  private readonly options: SlotOptions
  /** Units in use, by owner and in total. */
  private readonly used = new Map<string, number>()
  private used_all = 0
  private running = 0
  private readonly waiting = new Set<Waiting>()
  /** Number of the last grant of each owner that uses units or waits, for round-robin order. */
  private readonly served = new Map<string, number>()
  private grants = 0

  constructor(options: SlotOptions) {
    this.options = options
  }

  async take(owner: string, { units = 1, signal }: Demand = {}): Promise<() => void> {
    const { waiting_max, waiting_each_max, units_each } = this.options
    const granted = Promise.withResolvers<void>()
    const one = { owner, units: Math.min(units, units_each), granted }
    const others_waiting = this.countWaiting(owner)
    this.waiting.add(one)
    this.grant()
    if (this.waiting.has(one)) {
      const is_own = others_waiting >= waiting_each_max
      if (is_own || this.waiting.size > waiting_max) {
        this.waiting.delete(one)
        throw new NoSlot(this.options, is_own)
      }
      await this.waitFor(one, signal)
    }
    let is_back = false
    return () => {
      if (!is_back) this.giveBack(one)
      is_back = true
    }
  }

  async run<T>(owner: string, work: () => Promise<T>): Promise<T> {
    const giveBack = await this.take(owner)
    try {
      return await work()
    } finally {
      giveBack()
    }
  }

  private usedBy(owner: string): number {
    return this.used.get(owner) ?? 0
  }

  private hasShare({ owner, units }: Waiting): boolean {
    return this.usedBy(owner) + units <= this.options.units_each
  }

  private comesBefore(one: Waiting, other: Waiting): boolean {
    const difference = this.usedBy(one.owner) - this.usedBy(other.owner)
    if (difference !== 0) return difference < 0
    return (this.served.get(one.owner) ?? 0) < (this.served.get(other.owner) ?? 0)
  }

  /** The next request to serve; within one owner the oldest. */
  private next(): Waiting | null {
    let first: Waiting | null = null
    for (const one of this.waiting) {
      if (this.hasShare(one) && (first === null || this.comesBefore(one, first))) first = one
    }
    // Smaller requests never overtake a large one, which would starve otherwise.
    return first && this.used_all + first.units <= this.options.units ? first : null
  }

  private grant(): void {
    for (let one = this.next(); one !== null; one = this.next()) {
      this.waiting.delete(one)
      this.used.set(one.owner, this.usedBy(one.owner) + one.units)
      this.used_all += one.units
      this.running += 1
      this.served.set(one.owner, (this.grants += 1))
      one.granted.resolve()
    }
    this.options.onChange?.({ running: this.running, waiting: this.waiting.size })
  }

  private giveBack({ owner, units }: Waiting): void {
    const left = this.usedBy(owner) - units
    this.used_all -= units
    this.running -= 1
    if (left > 0) this.used.set(owner, left)
    else this.used.delete(owner)
    this.grant()
    if (!this.used.has(owner) && this.countWaiting(owner) === 0) this.served.delete(owner)
  }

  private countWaiting(owner: string): number {
    let count = 0
    for (const one of this.waiting) if (one.owner === owner) count += 1
    return count
  }

  private async waitFor(one: Waiting, signal: AbortSignal | undefined): Promise<void> {
    const leave = () => {
      if (!this.waiting.delete(one)) return
      one.granted.reject(new NoSlot(this.options, !this.hasShare(one)))
      this.grant()
    }
    const { wait_ms_max } = this.options
    const timer = wait_ms_max === undefined ? undefined : setTimeout(leave, wait_ms_max)
    signal?.addEventListener('abort', leave)
    if (signal?.aborted) leave()
    try {
      await one.granted.promise
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', leave)
    }
  }
}
