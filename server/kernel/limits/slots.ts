/**
 * Fair scheduling of a scarce resource (threads, memory, connections) among owners such as projects.
 * Units go to the waiting owner that uses the fewest, so an owner with many requests delays only
 * itself. Projects of one person share the share of one project. Queues are bounded; requests above
 * the bound are refused, but an owner that uses and awaits nothing takes the place of one that does.
 */
import { growingCache } from './growing-cache.ts'

const PERSONS_MAX = 50_000
/** The persons that own projects, by project. */
const persons = growingCache<string>(PERSONS_MAX)

/** Makes a project share with the other projects of its person. */
export function rememberPerson(project_id: string, person: string): void {
  persons.set(project_id, person)
}

/** Who shares with the owner: the person of a project if it is known, else the owner alone. */
export function sharerOf(owner: string): string {
  return persons.get(owner) ?? owner
}

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

  constructor(
    { name, retry_after_s }: Pick<SlotOptions, 'name' | 'retry_after_s'>,
    is_own: boolean,
  ) {
    const whose = is_own ? ' of yours' : ''
    super(`Too many requests${whose} wait here while ${name}.`)
    this.is_own = is_own
    this.retry_after_s = retry_after_s
  }
}

interface Waiting {
  owner: string
  /** Set at the start, because the person of a project can become known meanwhile. */
  sharer: string
  units: number
  granted: PromiseWithResolvers<void>
}

export function createSlots(options: SlotOptions): Slots {
  return new FairSlots(options)
}

class FairSlots implements Slots {
  private readonly options: SlotOptions
  /** Units in use, by owner, by those who share, and in total. */
  private readonly used = new Map<string, number>()
  private readonly shared = new Map<string, number>()
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
    const sharer = sharerOf(owner)
    const one = { owner, sharer, units: Math.min(units, units_each), granted }
    const others_waiting = this.countWaiting('sharer', sharer)
    this.waiting.add(one)
    this.grant()
    if (this.waiting.has(one)) {
      const is_own = others_waiting >= waiting_each_max
      if (is_own || (this.waiting.size > waiting_max && !this.makeRoomFor(one))) {
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

  private sharedBy(sharer: string): number {
    return this.shared.get(sharer) ?? 0
  }

  private hasShare({ sharer, units }: Waiting): boolean {
    return this.sharedBy(sharer) + units <= this.options.units_each
  }

  /**
   * Ends the wait of the newest request of those who use and await most, for one who uses and awaits
   * nothing else. Returns false if nobody has more than one request.
   */
  private makeRoomFor(newcomer: Waiting): boolean {
    if (this.claimsOf(newcomer.sharer) > 1) return false
    let most: Waiting | null = null
    for (const one of this.waiting) {
      // `>=`, because of equal ones the newest leaves.
      if (!most || this.claimsOf(one.sharer) >= this.claimsOf(most.sharer)) most = one
    }
    if (!most || this.claimsOf(most.sharer) <= 1) return false
    this.waiting.delete(most)
    most.granted.reject(new NoSlot(this.options, true))
    this.grant()
    return true
  }

  /** Requests that wait, and one more if units are in use. */
  private claimsOf(sharer: string): number {
    return this.countWaiting('sharer', sharer) + (this.sharedBy(sharer) > 0 ? 1 : 0)
  }

  private comesBefore(one: Waiting, other: Waiting): boolean {
    const between_sharers = this.sharedBy(one.sharer) - this.sharedBy(other.sharer)
    if (between_sharers !== 0) return between_sharers < 0
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
      add(this.used, one.owner, one.units)
      add(this.shared, one.sharer, one.units)
      this.used_all += one.units
      this.running += 1
      this.served.set(one.owner, (this.grants += 1))
      one.granted.resolve()
    }
    this.options.onChange?.({ running: this.running, waiting: this.waiting.size })
  }

  private giveBack({ owner, sharer, units }: Waiting): void {
    this.used_all -= units
    this.running -= 1
    add(this.used, owner, -units)
    add(this.shared, sharer, -units)
    this.grant()
    if (!this.used.has(owner) && this.countWaiting('owner', owner) === 0) this.served.delete(owner)
  }

  private countWaiting(by: 'owner' | 'sharer', name: string): number {
    let count = 0
    for (const one of this.waiting) if (one[by] === name) count += 1
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

function add(to: Map<string, number>, name: string, units: number): void {
  const sum = (to.get(name) ?? 0) + units
  if (sum > 0) to.set(name, sum)
  else to.delete(name)
}
