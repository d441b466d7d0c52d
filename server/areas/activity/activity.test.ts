/** The activity: which changes are recorded, for each entry point, filters, limits and retention. */
import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { standingClock } from '../../../test/fixtures/bare-runtime.ts'
import { propose, decide } from '../../../test/fixtures/mcp/approvals.ts'
import { callMessage, post } from '../../../test/fixtures/mcp/mcp.ts'
import { newTeam } from '../../../test/fixtures/portal/sessions.ts'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import * as projects from '../projects/service.ts'
import { Problem } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { forgetIds } from '../../kernel/values/ids.ts'
import { purgeActivity } from './jobs.ts'
import { record, recordedJob } from './service.ts'

const fixture = await openTestRuntime({ work: false, clock: standingClock() })
const { runtime, call, newKey, newProject, passes } = fixture

// Sign-ins are rate limited per network in a quarter of an hour.
beforeEach(() => passes('20 minutes'))

/** A new project and its activity. */
async function newPlace() {
  const { project_id } = await newProject()
  const key = await newKey({ project_id })
  const read = async (query = ''): Promise<any[]> => {
    const reader = await newKey({ project_id })
    const { status, text, body } = await call(`GET /activity${query}`, { key: reader })
    assert.equal(status, 200, text)
    return body.data
  }
  return { project_id, key, read }
}

const system = {
  entry_point: 'job',
  mode: null,
  actor_kind: 'system',
  actor_id: null,
  request_id: null,
  path_id: null,
} as const

describe('a change over REST', () => {
  test('is recorded with its key, operation, record, mode and request id', async () => {
    const { key, read } = await newPlace()
    const made = await call('POST /collections', { key, body: { name: 'guests', title: 'Guests' } })
    const [entry, ...others] = await read()
    assert.equal(others.length, 0)
    const { id, actor, created_at, ...rest } = entry
    assert.ok(id && created_at && actor.id)
    assert.deepEqual([actor.kind, actor.name], ['api_key', 'Key of a test'])
    assert.deepEqual(rest, {
      entry_point: 'rest',
      mode: 'test',
      operation: 'collections.create',
      resource: { type: 'collections', id: made.body.id, name: 'Guests' },
      changes: 1,
      error: null,
      note: null,
      request_id: made.headers.get('x-request-id'),
    })
  })

  test('is not recorded if it reads, is refused, or is an idempotent replay', async () => {
    const { key, read } = await newPlace()
    await call('GET /collections', { key })
    await call('POST /collections', { key, body: {} })
    await call('DELETE /collections/unknown', { key })
    const headers = { 'idempotency-key': 'once' }
    await call('POST /numbers', { key, body: {}, headers })
    await call('POST /numbers', { key, body: {}, headers })
    assert.deepEqual(
      (await read()).map(({ operation }) => operation),
      ['numbers.order'],
    )
  })

  test('names a deleted record by its earlier entries, and a URL by its origin', async () => {
    const { key, read } = await newPlace()
    const body = { url: 'http://127.0.0.1:9/hook?token=secret', events: ['call.completed'] }
    const made = await call('POST /webhooks', { key, body })
    await call(`DELETE /webhooks/${made.body.id}`, { key })
    const [entry] = await read()
    assert.equal(entry.operation, 'webhooks.delete')
    assert.deepEqual(entry.resource, {
      type: 'webhooks',
      id: made.body.id,
      name: 'http://127.0.0.1:9',
    })
  })

  test('contains no secret and no content', async () => {
    const { key, project_id } = await newPlace()
    const instructions = 'The door code is 4711.'
    await call('PUT /assistant', { key, body: { name: 'Anna', instructions } })
    const body = { url: 'http://127.0.0.1:9/hook', events: ['call.completed'] }
    const made = await call('POST /webhooks', { key, body })
    const rows = await runtime.db
      .selectFrom('activity')
      .selectAll()
      .where('project_id', '=', project_id)
      .execute()
    assert.equal(rows.length, 2)
    const text = JSON.stringify(rows)
    for (const secret of [instructions, made.body.secret, key]) assert.ok(!text.includes(secret))
  })

  test('of documents is counted per minute, caller and collection', async () => {
    const { key, read } = await newPlace()
    await call('POST /collections', { key, body: { name: 'guests' } })
    const insert = () => call('POST /collections/guests/documents', { key, body: { name: 'Anna' } })
    await Promise.all([insert(), insert(), insert()])
    const documents = [{ op: 'create', data: { name: 'Bo' } }]
    const batch = { operations: documents }
    const done = await call('POST /collections/guests/documents/batch', { key, body: batch })
    assert.equal(done.status, 200, done.text)
    const entries = await read('?resource_id=guests')
    assert.deepEqual(entries.map(({ operation, changes }) => [operation, changes]).toSorted(), [
      ['documents.batch', 1],
      ['documents.create', 3],
    ])
    assert.deepEqual((await read('?resource_id=guests')).length, 2)
  })

  test('of an import counts what was committed: no preview, and no refused file', async () => {
    const { key, read } = await newPlace()
    await call('POST /collections', { key, body: { name: 'guests', unique: ['name'] } })
    const path = '/collections/guests/documents/import'
    const headers = { 'content-type': 'text/csv' }
    const send = (query: string) =>
      call(`POST ${path}?${query}`, { key, raw: 'name\nAnna\nBo\nBo\n', headers })
    assert.equal((await send('dry_run=true')).body.inserted, 2)
    assert.equal((await send('atomic=true')).status, 422)
    assert.deepEqual(await read('?resource_id=guests'), [])
    assert.equal((await send('')).body.inserted, 2)
    const [entry, ...others] = await read('?resource_id=guests')
    assert.deepEqual([entry.operation, entry.changes, others], ['documents.import', 2, []])
  })
})

