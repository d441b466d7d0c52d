/**
 * The change feed over HTTP: every change exactly once and in order despite concurrent writers and
 * broken connections, and the end of the feed when access is revoked.
 */
import assert from 'node:assert/strict'
import { request, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { after, describe, test } from 'node:test'
import { eventually } from '../../../../test/fixtures/eventually.ts'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import { limits } from '../../../contract/limits.ts'
import * as keys from '../../keys/service.ts'
import { changesTopic } from './change-wakeups.ts'
import { purgeChanges } from './change-jobs.ts'

const runtime = await openTestRuntime({ work: false })
const { call } = runtime
const sockets = new Set<Socket>()
runtime.app.server.on('connection', (socket) => sockets.add(socket))

interface Event {
  id: string | undefined
  event: string
  data: any
}

interface Feed {
  response: Response
  events: Event[]
  comments: string[]
  /** Resolves with the events when there are at least `count`. */
  until(count: number): Promise<Event[]>
  /** Whether the server has ended the stream. */
  ended(): boolean
  close(): void
}

const open = new Set<() => void>()
after(() => {
  for (const close of open) close()
})

async function follow(
  name: string,
  {
    headers = {},
    query = '',
    key = runtime.key,
  }: { headers?: object; query?: string; key?: string } = {},
): Promise<Feed> {
  const ending = new AbortController()
  const response = await fetch(
    `${runtime.url}/api/v1/collections/${name}/documents/changes${query}`,
    {
      headers: { authorization: `Bearer ${key}`, ...headers },
      signal: ending.signal,
    },
  )
  assert.equal(response.status, 200, String(response.status))
  const events: Event[] = []
  const comments: string[] = []
  let over = false
  const read = async () => {
    let rest = ''
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      const blocks = (rest + chunk).split('\n\n')
      rest = blocks.pop()!
      for (const block of blocks) {
        if (block.startsWith(':')) comments.push(block)
        else events.push(parseEvent(block))
      }
    }
    over = true
  }
  read().catch(() => {})
  const close = () => ending.abort()
  open.add(close)
  const feed = {
    response,
    events,
    comments,
    until: (count: number) => eventually(() => events.length >= count && events),
    ended: () => over,
    close,
  }
  await feed.until(1)
  return feed
}

function parseEvent(block: string): Event {
  const fields = new Map(
    block.split('\n').map((line): [string, string] => {
      const at = line.indexOf(': ')
      return [line.slice(0, at), line.slice(at + 2)]
    }),
  )
  return {
    id: fields.get('id'),
    event: fields.get('event')!,
    data: JSON.parse(fields.get('data')!),
  }
}

let collections = 0
async function newCollection(): Promise<string> {
  runtime.passes('61 seconds')
  const name = `watched-${(collections += 1)}`
  const made = await call('POST /collections', { body: { name } })
  assert.equal(made.status, 201, made.text)
  return name
}

const add = async (name: string, data: object) =>
  (await call(`POST /collections/${name}/documents`, { body: data })).body

const idsOf = (feed: Feed) =>
  feed.events.filter(({ event }) => event !== 'ready').map(({ id }) => Number(id))
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

