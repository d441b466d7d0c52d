/**
 * A carrier on loopback that answers what the test tells it to and keeps each request as it was
 * understood, so that the requests of two clients can be compared.
 */
import type { TestContext } from 'node:test'
import { openReceiver } from './outside.ts'

/** What reached the carrier; two requests that mean the same are equal. */
export interface CarrierRequest {
  method: string
  path: string
  /** Sorted, because order means nothing. */
  query: string[][]
  authorization: string
  /** A form as a sorted list of pairs, JSON parsed, null without a body. */
  body: unknown
}

/** `text` is sent as it is. */
export type CarrierAnswer = { status?: number; json?: unknown; text?: string }

export interface CarrierServer {
  url: string
  requests: CarrierRequest[]
  /** What was asked since this was called last. */
  heard(): CarrierRequest[]
}

/** Starts a carrier that ends with the test. */
export async function openCarrierServer(
  t: TestContext,
  answer: (request: CarrierRequest) => CarrierAnswer,
): Promise<CarrierServer> {
  const requests: CarrierRequest[] = []
  const receiver = await openReceiver(t, (incoming, response) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://carrier.invalid')
      const type = incoming.headers['content-type'] ?? ''
      const request = {
        method: incoming.method ?? '',
        path: pathname,
        query: pairs(searchParams),
        authorization: incoming.headers.authorization ?? '',
        body: readBody(type, Buffer.concat(chunks).toString()),
      }
      requests.push(request)
      const {
        status = 200,
        json,
        text = json === undefined ? '' : JSON.stringify(json),
      } = answer(request)
      response.writeHead(status, { 'content-type': 'application/json' }).end(text)
    })
  })
  return {
    url: `http://127.0.0.1:${receiver.port}`,
    requests,
    heard: () => requests.splice(0),
  }
}

const pairs = (parameters: URLSearchParams): string[][] =>
  [...parameters].toSorted(([a = ''], [b = '']) => a.localeCompare(b))

function readBody(type: string, text: string): unknown {
  if (text === '') return null
  if (type.startsWith('application/x-www-form-urlencoded')) {
    return { form: pairs(new URLSearchParams(text)) }
  }
  return { [type.split(';')[0] ?? '']: JSON.parse(text) }
}
