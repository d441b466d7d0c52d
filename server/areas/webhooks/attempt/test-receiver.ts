/**
 * A customer's server for tests: a real one on loopback that keeps what it was sent, answers as it
 * is told, and lets a test wait for requests instead of for time.
 */
import assert from 'node:assert/strict'
import { EventEmitter, on } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { after } from 'node:test'
import { verifySignature } from './sign.ts'
import { listen } from '../../../../test/fixtures/loopback.ts'

const WAIT_MS_MAX = 60_000

export interface Received {
  path: string
  headers: Record<string, string>
  body: string
  event: { id: string; type: string; created_at: string; data: Record<string, unknown> }
}

type Answer = number | ((request: Received, response: ServerResponse) => unknown)

export interface Receiver {
  url: string
  requests: Received[]
  /** From now on: a status, or whatever is to be done with the response. */
  answers(answer: Answer): void
  /** Waits until there have been this many requests in all, and gives them. */
  received(count: number): Promise<Received[]>
}

/** Opens a receiver that answers 204 and is closed when the test file ends. */
export async function openReceiver(): Promise<Receiver> {
  const requests: Received[] = []
  const arrivals = new EventEmitter()
  let answer: Answer = 204
  const server = createServer(async (message, response) => {
    const received = await read(message)
    requests.push(received)
    arrivals.emit('request')
    if (typeof answer === 'number') response.writeHead(answer).end()
    else await answer(received, response)
  })
  const port = await listen({ after }, server)
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    requests,
    answers: (next) => void (answer = next),
    async received(count) {
      if (requests.length >= count) return requests
      const signal = AbortSignal.timeout(WAIT_MS_MAX)
      for await (const _ of on(arrivals, 'request', { signal })) {
        if (requests.length >= count) break
      }
      return requests
    },
  }
}

async function read(message: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk)
  const body = Buffer.concat(chunks).toString()
  const headers = Object.fromEntries(
    Object.entries(message.headers).map(([name, value]) => [name, String(value)]),
  )
  return { path: message.url ?? '', headers, body, event: JSON.parse(body) }
}

/** Whether a request was signed with the secret at a time the receiver's clock agrees with. */
export function isSigned({ headers, body }: Received, secret: string, now: Date): boolean {
  return verifySignature({
    header: headers['service-signature'] ?? '',
    raw_body: body,
    secrets: [secret],
    now_s: now.getTime() / 1000,
  })
}

/** Looks again and again until what it looks at is there; for what follows an event shortly. */
export async function eventually<T>(look: () => Promise<T | null | undefined | false>): Promise<T> {
  const deadline_ms = performance.now() + WAIT_MS_MAX
  for (;;) {
    const found = await look()
    if (found) return found
    assert(performance.now() < deadline_ms, `It never came true: ${look}`)
  }
}