describe('GET /collections/{name}/changes', () => {
  test('sends created, updated and deleted events with the document and a number', async () => {
    const name = await newCollection()
    const before = await add(name, { n: 0 })
    const feed = await follow(name)
    const made = await add(name, { n: 1 })
    await feed.until(2)
    await call(`PATCH /collections/${name}/documents/${made.id}`, { body: { n: 2 } })
    await feed.until(3)
    await call(`DELETE /collections/${name}/documents/${before.id}`)
    const [ready, created, updated, deleted] = await feed.until(4)
    assert.deepEqual(ready, { id: '1', event: 'ready', data: { after: 1 } })
    assert.deepEqual(created, {
      id: '2',
      event: 'created',
      data: { id: made.id, version: 1, document: made },
    })
    assert.equal(updated?.event, 'updated')
    assert.deepEqual(updated?.data.document.data, { n: 2 })
    assert.deepEqual(deleted, {
      id: '4',
      event: 'deleted',
      data: { id: before.id, version: null },
    })
    feed.close()
  })

  test('is an event stream with headers that forbid buffering and compression by proxies', async () => {
    const feed = await follow(await newCollection())
    const { headers } = feed.response
    assert.match(headers.get('content-type') ?? '', /^text\/event-stream/)
    assert.equal(headers.get('cache-control'), 'no-store, no-transform')
    assert.equal(headers.get('x-accel-buffering'), 'no')
    feed.close()
  })

  test('resumes after Last-Event-ID or the parameter after', async () => {
    const name = await newCollection()
    for (let n = 1; n <= 5; n += 1) await add(name, { n })
    const by_header = await follow(name, { headers: { 'last-event-id': '2' }, query: '?after=4' })
    await by_header.until(4)
    assert.deepEqual(idsOf(by_header), [3, 4, 5])
    const by_query = await follow(name, { query: '?after=4' })
    await by_query.until(2)
    assert.deepEqual(idsOf(by_query), [5])
    const from_now = await follow(name)
    await add(name, { n: 6 })
    await from_now.until(2)
    assert.deepEqual(idsOf(from_now), [6])
    for (const feed of [by_header, by_query, from_now]) feed.close()
    assert.equal((await call(`GET /collections/${name}/documents/changes?after=x`)).status, 400)
    assert.equal((await call('GET /collections/none/documents/changes')).status, 404)
  })

  test('sends more changes than one read returns, in order', async () => {
    const name = await newCollection()
    for (let round = 0; round < 2; round += 1) {
      const operations = Array.from({ length: 200 }, (_, n) => ({ op: 'create', data: { n } }))
      await call(`POST /collections/${name}/documents/batch`, { body: { operations } })
    }
    const feed = await follow(name, { query: '?after=0' })
    await feed.until(401)
    assert.deepEqual(idsOf(feed), upTo(400))
    feed.close()
  })

  test('resumes at any change within one batch', async () => {
    const name = await newCollection()
    await add(name, { n: 0 })
    const operations = Array.from({ length: 230 }, (_, n) => ({ op: 'create', data: { n: n + 1 } }))
    await call(`POST /collections/${name}/documents/batch`, { body: { operations } })
    const { id } = await add(name, { n: 231 })
    await call(`DELETE /collections/${name}/documents/${id}`)
    for (const after of [0, 1, 2, 100, 101, 102, 150, 201, 230, 231, 232]) {
      const feed = await follow(name, { query: `?after=${after}` })
      await feed.until(1 + 233 - after)
      assert.deepEqual(idsOf(feed), upTo(233).slice(after), `after ${after}`)
      const received = feed.events.flatMap(({ data }) =>
        data.document ? [data.document.data.n] : [],
      )
      assert.deepEqual(received, [0, ...upTo(230)].slice(after), `after ${after}`)
      feed.close()
    }
  })

  test('sends each change exactly once during concurrent writes and broken connections', async () => {
    const name = await newCollection()
    const CHANGES = 90
    const writing = Promise.all(
      Array.from({ length: 9 }, async (_, writer) => {
        for (let n = 0; n < CHANGES / 9; n += 1) {
          const made = await add(name, { writer, n })
          assert.ok(made.id, JSON.stringify(made))
        }
      }),
    )
    const seen: number[] = []
    let last = '0'
    while (seen.length < CHANGES) {
      const feed = await follow(name, { headers: { 'last-event-id': last } })
      await feed.until(2)
      feed.close()
      // Only events received before the break count.
      const ids = idsOf(feed)
      seen.push(...ids)
      last = String(ids.at(-1) ?? last)
      runtime.passes('2 seconds')
    }
    await writing
    assert.deepEqual(seen, upTo(CHANGES))
  })

  test('sends changes after a notification, or at the next poll if another process wrote', async () => {
    const name = await newCollection()
    const feed = await follow(name)
    const made = await add(name, { n: 1 })
    const { id } = (await call(`GET /collections/${name}`)).body
    runtime.runtime.wakeups.announce(changesTopic(id))
    await feed.until(2)
    assert.equal(feed.events[1]?.data.id, made.id)
    feed.close()
  })

  test('sends a heartbeat while there are no changes', async () => {
    const feed = await follow(await newCollection())
    runtime.passes(`${limits.change_heartbeat_s} seconds`)
    await eventually(() => feed.comments.length > 0)
    assert.equal(feed.events.length, 1)
    feed.close()
  })

  test('begins with a reset if the number is purged or unknown', async () => {
    const name = await newCollection()
    for (let n = 1; n <= 3; n += 1) await add(name, { n })
    runtime.passes(`${limits.changes_kept_s / 3600 / 24 + 1} days`)
    await add(name, { n: 4 })
    await purgeChanges.run(runtime.runtime)
    const feed = await follow(name, { query: '?after=1' })
    const [, reset] = await feed.until(2)
    assert.deepEqual(reset, { id: '4', event: 'reset', data: { after: 4 } })
    await add(name, { n: 5 })
    await feed.until(3)
    assert.deepEqual([feed.events[2]?.event, feed.events[2]?.id], ['created', '5'])
    feed.close()
    const strange = await follow(name, { query: '?after=99' })
    assert.equal((await strange.until(2))[1]?.event, 'reset')
    strange.close()
    const kept = await follow(name, { query: '?after=3' })
    await kept.until(3)
    assert.deepEqual(idsOf(kept), [4, 5])
    kept.close()
  })
})