describe('a change through another entry point', () => {
  test('is recorded for MCP', async () => {
    const { key, read } = await newPlace()
    const given = { operation: 'collections.create', arguments: { name: 'guests' } }
    await post(fixture, callMessage('run_write_operation', given), { key })
    const [entry] = await read()
    assert.deepEqual([entry.entry_point, entry.operation], ['mcp', 'collections.create'])
  })

  test('is recorded for the approval of a person and for the approved operation', async () => {
    const team = await newTeam(fixture)
    const key = await newKey({ project_id: team.project_id })
    await call('POST /collections', { key, body: { name: 'guests' } })
    const id = await propose(fixture, 'collections.delete', { name: 'guests' }, key)
    const deciding = { project_id: team.project_id, id, verb: 'approve' } as const
    const done = await decide(fixture, team.owner.visitor, deciding)
    assert.equal(done.status, 200, JSON.stringify(done.body))
    const { body } = await call('GET /activity?limit=2', { key })
    assert.deepEqual(
      body.data.map((one: any) => [one.operation, one.actor.kind, one.entry_point]).toSorted(),
      [
        ['approvals.approve', 'person', 'portal'],
        ['collections.delete', 'api_key', 'mcp'],
      ],
    )
  })

  test('is recorded for the API of the portal, also of a new project', async () => {
    const { owner } = await newTeam(fixture)
    const made = await owner.call('POST /projects', { body: { name: 'A bakery' } })
    const root = `/projects/${made.body.id}`
    const key = { name: 'Server', mode: 'test', scopes: 'read_only' }
    await owner.call(`POST ${root}/keys`, { body: key })
    const { body } = await owner.call(`GET ${root}/activity`)
    const found = body.data.map((one: any) => [one.operation, one.resource.name, one.actor.name])
    assert.deepEqual(found, [
      ['keys.create', 'Server', owner.email],
      ['projects.create', 'A bakery', owner.email],
    ])
  })

  test('is recorded for the form of an approval', async () => {
    const { owner, project_id } = await newTeam(fixture)
    const key = await fixture.newKey({ project_id })
    await fixture.call('POST /collections', { key, body: { name: 'old' } })
    const id = await propose(fixture, 'collections.delete', { name: 'old' }, key)
    const page = `/portal/projects/${project_id}/approvals/${id}`
    const { text } = await owner.visitor.get(page)
    const [, input_hash = ''] = /name="input_hash" value="([0-9a-f]{64})"/.exec(text) ?? []
    await owner.visitor.post(`${page}/reject`, { input_hash })
    const { body } = await owner.call(`GET /projects/${project_id}/activity?limit=1`)
    const [entry] = body.data
    assert.deepEqual(
      [entry.entry_point, entry.operation, entry.actor.name],
      ['portal', 'approvals.reject', owner.email],
    )
  })

  test('is recorded for a command, with the operator as actor', async () => {
    const { project_id, read } = await newPlace()
    const command = { entry_point: 'command_line', actor_kind: 'operator' } as const
    const acting = { ...system, ...command, project_id, operation: 'projects set' }
    const work = () => projects.change(runtime.db, project_id, { plan: 'free' })
    await record(runtime, { acting, work })
    const [entry] = await read()
    assert.deepEqual(entry.actor, { kind: 'operator', id: null, name: null })
    assert.deepEqual([entry.entry_point, entry.operation], ['command_line', 'projects set'])
  })

  test('is recorded for a job that changes something, and not for one that does not', async () => {
    const { project_id, read } = await newPlace()
    const job = (name: string, run: () => Promise<unknown>) =>
      recordedJob({ name, payload: {}, retry_after_s: [], run: async () => void (await run()) })
    const work: any = { runtime, project_id }
    await job('a.change', () => projects.change(runtime.db, project_id, { card: true })).run(work)
    await job('a.look', () => projects.find(runtime.db, project_id)).run(work)
    assert.deepEqual(
      (await read()).map(({ operation, actor }) => [operation, actor.kind]),
      [['a.change', 'system']],
    )
  })
})

