/** document.created is sent once for each new document of collections with webhook_on_insert. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { openReceiver } from '../fixtures/webhooks/webhook-receiver.ts'
import { eventually } from '../fixtures/eventually.ts'
import { openTestRuntime } from '../fixtures/runtime.ts'

const runtime = await openTestRuntime()
const { db } = runtime.runtime

/** A project with its own receiver and a collection `c`. */
async function newStage(settings: object = { webhook_on_insert: true }) {
  const receiver = await openReceiver()
  const { project_id } = await runtime.newProject()
  const key = await runtime.newKey({ project_id })
  const call = (route: string, body?: unknown) =>
    runtime.call(route, { key, ...(body === undefined ? {} : { body }) })
  const { url } = receiver
  const webhook = await call('POST /webhooks', { url, events: ['document.created'] })
  const { body: collection } = await call('POST /collections', { name: 'c', ...settings })
  const countEvents = async () => {
    const rows = await db
      .selectFrom('events')
      .select('id')
      .where('project_id', '=', project_id)
      .execute()
    return rows.length
  }
  const importLines = (raw: string) =>
    runtime.call('POST /collections/c/documents/import', {
      key,
      raw,
      headers: { 'content-type': 'application/x-ndjson' },
    })
  return { receiver, call, importLines, collection, webhook_id: webhook.body.id, countEvents }
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