describe('an ending change feed', () => {
  const passing = async (feed: Feed) => {
    runtime.passes('31 seconds')
    await eventually(() => feed.ended())
    return feed.events.at(-1)!
  }

  test('ends when its collection is deleted, even if a new one has its name', async () => {
    const name = await newCollection()
    const feed = await follow(name)
    await call(`DELETE /collections/${name}`)
    await call('POST /collections', { body: { name } })
    const last = await eventually(() => feed.ended() && feed.events.at(-1))
    assert.deepEqual([last.event, last.data.type], ['end', 'not_found'])
  })

  test('ends when its key is revoked', async () => {
    const name = await newCollection()
    const key = await runtime.newKey()
    const feed = await follow(name, { key })
    const all = await keys.list(runtime.runtime, runtime.project_id)
    const { id } = all.find(({ start }) => key.startsWith(start))!
    await keys.revoke(runtime.runtime, id)
    const last = await passing(feed)
    assert.deepEqual([last.event, last.data.type], ['end', 'api_key_revoked'])
  })

  test('ends when its client disconnects, and frees its resources', async () => {
    const name = await newCollection()
    const [gone, stays] = [await follow(name), await follow(name)]
    gone.close()
    await add(name, { n: 1 })
    await stays.until(2)
    assert.equal(stays.events[1]?.event, 'created')
    stays.close()
  })

  test('ends when the server stops', async () => {
    const other = await openTestRuntime({ work: false })
    await other.call('POST /collections', { body: { name: 'a' } })
    const response = await fetch(`${other.url}/api/v1/collections/a/documents/changes`, {
      headers: { authorization: `Bearer ${other.key}` },
    })
    const reading = response.text()
    await other.app.close()
    assert.match(await reading, /^retry: 2000\nid: 0\nevent: ready\n/)
  })

  test('ends immediately for a HEAD request', async () => {
    const name = await newCollection()
    const { status } = await fetch(`${runtime.url}/api/v1/collections/${name}/documents/changes`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${runtime.key}` },
    })
    assert.equal(status, 200)
  })
})

describe('change feeds beyond their limits', () => {
  test('are refused with 429 beyond the maximum per key, 403 outside its reach', async () => {
    const name = await newCollection()
    const key = await runtime.newKey()
    const feeds: Feed[] = []
    for (let count = 0; count < limits.change_streams_per_key_max; count += 1)
      feeds.push(await follow(name, { key }))
    const refused = await call(`GET /collections/${name}/documents/changes`, { key })
    assert.equal(refused.status, 429)
    assert.ok(refused.headers.get('retry-after'))
    feeds.pop()!.close()
    const again = await eventually(async () => {
      runtime.passes('1 second')
      const ending = new AbortController()
      const headers = { authorization: `Bearer ${key}` }
      const { signal } = ending
      const url = `${runtime.url}/api/v1/collections/${name}/documents/changes`
      const response = await fetch(url, { headers, signal })
      ending.abort()
      return response.status === 200
    })
    assert.ok(again)
    for (const feed of feeds) feed.close()
    const access = { sites: [], apps: [], collections: ['x'], limited_by: 'api_key' as const }
    const limited = await runtime.newKey({ access })
    assert.equal(
      (await call(`GET /collections/${name}/documents/changes`, { key: limited })).status,
      403,
    )
  })

  test('leave the changes for a slow client in the table, not in memory', async () => {
    const name = await newCollection()
    const text = 'x'.repeat(60_000)
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request(
        `${runtime.url}/api/v1/collections/${name}/documents/changes`,
        { headers: { authorization: `Bearer ${runtime.key}` } },
        (response) => resolve(response.pause()),
      )
        .on('error', reject)
        .end()
    })
    const served = await eventually(() =>
      [...sockets].find(({ remotePort }) => remotePort === response.socket.localPort),
    )
    const CHANGES = 300
    for (let round = 0; round < CHANGES / 15; round += 1) {
      const operations = Array.from({ length: 15 }, () => ({ op: 'create', data: { text } }))
      const done = await call(`POST /collections/${name}/documents/batch`, { body: { operations } })
      assert.equal(done.status, 200, done.text)
    }
    assert.ok(served.writableLength < 1_048_576, `${served.writableLength} bytes wait`)
    let read = ''
    for await (const chunk of response.setEncoding('utf8')) {
      read = (read + chunk).replaceAll(/x{2,}/g, 'x')
      if (read.includes(`id: ${CHANGES}\n`) && read.endsWith('\n\n')) break
    }
    const ids = [...read.matchAll(/^id: (\d+)\nevent: created/gm)].map(([, id]) => Number(id))
    assert.deepEqual(ids, upTo(CHANGES))
  })
})

// Change numbers of a new collection continue after those of deleted ones.
describe('a feed of a new collection with the name of a deleted one', () => {
  test('begins with a reset for a number of the deleted collection', async () => {
    const name = await newCollection()
    for (let n = 1; n <= 5; n += 1) await add(name, { n })
    // No number, an older number, and the newest number.
    for (const seen of [0, 3, 5]) {
      await call(`DELETE /collections/${name}?confirm=${name}`)
      await call('POST /collections', { body: { name } })
      for (let n = 1; n <= 8; n += 1) await add(name, { n })
      const feed = await follow(name, { headers: { 'last-event-id': String(seen) } })
      const [, first] = await feed.until(2)
      assert.equal(first?.event, 'reset', `after ${seen}`)
      await add(name, { n: 9 })
      const [, , next] = await feed.until(3)
      assert.deepEqual([next?.event, Number(next?.id)], ['created', first.data.after + 1])
      feed.close()
    }
  })
})
