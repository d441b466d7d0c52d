/**
 * Automatic batching: calls made while a batch runs go into the next batch. No timer delays a call,
 * so a single item is as fast as without batching, and batches grow with the load.
 */
import assert from 'node:assert/strict'

interface Waiting<Item, Result> {
  item: Item
  answer: PromiseWithResolvers<Result>
}

export interface BatchOptions<Item> {
  /** Maximum weight of a batch. */
  items_max: number
  /** The weight of an item, 1 by default. An item above `items_max` forms a batch of its own. */
  weigh?: (item: Item) => number
  /**
   * Maximum number of concurrent batches. With 1, the default, batches run in the order of the
   * calls.
   */
  at_once?: number
  /**
   * Maximum number of concurrent batches while the queue would fill a whole batch; `at_once` by
   * default.
   */
  full_at_once?: number
}

/**
 * Returns a function that adds an item and resolves with its result. `run` gets a batch in the
 * order of the calls and returns one result per item; if it throws, all items of the batch fail.
 */
export function batchCalls<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  { items_max, weigh = () => 1, at_once = 1, full_at_once = at_once }: BatchOptions<Item>,
): (item: Item) => Promise<Result> {
  assert(items_max > 0)
  const waiting: Waiting<Item, Result>[] = []
  let weight_waiting = 0
  let running = 0

  function takeBatch(): Waiting<Item, Result>[] {
    let weight = 0
    const full = waiting.findIndex(({ item }) => (weight += weigh(item)) > items_max)
    const batch = waiting.splice(0, full === -1 ? waiting.length : Math.max(full, 1))
    for (const { item } of batch) weight_waiting -= weigh(item)
    return batch
  }

  /** Whether another batch may start beside `others` running ones. */
  const mayRun = (others: number) =>
    others < at_once || (others < full_at_once && weight_waiting >= items_max)

  async function runBatch(): Promise<void> {
    // A batch that started earlier in this turn may have taken the items.
    if (waiting.length === 0 || !mayRun(running - 1)) {
      running -= 1
      return
    }
    const batch = takeBatch()
    try {
      const results = await run(batch.map(({ item }) => item))
      assert.equal(results.length, batch.length, 'Every item has one result.')
      for (const [index, result] of results.entries()) batch[index]?.answer.resolve(result)
    } catch (error) {
      for (const { answer } of batch) answer.reject(error)
    }
    if (waiting.length > 0 && mayRun(running - 1)) setImmediate(runBatch)
    else running -= 1
  }

  return (item) => {
    const answer = Promise.withResolvers<Result>()
    waiting.push({ item, answer })
    weight_waiting += weigh(item)
    // Deferred, so that all calls of this turn of the event loop are in the batch.
    if (mayRun(running)) {
      running += 1
      setImmediate(runBatch)
    }
    return answer.promise
  }
}
