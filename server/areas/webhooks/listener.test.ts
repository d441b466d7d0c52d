/**
 * Tests that a listener in a server misses no event however late its transaction commits, sends
 * none twice, keeps the order within a subject, and writes nothing.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { after, test } from 'node:test'
import { Type } from 'typebox'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import { Dropped, event, type EventSource } from '../../contract/events.ts'
import type { Transaction } from '../../kernel/database/database.ts'
import { emit, listen, listenedTypes, deriveListenerSecret, type SentEvent } from './service.ts'
import { isSigned, openReceiver } from '../../../test/fixtures/webhooks/webhook-receiver.ts'

const fixture = await openTestRuntime({ work: false })
const { runtime } = fixture
const receiver = await openReceiver()
const endings: AbortController[] = []
after(() => endings.forEach((ending) => ending.abort()))

const document = event({
  type: 'document.created',
  data: Type.Object({ document_id: Type.String() }),
  load: async (_db, _project_id, { document_id }: { document_id: string }) => ({ document_id }),
})
const call = event({
  type: 'call.completed',
  data: Type.Object({ call_id: Type.String() }),
  load: async (_db, _project_id, { call_id }: { call_id: string }) => ({ call_id }),
})

interface Started {
  project_id: string
  secret: string
  sent: SentEvent[]
  /** Waits until this number of events is sent. */
  count(sent: number): Promise<void>
  stop(): Promise<void>
}

async function start(sources: readonly EventSource[] = [document, call]): Promise<Started> {
  const { project_id } = await fixture.newProject()
  const ending = new AbortController()
  endings.push(ending)
  const secret = deriveListenerSecret(runtime, project_id)
  const sent: SentEvent[] = []
  const arrivals = new EventEmitter()
  const begun = Promise.withResolvers<void>()
  const ended = listen(runtime, {
    project_id,
    url: receiver.url,
    secret,
    types: listenedTypes,
    sources,
    until: ending.signal,
    begun: begun.resolve,
    heard(one) {
      sent.push(one)
      arrivals.emit('sent')
    },
    away: () => {},
  })
  await begun.promise
  return {
    project_id,
    secret,
    sent,
    async count(wanted) {
      const signal = AbortSignal.timeout(60_000)
      while (sent.length < wanted) await once(arrivals, 'sent', { signal })
    },
    async stop() {
      ending.abort()
      await ended
    },
  }
}

function create(tx: Transaction, project_id: string, document_id: string): Promise<void> {
  return emit(tx, runtime, { project_id, type: 'document.created', subject: { document_id } })
}

const documentsOf = (from: number) =>
  receiver.requests.slice(from).map(({ event }) => event.data['document_id'])

test('a listener finds an event that commits after a later event', async () => {
  const { project_id, count, stop } = await start()
  const from = receiver.requests.length
  const late = Promise.withResolvers<void>()
  const written = Promise.withResolvers<void>()
  const slow = runtime.db.transact(async (tx) => {
    await create(tx, project_id, 'early and late')
    written.resolve()
    await late.promise
  })
  await written.promise
  await runtime.db.transact((tx) => create(tx, project_id, 'later and first'))
  await count(1)
  late.resolve()
  await slow
  await count(2)
  assert.deepEqual(documentsOf(from), ['later and first', 'early and late'])
  await stop()
})

test('a listener sends a hundred concurrent events once each, signed, in order within a subject', async () => {
  const { project_id, secret, count, stop } = await start()
  const from = receiver.requests.length
  await runtime.db.transact(async (tx) => {
    for (let n = 0; n < 100; n += 1) await create(tx, project_id, `document ${n % 7}`)
  })
  await count(100)
  const requests = receiver.requests.slice(from)
  assert.equal(new Set(requests.map(({ event }) => event.id)).size, 100)
  for (const request of requests) assert.ok(isSigned(request, secret, runtime.clock.now()))
  for (const own of Map.groupBy(requests, ({ event }) => event.data['document_id']).values()) {
    const ids = own.map(({ event }) => event.id)
    assert.deepEqual(ids, ids.toSorted())
  }
  await stop()
})

test('a listener sends a call event once if it was emitted twice', async () => {
  const { project_id, sent, count, stop } = await start()
  const subject = { call_id: randomUUID() }
  await runtime.db.transact(async (tx) => {
    await emit(tx, runtime, { project_id, type: 'call.completed', subject })
    await emit(tx, runtime, { project_id, type: 'call.completed', subject })
    await create(tx, project_id, 'the last')
  })
  await count(2)
  assert.deepEqual(sent.map(({ type }) => type).toSorted(), ['call.completed', 'document.created'])
  await stop()
})

test('a listener reports events whose subject is deleted or whose payload cannot be built, without sending them', async () => {
  const gone = event({
    type: 'call.completed',
    data: Type.Object({}),
    load: async () => new Dropped('call_deleted'),
  })
  const { project_id, sent, count, stop } = await start([gone])
  const from = receiver.requests.length
  await runtime.db.transact(async (tx) => {
    await emit(tx, runtime, {
      project_id,
      type: 'call.completed',
      subject: { call_id: randomUUID() },
    })
    await create(tx, project_id, 'without a source')
  })
  await count(2)
  assert.deepEqual(sent.map(({ response_status, error }) => [response_status, error]).toSorted(), [
    [null, 'call_deleted'],
    [null, 'delivery_failed'],
  ])
  assert.equal(receiver.requests.length, from)
  await stop()
})

test('a listener ignores events of other projects and of rolled-back transactions', async () => {
  const { project_id, count, stop } = await start()
  const from = receiver.requests.length
  await runtime.db.transact((tx) => create(tx, fixture.project_id, 'of another project'))
  const undo = new Error('Rolled back.')
  const rolledBack = runtime.db.transact(async (tx) => {
    await create(tx, project_id, 'rolled back')
    throw undo
  })
  await assert.rejects(rolledBack, undo)
  await runtime.db.transact((tx) => create(tx, project_id, 'kept'))
  await count(1)
  assert.deepEqual(documentsOf(from), ['kept'])
  await stop()
})
