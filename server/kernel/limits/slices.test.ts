/** Long computations yield to other work between slices. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { runAtOnce, inSlices } from './slices.ts'

/** A computation of steps that take a millisecond each. */
function* steps(count: number): Generator<void, number> {
  for (let done = 0; done < count; done += 1) {
    const until_ms = performance.now() + 1
    while (performance.now() < until_ms);
    yield
  }
  return count
}

/** Counts the turns of other work while a promise is pending. */
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
  test('yields to other work and returns its result', async () => {
    const work = inSlices(steps(100))
    assert.ok((await countTurns(work)) >= 5)
    assert.equal(await work, 100)
  })

  test('does not yield if it is short', async () => {
    assert.equal(await inSlices(steps(0)), 0)
    assert.equal(runAtOnce(steps(3)), 3)
  })

  test('rejects with the error of a step', async () => {
    function* broken(): Generator<void, never> {
      yield
      throw new Error('broken')
    }
    await assert.rejects(inSlices(broken()), /broken/)
  })
})
