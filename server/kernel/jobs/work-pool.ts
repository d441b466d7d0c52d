/**
 * A bounded pool of work that is claimed from the database: one poller per kind, which claims no
 * more than it has free slots, because a crash strands work that was claimed and not begun. It
 * claims at each announcement, when a slot becomes free, and at the latest every `poll_ms`.
 */
import { isDatabaseAway } from '../database/database.ts'
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
   * With fewer free slots than this, a slot that becomes free waits a moment for others, as a
   * claim costs much the same for one as for many. An announcement still leads to a claim at once.
   */
  slots_min?: number
  /** More than this are claimed for in several claims, one after the other. */
  slots_max?: number
}

export interface WorkPool {
  /** Claims no more, and waits for what is running. */
  stop(): Promise<void>
}

const POLL_MS = 1000
/** How long a free slot waits for others at most. */
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
      if (!isDatabaseAway(error))
        runtime.log.error({ err: error, pool: options.name }, 'claiming work failed')
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
