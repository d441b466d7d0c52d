/** Tests of proposals over MCP: creation, visibility, pagination and expiry. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import pg from 'pg'
import {
  callPortalApi,
  propose,
  decide,
  problemOf,
  readApproval,
  runTool,
  waitingOf,
} from '../../../test/fixtures/mcp/approvals.ts'
import { eventually } from '../../../test/fixtures/eventually.ts'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import { callMessage, post, valueOf } from '../../../test/fixtures/mcp/mcp.ts'
import { createOwnedProject, signIn } from '../../../test/fixtures/portal/portal.ts'
import { scopeNames } from '../../contract/scopes.ts'

const fixture = await openTestRuntime()
const { runtime } = fixture
const email = 'owner@bakery.example'
const project_id = await createOwnedProject(fixture, email)
const newKey = (of = project_id) => fixture.newKey({ project_id: of })
const key = await newKey()

async function newCollection(documents: readonly unknown[] = []): Promise<string> {
  const name = `c-${crypto.randomUUID().slice(0, 12)}`
  const by = await newKey()
  const made = await fixture.call('POST /collections', { key: by, body: { name } })
  assert.equal(made.status, 201, made.text)
  const route = `POST /collections/${name}/documents`
  for (const body of documents) await fixture.call(route, { key: by, body })
  return name
}

const proposeDeletion = async (name?: string, by = key) =>
  propose(fixture, 'collections.delete', { name: name ?? (await newCollection()) }, by)

describe('a deletion proposed by an MCP client without elicitation', () => {
  test('creates a pending approval with a portal URL, and deletes nothing', async () => {
    const name = await newCollection()
    const waiting = waitingOf(await runTool(fixture, 'collections.delete', { name }, key))
    const { id, url, expires_at } = waiting.approval
    const { public_url } = runtime.config
    assert.equal(url, `${public_url}/portal/projects/${project_id}/approvals/${id}`)
    const hours = (Date.parse(expires_at) - fixture.clock.now_ms()) / 3_600_000
    assert.ok(hours > 71.9 && hours <= 72, String(hours))
    assert.match(waiting.user_message, /needs your yes/)
    assert.ok(waiting.user_message.includes(url))
    assert.match(waiting.next_step, /get_approval with the id/)
    assert.equal((await fixture.call(`GET /collections/${name}`, { key })).status, 200)
    const read = await readApproval(fixture, id, key)
    assert.deepEqual(
      [read.status, read.operation, read.effect, read.cost, read.arguments, read.asked_by],
      ['pending', 'collections.delete', 'deletes', null, { name }, 'Key of a test'],
    )
    assert.match(read.about, /^Deletes a collection/)
    assert.deepEqual(
      [read.decided_by, read.decided_at, read.ended_at, read.reply],
      [null, null, null, null],
    )
  })

  test('returns the same approval for a repeated proposal of one key, and a new one for another key', async () => {
    const name = await newCollection([{ a: 1 }])
    const given = { name, confirm: name }
    const id = await propose(fixture, 'collections.delete', given, key)
    const turned = { confirm: name, name }
    assert.equal(await propose(fixture, 'collections.delete', turned, key), id)
    const together = await Promise.all(
      Array.from({ length: 5 }, () => propose(fixture, 'collections.delete', given, key)),
    )
    assert.deepEqual(new Set(together), new Set([id]))
    assert.notEqual(await propose(fixture, 'collections.delete', given, await newKey()), id)
    const { subject, loss } = await readApproval(fixture, id, key)
    assert.deepEqual([subject, loss], [name, `It deletes ${name} with its 1 document.`])
  })

  test('rejects a proposal whose operation would fail now', async () => {
    const full = await newCollection([{ a: 1 }])
    const before = await waiting()
    for (const [given, slug] of [
      [{ name: 7, nonsense: true }, 'validation_failed'],
      [{}, 'validation_failed'],
      [{ name: 'not-there' }, 'not_found'],
    ] as const) {
      const problem = problemOf(await runTool(fixture, 'collections.delete', given, key))
      assert.deepEqual([problem.slug, problem.approval], [slug, undefined], JSON.stringify(given))
    }
    assert.equal(await waiting(), before)
    assert.equal((await fixture.call(`GET /collections/${full}`, { key })).body.document_count, 1)
  })

  test('rejects arguments that exceed the size limit', async () => {
    const id = crypto.randomUUID()
    const given = { id, types: Array<string>(2000).fill('call.completed.and.a.long.word') }
    const live = await fixture.newKey({ project_id, mode: 'live' })
    const long = { ...given, from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' }
    const problem = problemOf(await runTool(fixture, 'webhooks.replay', long, live))
    assert.ok(['bad_request', 'validation_failed'].includes(problem.slug), problem.slug)
  })
})

/** Returns the number of pending approvals of the project. */
async function waiting(): Promise<number> {
  const owner = await signIn(fixture, email)
  const route = `GET /projects/${project_id}/approvals?status=pending&limit=100`
  return (await callPortalApi(fixture, owner, route)).body.data.length
}

