/** Long computations in slices: other work gets its turn between them. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { atOnce, inSlices } from './slices.ts'

/** Steps of a millisecond each. */
function* steps(count: number): Generator<void, number> {
  for (let done = 0; done < count; done += 1) {
    const until_ms = performance.now() + 1
    while (performance.now() < until_ms);
    yield
  }
  return count
}

/** How often something else ran while a promise was pending. */
async function countTurns(pending: Promise<unknown>): Promise<number> {
  let turns = 0
  let is_over = false
  const count = () => {
    if (is_over) return
    turns += 1
    setImmediate(count)
  }
  setImmediate(count)
  await pending
  is_over = true
  return turns
}

describe('a computation in slices', () => {
  test('lets other work run while it goes on, and gives its result', async () => {
    const work = inSlices(steps(100))
    assert.ok((await countTurns(work)) >= 5)
    assert.equal(await work, 100)
  })

  test('that is short waits for nothing', async () => {
    assert.equal(await inSlices(steps(0)), 0)
    assert.equal(atOnce(steps(3)), 3)
  })

  test('ends with the error of its step', async () => {
    function* broken(): Generator<void, never> {
      yield
      throw new Error('broken')
    }
    await assert.rejects(inSlices(broken()), /broken/)
  })
})