describe('the transaction of a change', () => {
  test('writes no entry if it is rolled back', async () => {
    const { project_id, read } = await newPlace()
    const acting = { ...system, project_id, operation: 'a.change' }
    const work = () =>
      runtime.db.transact(async (tx) => {
        await tx.updateTable('projects').set({ name: 'x' }).where('id', '=', project_id).execute()
        throw new Problem('conflict', 'No.')
      })
    await assert.rejects(record(runtime, { acting, work }))
    assert.deepEqual(await read(), [])
  })

  test('is rolled back if its entry cannot be written', async () => {
    const { project_id } = await newPlace()
    const operation: any = null
    const acting = { ...system, project_id, operation: 'a.change' }
    const work = () =>
      runtime.db.transact((tx) =>
        tx.updateTable('projects').set({ name: 'x' }).where('id', '=', project_id).execute(),
      )
    const broken = { ...acting, entry_point: operation }
    await assert.rejects(record(runtime, { acting: broken, work }))
    assert.notEqual((await projects.find(runtime.db, project_id))?.name, 'x')
    await record(runtime, { acting, work })
    assert.equal((await projects.find(runtime.db, project_id))?.name, 'x')
  })

  test('gets one entry for several transactions, with the error of a later one', async () => {
    const { project_id, read } = await newPlace()
    const acting = { ...system, project_id, operation: 'a.change' }
    const change = () => projects.change(runtime.db, project_id, { card: true })
    const work = async () => {
      await change()
      await change()
      throw new Problem('conflict', 'No.')
    }
    await assert.rejects(record(runtime, { acting, work }))
    assert.deepEqual(
      (await read()).map(({ error }) => error),
      ['conflict'],
    )
  })
})

