/** Tests of manual redelivery over HTTP. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { suite, test } from 'node:test'
import { limits } from '../../../contract/limits.ts'
import { attemptAndRecord } from '../attempt/deliver.ts'
import { isSigned } from '../../../../test/fixtures/webhooks/webhook-receiver.ts'
import { openStage, type Scene } from '../../../../test/fixtures/webhooks/webhook-stage.ts'

const stage = await openStage()
const { runtime, clock, newScene } = stage

/** Creates a delivery in the given final state. */
async function over(scene: Scene, state: 'delivered' | 'failed' | 'dropped') {
  scene.receiver.answers(state === 'delivered' ? 204 : 500)
  const call_id = await scene.emit('call.completed')
  const row = await scene.attempted(1)
  if (state === 'failed') {
    for (let n = 2; n <= limits.webhook_attempts_max; n += 1) {
      stage.passes('1 day')
      await scene.attempted(n)
    }
  }
  if (state === 'dropped') await scene.disable()
  const [{ status }] = (await scene.list()) as [any]
  assert.equal(status, state)
  return { id: row.id, call_id }
}

function setEndpoint({ project_id }: Scene, values: { consecutive_failures: number }) {
  return runtime.db.transact((tx) =>
    tx.updateTable('webhook_endpoints').set(values).where('project_id', '=', project_id).execute(),
  )
}

async function endpointOf(scene: Scene) {
  return (await scene.ask(`GET /webhooks/${scene.endpoint.id}`)).body
}

const redeliver = (scene: Scene, id: string) => scene.ask(`POST /deliveries/${id}/redeliver`)

