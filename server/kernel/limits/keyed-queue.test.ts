/** Tests that tasks of one key run one at a time, and tasks of different keys concurrently. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createKeyedQueue } from './keyed-queue.ts'

describe('a keyed queue', () => {
  it('runs the tasks of one key one after the other, in the order given', async () => {
    const queue = createKeyedQueue()
    const steps: string[] = []
    const first = Promise.withResolvers<void>()
    const runs = [
      queue.run('a', async () => {
        steps.push('first begins')
        await first.promise
        steps.push('first ends')
      }),
      queue.run('a', async () => void steps.push('second')),
      queue.run('a', async () => void steps.push('third')),
      queue.run('b', async () => {
        steps.push('other key')
        first.resolve()
      }),
    ]
    await Promise.all(runs)
    assert.deepEqual(steps, ['first begins', 'other key', 'first ends', 'second', 'third'])
  })

  it('returns the result of each task, and runs the next after one that failed', async () => {
    const queue = createKeyedQueue()
    const results = await Promise.allSettled([
      queue.run('a', () => Promise.reject(new Error('refused'))),
      queue.run('a', () => {
        throw new Error('thrown')
      }),
      queue.run('a', async () => 'done'),
    ])
    assert.deepEqual(
      results.map((one) => (one.status === 'fulfilled' ? one.value : one.reason.message)),
      ['refused', 'thrown', 'done'],
    )
  })

  it('passes no task the result of the previous one', async () => {
    const queue = createKeyedQueue()
    const given: unknown[][] = []
    const task = async (...values: unknown[]) => {
      given.push(values)
      return 'a result'
    }
    await Promise.all([queue.run('a', task), queue.run('a', task)])
    assert.deepEqual(given, [[], []])
  })

  it('reports a key from its first task to the end of its last', async () => {
    const queue = createKeyedQueue()
    assert.equal(queue.has('a'), false)
    const gate = Promise.withResolvers<void>()
    const first = queue.run('a', () => gate.promise)
    const failing = queue.run('a', () => Promise.reject(new Error('refused')))
    assert.deepEqual([queue.has('a'), queue.has('b')], [true, false])
    gate.resolve()
    await first
    assert.equal(queue.has('a'), true, 'one still waits')
    await failing.catch(() => {})
    await Promise.resolve()
    assert.equal(queue.has('a'), false)
  })
})
