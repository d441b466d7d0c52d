/** document.created is sent once for each new document of collections with webhook_on_insert. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { slugOf } from '../fixtures/data/data.ts'
import { openReceiver } from '../fixtures/webhooks/webhook-receiver.ts'
import { eventually } from '../fixtures/eventually.ts'
import { openTestRuntime } from '../fixtures/runtime.ts'

const runtime = await openTestRuntime()
/** Delivers nothing, so that what is pending stays so. */
const idle = await openTestRuntime({ work: false })

/** A project with its own receiver and a collection `c`. */
async function newStage(settings: object = { webhook_on_insert: true }, on = runtime) {
  const receiver = await openReceiver()
  const { project_id } = await on.newProject()
  const key = await on.newKey({ project_id })
  const call = (route: string, body?: unknown) =>
    on.call(route, { key, ...(body === undefined ? {} : { body }) })
  const { url } = receiver
  const webhook = await call('POST /webhooks', { url, events: ['document.created'] })
  const { body: collection } = await call('POST /collections', { name: 'c', ...settings })
  const countEvents = async () => {
    const rows = await on.runtime.db
      .selectFrom('events')
      .select('id')
      .where('project_id', '=', project_id)
      .execute()
    return rows.length
  }
  const importLines = (raw: string) =>
    on.call('POST /collections/c/documents/import', {
      key,
      raw,
      headers: { 'content-type': 'application/x-ndjson' },
    })
  const webhook_id = webhook.body.id
  return { project_id, receiver, call, importLines, collection, webhook_id, countEvents }
}

suite('document.created', () => {
  test('carries the collection and the new document', async () => {
    const { receiver, call, collection } = await newStage()
    const { body: document } = await call('POST /collections/c/documents', { name: 'Anna' })
    const [received] = await receiver.received(1)
    assert.equal(received?.event.type, 'document.created')
    const { id, name, title } = collection
    assert.deepEqual(received.event.data, { collection: { id, name, title }, document })
  })

  test('is not sent without webhook_on_insert', async () => {
    const { call, countEvents } = await newStage({})
    await call('POST /collections/c/documents', {})
    assert.equal(await countEvents(), 0)
  })

  test('is sent for each new document of a batch, and for no change', async () => {
    const { receiver, call, countEvents } = await newStage({
      webhook_on_insert: true,
      unique: ['k'],
    })
    const { body: first } = await call('PUT /collections/c/documents?by=k', { k: 0 })
    await call('PUT /collections/c/documents?by=k', { k: 0, again: true })
    const route = `/collections/c/documents/${first.id}`
    await call(`PATCH ${route}`, { n: 1 })
    await call(`PUT ${route}`, { k: 0 })
    const operations = [1, 2, 3].map((k) => ({ op: 'create', data: { k } }))
    const { body } = await call('POST /collections/c/documents/batch', { operations })
    assert.equal(await countEvents(), 4)
    const ids = (await receiver.received(4)).map(
      ({ event }) => Object(event.data['document'])['id'],
    )
    const made = body.results.map(({ id }: { id: string }) => id)
    assert.deepEqual(ids.toSorted(), [first.id, ...made].toSorted())
  })

  test('is sent for each document of an import', async () => {
    const { importLines, countEvents } = await newStage()
    const answer = await importLines('{"n":1}\n{"n":2}')
    assert.equal(answer.body.inserted, 2, answer.text)
    assert.equal(await countEvents(), 2)
  })

  test('is not sent for refused documents, alone or in a batch', async () => {
    const { call, countEvents } = await newStage({ webhook_on_insert: true, unique: ['k'] })
    await call('POST /collections/c/documents', { k: 1 })
    const create = (k: number) => ({ op: 'create', data: { k } })
    const operations = [create(2), create(1)]
    assert.equal((await call('POST /collections/c/documents', { k: 1 })).status, 422)
    assert.equal((await call('POST /collections/c/documents/batch', { operations })).status, 422)
    assert.equal(await countEvents(), 1)
    await call('POST /collections/c/documents/batch', { operations, each_alone: true })
    assert.equal(await countEvents(), 2)
  })

  test('is dropped, without counting as a failure, if the document is deleted before delivery', async () => {
    const { receiver, call, webhook_id } = await newStage()
    receiver.answers(503)
    const { body: document } = await call('POST /collections/c/documents', {})
    await receiver.received(1)
    await call(`DELETE /collections/c/documents/${document.id}`)
    const delivery = await eventually(async () => {
      runtime.passes('1 hour')
      const { body } = await call(`GET /webhooks/${webhook_id}/deliveries`)
      return body.data[0].status === 'pending' ? undefined : body.data[0]
    })
    assert.deepEqual([delivery.status, delivery.error], ['dropped', 'document_deleted'])
    const { body: webhook } = await call(`GET /webhooks/${webhook_id}`)
    assert.ok(webhook.consecutive_failures <= 1)
  })
})