suite('POST /deliveries/{id}/redeliver', () => {
  test('sends at once with the same ids, a new signature and the current payload', async () => {
    const scene = await newScene()
    const { id } = await over(scene, 'delivered')
    stage.passes('1 hour')
    scene.receiver.answers((_request, response) => response.writeHead(200).end('Thanks.'))
    const { status, body, text } = await redeliver(scene, id)
    assert.equal(status, 200, text)
    assert.equal(scene.receiver.requests.length, 2, 'it was sent before the reply')
    const [first, second] = scene.receiver.requests as [any, any]
    assert.equal(second.event.id, first.event.id)
    assert.equal(second.event.created_at, first.event.created_at)
    assert.equal(second.headers['service-delivery'], id)
    assert.ok(isSigned(second, scene.endpoint.secret, clock.now()))
    assert.deepEqual([body.id, body.status, body.attempt_count], [id, 'delivered', 2])
    const [latest, earlier] = body.attempts
    assert.deepEqual([latest.manual, latest.response_text], [true, 'Thanks.'])
    assert.deepEqual([earlier.manual, earlier.response_status], [false, 204])
    const shown = await scene.ask(`GET /webhooks/${scene.endpoint.id}/deliveries/${id}`)
    assert.deepEqual(shown.body, body)
  })

  test('marks a failed delivery as delivered after a success', async () => {
    const scene = await newScene()
    const { id } = await over(scene, 'failed')
    scene.receiver.answers(200)
    const { body } = await redeliver(scene, id)
    assert.deepEqual([body.status, body.error, body.response_status], ['delivered', null, 200])
    assert.equal(body.attempts.length, 9)
    assert.ok(body.finished_at >= body.attempts[0].started_at)
  })

  test('leaves the delivery unchanged after a failure and does not retry', async () => {
    for (const state of ['delivered', 'failed'] as const) {
      const scene = await newScene()
      const { id } = await over(scene, state)
      const [before] = (await scene.list()) as [any]
      const sent = scene.receiver.requests.length
      scene.receiver.answers(410)
      stage.passes('1 minute')
      const { status, body } = await redeliver(scene, id)
      assert.equal(status, 200)
      const { attempts, attempt_count, ...after } = body
      const { attempt_count: count, ...unchanged } = before
      assert.deepEqual(after, unchanged)
      assert.equal(attempt_count, count + 1)
      assert.deepEqual([attempts[0].error, attempts[0].response_status], ['non_2xx_status', 410])
      stage.passes('2 days')
      assert.deepEqual(await scene.claim(), [])
      assert.equal(scene.receiver.requests.length, sent + 1)
    }
  })

  test('works for a disabled endpoint without enabling it', async () => {
    const scene = await newScene()
    const { id } = await over(scene, 'dropped')
    scene.receiver.answers(200)
    const { status, body } = await redeliver(scene, id)
    assert.deepEqual([status, body.status, body.error], [200, 'delivered', null])
    const { active, consecutive_failures, last_success_at } = await endpointOf(scene)
    assert.deepEqual([active, consecutive_failures], [false, 50])
    assert.ok(last_success_at)
  })

  test('does not change the failure streak of the endpoint', async () => {
    const scene = await newScene()
    const { id } = await over(scene, 'delivered')
    await setEndpoint(scene, { consecutive_failures: 49 })
    scene.receiver.answers(500)
    await redeliver(scene, id)
    const failing = await endpointOf(scene)
    assert.deepEqual([failing.active, failing.consecutive_failures], [true, 49])
    assert.ok(failing.last_failure_at)
    scene.receiver.answers(200)
    await redeliver(scene, id)
    assert.equal((await endpointOf(scene)).consecutive_failures, 49)
  })

  test('drops the delivery as call_deleted without a request if the call is deleted', async () => {
    const scene = await newScene()
    const { id, call_id } = await over(scene, 'failed')
    stage.deleted.add(call_id)
    const sent = scene.receiver.requests.length
    const { status, body } = await redeliver(scene, id)
    assert.deepEqual([status, body.status, body.error], [200, 'dropped', 'call_deleted'])
    const [{ manual, error, body_sha256 }] = body.attempts
    assert.deepEqual([manual, error, body_sha256], [true, 'call_deleted', null])
    assert.equal(scene.receiver.requests.length, sent)
  })

  test('leaves a delivered delivery unchanged although its call is deleted', async () => {
    const scene = await newScene()
    const { id, call_id } = await over(scene, 'delivered')
    stage.deleted.add(call_id)
    const { body } = await redeliver(scene, id)
    assert.deepEqual([body.status, body.error], ['delivered', null])
    assert.equal(body.attempts[0].error, 'call_deleted')
  })

  test('answers 409 for a pending delivery and leaves its schedule unchanged', async () => {
    const scene = await newScene()
    scene.receiver.answers(500)
    await scene.emit('call.completed')
    const before = await scene.attempted(1)
    const { status, body } = await redeliver(scene, before.id)
    assert.equal(status, 409)
    assert.match(body.type, /\/errors\/conflict$/)
    assert.match(body.detail, /being attempted now/)
    assert.deepEqual((await scene.list())[0], before)
    scene.receiver.answers(200)
    stage.passes('1 minute')
    assert.equal((await scene.attempted(2)).status, 'delivered')
  })

  test('sends once for concurrent requests and answers 409 to the others', async () => {
    const scene = await newScene()
    const { id } = await over(scene, 'delivered')
    const answered = Promise.withResolvers<void>()
    scene.receiver.answers(async (_request, response) => {
      await answered.promise
      response.writeHead(200).end()
    })
    let refused = 0
    const asked = Array.from({ length: 6 }, async () => {
      const { status } = await redeliver(scene, id)
      // The receiver answers the attempt after all other requests are refused.
      if (status === 409 && ++refused === 5) answered.resolve()
      return status
    })
    const statuses = await Promise.all(asked)
    assert.deepEqual(statuses.toSorted(), [200, 409, 409, 409, 409, 409])
    assert.equal(scene.receiver.requests.length, 2)
  })

  test('answers 409 during the last automatic attempt of a dropped delivery', async () => {
    const scene = await newScene()
    await stage.pause()
    await scene.emit('call.completed')
    const [claimed] = await scene.claim()
    await scene.disable()
    assert.equal((await redeliver(scene, claimed!.id)).status, 409)
    scene.receiver.answers(200)
    const { delivery } = await attemptAndRecord(runtime, claimed!, undefined)
    assert.equal(delivery?.state, 'dropped', 'it had no source here and failed')
    stage.resume()
    assert.equal((await redeliver(scene, claimed!.id)).body.status, 'delivered')
  })

  test('leaves nothing but an expiring lease after a crash', async () => {
    const scene = await newScene()
    const { id } = await over(scene, 'delivered')
    await runtime.db.transact((tx) =>
      tx
        .updateTable('webhook_deliveries')
        .set({ lease_token: randomUUID(), lease_until: new Date(clock.now_ms() + 30_000) })
        .where('project_id', '=', scene.project_id)
        .execute(),
    )
    assert.equal((await redeliver(scene, id)).status, 409)
    stage.passes('31 seconds')
    assert.equal((await redeliver(scene, id)).status, 200)
  })

  test('answers 404 and discards the attempt if the endpoint is deleted meanwhile', async () => {
    const scene = await newScene()
    const { id } = await over(scene, 'delivered')
    scene.receiver.answers(async (_request, response) => {
      await scene.ask(`DELETE /webhooks/${scene.endpoint.id}`)
      response.writeHead(200).end()
    })
    assert.equal((await redeliver(scene, id)).status, 404)
  })

  test('resends a test event', async () => {
    const scene = await newScene()
    const { body: tested } = await scene.ask(`POST /webhooks/${scene.endpoint.id}/test`)
    const { body } = await redeliver(scene, tested.delivery_id)
    assert.deepEqual([body.type, body.status, body.attempt_count], ['webhook.test', 'delivered', 2])
  })

  test('refuses a further attempt of a delivery after a hundred', async () => {
    const scene = await newScene()
    const { id } = await over(scene, 'delivered')
    await runtime.db.transact((tx) =>
      tx
        .updateTable('webhook_deliveries')
        .set({ attempts_made: limits.webhook_attempts_logged_max - 1 })
        .where('project_id', '=', scene.project_id)
        .execute(),
    )
    assert.equal((await redeliver(scene, id)).status, 200)
    const { status, body } = await redeliver(scene, id)
    assert.equal(status, 409)
    assert.match(body.detail, /100 attempts/)
  })

  test('is not found by another project or with an unknown id', async () => {
    const scene = await newScene()
    const { id } = await over(scene, 'delivered')
    const stranger = await newScene()
    for (const unknown of [id, randomUUID(), 'one']) {
      assert.equal((await redeliver(stranger, unknown)).status, 404)
    }
    assert.equal(scene.receiver.requests.length, 1)
  })
})
