/** Tests of the versions of documents: what is kept, who wrote it, restoring, and retention. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { standingClock } from '../../../../test/fixtures/bare-runtime.ts'
import { slugOf } from '../../../../test/fixtures/data/data.ts'
import { callMessage, post } from '../../../../test/fixtures/mcp/mcp.ts'
import { newTeam } from '../../../../test/fixtures/portal/sessions.ts'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import { limits } from '../../../contract/limits.ts'
import { trimHistories } from './history-jobs.ts'

const fixture = await openTestRuntime({ work: false, clock: standingClock() })
const { runtime } = fixture

/** Creates a collection of a project of its own, without a rate limit. */
async function newCollection(settings: object = {}) {
  const { project_id } = await fixture.newProject()
  const key = await fixture.newKey({ project_id })
  const call = async (route: string, body?: unknown, headers: Record<string, string> = {}) =>
    fixture.call(route, { key, headers, ...(body === undefined ? {} : { body }) })
  await call('POST /collections', { name: 'bookings', ...settings })
  const documents = '/collections/bookings/documents'
  const create = async (data: object) => (await call(`POST ${documents}`, data)).body.id as string
  const versions = async (id: string, query = '') => {
    const answer = await call(`GET /collections/bookings/documents/${id}/versions` + query)
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }
  const rows = () =>
    runtime.db
      .selectFrom('document_versions')
      .selectAll()
      .where('project_id', '=', project_id)
      .execute()
  const usage = async () =>
    (await runtime.db
      .selectFrom('data_usage')
      .select('versions_bytes')
      .where('project_id', '=', project_id)
      .executeTakeFirst())!.versions_bytes
  return { project_id, key, call, documents, create, versions, rows, usage }
}

describe('the versions of a document', () => {
  test('are listed newest first, with their data, author and entry point', async () => {
    const { key, call, documents, create, versions } = await newCollection()
    const id = await create({ guests: 1 })
    fixture.passes('1 minute')
    await call(`PATCH ${documents}/${id}`, { guests: 2 })
    const patch = { collection: 'bookings', name: 'bookings', id, guests: 3 }
    await post(
      fixture,
      callMessage('run_write_operation', {
        operation: 'documents.update',
        arguments: { name: 'bookings', id, body: { guests: patch.guests } },
      }),
      { key },
    )
    const { data, next_cursor } = await versions(id)
    assert.equal(next_cursor, null)
    assert.deepEqual(
      data.map((one: any) => [one.version, one.current, one.data.guests, one.through]),
      [
        [3, true, 3, 'mcp'],
        [2, false, 2, 'rest'],
        [1, false, 1, null],
      ],
    )
    const [third, second, first] = data
    assert.deepEqual(
      [third.author.kind, second.author.name, first.author],
      ['api_key', 'Key of a test', null],
    )
    assert.ok(second.written_at > first.written_at)
  })

  test('are read in pages', async () => {
    const { call, documents, create, versions } = await newCollection()
    const id = await create({ guests: 1 })
    for (const guests of [2, 3]) await call(`PATCH ${documents}/${id}`, { guests })
    const page = await versions(id, '?limit=2')
    const rest = await versions(id, `?limit=2&cursor=${page.next_cursor}`)
    const numbers = [...page.data, ...rest.data].map(({ version }) => version)
    assert.deepEqual([numbers, rest.next_cursor], [[3, 2, 1], null])
  })

  test('are not written by a creation, nor by a refused change', async () => {
    const schema = { type: 'object', properties: { guests: { type: 'integer' } } }
    const { call, documents, create, rows } = await newCollection({ schema })
    const id = await create({ guests: 1 })
    const answer = await call(`PATCH ${documents}/${id}`, { guests: 'x' })
    assert.deepEqual([answer.status, await rows()], [422, []])
  })

  test('of a batch are kept once for each document', async () => {
    const { call, documents, create, versions } = await newCollection()
    const [one, other] = [await create({ guests: 1 }), await create({ guests: 1 })]
    const patch = (id: string, guests: number) => ({ op: 'patch', id, data: { guests } })
    const operations = [patch(one!, 2), patch(one!, 3), { op: 'delete', id: other }]
    assert.equal((await call(`POST ${documents}/batch`, { operations })).status, 200)
    const numbers = async (id: string) => (await versions(id)).data.map((row: any) => row.version)
    assert.deepEqual([await numbers(one!), await numbers(other!)], [[3, 1], [1]])
  })

  test('are at most the newest twenty earlier ones, whose bytes are counted', async () => {
    const { call, documents, create, versions, usage } = await newCollection()
    const id = await create({ guests: 10 })
    const operations = (guests: number) => [{ op: 'patch', id, data: { guests } }]
    const count = limits.document_versions_kept_max + 3
    for (let n = 0; n < count; n += 1)
      await call(`POST ${documents}/batch`, { operations: operations(11 + n) })
    const { data } = await versions(id, '?limit=100')
    assert.equal(data.length, limits.document_versions_kept_max + 1)
    assert.equal(await usage(), BigInt(limits.document_versions_kept_max * '{"guests":10}'.length))
    await call('DELETE /collections/bookings?confirm=bookings')
    assert.equal(await usage(), 0n)
  })

  test('end after 90 days, and where they exceed the data quota of the plan', async () => {
    const { call, documents, create, rows, usage, project_id } = await newCollection()
    const id = await create({ guests: 1 })
    await call(`PATCH ${documents}/${id}`, { guests: 2 })
    fixture.passes('91 days')
    await call(`PATCH ${documents}/${id}`, { guests: 3 })
    await trimHistories.run(runtime)
    assert.deepEqual(
      (await rows()).map(({ version }) => version),
      [2],
    )
    await runtime.db.transact((tx) =>
      tx
        .updateTable('data_usage')
        .set({ versions_bytes: 1_000_000_000_000n })
        .where('project_id', '=', project_id)
        .execute(),
    )
    await trimHistories.run(runtime)
    assert.deepEqual([await rows(), await usage()], [[], 1_000_000_000_000n - 12n])
  })
})

