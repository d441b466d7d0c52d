/** Retention over HTTP: the settings, and what is deleted when. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eventually } from '../../../test/fixtures/eventually.ts'
import { openTestRuntime, type Answer } from '../../../test/fixtures/runtime.ts'
import { sql } from 'kysely'
import * as projects from '../projects/service.ts'

const fixture = await openTestRuntime()
let numbers = 0

async function openShop() {
  const { project_id } = await fixture.newProject()
  const key = await fixture.newKey({ project_id })
  const call = (route: string, body?: unknown, headers?: Record<string, string>): Promise<Answer> =>
    fixture.call(route, { key, ...(body !== undefined && { body }), ...(headers && { headers }) })
  await call('PUT /assistant', { name: 'Mill Bakery' })
  const { id } = (await call('POST /numbers', {}, { 'idempotency-key': `n${++numbers}` })).body
  const ring = async () =>
    (
      await call('POST /test/calls', {
        number_id: id,
        turns: [{ say: 'Please take a message: keep two loaves for Anna.' }],
      })
    ).body.id as string
  const chat = async () =>
    (await call('POST /conversations', { message: 'Do you repair gramophones?' })).body.conversation
      .id as string
  const read = async (route: string) => (await fixture.look(route, project_id)).body
  const daysOf = async (kind: string) =>
    (await read('GET /retention')).kinds.find((one: any) => one.kind === kind).days
  return { project_id, call, ring, chat, read, daysOf }
}

describe('PUT /retention', () => {
  test('sets the named kinds, and the others to their default', async () => {
    const { call, daysOf } = await openShop()
    assert.equal(await daysOf('calls'), 730)
    const { status, body } = await call('PUT /retention', { calls: 30, conversations: null })
    assert.equal(status, 200)
    assert.deepEqual((await call('GET /retention')).body, body)
    assert.deepEqual([await daysOf('calls'), await daysOf('conversations')], [30, null])
    await call('PUT /retention', {})
    assert.deepEqual([await daysOf('calls'), await daysOf('conversations')], [730, 365])
  })

  test('of a test key shortens no times of a project with live records', async () => {
    const { project_id, call } = await openShop()
    const level = { project_id, level: 'company', status: 'approved', reason: null } as const
    await fixture.runtime.db.transact((tx) => projects.setLevel(tx, level))
    const refused = await call('PUT /retention', { calls: 30 })
    assert.equal(refused.status, 403, refused.text)
    assert.match(refused.body.type, /key_mode_mismatch$/)
    assert.equal((await call('PUT /retention', { calls: null })).status, 200)
    const key = await fixture.newKey({ project_id, mode: 'live' })
    const live = await fixture.call('PUT /retention', { key, body: { calls: 30 } })
    assert.equal(live.status, 200, live.text)
  })

  for (const body of [
    { calls: 0 },
    { calls: 3651 },
    { calls: 1.5 },
    { calls: '30' },
    { request_log: 8 },
    { request_log: null },
    { documents: 30 },
    { everything: 1 },
  ])
    test(`refuses ${JSON.stringify(body)} with 422`, async () => {
      const { call } = await openShop()
      assert.equal((await call('PUT /retention', body)).status, 422)
    })

  test('changes nothing in another project', async () => {
    const [own, other] = [await openShop(), await openShop()]
    await own.call('PUT /retention', { calls: 30 })
    assert.equal(await other.daysOf('calls'), 730)
  })
})

describe('old records', () => {
  test('are deleted by the days of their project', async () => {
    const [brief, lasting] = [await openShop(), await openShop()]
    await brief.call('PUT /retention', { calls: 20, conversations: 20, unanswered_questions: 20 })
    const [call, chat] = [await brief.ring(), await brief.chat()]
    const [kept_call, kept_chat] = [await lasting.ring(), await lasting.chat()]
    fixture.passes('19 days')
    await brief.call(`POST /conversations/${chat}/close`, {})
    const young = await brief.ring()
    fixture.passes('1 hour')
    assert.equal((await brief.read(`GET /calls/${call}`)).id, call)
    fixture.passes('26 hours')
    await eventually(async () => (await brief.read(`GET /calls/${call}`)).id === undefined)
    await eventually(async () => (await brief.read(`GET /conversations/${chat}`)).id === undefined)
    await eventually(async () => (await brief.read('GET /assistant/unanswered')).data.length === 0)
    assert.equal((await brief.read(`GET /calls/${young}`)).id, young)
    assert.equal((await lasting.read(`GET /calls/${kept_call}`)).id, kept_call)
    assert.equal((await lasting.read(`GET /conversations/${kept_chat}`)).id, kept_chat)
    assert.equal((await lasting.read('GET /assistant/unanswered')).data.length, 1)
  })

  test('lose their transcript, summary and messages before the call itself', async () => {
    const { call, ring, read } = await openShop()
    await call('PUT /retention', { call_contents: 10 })
    const id = await ring()
    const before = await read(`GET /calls/${id}`)
    assert.equal(before.messages.length, 1)
    fixture.passes('11 days')
    const after = await eventually(async () => {
      const now = await read(`GET /calls/${id}`)
      return now.transcript.length === 0 && now
    })
    const without = { transcript: [], summary: null, messages: [] }
    assert.deepEqual(after, {
      ...before,
      ...without,
      has_summary: false,
      summary_ready_at: null,
    })
  })

  test('are deleted in several batches', async () => {
    const { call, ring, project_id } = await openShop()
    await call('PUT /retention', { calls: 5 })
    const id = await ring()
    await fixture.runtime.db.transact((tx) =>
      sql`insert into calls select (jsonb_populate_record(c, jsonb_build_object('id',
          left(c.id::text, 24) || lpad(to_hex(n), 12, '0')))).*
        from calls as c, generate_series(1, 1200) as n where c.id = ${id}`.execute(tx),
    )
    fixture.passes('6 days')
    const count = () =>
      fixture.runtime.db
        .selectFrom('calls')
        .select('id')
        .where('project_id', '=', project_id)
        .execute()
    await eventually(async () => (await count()).length === 0)
  })
})
