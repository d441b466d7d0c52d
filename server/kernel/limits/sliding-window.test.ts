/** The sliding window, compared with a model: a list of times. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createSlidingWindow } from './sliding-window.ts'

function windowAt(limit: number, window_ms: number) {
  let now_ms = 1_000_000
  const clock = { now: () => new Date(now_ms), now_ms: () => now_ms }
  return {
    window: createSlidingWindow(clock, { limit, window_ms }),
    pass_ms: (ms: number) => void (now_ms += ms),
    now: () => now_ms,
  }
}

test('the sliding window passes exactly the limit, then returns when the next event may pass', () => {
  const { window, pass_ms } = windowAt(120, 60_000)
  for (let count = 0; count < 120; count++) {
    pass_ms(10)
    assert.equal(window.pass('key').allowed, true)
  }
  const refused = window.pass('key')
  assert.deepEqual([refused.allowed, refused.remaining], [false, 0])
  // The first event passed 1,190 ms ago.
  assert.equal(refused.retry_after_s, 59)
  pass_ms(58_800)
  assert.equal(window.pass('key').allowed, false)
  pass_ms(10)
  assert.equal(window.pass('key').allowed, true)
})

test('the sliding window counts each key separately', () => {
  const { window } = windowAt(1, 1000)
  assert.equal(window.pass('a').allowed, true)
  assert.equal(window.pass('b').allowed, true)
  assert.equal(window.pass('a').allowed, false)
})

test('the sliding window passes an event after the wait that it returned', () => {
  const { window, pass_ms } = windowAt(3, 1500)
  for (let count = 0; count < 50; count++) {
    pass_ms(count * 7)
    const { allowed, retry_after_s } = window.pass('key')
    if (allowed) continue
    pass_ms(retry_after_s * 1000)
    assert.equal(window.pass('key').allowed, true)
  }
})

test('the sliding window reserves memory for the events of a key, not for its limit', () => {
  const { window } = windowAt(12_000, 60_000)
  const before = process.memoryUsage().arrayBuffers
  for (let key = 0; key < 1_000; key++) window.pass(`key ${key}`)
  const bytes = process.memoryUsage().arrayBuffers - before
  assert.ok(bytes < 1_000_000, `${bytes} bytes`)
})

test('the sliding window agrees with the model for any sequence', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 50 }),
      // Bursts, which make rings grow, and pauses.
      fc.array(fc.oneof(fc.integer({ min: 0, max: 10 }), fc.integer({ min: 0, max: 400 })), {
        maxLength: 120,
        size: 'max',
      }),
      (limit, waits) => {
        const { window, pass_ms, now } = windowAt(limit, 1000)
        let passed: number[] = []
        for (const wait of waits) {
          pass_ms(wait)
          passed = passed.filter((time) => time > now() - 1000)
          const { allowed, remaining } = window.pass('key')
          assert.equal(allowed, passed.length < limit)
          if (allowed) passed.push(now())
          assert.equal(remaining, allowed ? limit - passed.length : 0)
        }
      },
    ),
  )
})
