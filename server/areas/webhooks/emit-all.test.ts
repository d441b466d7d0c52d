/** Tests that emitting many events together has the same effect as emitting them one by one. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, suite, test } from 'node:test'
import { sql } from 'kysely'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import { emptyWebhooks, putEndpoint } from '../../../test/fixtures/webhooks/webhook-rows.ts'
import type { EventType } from '../../contract/event-types.ts'
import { emit, emitAll } from './service.ts'

const fixture = await openTestRuntime({ work: false })
const { runtime, clock } = fixture
const { db } = runtime

beforeEach(() => db.transact(emptyWebhooks))

interface Wish {
  events: EventType[]
  active?: boolean
  app_id?: string
}

async function newProject(wishes: readonly Wish[]): Promise<string> {
  const { project_id } = await fixture.newProject()
  await db.transact(async (tx) => {
    for (const { events, active = true, app_id = null } of wishes) {
      const row = await putEndpoint(tx, runtime, { project_id, events, app_id })
      if (!active) {
        await sql`update webhook_endpoints set active = false, disabled_at = ${clock.now()},
          disabled_reason = 'failures' where id = ${row.id}`.execute(tx)
      }
    }
  })
  return project_id
}

/** Returns all rows of a project, without the random parts of ids. */
async function writtenFor(project_id: string) {
  const { rows } = await sql<object>`
    select e.type, e.subject, e.app_id, d.endpoint_id, d.type as delivery_type, d.subject_key,
      d.call_id, d.stage, d.state, d.attempt
    from events as e left join webhook_deliveries as d
      on d.project_id = e.project_id and d.event_id = e.id
    where e.project_id = ${project_id}
    order by e.subject::text, d.endpoint_id`.execute(db)
  return rows
}

async function idsFor(project_id: string) {
  const { rows } = await sql<{ id: string; event_id: string; version: number; at: Date }>`
    select id, event_id, uuid_extract_version(id)::int as version, uuid_extract_timestamp(id) as at
    from webhook_deliveries where project_id = ${project_id} order by event_id, id`.execute(db)
  return rows
}

const subjects = Array.from({ length: 40 }, () => ({ document_id: randomUUID() }))
const type = 'document.created' as const

suite('many events at once', () => {
  test('create the same deliveries as single events, for each subscribed endpoint', async () => {
    const project_id = await newProject([
      { events: [type] },
      { events: ['call.completed', type] },
      { events: ['call.completed'] },
      { events: [type], active: false },
    ])
    const other = await newProject([{ events: [type] }])
    await db.transact(async (tx) => {
      for (const subject of subjects) await emit(tx, runtime, { project_id, type, subject })
    })
    const expected = await writtenFor(project_id)
    assert.equal(expected.length, 80)
    await db.transact((tx) => sql`truncate webhook_deliveries, events cascade`.execute(tx))
    await db.transact((tx) => emitAll(tx, runtime, { project_id, type, subjects }))
    assert.deepEqual(await writtenFor(project_id), expected)
    assert.deepEqual(await writtenFor(other), [])
  })

  test('have deliveries with ids in the order of their events', async () => {
    const project_id = await newProject([{ events: [type] }, { events: [type] }])
    const before_ms = clock.now_ms()
    await db.transact((tx) => emitAll(tx, runtime, { project_id, type, subjects }))
    const all = await idsFor(project_id)
    assert.equal(new Set(all.map(({ id }) => id)).size, 80)
    for (const { id, event_id, version, at } of all) {
      assert.equal(version, 7)
      assert.equal(id.replaceAll('-', '').slice(0, 16), event_id.slice(4, 20))
      assert.ok(at.getTime() >= before_ms && at.getTime() <= clock.now_ms() + 1)
    }
    const events = all.map(({ event_id }) => event_id)
    assert.deepEqual(events, events.toSorted())
  })

  test('of an app are sent to its own endpoint and to those of the whole project', async () => {
    const [app_id, other_app] = [randomUUID(), randomUUID()]
    const mail = 'email.delivered' as const
    const project_id = await newProject([
      { events: [mail] },
      { events: [mail], app_id },
      { events: [mail], app_id: other_app },
    ])
    const all = { project_id, type: mail, app_id, subjects: [{ email_id: randomUUID() }] }
    await db.transact((tx) => emitAll(tx, runtime, all))
    assert.equal((await idsFor(project_id)).length, 2)
  })

  test('are stored without subscribers, and an empty list stores nothing', async () => {
    const project_id = await newProject([])
    await db.transact((tx) => emitAll(tx, runtime, { project_id, type, subjects: [] }))
    assert.deepEqual(await writtenFor(project_id), [])
    await db.transact((tx) => emitAll(tx, runtime, { project_id, type, subjects }))
    assert.equal((await writtenFor(project_id)).length, 40)
  })

  test('are rolled back with their transaction', async () => {
    const project_id = await newProject([{ events: [type] }])
    const failing = db.transact(async (tx) => {
      await emitAll(tx, runtime, { project_id, type, subjects })
      throw new Error('changed my mind')
    })
    await assert.rejects(failing, /changed my mind/)
    assert.deepEqual(await writtenFor(project_id), [])
  })
})
