/**
 * How answers leave. Nearly all are known to the last byte before they are asked for, down to the
 * head; those are handed to Node as one text instead of as names and values that it would check
 * and join again each time, which is half of what an answer costs. `_header` is where Node itself
 * keeps that text. Wherever anything is out of the ordinary, the documented way is taken.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Runtime } from '../../../kernel/runtime.ts'
import { KEEP_ALIVE_MS } from '../../http/server.ts'
import type { Body } from './bodies.ts'

export interface Exchange {
  request: IncomingMessage
  response: ServerResponse
}

export interface Answer {
  status: number
  fields: readonly string[]
  /** The same as text, where it is kept. */
  head?: string
  body?: Body
  /** The connection is not used again. */
  is_last?: boolean
}

export interface Sender {
  send(exchange: Exchange, answer: Answer): void
  /** Tells what is sent by others, such as streams. */
  count(status: number): void
  /** From now on every connection ends with its answer. */
  close(): void
}

export function createSender({ clock, metrics }: Runtime): Sender {
  const counts = metrics.site_answers
  let is_closing = false
  let second = -1
  let tail = ''

  /** The date and the end of the head; made once a second. */
  function tailNow(): string {
    const now_s = Math.floor(clock.now_ms() / 1000)
    if (now_s !== second) {
      second = now_s
      const date = new Date(now_s * 1000).toUTCString()
      tail = `Date: ${date}\r\nConnection: keep-alive\r\nKeep-Alive: timeout=${KEEP_ALIVE_MS / 1000}\r\n\r\n`
    }
    return tail
  }

  function count(status: number): void {
    counts.set(status, (counts.get(status) ?? 0) + 1)
  }

  return {
    count,
    close() {
      is_closing = true
    },
    send({ request, response }, { status, fields, head, body, is_last = is_closing }) {
      count(status)
      const stays = !is_last && response.shouldKeepAlive && !hasBody(request)
      if (head && stays && request.httpVersionMinor === 1 && '_header' in response) {
        Reflect.set(response, '_header', head + tailNow())
      } else {
        // What was sent with the request is not read, so nobody may take it for the next one.
        response.writeHead(status, stays ? [...fields] : [...fields, 'Connection', 'close'])
      }
      if (body === undefined || request.method === 'HEAD') response.end()
      else response.end(body, 'latin1')
    },
  }
}

/** Whether something was sent along with a request. */
export function hasBody({ headers }: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers
  return encoding !== undefined || (length !== undefined && length !== '0')
}