suite('the maximum of pending deliveries', () => {
  const PENDING_MAX = 20_000

  /** A stage whose project has this number of deliveries that wait for tomorrow. */
  async function newCrowd(pending: number) {
    const stage = await newStage({ webhook_on_insert: true }, idle)
    const { project_id, webhook_id } = stage
    await sql`
      with event as (
        insert into events (project_id, id, type, subject, created_at)
        select ${project_id}, 'evt_' || replace(gen_random_uuid()::text, '-', ''),
          'document.created', '{}', now() from generate_series(1, ${pending}::int)
        returning id
      )
      insert into webhook_deliveries (project_id, id, endpoint_id, event_id, type, subject_key,
        next_attempt_at, created_at, stage)
      select ${project_id}, gen_random_uuid(), ${webhook_id}, id, 'document.created', id,
        now() + interval '1 day', now(), 'waiting' from event`.execute(idle.runtime.db)
    const countDocuments = async () =>
      (await stage.call('GET /collections/c/documents?limit=100')).body.data.length
    return { ...stage, countDocuments }
  }

  test('refuses a document beyond it before anything is written, and says what to do', async () => {
    const { call, importLines, countDocuments } = await newCrowd(PENDING_MAX - 1)
    const batch = { operations: [1, 2].map((n) => ({ op: 'create', data: { n } })) }
    const refused = [
      await importLines('{"n":1}\n{"n":2}\n'),
      await call('POST /collections/c/documents/batch', batch),
    ]
    for (const answer of refused) {
      const { status, body, headers } = answer
      assert.deepEqual([status, slugOf(answer)], [429, 'rate_limited'], answer.text)
      assert.ok(Number(headers.get('retry-after')) > 0)
      assert.match(body.detail, /20000.* Nothing was written/)
      assert.match(body.next_step, /webhook_on_insert/)
    }
    assert.match(refused[0]!.body.detail, /add 2 deliveries .* the 19999 that are pending/)
    assert.equal(await countDocuments(), 0)
    assert.equal((await importLines('{"n":1}\n')).body.inserted, 1)
    await call('PATCH /collections/c', { webhook_on_insert: false })
    assert.equal((await importLines('{"n":1}\n'.repeat(3))).body.inserted, 3)
  })

  test('is exact with concurrent batches of several collections', async () => {
    const { call } = await newCrowd(PENDING_MAX - 450)
    const names = ['d', 'e', 'f', 'g']
    for (const name of names) await call('POST /collections', { name, webhook_on_insert: true })
    const batch = {
      operations: Array.from({ length: 100 }, (_, n) => ({ op: 'create', data: { n } })),
    }
    const answers = await Promise.all(
      [...names, ...names].map((name) => call(`POST /collections/${name}/documents/batch`, batch)),
    )
    const statuses = answers.map(({ status }) => status).toSorted()
    assert.deepEqual(statuses, [200, 200, 200, 200, 429, 429, 429, 429])
  })
})