describe('a restored document', () => {
  test('gets the data of an earlier version as its next version', async () => {
    const { call, documents, create } = await newCollection()
    const id = await create({ guests: 1 })
    await call(`PUT ${documents}/${id}`, { guests: 2 })
    const outdated = await call(
      `POST /collections/bookings/documents/${id}/restore`,
      { version: 1 },
      { 'if-match': '"1"' },
    )
    assert.deepEqual([outdated.status, outdated.body.current_version], [412, 2])
    const { status, body } = await call(`POST /collections/bookings/documents/${id}/restore`, {
      version: 1,
    })
    assert.deepEqual([status, body.version, body.data], [200, 3, { guests: 1 }])
  })

  test('exists again with its id if it was deleted, and continues its numbers', async () => {
    const { call, documents, create, versions } = await newCollection()
    const id = await create({ guests: 1 })
    await call(`PATCH ${documents}/${id}`, { guests: 2 })
    await call(`DELETE ${documents}/${id}`)
    const [deleted] = (await versions(id)).data
    assert.deepEqual(
      [deleted.version, deleted.current, deleted.deleted_by.name, deleted.deleted_at === null],
      [2, false, 'Key of a test', false],
    )
    const { status, body } = await call(`POST /collections/bookings/documents/${id}/restore`, {
      version: 1,
    })
    assert.deepEqual([status, body.id, body.version, body.data], [200, id, 3, { guests: 1 }])
    assert.equal((await call(`GET ${documents}/${id}`)).status, 200)
  })

  test('must match the current schema, and keep unique values unique', async () => {
    const { call, documents, create } = await newCollection({ unique: ['email'] })
    const id = await create({ email: 'a@a.example' })
    await call(`PUT ${documents}/${id}`, { email: 'b@a.example' })
    await create({ email: 'a@a.example' })
    const answer = await call(`POST /collections/bookings/documents/${id}/restore`, { version: 1 })
    assert.deepEqual([answer.status, slugOf(answer)], [422, 'schema_mismatch'])
  })

  test('is refused for a version that is not kept: 422, and an unknown document: 404', async () => {
    const { call, documents, create } = await newCollection()
    const id = await create({ guests: 1 })
    const unkept = await call(`POST /collections/bookings/documents/${id}/restore`, { version: 7 })
    assert.deepEqual([unkept.status, unkept.body.errors[0].path], [422, '/version'])
    const unknown = crypto.randomUUID()
    for (const route of [
      `GET ${documents}/${unknown}/versions`,
      `POST ${documents}/${unknown}/restore`,
    ]) {
      const answer = await call(route, route.startsWith('POST') ? { version: 1 } : undefined)
      assert.deepEqual([answer.status, slugOf(answer)], [404, 'not_found'])
    }
  })
})

test('one document is returned with some of its fields', async () => {
  const { call, documents, create } = await newCollection()
  const id = await create({ name: 'Anna', address: { city: 'Delft', street: 'Markt' }, guests: 2 })
  const { body, headers } = await call(`GET ${documents}/${id}?fields=name,address.city`)
  assert.deepEqual(body.data, { name: 'Anna', address: { city: 'Delft' } })
  assert.equal(headers.get('etag'), '"1"')
  const answer = await call(`GET ${documents}/${id}?fields=a..b`)
  assert.deepEqual([answer.status, slugOf(answer)], [400, 'invalid_parameter'])
})

describe('the list of deleted documents', () => {
  test('has the last version and who deleted it, and leaves out existing and restored documents', async () => {
    const team = await newTeam(fixture)
    const project = `/projects/${team.project_id}`
    const { owner, project_id } = team
    const made = async (route: string, body?: object) => {
      const answer = await owner.call(route, { ...(body && { body }) })
      assert.ok(answer.status < 300, answer.text)
      return answer.body
    }
    await made(`POST ${project}/collections`, { name: 'bookings' })
    const documents = `${project}/collections/bookings/documents`
    const create = async (name: string) => (await made(`POST ${documents}`, { name })).id as string
    const [gone, back, twice] = [await create('Anna'), await create('Bram'), await create('Carla')]
    await create('Daan')
    for (const id of [gone, back, twice]) await made(`DELETE ${documents}/${id}`)
    await made(`POST ${documents}/${back}/restore`, { version: 1 })
    await made(`POST ${documents}/${twice}/restore`, { version: 1 })
    await made(`DELETE ${documents}/${twice}`)
    const route = `GET /projects/${project_id}/collections/bookings/deleted-documents`
    const { data } = await made(route)
    assert.deepEqual(
      data.map((one: any) => [one.id, one.version, one.data.name, one.deleted_by.name]),
      [
        [twice, 2, 'Carla', owner.email],
        [gone, 1, 'Anna', owner.email],
      ],
    )
    const first = await made(`${route}?limit=1`)
    const second = await made(`${route}?limit=1&cursor=${first.next_cursor}`)
    assert.deepEqual([first.data[0].id, second.data[0].id], [twice, gone])
    const other = await newTeam(fixture)
    assert.equal((await other.owner.call(route)).status, 404)
    assert.equal((await owner.call(route.replace('bookings', 'nothing'))).status, 404)
    await runtime.db.transact((tx) =>
      tx.deleteFrom('document_versions').where('project_id', '=', project_id).execute(),
    )
    assert.deepEqual((await made(route)).data, [])
  })
})
