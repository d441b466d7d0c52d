/** Tests of the end of connections whose clients read slowly. */
import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test, type TestContext } from 'node:test'
import { limits } from '../../../contract/limits.ts'
import { endUnread } from './end-unread.ts'

/** Returns the seconds after which a client that reads at this speed is closed; null: never. */
function closedAfter(t: TestContext, bytes_per_s: number, bytes_per_s_min?: number) {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const socket = { bytesWritten: 0, writableLength: 0 }
  const raw = Object.assign(new PassThrough(), { socket })
  let now_ms = 0
  const clock = { now: () => new Date(now_ms), now_ms: () => now_ms }
  endUnread({ clock } as never, { raw } as never, bytes_per_s_min)
  let closed: number | null = null
  for (let second = 1; second <= 3_600 && closed === null; second += 1) {
    now_ms = second * 1000
    socket.bytesWritten = second * bytes_per_s + 65_536
    socket.writableLength = 65_536
    t.mock.timers.tick(1000)
    if (raw.destroyed) closed = second
  }
  raw.destroy()
  t.mock.timers.reset()
  return closed
}

test('a client that reads nothing is closed after a while', (t) => {
  assert.equal(closedAfter(t, 0), limits.stream_unread_s + 1)
})

test('a client that reads slower than the minimum is closed', (t) => {
  assert.equal(closedAfter(t, 1_000), null)
  const closed = closedAfter(t, 1_000, limits.export_bytes_per_s_min)
  assert.ok(closed !== null && closed < 2 * limits.stream_unread_s, String(closed))
})

test('a client that reads as fast as the minimum is not closed', (t) => {
  const bytes_per_s = limits.export_bytes_per_s_min
  assert.equal(closedAfter(t, bytes_per_s, bytes_per_s), null)
})
