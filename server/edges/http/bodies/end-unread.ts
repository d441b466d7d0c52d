/** Closes connections of clients that do not read what they are sent. */
import { finished } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { limits } from '../../../contract/limits.ts'
import type { Runtime } from '../../../kernel/runtime.ts'

const LOOK_MS = 1000

/** Closes a connection whose client has read nothing for too long, or too slowly. */
export function endUnread(
  { clock }: Pick<Runtime, 'clock'>,
  { raw }: FastifyReply,
  bytes_per_s_min = 0,
): void {
  const unread_ms_max = limits.stream_unread_s * 1000
  const sentBefore = sentOn(raw)
  let sent = 0
  let moved_ms = clock.now_ms()
  let looked_ms = moved_ms
  /** Time in which the client had not read what was sent. */
  let waited_ms = 0
  const look = setInterval(() => {
    const now_ms = clock.now_ms()
    const is_read = (raw.socket?.writableLength ?? 0) === 0
    const now = sentOn(raw) - sentBefore
    if (is_read || now !== sent) moved_ms = now_ms
    if (!is_read) waited_ms += now_ms - looked_ms
    sent = now
    looked_ms = now_ms
    const is_slow = ((waited_ms - unread_ms_max) * bytes_per_s_min) / 1000 > sent
    if (is_slow || now_ms - moved_ms > unread_ms_max) raw.destroy()
  }, LOOK_MS)
  finished(raw, () => clearInterval(look))
}

/** `bytesWritten` of a socket includes buffered bytes. */
function sentOn({ socket }: FastifyReply['raw']): number {
  const { bytesWritten = 0, writableLength = 0 } = socket ?? {}
  return bytesWritten - writableLength
}
