/** Tests of the work pool: sizes of claims, their times, and stopping. */
import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import { startWorkPool, type WorkPool, type WorkPoolOptions } from './work-pool.ts'

const { runtime } = await openTestRuntime({ work: false })
const TOPIC = 'work of a test'

interface Bench {
  pool: WorkPool
  /** The requested slots of each claim. */
  claims: number[]
  /** Ends this number of running items. */
  end(count: number): void
  /** Waits for this number of claims. */
  claimed(count: number): Promise<void>
}

/** A pool with unlimited work, whose items end on request. */
function open(
  options: Pick<WorkPoolOptions<unknown>, 'concurrency' | 'slots_min' | 'slots_max'>,
): Bench {
  const claims: number[] = []
  const running: PromiseWithResolvers<void>[] = []
  const waiting: { count: number; done: PromiseWithResolvers<void> }[] = []
  const pool = startWorkPool({
    runtime,
    name: 'test',
    topic: TOPIC,
    ...options,
    poll_ms: 3_600_000,
    async claim(slots) {
      claims.push(slots)
      for (const { count, done } of waiting) if (claims.length >= count) done.resolve()
      return Array.from({ length: slots }, () => Promise.withResolvers<void>())
    },
    run(item) {
      running.push(item)
      return item.promise
    },
  })
  const end = (count: number) => {
    for (const item of running.splice(0, count)) item.resolve()
  }
  after(async () => {
    const stopping = pool.stop()
    end(running.length)
    await stopping
  })
  return {
    pool,
    claims,
    end,
    claimed(count) {
      const done = Promise.withResolvers<void>()
      if (claims.length >= count) done.resolve()
      waiting.push({ count, done })
      return done.promise
    },
  }
}

const settled = () => new Promise<void>((done) => setImmediate(done))

suite('a pool', () => {
  test('claims for every free slot, and for each slot that becomes free', async () => {
    const bench = open({ concurrency: 4 })
    await settled()
    assert.deepEqual(bench.claims, [4])
    bench.end(1)
    await settled()
    assert.deepEqual(bench.claims, [4, 1])
    bench.end(2)
    await settled()
    await settled()
    const later = bench.claims.slice(2)
    assert.equal(
      later.reduce((sum, slots) => sum + slots, 0),
      2,
    )
  })

  test('claims at once if at least slots_min slots are free', async () => {
    const bench = open({ concurrency: 4, slots_min: 3 })
    await settled()
    bench.end(3)
    await settled()
    assert.deepEqual(bench.claims, [4, 3])
  })

  test('waits briefly for more slots if fewer than slots_min are free', async () => {
    const bench = open({ concurrency: 4, slots_min: 3 })
    await settled()
    bench.end(1)
    await settled()
    bench.end(1)
    await settled()
    assert.deepEqual(bench.claims, [4], 'not for one slot after the other')
    await bench.claimed(2)
    assert.deepEqual(bench.claims, [4, 2])
  })

  test('claims at once after an announcement all the same', async () => {
    const bench = open({ concurrency: 4, slots_min: 3 })
    await settled()
    bench.end(1)
    await settled()
    runtime.wakeups.announce(TOPIC)
    await settled()
    assert.deepEqual(bench.claims, [4, 1])
  })

  test('claims repeatedly if more slots are free than one claim may fill', async () => {
    const bench = open({ concurrency: 8, slots_max: 3 })
    await bench.claimed(3)
    assert.deepEqual(bench.claims, [3, 3, 2])
  })

  test('claims nothing after a stop and waits for running items', async () => {
    const bench = open({ concurrency: 2, slots_min: 2 })
    await settled()
    let stopped = false
    const stopping = bench.pool.stop().then(() => (stopped = true))
    bench.end(1)
    await settled()
    runtime.wakeups.announce(TOPIC)
    await settled()
    assert.equal(stopped, false)
    bench.end(1)
    await stopping
    assert.deepEqual(bench.claims, [2])
  })
})