describe('the limit of pending approvals', () => {
  test('holds for concurrent proposals of one project', async () => {
    const full = await fixture.newProject()
    const keys = await Promise.all(
      Array.from({ length: 4 }, () => fixture.newKey({ project_id: full.project_id })),
    )
    await fixture.call('POST /collections', { key: keys[0]!, body: { name: 'many' } })
    const documents = Array.from({ length: 56 }, (_, n) => ({ op: 'create', data: { n } }))
    const batch = await fixture.call('POST /collections/many/documents/batch', {
      key: keys[0]!,
      body: { operations: documents },
    })
    assert.equal(batch.status, 200, batch.text)
    const listed = await fixture.call('GET /collections/many/documents?limit=100', {
      key: keys[0]!,
    })
    const ids: string[] = listed.body.data.map((one: { id: string }) => one.id)
    assert.equal(ids.length, 56)
    const results = await Promise.all(
      ids.map((id, n) => runTool(fixture, 'documents.delete', { name: 'many', id }, keys[n % 4]!)),
    )
    const failed = results.filter(({ isError }) => isError).map(problemOf)
    assert.deepEqual(
      failed.map(({ slug }) => slug),
      Array<string>(6).fill('conflict'),
    )
    const [refused] = failed
    assert.match(refused.user_message, /50 other approvals are already waiting/)
  })
})

test('the service of approvals leaves database connections free while proposals of one project are queued', async () => {
  const busy = await fixture.newProject()
  const by = await newKey(busy.project_id)
  await fixture.call('POST /collections', { key: by, body: { name: 'many' } })
  const holder = new pg.Client(fixture.connection)
  await holder.connect()
  const lock = 'select pg_advisory_lock(hashtextextended($1, 0))'
  await holder.query(lock, [`approvals of ${busy.project_id}`])
  // There are more proposals than connections in the pool, and all of them take the same lock.
  const proposals = Array.from({ length: 20 }, () => {
    const operations = [{ op: 'delete', id: crypto.randomUUID() }]
    return propose(fixture, 'documents.batch', { name: 'many', operations, each_alone: true }, by)
  })
  await eventually(async () => {
    const waiting = `select 1 from pg_locks where locktype = 'advisory' and not granted`
    return (await holder.query(waiting)).rows.length > 0
  })
  const others = await Promise.all(
    Array.from({ length: 10 }, () => fixture.call('GET /project', { key })),
  )
  await holder.end()
  assert.deepEqual(new Set(others.map(({ status }) => status)), new Set([200]))
  assert.equal(new Set(await Promise.all(proposals)).size, 20)
})

