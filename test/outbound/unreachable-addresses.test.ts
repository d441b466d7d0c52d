/**
 * Unreachable addresses chosen by clients, in every operation that calls one. The test resolves the
 * names; nothing leaves loopback. An unhandled error would end this process, and with it the test
 * file.
 */
import assert from 'node:assert/strict'
import { createServer, type Server, type Socket } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../fixtures/eventually.ts'
import { openTestRuntime } from '../fixtures/runtime.ts'
import { listen } from '../fixtures/loopback.ts'

/** Connecting to the broadcast address fails synchronously in connect(), like a missing route. */
const UNROUTABLE = '255.255.255.255'

const runtime = await openTestRuntime({
  settings: { HOMEPORT_EGRESS_ALLOW: `${UNROUTABLE}/32` },
  resolve: async (host) => [host === 'no-route.example' ? UNROUTABLE : '127.0.0.1'],
})

function server(onSocket: (socket: Socket) => void): Server {
  return createServer((socket) => onSocket(socket.on('error', () => {})))
}

const kinds: Record<string, Server | null> = {
  'no-route': null,
  refused: server(() => {}),
  'reset-before-tls': server((socket) => socket.resetAndDestroy()),
  'closed-before-tls': server((socket) => socket.end()),
  'reset-during-tls': server((socket) => socket.once('data', () => socket.resetAndDestroy())),
  'closed-during-tls': server((socket) => socket.once('data', () => socket.end())),
  'not-tls': server((socket) => socket.once('data', () => socket.end('SSH-2.0-OpenSSH_9.9\r\n'))),
}
const ports = new Map<string, number>()

before(async () => {
  for (const [kind, one] of Object.entries(kinds)) {
    ports.set(kind, one === null ? 443 : await listen({ after }, one))
  }
  await new Promise((closed) => kinds['refused']?.close(closed))
})

describe('an unreachable address', { timeout: 60_000 }, () => {
  for (const kind of Object.keys(kinds)) {
    const address = () => `https://${kind}.example:${ports.get(kind)}/page`

    it(`is refused in the metadata of an OAuth client (${kind})`, async () => {
      const query = new URLSearchParams({ response_type: 'code', client_id: address() })
      const { status } = await runtime.call(`GET //oauth/authorize?${query}`, { key: null })
      assert.equal(status, 400)
    })

    it(`is refused by the import of media (${kind})`, async () => {
      const { status, body } = await runtime.call('POST /media/import', {
        body: { url: address() },
      })
      assert.equal(status, 422)
      assert.match(
        JSON.stringify(body),
        /closed the connection|refused the connection|The connection to/,
      )
    })

    it(`is the error of the assistant's website (${kind})`, async () => {
      const { project_id } = await runtime.newProject()
      const key = await runtime.newKey({ project_id })
      const website_url = address()
      const put = await runtime.call('PUT /assistant', { key, body: { website_url } })
      assert.equal(put.status, 200, put.text)
      await eventually(async () => {
        const [source] = (await runtime.call('GET /assistant/sources', { key })).body.data
        return source.status === 'failed' && source.error
      })
    })

    it(`fails the test and the deliveries of a webhook (${kind})`, async () => {
      const { project_id } = await runtime.newProject()
      const key = await runtime.newKey({ project_id })
      const made = await runtime.call('POST /webhooks', {
        key,
        body: { url: address(), events: ['document.created'] },
      })
      assert.equal(made.status, 201, made.text)
      const path = `/webhooks/${made.body.id}`
      const tested = await runtime.call(`POST ${path}/test`, { key })
      assert.deepEqual([tested.status, tested.body.error], [200, 'connection_failed'])
      await eventually(async () => {
        runtime.passes('2 minutes')
        const { body } = await runtime.look(`GET ${path}/deliveries`, project_id)
        return body.data[0].attempt_count >= 2
      })
    })
  }

  it('leaves the service running', async () => {
    assert.equal((await runtime.call('GET //healthz', { key: null })).status, 200)
  })
})
