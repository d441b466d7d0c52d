/** Sends responses of sites and counts them by status. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Runtime } from '../../../kernel/runtime.ts'
import type { ResponseBody } from './body-cache.ts'

export interface SiteExchange {
  request: IncomingMessage
  response: ServerResponse
}

export interface SiteResponse {
  status: number
  fields: readonly string[]
  body?: ResponseBody
  /** Closes the connection after the response. */
  is_last?: boolean
}

export interface ResponseSender {
  send(exchange: SiteExchange, answer: SiteResponse): void
  /** Counts a response that another function sends, such as a stream. */
  count(status: number): void
  /** From now on every response closes its connection. */
  close(): void
}

export function createSender({ metrics }: Runtime): ResponseSender {
  const counts = metrics.site_answers
  let is_closing = false

  function count(status: number): void {
    counts.set(status, (counts.get(status) ?? 0) + 1)
  }

  return {
    count,
    close() {
      is_closing = true
    },
    send({ request, response }, { status, fields, body, is_last = is_closing }) {
      count(status)
      // The body of the request is not read, so the connection closes after the response.
      const ends = is_last || hasBody(request)
      response.writeHead(status, ends ? [...fields, 'Connection', 'close'] : [...fields])
      if (body === undefined || request.method === 'HEAD') response.end()
      else response.end(body, 'latin1')
    },
  }
}

export function hasBody({ headers }: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers
  return encoding !== undefined || (length !== undefined && length !== '0')
}
