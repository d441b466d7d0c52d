/**
 * Kills the server repeatedly with SIGKILL while several clients make calls. After the restart,
 * every acknowledged call exists with its summary, and its events have been delivered.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { depth } from '../fixtures/depth.ts'
import { untilEnough } from '../fixtures/eventually.ts'
import { startServer, type ServerProcess } from '../fixtures/server-process.ts'

const ROUNDS = depth(1, 4)
const CALLERS = 4
const CALLS_BEFORE_KILL = 12
const PATIENCE_MS = 30_000

async function startReceiver() {
  const received = new Map<string, Set<string>>()
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { type, data } = JSON.parse(Buffer.concat(chunks).toString())
    received.set(data.call.id, (received.get(data.call.id) ?? new Set()).add(type))
    response.writeHead(204).end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  return { server, received, port: typeof address === 'object' && address ? address.port : 0 }
}

test(
  'every acknowledged call is kept after kill -9 during writes',
  { timeout: 180_000 },
  async (context) => {
    const folder = mkdtempSync(join(tmpdir(), 'homeport-crash-'))
    const { server: receiver, received, port } = await startReceiver()
    let server: ServerProcess = await startServer(folder, { HOMEPORT_TEST_CLOCK: '1' })
    const key = server.banner['test_key']!
    context.after(async () => {
      await server.stop()
      receiver.closeAllConnections()
      receiver.close()
      rmSync(folder, { recursive: true, force: true })
    })

    async function ask(route: string, body?: object, headers: Record<string, string> = {}) {
      const [method, path] = route.split(' ')
      const response = await fetch(server.banner['base_url'] + path!, {
        method: method!,
        headers: {
          authorization: `Bearer ${key}`,
          ...(body ? { 'content-type': 'application/json' } : {}),
          ...headers,
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      return { status: response.status, body: JSON.parse((await response.text()) || 'null') }
    }

    await ask('PUT /assistant', { instructions: 'You can park behind the shop.' })
    const number = await ask('POST /numbers', {}, { 'idempotency-key': 'crash' })
    const events = ['call.completed', 'call.summary.ready']
    await ask('POST /webhooks', { url: `http://127.0.0.1:${port}/`, events })
    const call = {
      number_id: number.body.id,
      turns: [{ say: 'Where can I park?' }, { say: 'Goodbye' }],
    }
    const acknowledged: string[] = []

    /** Makes calls until the server is gone. A missing reply or a 503 acknowledges nothing. */
    async function keepCalling(): Promise<void> {
      for (;;) {
        const made = await ask('POST /test/calls', call).catch(() => null)
        if (made === null) return
        if (made.status === 503) continue
        assert.equal(made.status, 201)
        acknowledged.push(made.body.id)
      }
    }

    for (let round = 1; round <= ROUNDS; round++) {
      const calling = Promise.all(Array.from({ length: CALLERS }, keepCalling))
      await untilEnough(() => acknowledged.length >= round * CALLS_BEFORE_KILL, calling)
      await server.stop('SIGKILL')
      await calling
      server = await startServer(folder, { HOMEPORT_TEST_CLOCK: '1' })
    }

    // One day covers the leases and the summary jobs of a killed process.
    await fetch(new URL('/dev/clock', server.banner['base_url']), {
      method: 'POST',
      body: JSON.stringify({ advance_seconds: 86_400 }),
    })
    const isComplete = (id: string) => received.get(id)?.size === events.length
    const deadline = performance.now() + PATIENCE_MS
    while (!acknowledged.every(isComplete) && performance.now() < deadline) await delay(50)

    assert.ok(acknowledged.length >= ROUNDS * CALLS_BEFORE_KILL)
    const silent = acknowledged.filter((id) => !isComplete(id))
    assert.deepEqual(silent, [], 'calls whose events did not all arrive')
    for (const id of acknowledged.slice(-100)) {
      const { status, body } = await ask(`GET /calls/${id}`)
      assert.deepEqual([status, body.status, body.has_summary], [200, 'ai_handled', true])
    }
  },
)
