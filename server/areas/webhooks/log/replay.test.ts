/** Tests of the replay of the events of a time span over HTTP. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { limits } from '../../../contract/limits.ts'
import { eventually } from '../../../../test/fixtures/webhooks/webhook-receiver.ts'
import { openStage, type Scene } from '../../../../test/fixtures/webhooks/webhook-stage.ts'

const stage = await openStage()
const { runtime, clock, newScene } = stage

const at = (offset_s: number) => new Date(clock.now_ms() + offset_s * 1000).toISOString()
/** Returns the span of the last hour, including now. */
const lastHour = () => ({ from: at(-3600), to: at(1) })

function replay(scene: Scene, body: object = lastHour()) {
  return scene.ask(`POST /webhooks/${scene.endpoint.id}/replay`, body)
}

async function replayed(scene: Scene, body?: object) {
  const answer = await replay(scene, body)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

async function statusesOf(scene: Scene): Promise<string[]> {
  return (await scene.list()).map(({ status }) => status)
}

const switchOn = (scene: Scene) => scene.ask(`POST /webhooks/${scene.endpoint.id}/enable`)

suite('POST /webhooks/{id}/replay', () => {
  test('sends the events missed while the endpoint was disabled, in order', async () => {
    const scene = await newScene()
    await scene.disable()
    const call_id = await scene.emit('call.completed')
    await scene.emit('call.summary.ready', call_id)
    const second = await scene.emit('call.completed')
    assert.deepEqual(await scene.list('?type=call.completed'), [])
    scene.receiver.answers(200)
    await switchOn(scene)
    const sent = scene.receiver.requests.length
    assert.deepEqual(await replayed(scene), { events: 3, skipped: 0 })
    const received = (await scene.receiver.received(sent + 3)).slice(sent)
    const seen = received.map(({ event }) => `${event.type} ${event.data['id']}`)
    assert.deepEqual(
      seen.filter((one) => one.endsWith(call_id)),
      [`call.completed ${call_id}`, `call.summary.ready ${call_id}`],
    )
    assert.ok(seen.includes(`call.completed ${second}`))
    await eventually(async () =>
      (await scene.list('?type=call.completed')).every(({ status }) => status === 'delivered'),
    )
    const [{ created_at }] = await scene.list('?type=call.summary.ready')
    assert.equal(
      created_at,
      received.find(({ event }) => event.type.includes('ready'))!.event.created_at,
    )
  })

  test('reopens failed and dropped deliveries with the same ids and a new retry schedule', async () => {
    const scene = await newScene()
    scene.receiver.answers(500)
    await scene.emit('call.completed')
    const { id } = await scene.attempted(1)
    await scene.disable()
    await switchOn(scene)
    await replayed(scene)
    const again = await eventually(async () =>
      (await scene.list('?status=pending')).find((one) => one.id === id && one.attempt_count === 2),
    )
    const wait_s = (Date.parse(again.next_attempt_at) - clock.now_ms()) / 1000
    assert.ok(wait_s > 50 && wait_s <= 60, `the first retry comes after a minute, not ${wait_s} s`)
    scene.receiver.answers(200)
    stage.passes('1 minute')
    const delivered = await eventually(async () =>
      (await scene.list('?status=delivered')).find((one) => one.id === id),
    )
    assert.equal(delivered.attempt_count, 3)
    const { body } = await scene.ask(`GET /webhooks/${scene.endpoint.id}/deliveries/${id}`)
    assert.deepEqual(
      body.attempts.map(({ number, manual }: any) => [number, manual]),
      [
        [3, false],
        [2, false],
        [1, false],
      ],
      'the history goes on where it was',
    )
    const ids = scene.receiver.requests
      .filter(({ headers }) => headers['service-delivery'] === id)
      .map(({ event }) => event.id)
    assert.equal(new Set(ids).size, 1)
  })

  test('skips delivered events unless the request includes them', async () => {
    const scene = await newScene()
    await scene.emit('call.completed')
    const { event_id } = await scene.attempted(1)
    assert.deepEqual(await replayed(scene), { events: 0, skipped: 1 })
    const all = { ...lastHour(), include_delivered: true }
    assert.deepEqual(await replayed(scene, all), { events: 1, skipped: 0 })
    const [, again] = await scene.receiver.received(2)
    assert.equal(again!.event.id, event_id)
    assert.equal((await scene.attempted(2)).status, 'delivered')
  })

  test('skips deliveries that are pending or in flight', async () => {
    const scene = await newScene()
    scene.receiver.answers(500)
    await scene.emit('call.completed')
    const before = await scene.attempted(1)
    assert.deepEqual(await replayed(scene), { events: 0, skipped: 1 })
    assert.deepEqual((await scene.list())[0], before)
    await stage.pause()
    await scene.emit('call.completed')
    await scene.claim()
    await scene.disable()
    await switchOn(scene)
    assert.deepEqual(await statusesOf(scene), ['dropped', 'dropped', 'dropped'])
    // One event has a type that the endpoint is not subscribed to and one delivery is leased, so
    // only the first is reset.
    assert.deepEqual(await replayed(scene), { events: 1, skipped: 1 })
    stage.resume()
  })

  test('includes events at the start of the span and excludes those at its end', async () => {
    const scene = await newScene({ events: ['call.completed'] })
    const happened: string[] = []
    await stage.pause()
    for (let n = 0; n < 3; n += 1) {
      await scene.emit('call.completed')
      happened.push((await scene.list('?limit=1'))[0].created_at)
      clock.advance(60)
    }
    stage.resume()
    await eventually(async () => (await statusesOf(scene)).every((one) => one === 'delivered'))
    const [first, , third] = happened
    const span = { from: first, to: third, include_delivered: true }
    assert.deepEqual(await replayed(scene, span), { events: 2, skipped: 0 })
  })

  test('replays only requested types to which the endpoint is subscribed', async () => {
    const scene = await newScene({ events: ['call.completed', 'call.summary.ready'] })
    await scene.disable()
    await scene.emit('call.completed')
    await scene.emit('call.summary.ready')
    await scene.emit('email.sent')
    await switchOn(scene)
    const types = ['call.summary.ready']
    assert.deepEqual(await replayed(scene, { ...lastHour(), types }), { events: 1, skipped: 0 })
    assert.deepEqual(await replayed(scene), { events: 1, skipped: 1 })
    const refused = await replay(scene, { ...lastHour(), types: ['call.completed', 'email.sent'] })
    assert.equal(refused.status, 422)
    assert.deepEqual(refused.body.errors[0].path, '/types/1')
    assert.match(refused.body.errors[0].message, /email\.sent/)
  })

  test('replays only the emails of its app to an app endpoint, and no test event', async () => {
    const scene = await newScene({ events: ['email.sent'], app_id: randomUUID() })
    const { body: whole } = await scene.ask('POST /webhooks', {
      url: scene.receiver.url,
      events: ['email.sent', 'webhook.test'],
    })
    await scene.ask(`POST /webhooks/${whole.id}/test`)
    await scene.emit('email.sent')
    await scene.attempted(1)
    const all = { ...lastHour(), include_delivered: true }
    assert.deepEqual(await replayed(scene, all), { events: 0, skipped: 0 })
    const { body } = await scene.ask(`POST /webhooks/${whole.id}/replay`, all)
    assert.deepEqual(body, { events: 1, skipped: 0 })
  })

  test('replays events older than the endpoint', async () => {
    const scene = await newScene({ events: ['email.sent'] })
    await scene.emit('call.completed')
    const body = { url: scene.receiver.url, events: ['call.completed'] }
    const { body: fresh } = await scene.ask('POST /webhooks', body)
    const answer = await scene.ask(`POST /webhooks/${fresh.id}/replay`, lastHour())
    assert.deepEqual(answer.body, { events: 1, skipped: 0 })
    await scene.receiver.received(1)
  })

  test('replays a call event once, even if two events report it', async () => {
    const scene = await newScene()
    await scene.disable()
    const call_id = randomUUID()
    await scene.emit('call.completed', call_id)
    await scene.emit('call.completed', call_id)
    scene.receiver.answers(200)
    await switchOn(scene)
    const sent = scene.receiver.requests.length
    assert.deepEqual(await replayed(scene), { events: 1, skipped: 1 })
    await scene.receiver.received(sent + 1)
    assert.equal((await scene.list('?type=call.completed')).length, 1)
  })

  test('reopens each delivery once for concurrent requests', async () => {
    const scene = await newScene()
    await scene.disable()
    for (let n = 0; n < 5; n += 1) await scene.emit('call.completed')
    scene.receiver.answers(200)
    await switchOn(scene)
    const sent = scene.receiver.requests.length
    const answers = await Promise.all([1, 2, 3, 4].map(() => replayed(scene)))
    assert.equal(
      answers.reduce((sum, { events }) => sum + events, 0),
      5,
    )
    await eventually(async () => (await scene.list('?status=delivered')).length === 5)
    assert.equal(scene.receiver.requests.length, sent + 5)
  })

  test('loses no event while deliveries continue', async () => {
    const scene = await newScene()
    await scene.disable()
    const ids = new Set<string>()
    for (let n = 0; n < 20; n += 1) ids.add(await scene.emit('call.completed'))
    scene.receiver.answers(200)
    await switchOn(scene)
    const sent = scene.receiver.requests.length
    const emitted = (async () => {
      for (let n = 0; n < 20; n += 1) ids.add(await scene.emit('call.completed'))
    })()
    await Promise.all([replayed(scene), emitted, replayed(scene)])
    const received = (await scene.receiver.received(sent + 40)).slice(sent)
    assert.deepEqual(new Set(received.map(({ event }) => event.data['id'])), ids)
    assert.equal(received.length, 40)
  })

  test('sends no more replayed deliveries at once than the cap of the endpoint', async () => {
    const scene = await newScene()
    await scene.disable()
    for (let n = 0; n < 25; n += 1) await scene.emit('call.completed')
    await switchOn(scene)
    await stage.pause()
    await replayed(scene)
    assert.equal((await scene.claim()).length, 10)
    stage.passes('31 seconds')
    scene.receiver.answers(200)
    stage.resume()
    await eventually(async () => (await scene.list('?status=delivered')).length === 20)
  })

  test('gives replayed deliveries the same subject as newly emitted ones', async () => {
    const scene = await newScene()
    const { body } = await scene.ask('POST /webhooks', {
      url: scene.receiver.url,
      events: ['call.summary.ready'],
    })
    await scene.emit('call.completed')
    await runtime.db.transact((tx) =>
      tx
        .updateTable('webhook_endpoints')
        .set({ events: ['call.completed'] })
        .where('project_id', '=', scene.project_id)
        .where('id', '=', body.id)
        .execute(),
    )
    await scene.ask(`POST /webhooks/${body.id}/replay`, lastHour())
    const { rows } = await sql<{ keys: bigint; rows: bigint }>`
      select count(distinct (subject_key, type, call_id, event_id, created_at)) as keys,
        count(*) as rows
      from webhook_deliveries where project_id = ${scene.project_id}`.execute(runtime.db)
    assert.deepEqual(rows, [{ keys: 1n, rows: 2n }])
    await scene.receiver.received(2)
  })

  test('answers 409 for a disabled endpoint', async () => {
    const scene = await newScene()
    await scene.disable()
    const { status, body } = await replay(scene)
    assert.equal(status, 409)
    assert.match(body.type, /\/errors\/webhook_endpoint_disabled$/)
  })

  test('answers 422 with the fault for an invalid span', async () => {
    const scene = await newScene()
    const day_s = 86_400
    for (const [body, path, message] of [
      [{ from: at(-31 * day_s), to: at(0) }, '/from', /30 days/],
      [{ from: at(0), to: at(0) }, '/to', /later/],
      [{ from: at(0), to: at(-60) }, '/to', /later/],
      [{ from: 'yesterday', to: at(0) }, '/from', /./],
      [{ from: '2026-12-31T23:59:60Z', to: at(0) }, '/from', /./],
      [{ from: at(0) }, '/to', /./],
      [{ ...lastHour(), types: [] }, '/types', /./],
      [{ ...lastHour(), types: ['call.started'] }, '/types/0', /./],
      [{ ...lastHour(), all: true }, '/all', /./],
    ] as const) {
      const answer = await replay(scene, body)
      assert.equal(answer.status, 422, answer.text)
      const [{ path: at_fault, message: said }] = answer.body.errors
      assert.equal(at_fault, path, answer.text)
      assert.match(said, message)
    }
    const whole = { from: at(-30 * day_s + 60), to: at(day_s) }
    assert.deepEqual(await replayed(scene, whole), { events: 0, skipped: 0 })
  })

  test('answers 422 for more than ten thousand events and replays nothing', async () => {
    const scene = await newScene()
    const { project_id } = scene
    const from = at(-1)
    const many = limits.webhook_replay_events_max + 1
    const first = `evt_${clock.now_ms().toString(16).padStart(12, '0')}`
    await runtime.db.transact((tx) =>
      sql`insert into events (project_id, id, type, subject, created_at)
        select ${project_id}::uuid, ${first}::text || lpad(to_hex(n), 20, '0'), 'call.completed',
          jsonb_build_object('call_id', gen_random_uuid()), ${clock.now()}
        from generate_series(1, ${many}::int) as n`.execute(tx),
    )
    const refused = await replay(scene, { from, to: at(60) })
    assert.equal(refused.status, 422)
    assert.match(refused.body.errors[0].message, /10000 events/)
    assert.deepEqual(await scene.list(), [])
    await runtime.db.transact((tx) =>
      sql`delete from events where project_id = ${project_id}
        and id = (select min(id) from events where project_id = ${project_id})`.execute(tx),
    )
    await stage.pause()
    const { events } = await replayed(scene, { from, to: at(60) })
    assert.equal(events, limits.webhook_replay_events_max, 'ten thousand are taken')
    await scene.ask(`DELETE /webhooks/${scene.endpoint.id}`)
    stage.resume()
  })

  test('requires an endpoint of the same project', async () => {
    const scene = await newScene()
    const stranger = await newScene()
    const route = `POST /webhooks/${scene.endpoint.id}/replay`
    assert.equal((await stranger.ask(route, lastHour())).status, 404)
  })
})
