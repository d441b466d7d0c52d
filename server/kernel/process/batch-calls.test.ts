/** Tests of automatic batching: contents and order of batches, and failures. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { batchCalls } from './batch-calls.ts'

/** Returns a function whose runs end on request, and the batches that it received. */
function held() {
  const batches: (readonly number[])[] = []
  let release = Promise.withResolvers<void>()
  const run = async (items: readonly number[]) => {
    batches.push(items)
    await release.promise
    return items.map((item) => item * 10)
  }
  const end = async () => {
    release.resolve()
    release = Promise.withResolvers()
    await nextTurn()
    await nextTurn()
  }
  return { batches, run, end }
}

suite('gather', () => {
  test('batches calls of one turn and returns each its own result', async () => {
    const { batches, run, end } = held()
    const add = batchCalls(run, { items_max: 10 })
    const results = Promise.all([1, 2, 3].map(add))
    await nextTurn()
    assert.deepEqual(batches, [[1, 2, 3]])
    await end()
    assert.deepEqual(await results, [10, 20, 30])
  })

  test('counts items by weight, and runs an item above the maximum alone', async () => {
    const { batches, run, end } = held()
    const add = batchCalls(run, { items_max: 10, weigh: (item) => item })
    const results = Promise.all([4, 6, 1, 25, 3].map(add))
    await nextTurn()
    for (let n = 0; n < 4; n += 1) await end()
    assert.deepEqual(batches, [[4, 6], [1], [25], [3]])
    assert.deepEqual(await results, [40, 60, 10, 250, 30])
  })

  test('runs at most the configured number of batches at once', async () => {
    const { batches, run, end } = held()
    const add = batchCalls(run, { items_max: 10, at_once: 2 })
    const all: Promise<number>[] = []
    for (const item of [1, 2, 3, 4]) {
      all.push(add(item))
      await nextTurn()
    }
    assert.deepEqual(batches, [[1], [2]])
    await end()
    assert.deepEqual(batches, [[1], [2], [3, 4]])
    await end()
    assert.deepEqual(await Promise.all(all), [10, 20, 30, 40])
    const together = Promise.all([5, 6, 7].map(add))
    await nextTurn()
    assert.deepEqual(batches.at(-1), [5, 6, 7])
    await end()
    assert.deepEqual(await together, [50, 60, 70])
  })

  test('starts another batch beside running ones if it is full', async () => {
    const { batches, run, end } = held()
    const weigh = (item: number) => item
    const add = batchCalls(run, { items_max: 10, weigh, full_at_once: 2 })
    const all: Promise<number>[] = []
    const addEach = async (...items: number[]) => {
      for (const item of items) all.push(add(item))
      await nextTurn()
    }
    await addEach(1)
    await addEach(5)
    assert.deepEqual(batches, [[1]])
    await addEach(5)
    assert.deepEqual(batches, [[1], [5, 5]])
    await addEach(7, 7)
    assert.deepEqual(batches, [[1], [5, 5]])
    await end()
    assert.deepEqual(batches, [[1], [5, 5], [7]])
    await end()
    await end()
    assert.deepEqual(batches.slice(3), [[7]])
    await addEach(8, 2, 3)
    assert.deepEqual(batches.slice(4), [[8, 2]])
    await end()
    assert.deepEqual(batches.slice(5), [[3]])
    await end()
    assert.deepEqual(await Promise.all(all), [10, 50, 50, 70, 70, 80, 20, 30])
  })

  test('queues later calls for the next batch, in order', async () => {
    const { batches, run, end } = held()
    const add = batchCalls(run, { items_max: 10 })
    const first = add(1)
    await nextTurn()
    const others = Promise.all([2, 3].map(add))
    await nextTurn()
    assert.deepEqual(batches, [[1]])
    await end()
    assert.equal(await first, 10)
    assert.deepEqual(batches, [[1], [2, 3]])
    await end()
    assert.deepEqual(await others, [20, 30])
  })

  test('never exceeds the maximum of a batch', async () => {
    const sizes: number[] = []
    const run = async (items: readonly number[]) => {
      sizes.push(items.length)
      return items
    }
    const add = batchCalls(run, { items_max: 4 })
    await Promise.all(Array.from({ length: 10 }, (_, n) => add(n)))
    assert.deepEqual(sizes, [4, 4, 2])
  })

  test('fails all items of a failing batch and continues with the next', async () => {
    const run = async (items: readonly number[]) => {
      if (items.includes(1)) throw new Error('One of them was bad.')
      return items
    }
    const add = batchCalls(run, { items_max: 2 })
    const results = await Promise.allSettled([1, 2, 3].map(add))
    assert.deepEqual(
      results.map(({ status }) => status),
      ['rejected', 'rejected', 'fulfilled'],
    )
    assert.equal(await add(4), 4)
  })

  test('fails when a result is missing', async () => {
    const add = batchCalls(async () => [], { items_max: 2 })
    await assert.rejects(add(1), /one result/)
  })

  test('returns each caller its own result once, for any sequence of calls', async () => {
    const asked = fc.array(fc.record({ item: fc.nat(), turns: fc.nat(3) }), { maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(asked, fc.integer({ min: 1, max: 7 }), async (list, items_max) => {
        const seen: number[] = []
        const add = batchCalls(
          async (items: readonly number[]) => {
            seen.push(...items)
            await nextTurn()
            return items.map((item) => item + 1)
          },
          { items_max },
        )
        const results: Promise<number>[] = []
        for (const { item, turns } of list) {
          for (let n = 0; n < turns; n += 1) await nextTurn()
          results.push(add(item))
        }
        const expected = list.map(({ item }) => item)
        assert.deepEqual(
          await Promise.all(results),
          expected.map((item) => item + 1),
        )
        assert.deepEqual(seen, expected)
      }),
      { numRuns: 50 },
    )
  })
})