describe('GET /approvals', () => {
  test('is paginated, newest first, and filtered by status', async () => {
    const by = await newKey()
    const ids = [
      await proposeDeletion(undefined, by),
      await proposeDeletion(undefined, by),
      await proposeDeletion(undefined, by),
    ]
    const owner = await signIn(fixture, email)
    await decide(fixture, owner, { project_id, id: ids[1]!, verb: 'reject' })
    const first = await fixture.call('GET /approvals?limit=2', { key: by })
    assert.deepEqual(idsOf(first), [ids[2], ids[1]])
    assert.ok(!('arguments' in first.body.data[0]))
    const { next_cursor } = first.body
    const next = await fixture.call(`GET /approvals?limit=1&cursor=${next_cursor}`, { key: by })
    assert.deepEqual(idsOf(next), [ids[0]])
    const pending = await fixture.call('GET /approvals?status=pending&limit=2', { key: by })
    assert.deepEqual(idsOf(pending), [ids[2], ids[0]])
    const rejected = await fixture.call('GET /approvals?status=rejected&limit=1', { key: by })
    assert.deepEqual(idsOf(rejected), [ids[1]])
    for (const query of [`status=rejected&cursor=${next_cursor}`, 'status=never', 'limit=0']) {
      const refused = await fixture.call(`GET /approvals?${query}`, { key: by })
      assert.deepEqual(
        [refused.status, refused.body.type.split('/').at(-1)],
        [400, 'invalid_parameter'],
      )
    }
  })

  test('shows a key its own approvals and those of its scopes; a limited key only its own', async () => {
    const id = await proposeDeletion()
    const scopes = scopeNames.filter((scope) => scope !== 'data:write')
    const without = await fixture.newKey({ project_id, scopes })
    assert.equal((await fixture.call(`GET /approvals/${id}`, { key: without })).status, 404)
    assert.deepEqual(idsOf(await fixture.call('GET /approvals', { key: without })), [])
    const other = await newKey()
    assert.equal((await readApproval(fixture, id, other)).id, id)
    const name = await newCollection()
    const access = {
      sites: [],
      apps: [],
      collections: [name],
      limited_by: 'api_key' as const,
    }
    const limited = await fixture.newKey({ project_id, access })
    const own = await proposeDeletion(name, limited)
    assert.deepEqual(idsOf(await fixture.call('GET /approvals', { key: limited })), [own])
    assert.equal((await fixture.call(`GET /approvals/${id}`, { key: limited })).status, 404)
    const { project_id: other_id } = await fixture.newProject()
    const foreign = await fixture.newKey({ project_id: other_id })
    assert.equal((await fixture.call(`GET /approvals/${id}`, { key: foreign })).status, 404)
    assert.deepEqual(idsOf(await fixture.call('GET /approvals', { key: foreign })), [])
  })
})

const idsOf = ({ body }: { body: any }): string[] => body.data.map((one: { id: string }) => one.id)

async function rowOf(id: string) {
  return runtime.db.selectFrom('approvals').selectAll().where('id', '=', id).executeTakeFirst()
}

test('get_state lists the pending approvals', async () => {
  const by = await newKey()
  const { project_id: own } = await fixture.newProject()
  const alone = await fixture.newKey({ project_id: own })
  assert.deepEqual(await waitsFor(alone), { count: 0, items: [] })
  const id = await proposeDeletion(undefined, by)
  const { items } = await waitsFor(by)
  assert.ok(items.some((one: { id: string }) => one.id === id))
})

async function waitsFor(by: string) {
  const { body } = await post(fixture, callMessage('get_state'), { key: by })
  return valueOf(body.result).waits_for_a_person
}

describe('an approval after 72 hours', () => {
  test('is rejected in replies and in the database if no person decided', async () => {
    const name = await newCollection()
    const id = await proposeDeletion(name)
    const { input_hash } = await readApproval(fixture, id, key)
    fixture.clock.advance(72 * 3600)
    const read = await readApproval(fixture, id, await newKey())
    assert.deepEqual([read.status, read.decided_by], ['rejected', 'expiry'])
    assert.deepEqual([read.decided_at, read.ended_at], [read.expires_at, read.expires_at])
    const owner = await signIn(fixture, email)
    const late = await decide(fixture, owner, { project_id, id, verb: 'approve', input_hash })
    assert.deepEqual([late.status, late.slug], [409, 'conflict'])
    assert.match(late.body.user_message, /expired before a decision/)
    const again = await proposeDeletion(name)
    assert.notEqual(again, id)
    fixture.passes('72 hours')
    await eventually(async () => (await rowOf(again))?.status === 'rejected')
    const row = await rowOf(again)
    assert.deepEqual([row?.decided_at, row?.decided_by], [row?.expires_at, null])
  })

  test('is deleted 90 days later', async () => {
    const id = await proposeDeletion()
    fixture.passes('73 hours')
    await eventually(async () => (await rowOf(id))?.status === 'rejected')
    fixture.passes('89 days')
    assert.ok(await rowOf(id))
    fixture.passes('2 days')
    await eventually(async () => (await rowOf(id)) === undefined)
  })
})

describe('an approved request', () => {
  test('fails after a day if no process could execute it', async () => {
    const id = await proposeDeletion()
    const now = fixture.clock.now()
    await runtime.db.transact((tx) =>
      tx
        .updateTable('approvals')
        .set({ status: 'approved', decided_at: now, decided_email: email })
        .where('id', '=', id)
        .execute(),
    )
    fixture.passes('25 hours')
    await eventually(async () => (await rowOf(id))?.status === 'failed')
    const read = await readApproval(fixture, id, await newKey())
    assert.match(read.problem.user_message, /cannot tell whether this was done/)
  })
})
