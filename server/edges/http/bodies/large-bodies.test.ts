/** Tests of the memory budget for large bodies: admission, queueing and refusal. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, describe, test } from 'node:test'
import { slugOf } from '../../../../test/fixtures/data/data.ts'
import { eventually } from '../../../../test/fixtures/eventually.ts'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import {
  filesFromTexts,
  newSiteOwner,
  newSlug,
} from '../../../../test/fixtures/sites/site-owner.ts'
import { createLog } from '../../../kernel/log.ts'

const MB = 1_048_576
const runtime = await openTestRuntime({ work: false })
const logged: { msg: string }[] = []
runtime.runtime.log = createLog('debug', { write: (line) => void logged.push(JSON.parse(line)) })
const sockets: Socket[] = []
after(() => {
  for (const socket of sockets) socket.destroy()
})

/** Starts a request with a large Content-Length and sends only its first byte. */
function begin(key: string, bytes = 2 * MB, path = '/api/v1/sites'): Socket {
  const { hostname, port } = new URL(runtime.url)
  const socket = connect(Number(port), hostname)
  sockets.push(socket)
  socket.on('error', () => {})
  const lines = [
    `POST ${path} HTTP/1.1`,
    `Host: ${hostname}:${port}`,
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${bytes}`,
  ]
  socket.write(`${lines.join('\r\n')}\r\n\r\n{`)
  return socket
}

async function newOwner() {
  const owner = await newSiteOwner(runtime)
  const key = await runtime.newKey({ project_id: owner.project_id })
  const large = (slug: string) => {
    const texts = { 'index.html': 'x', 'a.txt': 'a'.repeat(MB - 1), 'b.txt': 'b'.repeat(MB - 1) }
    return owner.call('POST /sites', { slug, files: filesFromTexts(texts) })
  }
  return { ...owner, key, large }
}

/** Waits until the given numbers of bodies are being read and queued. */
async function until(read: number, waiting: number): Promise<void> {
  await eventually(async () => {
    const { text } = await runtime.call('GET //metrics', { key: null })
    const count = (state: string) =>
      Number(RegExp(`^homeport_large_bodies\\{state="${state}"\\} (\\d+)$`, 'm').exec(text)?.[1])
    return count('read') === read && count('waiting') === waiting
  })
}

describe('large bodies', () => {
  test('wait in a queue of their project, and never behind other projects; small bodies do not wait', async () => {
    const [busy, other] = [await newOwner(), await newOwner()]
    const held = [1, 2].map(() => begin(busy.key, 8 * MB))
    await until(2, 0)
    const third = busy.large(newSlug())
    await until(2, 1)
    assert.equal((await other.large(newSlug())).status, 201)
    await busy.publish({ 'index.html': 'small' })
    await until(2, 1)
    held[0]?.destroy()
    assert.equal((await third).status, 201)
    for (const socket of held) socket.destroy()
    await until(0, 0)
  })

  test('share 16 MB per project, over all routes', async () => {
    const [busy, other] = [await newOwner(), await newOwner()]
    for (const { call } of [busy, other]) await call('POST /collections', { name: 'c' })
    const route = '/api/v1/collections/c/documents'
    const held = Array.from({ length: 17 }, () => begin(busy.key, MB, route))
    await until(16, 1)
    const data = { text: 'x'.repeat(65_000) }
    assert.equal((await other.call('POST /collections/c/documents', data)).status, 201)
    await until(16, 1)
    for (const socket of held) socket.destroy()
    await until(0, 0)
  })

  test('are refused with 429 and Retry-After if too many are queued, until the queue shrinks', async () => {
    const { key, large } = await newOwner()
    const held = Array.from({ length: 32 }, () => begin(key, 8 * MB))
    await until(2, 30)
    const refused = await large(newSlug())
    assert.deepEqual([refused.status, slugOf(refused)], [429, 'rate_limited'])
    assert.equal(refused.headers.get('retry-after'), '5')
    assert.equal(refused.headers.get('connection'), 'close')
    for (const socket of held) socket.destroy()
    await until(0, 0)
    assert.equal((await large(newSlug())).status, 201)
  })

  test('are refused before they are read if the key is unknown', async () => {
    const socket = begin(`hm_test_${'a'.repeat(32)}`, 8 * MB)
    const [answer] = await once(socket, 'data')
    assert.match(String(answer), /^HTTP\/1\.1 401 /)
  })

  test('are refused with 422 validation_failed if they have very many values', async () => {
    const { call } = await newOwner()
    const files = Array.from({ length: 2_000_000 }, () => 1)
    const answer = await call('POST /sites', { slug: newSlug(), files })
    assert.deepEqual([answer.status, slugOf(answer)], [422, 'validation_failed'])
    assert.match(answer.body.detail, /more than 35000 values/)
  })

  test('are not reported as a database failure if they break off', async () => {
    const { key } = await newOwner()
    const socket = begin(key)
    await until(1, 0)
    socket.destroy()
    await until(0, 0)
    assert.ok(!logged.some(({ msg }) => /database is away/.test(msg)), JSON.stringify(logged))
  })
})
