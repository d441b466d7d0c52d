/** Tests of retention: deletes history older than thirty days, and nothing else. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { rowsRead } from '../../../../test/fixtures/rows-read.ts'
import { purgeHistory } from './purge.ts'
import {
  countEvents,
  deleteDeliveries,
  deleteEvents,
  deleteOldest,
  isOverfull,
  listWithEndpoints,
  prepareReplay,
  replayEvents,
} from './log-store.ts'
import { eventually } from '../../../../test/fixtures/webhooks/webhook-receiver.ts'
import { openStage, type Scene } from '../../../../test/fixtures/webhooks/webhook-stage.ts'

const stage = await openStage()
const { runtime, clock, newScene } = stage

async function counts({ project_id }: Scene) {
  const { rows } = await sql<{ deliveries: number; attempts: number; events: number }>`
    select (select count(*)::int from webhook_deliveries where project_id = ${project_id})
        as deliveries,
      (select count(*)::int from webhook_attempts where project_id = ${project_id}) as attempts,
      (select count(*)::int from events where project_id = ${project_id}) as events
  `.execute(runtime.db)
  return rows[0]
}

const purge = () => purgeHistory.run(runtime)

suite('history retention', () => {
  test('deletes delivery, attempts and event after thirty days', async () => {
    const scene = await newScene()
    await scene.emit('call.completed')
    await scene.attempted(1)
    const whole = { deliveries: 1, attempts: 1, events: 1 }
    clock.advance(30 * 86_400 - 60)
    await purge()
    assert.deepEqual(await counts(scene), whole)
    clock.advance(120)
    await purge()
    assert.deepEqual(await counts(scene), { deliveries: 0, attempts: 0, events: 1 })
    clock.advance(3600)
    await purge()
    assert.deepEqual(await counts(scene), { deliveries: 0, attempts: 0, events: 0 })
  })

  test('keeps the newest of a project that has too many, and what is pending', async () => {
    const scene = await newScene()
    for (let n = 0; n < 3; n += 1) {
      await scene.emit('call.completed')
      await scene.attempted(1)
    }
    await stage.pause()
    await scene.emit('call.completed')
    const { project_id } = scene
    assert.ok((await listWithEndpoints(runtime.db)).includes(project_id))
    assert.equal(await isOverfull(runtime.db, project_id, 4), false)
    assert.equal(await isOverfull(runtime.db, project_id, 2), true)
    const trim = () =>
      runtime.db.transact((tx) => deleteOldest(tx, { project_id, max: 2, limit: 10 }))
    while ((await trim()) > 0);
    assert.deepEqual(await counts(scene), { deliveries: 3, attempts: 2, events: 3 })
    stage.resume()
  })

  test('keeps a pending delivery and its event at any age', async () => {
    const scene = await newScene()
    scene.receiver.answers(500)
    await stage.pause()
    await scene.emit('call.completed')
    clock.advance(40 * 86_400)
    await purge()
    assert.deepEqual(await counts(scene), { deliveries: 1, attempts: 0, events: 1 })
    scene.receiver.answers(200)
    stage.resume()
    assert.equal((await scene.attempted(1)).status, 'delivered')
    await purge()
    assert.deepEqual(await counts(scene), { deliveries: 1, attempts: 1, events: 1 })
  })

  test('keeps an event as long as one of its deliveries exists', async () => {
    const scene = await newScene()
    const { body: other } = await scene.ask('POST /webhooks', {
      url: scene.receiver.url,
      events: ['call.completed'],
    })
    await scene.emit('call.completed')
    await eventually(async () => (await counts(scene))?.attempts === 2)
    clock.advance(29 * 86_400)
    const to = new Date(clock.now_ms()).toISOString()
    const from = new Date(clock.now_ms() - 29.5 * 86_400_000).toISOString()
    const again = await scene.ask(`POST /webhooks/${other.id}/replay`, {
      from,
      to,
      include_delivered: true,
    })
    assert.deepEqual(again.body, { events: 1, skipped: 0 })
    await eventually(async () => (await counts(scene))?.attempts === 3)
    clock.advance(2 * 86_400)
    await purge()
    assert.deepEqual(await counts(scene), { deliveries: 1, attempts: 2, events: 1 })
    clock.advance(30 * 86_400)
    await purge()
    assert.deepEqual(await counts(scene), { deliveries: 0, attempts: 0, events: 0 })
  })

  test('deletes events without deliveries', async () => {
    const scene = await newScene({ events: ['email.sent'] })
    await scene.emit('call.completed')
    clock.advance(31 * 86_400)
    await purge()
    assert.deepEqual(await counts(scene), { deliveries: 0, attempts: 0, events: 0 })
  })

  test('deletes more than one batch, past events that must stay', async () => {
    const scene = await newScene()
    const { project_id, endpoint } = scene
    const then = clock.now()
    const kept = 1200
    await runtime.db.transact(async (tx) => {
      await sql`insert into events (project_id, id, type, subject, created_at)
        select ${project_id}::uuid, 'evt_' || lpad(to_hex(n), 32, '0'), 'call.completed', '{}',
          ${then}::timestamptz + n * interval '1 millisecond'
        from generate_series(1, 3000) as n`.execute(tx)
      await sql`insert into webhook_deliveries (project_id, id, endpoint_id, event_id, type,
          subject_key, state, stage, next_attempt_at, created_at, finished_at)
        select project_id, gen_random_uuid(), ${endpoint.id}::uuid, id, type, id,
          case when n <= ${kept} then 'pending' else 'delivered' end,
          case when n <= ${kept} then 'waiting' end,
          case when n <= ${kept} then 'infinity'::timestamptz end,
          created_at, case when n > ${kept} then created_at end
        from (select *, row_number() over (order by id) as n from events
          where project_id = ${project_id}) as numbered`.execute(tx)
    })
    clock.advance(32 * 86_400)
    await purge()
    assert.deepEqual(await counts(scene), { deliveries: kept, attempts: 0, events: kept })
  })

  test('does not extend retention by a redelivery that changes nothing', async () => {
    const scene = await newScene()
    await scene.emit('call.completed')
    const { id } = await scene.attempted(1)
    clock.advance(20 * 86_400)
    assert.equal((await scene.ask(`POST /deliveries/${id}/redeliver`)).status, 200)
    assert.deepEqual(await counts(scene), { deliveries: 1, attempts: 2, events: 1 })
    clock.advance(11 * 86_400)
    await purge()
    assert.deepEqual(await counts(scene), { deliveries: 0, attempts: 0, events: 0 })
  })

  test('costs the same per batch among 30,000 deliveries as among few, and so does a replay', async () => {
    const scene = await newScene()
    const { project_id, endpoint } = scene
    const until = clock.now()
    await runtime.db.transact(async (tx) => {
      await sql`insert into events (project_id, id, type, subject, created_at)
        select ${project_id}::uuid, 'evt_' || lpad(to_hex(n), 32, '0'), 'call.completed',
          jsonb_build_object('call_id', gen_random_uuid()),
          ${until}::timestamptz - n * interval '1 second'
        from generate_series(1, 30000) as n`.execute(tx)
      await sql`insert into webhook_deliveries (project_id, id, endpoint_id, event_id, type,
          subject_key, state, stage, created_at, finished_at)
        select project_id, gen_random_uuid(), ${endpoint.id}::uuid, id, type, id, 'failed', null,
          created_at, created_at
        from events where project_id = ${project_id}`.execute(tx)
      await sql`analyze events, webhook_deliveries, webhook_endpoints`.execute(tx)
    })
    const limit = 100
    const from = new Date(0)
    const rows = await rowsRead(stage, async (tx) => {
      await deleteDeliveries(tx, { until, limit })
      await deleteEvents(tx, { after: from, until, limit })
    })
    assert.equal(rows.length, 2)
    for (const seen of rows) assert.ok(seen < 2000, `${rows}`)
    const span = { project_id, app_id: null, types: ['call.completed'] as const, from, to: until }
    const [, ...replayed] = await rowsRead(stage, async (tx) => {
      await prepareReplay(tx)
      await countEvents(tx, span, limit)
      await replayEvents(tx, {
        span,
        endpoint_id: endpoint.id,
        include_delivered: false,
        now: until,
        attempts_max: 100,
        delivery_ids: Array.from({ length: limit }, () => randomUUID()),
      })
    })
    assert.equal(replayed.length, 2)
    for (const seen of replayed) assert.ok(seen < 3000, `${replayed}`)
  })
})
