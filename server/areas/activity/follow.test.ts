/** The stream of changed kinds of records: which changes it names, reconnections, caps and its end. */
import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { standingClock } from '../../../test/fixtures/bare-runtime.ts'
import { eventually } from '../../../test/fixtures/eventually.ts'
import { newTeam, type Session } from '../../../test/fixtures/portal/sessions.ts'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import { limits } from '../../contract/limits.ts'
import * as keys from '../keys/service.ts'
import { announceRecords, listenToRecords } from '../../kernel/jobs/record-wakeups.ts'
import { recordKinds } from './kinds.ts'

const fixture = await openTestRuntime({ work: true, clock: standingClock() })
const { call, newKey, newProject, passes, runtime, url } = fixture

// Sign-ins are rate limited per network in a quarter of an hour.
beforeEach(() => passes('20 minutes'))

interface Event {
  name: string
  data: any
}

/** Opens a stream; `next` resolves with its next event. */
async function open(path: string, headers: Record<string, string>) {
  const ending = new AbortController()
  const response = await fetch(url + path, { headers, signal: ending.signal })
  const events: Event[] = []
  const read = async () => {
    let rest = ''
    for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
      const blocks = (rest + part).split('\n\n')
      rest = blocks.pop()!
      for (const block of blocks) {
        const [, name] = /^event: (.*)$/m.exec(block) ?? []
        const [, data] = /^data: (.*)$/m.exec(block) ?? []
        if (name && data) events.push({ name, data: JSON.parse(data) })
      }
    }
  }
  read().catch(() => {})
  return {
    status: response.status,
    next: async () => {
      await eventually(() => events.length > 0)
      return events.shift()!
    },
    close: () => ending.abort(),
  }
}

async function openReady(path: string, headers: Record<string, string>) {
  const stream = await open(path, headers)
  assert.equal(stream.status, 200)
  assert.equal((await stream.next()).name, 'ready')
  return stream
}

const byKey = (key: string, more: Record<string, string> = {}) =>
  openReady('/api/v1/activity/stream', { authorization: `Bearer ${key}`, ...more })

function cookieOf({ visitor }: Session): string {
  return [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
}

async function newPlace() {
  const { project_id } = await newProject()
  return { project_id, key: await newKey({ project_id }) }
}

async function countDeploys(project_id: string): Promise<number> {
  const rows = await runtime.db
    .selectFrom('site_deploys')
    .select('id')
    .where('project_id', '=', project_id)
    .execute()
  return rows.length
}

describe('the stream of changed records', () => {
  test('names the kinds that a request changed, to keys and to people', async () => {
    const team = await newTeam(fixture)
    const key = await newKey({ project_id: team.project_id })
    const path = `/portal/api/v1/projects/${team.project_id}/activity/stream`
    const streams = [await byKey(key), await openReady(path, { cookie: cookieOf(team.viewer) })]
    await call('POST /collections', { key, body: { name: 'guests' } })
    for (const stream of streams) {
      const seen = new Set<string>()
      const wanted = ['activity', 'collections', 'requests']
      while (!wanted.every((kind) => seen.has(kind))) {
        const { name, data } = await stream.next()
        assert.equal(name, 'changed')
        for (const kind of data.kinds) seen.add(kind)
      }
      stream.close()
    }
  })

  test('names calls, deliveries and the balance', async () => {
    const { key } = await newPlace()
    await call('POST /webhooks', {
      key,
      body: { url: 'http://127.0.0.1:9/', events: ['call.completed'] },
    })
    const headers = { 'idempotency-key': 'one' }
    const number = await call('POST /numbers', { key, body: {}, headers })
    const stream = await byKey(key)
    const body = { number_id: number.body.id, turns: [] }
    await call('POST /test/calls', { key, body })
    const seen = new Set<string>()
    while (!seen.has('calls') || !seen.has('deliveries'))
      for (const kind of (await stream.next()).data.kinds) seen.add(kind)
    stream.close()
  })

  test('names a kind after the last transaction of an operation, not after the first', async () => {
    const { project_id, key } = await newPlace()
    const heard: string[] = []
    const kinds = ['sites', 'keys'] as const
    const end = listenToRecords(runtime, { project_id, kinds }, (kind) => heard.push(kind))
    const files = [{ path: 'index.html', content: '<title>A</title>' }]
    const body = { slug: 'bakery-late', title: 'A', visibility: 'unlisted', files }
    const { published } = await runtime.db.transact(async (tx) => {
      // The site waits for this lock, after the transaction that counts the deploy.
      await sql`lock table site_versions in share mode`.execute(tx)
      const request = call('POST /sites', { key, body })
      await eventually(async () => (await countDeploys(project_id)) === 1)
      announceRecords(runtime, project_id, 'keys')
      await eventually(() => heard.includes('keys'))
      assert.deepEqual(heard, ['keys'])
      return { published: request }
    })
    assert.equal((await published).status, 201)
    await eventually(() => heard.includes('sites'))
    end()
  })

  test('says nothing about another project', async () => {
    const [mine, other] = [await newPlace(), await newPlace()]
    const stream = await byKey(mine.key)
    await call('POST /collections', { key: other.key, body: { name: 'theirs' } })
    await call('PUT /assistant', { key: mine.key, body: { name: 'Anna' } })
    const { data } = await stream.next()
    assert.ok(!data.kinds.includes('collections'), JSON.stringify(data))
    stream.close()
  })

  test('names every kind after a reconnection', async () => {
    const { key } = await newPlace()
    const stream = await byKey(key, { 'last-event-id': '1795712400000' })
    assert.deepEqual((await stream.next()).data, { kinds: recordKinds })
    stream.close()
  })

  test('names every kind when wake-ups of other processes may have been lost', async () => {
    const { key } = await newPlace()
    const stream = await byKey(key)
    runtime.wakeups.wake('*')
    assert.deepEqual((await stream.next()).data, { kinds: recordKinds })
    stream.close()
  })

  test('refuses an eleventh stream of a key with 429, until another ends', async () => {
    const { key } = await newPlace()
    const streams = []
    for (let n = 0; n < limits.record_streams_per_caller_max; n += 1) streams.push(await byKey(key))
    const refused = await call('GET /activity/stream', { key })
    assert.equal(refused.status, 429, refused.text)
    streams[0]!.close()
    await eventually(async () => {
      const again = await open('/api/v1/activity/stream', { authorization: `Bearer ${key}` })
      again.close()
      return again.status === 200
    })
    for (const stream of streams) stream.close()
  })

  test('ends when the key is revoked', async () => {
    const { key, project_id } = await newPlace()
    const stream = await byKey(key)
    const [row] = await runtime.db
      .selectFrom('api_keys')
      .select('id')
      .where('project_id', '=', project_id)
      .execute()
    await keys.revoke(runtime, row!.id)
    passes('1 minute')
    runtime.wakeups.wake('*')
    const { name, data } = await stream.next()
    assert.deepEqual([name, data.type], ['end', 'api_key_revoked'])
  })
})
