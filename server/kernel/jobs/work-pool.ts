/**
 * A bounded pool of workers for items in the database. One poller per kind claims at most as many
 * items as there are free slots, because a crash delays claimed items until their leases expire. It
 * claims at each announcement, when a slot becomes free, and at least every `poll_ms`.
 */
import { isDatabaseUnavailable } from '../database/database.ts'
import { noteOutage } from '../database/outages.ts'
import type { Runtime } from '../runtime.ts'

export interface WorkPoolOptions<Item> {
  runtime: Runtime
  name: string
  /** The topic of wake-ups that announces due work. */
  topic: string
  concurrency: number
  /** Claims at most `slots` items that are due now, in one round trip. */
  claim(slots: number): Promise<Item[]>
  run(item: Item): Promise<void>
  poll_ms?: number
  /**
   * With fewer free slots than this, a freed slot waits briefly for others, because a claim of one
   * item costs about as much as one of many. An announcement still causes a claim at once.
   */
  slots_min?: number
  /** Maximum slots of one claim; more are claimed in several claims. */
  slots_max?: number
}

export interface WorkPool {
  /** Ends claiming and waits for running items. */
  stop(): Promise<void>
}

const POLL_MS = 1000
/** Maximum wait of a free slot for others. */
const GATHER_MS = 10

export function startWorkPool<Item>(options: WorkPoolOptions<Item>): WorkPool {
  const { runtime, concurrency, poll_ms = POLL_MS, slots_min = 1 } = options
  const slots_max = options.slots_max ?? concurrency
  const running = new Set<Promise<void>>()
  let stopped = false
  let looking: Promise<void> | null = null
  let lookAgain = false
  let soon: NodeJS.Timeout | undefined

  const look = (): void => {
    if (stopped) return
    if (looking) lookAgain = true
    else
      looking = claimAndRun().finally(() => {
        looking = null
        if (!lookAgain) return
        lookAgain = false
        look()
      })
  }

  async function claimAndRun(): Promise<void> {
    const slots = Math.min(concurrency - running.size, slots_max)
    if (slots <= 0) return
    try {
      const items = await options.claim(slots)
      for (const item of items) begin(item)
      // A full claim means that more work may be due.
      if (items.length === slots && running.size < concurrency) lookAgain = true
    } catch (error) {
      if (isDatabaseUnavailable(error)) noteOutage(runtime)
      else runtime.log.error({ err: error, pool: options.name }, 'claiming work failed')
    }
  }

  function lookSoon(): void {
    soon ??= setTimeout(() => {
      soon = undefined
      look()
    }, GATHER_MS)
  }

  function begin(item: Item): void {
    const run = options
      .run(item)
      .catch((error: unknown) => {
        runtime.log.error({ err: error, pool: options.name }, 'work ended with an error of its own')
      })
      .finally(() => {
        running.delete(run)
        if (concurrency - running.size >= slots_min) look()
        else lookSoon()
      })
    running.add(run)
  }

  const timer = setInterval(look, poll_ms)
  const unlisten = runtime.wakeups.listen(options.topic, look)
  look()
  return {
    async stop() {
      stopped = true
      clearInterval(timer)
      clearTimeout(soon)
      unlisten()
      await looking
      await Promise.all(running)
    },
  }
}
