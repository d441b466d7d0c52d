/**
 * Work that is cheaper together: whoever comes while a batch is under way waits for the next one.
 * Nothing is delayed on purpose, so a single item is as fast as alone, and batches grow by
 * themselves as load does.
 */
import assert from 'node:assert/strict'

interface Waiting<Item, Result> {
  item: Item
  answer: PromiseWithResolvers<Result>
}

export interface GatherOptions<Item> {
  /** How many items make one batch at most, each counted as `weigh` says. */
  items_max: number
  /** For how many an item counts: 1 when left out. One that is too heavy alone goes alone. */
  weigh?: (item: Item) => number
  /** How many batches may be under way: 1 when left out, and then they keep the order of the calls. */
  at_once?: number
  /** How many, once so many items wait that another batch would be full: `at_once` when left out. */
  full_at_once?: number
}

/**
 * Gives a function that runs `run` over the items it is called with, in batches, which begin in the
 * order of the calls. `run` gives a result for each; when it fails, every one of the batch does.
 */
export function gather<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  { items_max, weigh = () => 1, at_once = 1, full_at_once = at_once }: GatherOptions<Item>,
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

  /** Whether one more may begin while others are under way. */
  const mayRun = (others: number) =>
    others < at_once || (others < full_at_once && weight_waiting >= items_max)

  async function runBatch(): Promise<void> {
    // What came in this turn may have gone with another batch.
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
    // What comes in the same turn of the event loop is taken along.
    if (mayRun(running)) {
      running += 1
      setImmediate(runBatch)
    }
    return answer.promise
  }
}
