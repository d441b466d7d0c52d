/** Tests of large bodies: senders that stall or drip, shares, refusals. */
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
const runtime = await openTestRuntime({
  work: false,
  settings: { HOMEPORT_TRUSTED_PROXIES: '127.0.0.1' },
})
const logged: { msg: string }[] = []
runtime.runtime.log = createLog('debug', { write: (line) => void logged.push(JSON.parse(line)) })
const sockets: Socket[] = []
after(() => {
  for (const socket of sockets) socket.destroy()
})

interface Sending {
  bytes?: number
  /** How many of the bytes are sent. */
  sent?: number
  route?: string
  type?: string
  /** The address of the client. */
  from?: string
  encoding?: string
}

/** Starts a request with a large Content-Length and sends only the beginning. */
function begin(key: string, { bytes = 8 * MB, sent = 1, ...about }: Sending = {}): Socket {
  const {
    route = 'POST /sites',
    type = 'application/json',
    from = '192.0.2.1',
    encoding = 'identity',
  } = about
  const { hostname, port } = new URL(runtime.url)
  const socket = connect(Number(port), hostname)
  sockets.push(socket)
  socket.on('error', () => {})
  const lines = [
    `${route.replace('/', '/api/v1/')} HTTP/1.1`,
    `Host: ${hostname}:${port}`,
    `Authorization: Bearer ${key}`,
    `X-Forwarded-For: ${from}`,
    `Content-Type: ${type}`,
    `Content-Encoding: ${encoding}`,
    `Content-Length: ${bytes}`,
  ]
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  socket.write('{'.repeat(sent))
  return socket
}

async function answerOf(socket: Socket): Promise<string> {
  const [answer] = await once(socket, 'data')
  return String(answer)
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

describe('large bodies', () => {
  test('that stall hold nothing of anybody, their own project neither', async () => {
    const owners = [await newOwner(), await newOwner(), await newOwner(), await newOwner()]
    const route = 'POST /collections/c/documents/import'
    for (const { call, key } of owners) {
      await call('POST /collections', { name: 'c' })
      for (const type of ['text/csv', 'text/csv', 'application/x-ndjson'])
        begin(key, { route, type })
      for (let n = 0; n < 4; n += 1) begin(key)
    }
    for (const { large, project_id, key } of [...owners, await newOwner()]) {
      assert.equal((await large(newSlug())).status, 201)
      if (!owners.some((one) => one.project_id === project_id)) continue
      const raw = `name\n${`${'x'.repeat(50_000)}\n`.repeat(2)}`
      const headers = { 'content-type': 'text/csv' }
      const imported = await runtime.call(route, { key, raw, headers })
      assert.deepEqual([imported.status, imported.body.inserted], [200, 2])
    }
  })

  test('are refused above the share of a project and of an address', async () => {
    const [busy, other, third] = [await newOwner(), await newOwner(), await newOwner()]
    const send = (owner: { key: string }, from: string) =>
      answerOf(begin(owner.key, { sent: 8 * MB - 1, from }))
    const of_project = Array.from({ length: 9 }, (_, n) => send(busy, `192.0.2.${n + 1}`))
    const of_address = [other, third].flatMap((one) =>
      Array.from({ length: 5 }, () => send(one, '198.51.100.1')),
    )
    for (const refused of [await Promise.race(of_project), await Promise.race(of_address)]) {
      assert.match(refused, /^HTTP\/1\.1 429 .*"type":"[^"]*rate_limited"/s)
      assert.match(refused, /retry-after: 5\r\n/i)
      assert.match(refused, /connection: close\r\n/i)
    }
    assert.equal((await (await newOwner()).large(newSlug())).status, 201)
    for (const socket of sockets) socket.destroy()
    await eventually(async () => (await busy.large(newSlug())).status === 201)
  })

  test('are ended if less than 1 kB a second arrives', async () => {
    const { key } = await newOwner()
    const ended = once(begin(key, { sent: 10_000 }), 'data')
    const [answer] = await eventually(async () => {
      runtime.passes('21 seconds')
      return await Promise.race([ended, new Promise<null>((done) => setImmediate(done, null))])
    })
    assert.match(String(answer), /^HTTP\/1\.1 400 .*took too long/s)
  })

  test('hold nothing while a stream is read, whatever their encoding says', async () => {
    const streams = Array.from({ length: 5 }, async () => {
      const { key } = await newOwner()
      const route = 'GET /activity/stream'
      return answerOf(begin(key, { route, bytes: 1, encoding: 'gzip' }))
    })
    for (const answer of await Promise.all(streams)) assert.match(answer, /^HTTP\/1\.1 200 /)
    assert.equal((await (await newOwner()).large(newSlug())).status, 201)
  })

  test('are refused before they are read if the key is unknown', async () => {
    const socket = begin(`hm_test_${'a'.repeat(32)}`)
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
    const { key, large } = await newOwner()
    const socket = begin(key, { sent: MB })
    assert.equal((await large(newSlug())).status, 201)
    socket.destroy()
    await once(socket, 'close')
    assert.equal((await large(newSlug())).status, 201)
    assert.ok(!logged.some(({ msg }) => /database is away/.test(msg)), JSON.stringify(logged))
  })
})