describe('reading the activity', () => {
  test('filters by actor, entry point, operation, record, mode, request and time', async () => {
    const { key, read } = await newPlace()
    const made = await call('POST /collections', { key, body: { name: 'guests' } })
    const before = runtime.clock.now().toISOString()
    passes('1 minute')
    const given = { operation: 'collections.create', arguments: { name: 'rooms' } }
    await post(fixture, callMessage('run_write_operation', given), { key })
    const [second, first] = await read()
    const ids = async (query: string) => (await read(query)).map(({ id }) => id)
    const both = [second.id, first.id]
    assert.deepEqual(await ids(`?actor_id=${first.actor.id}`), both)
    assert.deepEqual(await ids('?actor_kind=person'), [])
    assert.deepEqual(await ids('?entry_point=mcp'), [second.id])
    assert.deepEqual(await ids('?operation=collections.create'), both)
    assert.deepEqual(await ids('?resource_type=sites'), [])
    assert.deepEqual(await ids(`?resource_id=${first.resource.id}`), [first.id])
    assert.deepEqual(await ids('?mode=live'), [])
    assert.deepEqual(await ids(`?request_id=${made.headers.get('x-request-id')}`), [first.id])
    assert.deepEqual(await ids(`?to=${new Date(Date.parse(before) + 1).toISOString()}`), [first.id])
    assert.deepEqual(await ids(`?from=${new Date(Date.parse(before) + 1).toISOString()}`), [
      second.id,
    ])
    assert.equal((await call('GET /activity?entry_point=door', { key })).status, 400)
  })

  test('gives pages with a cursor, and one entry by its id', async () => {
    const { key } = await newPlace()
    for (const name of ['first', 'second']) await call('POST /collections', { key, body: { name } })
    const newest = await call('GET /activity?limit=1', { key })
    const next = await call(`GET /activity?limit=1&cursor=${newest.body.next_cursor}`, { key })
    const [entry] = next.body.data
    assert.equal(entry.resource.name, 'first')
    assert.deepEqual((await call(`GET /activity/${entry.id}`, { key })).body, entry)
    const other = await newPlace()
    assert.equal((await call(`GET /activity/${entry.id}`, { key: other.key })).status, 404)
  })

  test('shows a limited member their own changes only', async () => {
    const team = await newTeam(fixture)
    const root = `/projects/${team.project_id}`
    const body = { title: 'Open' }
    const changed = await team.limited.call(`PATCH ${root}/sites/${team.site_id}`, { body })
    assert.equal(changed.status, 200, changed.text)
    const mine = await team.limited.call(`GET ${root}/activity`)
    assert.ok(mine.body.data.length > 0)
    assert.ok(mine.body.data.every(({ actor }: any) => actor.name === team.limited.email))
    const all = await team.owner.call(`GET ${root}/activity`)
    const other = all.body.data.find(({ actor }: any) => actor.name === team.owner.email)
    assert.equal((await team.limited.call(`GET ${root}/activity/${other.id}`)).status, 404)
  })
})

describe('retention', () => {
  test('hides and deletes entries after 90 days, and keeps acts of operators longer', async () => {
    // Retention goes by the time in ids, and what another file left running may be years ahead.
    forgetIds()
    const { key, project_id, read } = await newPlace()
    await call('POST /collections', { key, body: { name: 'guests' } })
    const acting = { ...system, project_id, operation: 'a.act', entry_point: 'operator' } as const
    const work = () => projects.change(runtime.db, project_id, { card: true })
    await record(runtime, { acting, work })
    const left = async () => {
      await purgeActivity.run(runtime)
      const rows = await runtime.db
        .selectFrom('activity')
        .select('operation')
        .where('project_id', '=', project_id)
        .execute()
      return rows.map(({ operation }) => operation)
    }
    passes('90 days')
    assert.equal((await read()).length, 2)
    passes('1 minute')
    assert.deepEqual(await read(), [])
    assert.deepEqual(await left(), ['a.act'])
    passes(`${400 * 86_400 - limits.activity_kept_s} seconds`)
    assert.deepEqual(await left(), [])
  })
})
