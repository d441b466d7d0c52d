/**
 * A load generator in a process of its own that sends requests at a constant rate, whether or not
 * earlier ones were answered. A latency counts from the time at which a request was due, so a server
 * that stalls is charged for all that it delays. It also receives the webhooks of the sent forms.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { Agent } from 'undici'
import type { Dispatcher } from 'undici'

export interface OpenRequest {
  kind: string
  method: string
  path: string
  headers: Record<string, string>
  body: string | null
  /** The address that it is sent from. */
  from: string
}

export interface OpenLoad {
  origin: string
  per_second: number
  seconds: number
  requests: readonly OpenRequest[]
  /** The kind whose replies name a document that is then delivered. */
  delivered_kind: string
}

export interface OpenPass {
  /** Latencies in ms by kind; `webhook` is the time from the reply of a form to its delivery. */
  latencies_ms: Record<string, number[]>
  /** Counts of replies other than 2xx by kind and status. */
  refused: Record<string, number>
}

const CONNECTIONS_OF_ADDRESS = 64
const DELIVERY_MS_MAX = 10_000
const TICK_MS = 1

const agents = new Map<string, Agent>()
const arrivals = new Map<string, number>()

function agentOf(localAddress: string): Agent {
  const known = agents.get(localAddress)
  if (known) return known
  const agent = new Agent({ connections: CONNECTIONS_OF_ADDRESS, localAddress })
  agents.set(localAddress, agent)
  return agent
}

const receiver = createServer({ keepAliveTimeout: 60_000 }, async (request, response) => {
  const at_ms = performance.now()
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const { data } = JSON.parse(Buffer.concat(chunks).toString())
  arrivals.set(data.document.id, at_ms)
  response.writeHead(204).end()
})
await once(receiver.listen(0, '127.0.0.1'), 'listening')
const address = receiver.address()
process.send?.({ port: typeof address === 'object' && address ? address.port : 0 })
process.on('message', async (load: OpenLoad) => process.send?.(await send(load)))
process.on('disconnect', () => process.exit())

async function send({ origin, requests, delivered_kind, ...pace }: OpenLoad): Promise<OpenPass> {
  const pass: OpenPass = { latencies_ms: {}, refused: {} }
  const replied = new Map<string, number>()
  const running: Promise<void>[] = []

  async function sendOne({ kind, from, ...request }: OpenRequest, due_ms: number): Promise<void> {
    const options = { origin, ...request } as Dispatcher.RequestOptions
    try {
      const { statusCode, body } = await agentOf(from).request(options)
      const text = await body.text()
      const now_ms = performance.now()
      if (statusCode < 200 || statusCode > 299) refuse(`${kind} ${statusCode}`)
      else (pass.latencies_ms[kind] ??= []).push(now_ms - due_ms)
      if (kind === delivered_kind && statusCode === 201) replied.set(JSON.parse(text).id, now_ms)
    } catch (error) {
      refuse(`${kind} ${error instanceof Error ? error.message : ''}`)
    }
  }

  function refuse(how: string): void {
    pass.refused[how] = (pass.refused[how] ?? 0) + 1
  }

  const begun_ms = performance.now()
  const count = Math.min(pace.per_second * pace.seconds, requests.length)
  for (let n = 0; n < count;) {
    const elapsed_ms = performance.now() - begun_ms
    for (; n < count && (n * 1000) / pace.per_second <= elapsed_ms; n += 1)
      running.push(sendOne(requests[n]!, begun_ms + (n * 1000) / pace.per_second))
    await delay(TICK_MS)
  }
  await Promise.all(running)
  const deadline_ms = performance.now() + DELIVERY_MS_MAX
  while ([...replied.keys()].some((id) => !arrivals.has(id)) && performance.now() < deadline_ms)
    await delay(20)
  for (const [id, at_ms] of replied) {
    const arrived_ms = arrivals.get(id)
    if (arrived_ms === undefined) refuse('webhook not delivered')
    else (pass.latencies_ms['webhook'] ??= []).push(Math.max(0, arrived_ms - at_ms))
  }
  return pass
}
