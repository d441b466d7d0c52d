/**
 * The events of an answer as Server-Sent Events. Unread events are lost, but the answer is stored.
 */
import { EVENT_STREAM, writeEvent } from '../../../contract/operations/event-replies.ts'
import type { StreamReply } from '../../../contract/operations/streams.ts'

export interface AnswerEvent {
  name: string
  data: object
}

export interface AnswerEvents {
  send(name: string, data: object): void
  close(): void
  /** Throws the first error if the answer failed before its first event. */
  fail(error: unknown): void
  reply(): StreamReply
}

export function openEvents(): AnswerEvents {
  const waiting: AnswerEvent[] = []
  let wake = Promise.withResolvers<void>()
  let is_closed = false
  let failure: { error: unknown } | null = null
  const close = () => {
    is_closed = true
    wake.resolve()
  }
  async function* chunks(): AsyncGenerator<string> {
    for (;;) {
      const next = waiting.splice(0)
      if (next.length > 0) yield next.map(write).join('')
      else if (failure) throw failure.error
      else if (is_closed) return
      else {
        await wake.promise
        wake = Promise.withResolvers()
      }
    }
  }
  return {
    send(name, data) {
      waiting.push({ name, data })
      wake.resolve()
    },
    close,
    fail(error) {
      failure = { error }
      close()
    },
    reply: () => ({
      media_type: EVENT_STREAM,
      // Forbids proxies to buffer or compress the events.
      headers: { 'Cache-Control': 'no-store, no-transform', 'X-Accel-Buffering': 'no' },
      chunks: chunks(),
    }),
  }
}

function write({ name, data }: AnswerEvent): string {
  return writeEvent({ event: name, data })
}
