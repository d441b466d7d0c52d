/** Tests of deliveries to a real receiver: request, retries and the final state. */
import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { Type } from 'typebox'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import { Dropped, event, type EventSource } from '../../../contract/events.ts'
import { limits } from '../../../contract/limits.ts'
import { createSeal } from '../../../kernel/secrets/crypto.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { createOutbound } from '../../../kernel/outbound/outbound.ts'
import { attempt, attemptAndRecord, deliveriesInProgress } from './deliver.ts'
import { webhookTest } from '../events.ts'
import { createClaimer } from '../queue/claim.ts'
import type { ClaimedDelivery } from '../queue/store.ts'
import { recordAttempt } from '../outcome/record.ts'
import { startDeliveries } from '../queue/runner.ts'
import { emit, type Occurrence } from '../service.ts'
import { attemptNow } from './test-attempt.ts'
import {
  eventually,
  isSigned,
  openReceiver,
  type Receiver,
} from '../../../../test/fixtures/webhooks/webhook-receiver.ts'

const fixture = await openTestRuntime({ work: false })
const { runtime, call, clock } = fixture

// Sources for call and email events, whose subjects these tests control.
const deletedCalls = new Set<string>()
const deletedSummaries = new Set<string>()
const CallData = Type.Object({ call: Type.Object({ id: Type.String(), note: Type.String() }) })
let note = 'as it was'

async function loadCall({ call_id }: { call_id: string }) {
  if (deletedCalls.has(call_id)) return new Dropped('call_deleted')
  if (deletedSummaries.has(call_id)) return new Dropped('summary_deleted')
  return { call: { id: call_id, note } }
}

const sources: EventSource[] = [
  webhookTest,
  event({
    type: 'call.completed',
    data: CallData,
    load: (_db, _project_id, subject: { call_id: string }) => loadCall(subject),
  }),
  event({
    type: 'call.summary.ready',
    data: CallData,
    load: (_db, _project_id, subject: { call_id: string }) => loadCall(subject),
  }),
  event({
    type: 'email.sent',
    data: Type.Object({ email_id: Type.String() }),
    load: async (_db, _project_id, { email_id }: { email_id: string }) => ({ email_id }),
  }),
  event({
    type: 'balance.low',
    data: Type.Object({}),
    load: () => Promise.reject(new Error('A bug in building this payload.')),
  }),
]

const running = [startDeliveries(runtime, { sources })]
after(() => Promise.all(running.map((pool) => pool.stop())))

/** Writes a body without an end. */
function pour(response: ServerResponse): void {
  const write = () => {
    while (!response.destroyed && response.write('x'.repeat(16_384)));
  }
  response.on('drain', write)
  write()
}

interface Scene {
  project_id: string
  receiver: Receiver
  endpoint: { id: string; secret: string }
  /** Emits an event of this project and returns the id of its subject. */
  emit(type: Occurrence['type'], subject?: Record<string, string>): Promise<string>
  /** The current row of the endpoint. */
  show(): Promise<Awaited<ReturnType<typeof readEndpoint>>>
  deliveries(): Promise<Awaited<ReturnType<typeof listDeliveries>>>
}

async function newScene(body: object = {}): Promise<Scene> {
  const { project_id } = await fixture.newProject()
  const key = await fixture.newKey({ project_id })
  const receiver = await openReceiver()
  const events = ['call.completed', 'call.summary.ready']
  const made = await call('POST /webhooks', { key, body: { url: receiver.url, events, ...body } })
  assert.equal(made.status, 201, made.text)
  return {
    project_id,
    receiver,
    endpoint: made.body,
    async emit(type, subject = { call_id: randomUUID() }) {
      await runtime.db.transact((tx) => emit(tx, runtime, { project_id, type, subject }))
      return Object.values(subject)[0] ?? ''
    },
    show: () => readEndpoint(project_id),
    deliveries: () => listDeliveries(project_id),
  }
}

function listDeliveries(project_id: string) {
  const table = runtime.db.selectFrom('webhook_deliveries').selectAll()
  return table.where('project_id', '=', project_id).orderBy('id').execute()
}

// Reads from the database, because HTTP requests would count against the rate limit.
function readEndpoint(project_id: string) {
  const table = runtime.db.selectFrom('webhook_endpoints').selectAll()
  return table.where('project_id', '=', project_id).executeTakeFirstOrThrow()
}

/** Waits for the given number of recorded attempts, and returns the only delivery of the scene. */
function attempted({ deliveries }: Scene, attempts: number) {
  return eventually(async () => (await deliveries()).find(({ attempt }) => attempt === attempts))
}

suite('the request to the receiver', () => {
  test('is a POST with the specified headers, signed with the secret', async () => {
    const scene = await newScene()
    await scene.emit('call.completed')
    const [received] = await scene.receiver.received(1)
    const { headers, body } = received!
    const { id } = await attempted(scene, 1)
    assert.equal(headers['content-type'], 'application/json')
    assert.equal(headers['user-agent'], 'Service-Webhooks/1')
    assert.equal(headers['service-event'], 'call.completed')
    assert.equal(headers['service-delivery'], id)
    const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(headers['service-signature'] ?? '') ?? []
    const mac = createHmac('sha256', scene.endpoint.secret).update(`${t}.${body}`).digest('hex')
    assert.equal(v1, mac)
    assert.ok(Math.abs(Number(t) - clock.now_ms() / 1000) < 10, 'the time is that of the clock')
  })

  test('has Standard Webhooks headers that verify with the decoded secret', async () => {
    const scene = await newScene()
    await scene.emit('call.completed')
    const [{ headers, body, event: sent }] = (await scene.receiver.received(1)) as [any]
    assert.equal(headers['webhook-id'], sent.id)
    const key = Buffer.from(scene.endpoint.secret.slice('whsec_'.length), 'base64')
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
    const mac = createHmac('sha256', key).update(signed).digest('base64')
    assert.equal(headers['webhook-signature'], `v1,${mac}`)
  })

  test('has an envelope of id, type, created_at and data', async () => {
    const scene = await newScene()
    const before = clock.now()
    const call_id = await scene.emit('call.completed')
    const [{ event: sent }] = (await scene.receiver.received(1)) as [any]
    assert.deepEqual(Object.keys(sent), ['id', 'type', 'created_at', 'data'])
    assert.match(sent.id, /^evt_[0-9a-f]{32}$/)
    assert.equal(sent.type, 'call.completed')
    assert.deepEqual(sent.data, { call: { id: call_id, note: 'as it was' } })
    assert.equal(new Date(sent.created_at).toISOString(), sent.created_at)
    assert.ok(new Date(sent.created_at) >= before)
  })

  test('has a payload built at delivery, so that a retry carries current data', async () => {
    const scene = await newScene()
    scene.receiver.answers(500)
    await scene.emit('call.completed')
    await attempted(scene, 1)
    note = 'as it is now'
    fixture.passes('61 seconds')
    const [first, second] = (await scene.receiver.received(2)) as [any, any]
    note = 'as it was'
    assert.equal(first.event.data.call.note, 'as it was')
    assert.equal(second.event.data.call.note, 'as it is now')
    assert.equal(second.event.id, first.event.id)
    assert.equal(second.event.created_at, first.event.created_at)
    assert.equal(second.headers['service-delivery'], first.headers['service-delivery'])
    assert.ok(
      isSigned(second, scene.endpoint.secret, clock.now()),
      'and is signed for its own time',
    )
    assert.ok(!isSigned({ ...second, body: first.body }, scene.endpoint.secret, clock.now()))
  })

  test('sends call.summary.ready after call.completed for any number of calls', async () => {
    const scene = await newScene()
    const calls = Array.from({ length: 20 }, () => ({ call_id: randomUUID() }))
    await runtime.db.transact(async (tx) => {
      const { project_id } = scene
      for (const type of ['call.completed', 'call.summary.ready'] as const) {
        for (const subject of calls) await emit(tx, runtime, { project_id, type, subject })
      }
    })
    const received = await scene.receiver.received(40)
    for (const { call_id } of calls) {
      const types = received.filter((one: any) => one.event.data.call.id === call_id)
      assert.deepEqual(
        types.map((one) => one.event.type),
        ['call.completed', 'call.summary.ready'],
      )
    }
  })
})

suite('the subscribers of an event', () => {
  test('receive the subscribed types of their own project', async () => {
    const scene = await newScene({ events: ['call.summary.ready'] })
    const other = await newScene()
    await scene.emit('call.completed')
    const call_id = await scene.emit('call.summary.ready')
    const [received] = (await scene.receiver.received(1)) as [any]
    assert.equal(received.event.data.call.id, call_id)
    assert.equal((await scene.deliveries()).length, 1)
    assert.deepEqual(await other.deliveries(), [])
  })

  test('receive the email events of one app at an app endpoint', async () => {
    const app_id = randomUUID()
    const scene = await newScene({ events: ['email.sent'], app_id })
    const { project_id } = scene
    const [own, foreign, appless] = [randomUUID(), randomUUID(), randomUUID()]
    await runtime.db.transact(async (tx) => {
      const type = 'email.sent' as const
      await emit(tx, runtime, {
        project_id,
        type,
        subject: { email_id: foreign },
        app_id: randomUUID(),
      })
      await emit(tx, runtime, { project_id, type, subject: { email_id: appless } })
      await emit(tx, runtime, { project_id, type, subject: { email_id: own }, app_id })
    })
    const [received] = (await scene.receiver.received(1)) as [any]
    assert.deepEqual(received.event.data, { email_id: own })
    assert.equal((await scene.deliveries()).length, 1)
  })

  test('receive the email events of every app at a project endpoint', async () => {
    const scene = await newScene({ events: ['email.sent'] })
    const { project_id } = scene
    await runtime.db.transact(async (tx) => {
      const mail = { project_id, type: 'email.sent', subject: { email_id: randomUUID() } } as const
      await emit(tx, runtime, { ...mail, app_id: randomUUID() })
      await emit(tx, runtime, mail)
    })
    await scene.receiver.received(2)
  })

  test('receive a call event at most once per endpoint, even if it is emitted twice', async () => {
    const scene = await newScene()
    const call_id = randomUUID()
    await Promise.all([1, 2, 3].map(() => scene.emit('call.completed', { call_id })))
    await scene.emit('call.summary.ready', { call_id })
    const received = await scene.receiver.received(2)
    assert.deepEqual(
      received.map(({ event: sent }) => sent.type),
      ['call.completed', 'call.summary.ready'],
    )
    assert.equal((await scene.deliveries()).length, 2)
  })

  test('receive nothing of a rolled-back transaction', async () => {
    const scene = await newScene()
    const { project_id } = scene
    const subject = { call_id: randomUUID() }
    const work = runtime.db.transact(async (tx) => {
      await emit(tx, runtime, { project_id, type: 'call.completed', subject })
      throw new Error('The call was not kept.')
    })
    await assert.rejects(work, /not kept/)
    assert.deepEqual(await scene.deliveries(), [])
  })

  test('refuses a call event without the id of its call', async () => {
    const scene = await newScene()
    await assert.rejects(scene.emit('call.completed', { call_id: 'one' }), /id of its call/)
    await assert.rejects(scene.emit('call.completed', { other_id: randomUUID() }), /id of its call/)
  })
})

suite('retries', () => {
  test('makes eight attempts exactly on schedule, over 44 h 36 min', async () => {
    const scene = await newScene()
    scene.receiver.answers(500)
    await scene.emit('call.completed')
    let before = await attempted(scene, 1)
    const first_ms = (await scene.show()).last_failure_at?.getTime() ?? 0
    for (const [index, delay_s] of limits.webhook_retry_delays_s.entries()) {
      const failed_ms = (await scene.show()).last_failure_at?.getTime() ?? 0
      const due = before.next_attempt_at
      assert.equal(due?.getTime(), failed_ms + delay_s * 1000)
      assert.equal(before.state, 'pending')
      // Moves the clock to one second before the delivery is due.
      clock.advance((due!.getTime() - clock.now_ms()) / 1000 - 1)
      assert.deepEqual(await claimOf(scene), [])
      fixture.passes('1 second')
      await scene.receiver.received(index + 2)
      before = await attempted(scene, index + 2)
    }
    assert.equal(before.state, 'failed')
    assert.equal(before.error, 'non_2xx_status')
    const whole_s = ((await scene.show()).last_failure_at!.getTime() - first_ms) / 1000
    assert.ok(whole_s >= 160_560 && whole_s < 160_570, `44 h 36 min, not ${whole_s} s`)
    fixture.passes('30 days')
    assert.deepEqual(await claimOf(scene), [])
    assert.equal(scene.receiver.requests.length, 8)
    const ids = new Set(
      scene.receiver.requests.map(
        ({ event: sent, headers }) => sent.id + headers['service-delivery'],
      ),
    )
    assert.equal(ids.size, 1, 'the same event id and delivery id on every attempt')
  })

  test('stops after a success and resets the streak', async () => {
    const scene = await newScene()
    scene.receiver.answers(500)
    await scene.emit('call.completed')
    await attempted(scene, 1)
    assert.equal((await scene.show()).consecutive_failures, 1)
    scene.receiver.answers(200)
    fixture.passes('1 minute')
    const { state, response_status, error } = await attempted(scene, 2)
    assert.deepEqual([state, response_status, error], ['delivered', 200, null])
    const shown = await scene.show()
    assert.equal(shown.consecutive_failures, 0)
    assert.ok(shown.last_success_at! > shown.last_failure_at!)
  })

  test('schedules from the end of the attempt, even if the clock moves', async () => {
    const scene = await newScene()
    scene.receiver.answers((_request, response) => {
      // The lease expires during the attempt, which must not be repeated.
      fixture.passes('61 seconds')
      response.writeHead(500).end()
      scene.receiver.answers(200)
    })
    await scene.emit('call.completed')
    const { state } = await attempted(scene, 2)
    assert.equal(state, 'delivered', 'the retry was due one minute after the first attempt')
    assert.equal(scene.receiver.requests.length, 2)
  })
})

suite('the recorded result of an attempt', () => {
  async function firstAttempt(answer: Parameters<Receiver['answers']>[0]) {
    const scene = await newScene()
    scene.receiver.answers(answer)
    await scene.emit('call.completed')
    const { state, error, response_status } = await attempted(scene, 1)
    return [state, error, response_status]
  }

  test('is a success for every 2xx', async () => {
    for (const status of [200, 201, 202, 204, 299]) {
      assert.deepEqual(await firstAttempt(status), ['delivered', null, status])
    }
  })

  test('is non_2xx_status with the code for 3xx, 4xx and 5xx', async () => {
    for (const status of [301, 304, 400, 404, 410, 429, 500, 503]) {
      assert.deepEqual(await firstAttempt(status), ['pending', 'non_2xx_status', status])
    }
  })

  test('does not follow a redirect', async () => {
    const elsewhere = await openReceiver()
    const result = await firstAttempt((_request, response) => {
      response.writeHead(307, { location: elsewhere.url }).end()
    })
    assert.deepEqual(result, ['pending', 'non_2xx_status', 307])
    assert.equal(elsewhere.requests.length, 0)
  })

  test('is a success for a 2xx, whatever follows its headers up to 1 MB', async () => {
    const gzip = { 'content-encoding': 'gzip' }
    const cookies = Array.from({ length: 500 }, (_, n) => `name-${n}=${'x'.repeat(200)}`)
    const bodies: Record<string, (response: ServerResponse) => unknown> = {
      small: (response) => response.end('{"no":'),
      'a whole megabyte': (response) => response.end('x'.repeat(1_048_576)),
      'cut off': (response) => {
        response.writeHead(200, { 'content-length': 9 }).write('half', () => response.destroy())
      },
      'cut off in a chunk': (response) => {
        response.socket?.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nhalf')
      },
      'no chunk at all': (response) => {
        response.socket?.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nnonsense')
      },
      'badly compressed': (response) => response.writeHead(200, gzip).end('not gzip'),
      'after many headers': (response) => response.writeHead(200, { 'set-cookie': cookies }).end(),
    }
    for (const [name, answer] of Object.entries(bodies)) {
      const result = await firstAttempt((_request, response) => answer(response))
      assert.deepEqual(result, ['delivered', null, 200], name)
    }
    const { size } = await runtime.db
      .selectFrom('webhook_attempts')
      .select(sql<number>`max(octet_length(response_text))`.as('size'))
      .executeTakeFirstOrThrow()
    assert.equal(size, 1024)
  })

  test('is response_too_large for a body over 1 MB, announced or received', async () => {
    for (const answer of [
      (response: ServerResponse) => response.end('x'.repeat(1_048_577)),
      (response: ServerResponse) => response.writeHead(200, { 'content-length': 1e9 }).write('x'),
      (response: ServerResponse) => pour(response),
    ]) {
      const result = await firstAttempt((_request, response) => answer(response))
      assert.deepEqual(result, ['pending', 'response_too_large', null])
    }
  })

  test('is connection_failed for a broken connection', async () => {
    const result = await firstAttempt((_request, response) => response.destroy())
    assert.deepEqual(result, ['pending', 'connection_failed', null])
  })

  test('is timeout after ten seconds without headers, but a success without an end', async () => {
    const scene = await newScene()
    scene.receiver.answers(() => {})
    // The same outbound client with a shorter timeout.
    const { webhook_outbound } = runtime
    let deadline_ms = 50
    const hasty: Runtime = {
      ...runtime,
      webhook_outbound: {
        ...webhook_outbound,
        request(request) {
          assert.equal(request.deadline_ms, 10_000)
          return webhook_outbound.request({ ...request, deadline_ms })
        },
      },
    }
    const claimed = await claimAlone(scene)
    const { outcome } = await attempt(hasty, claimed, sources[1])
    assert.deepEqual(outcome, {
      kind: 'failed',
      error: 'timeout',
      response_status: null,
      fault: 'receiver',
    })
    deadline_ms = 1000
    for (const begin of ['', 'a start']) {
      scene.receiver.answers((_request, response) => {
        response.writeHead(200).flushHeaders()
        if (begin) response.write(begin)
      })
      const endless = await attempt(hasty, claimed, sources[1])
      assert.deepEqual(endless.outcome, { kind: 'delivered', response_status: 200 })
      assert.equal(endless.trace?.response_text, begin)
    }
  })

  test('is not_public_host or invalid_url if the URL fails the check at delivery', async () => {
    const strict = createOutbound({ allow_private: false, allow_cidrs: [], proxy_url: null })
    after(() => strict.close())
    const claimed = await claimAlone(await newScene())
    const elsewhere = { ...runtime, webhook_outbound: strict }
    for (const [url, error] of [
      ['https://localhost/hooks', 'not_public_host'],
      [claimed.url, 'invalid_url'],
    ] as const) {
      const { outcome } = await attempt(elsewhere, { ...claimed, url }, sources[1])
      assert.deepEqual(outcome, { kind: 'failed', error, response_status: null, fault: 'receiver' })
    }
  })
})

/** Claims due deliveries like a worker pool, and returns those of this scene. */
async function claimOf({ project_id }: Scene): Promise<ClaimedDelivery[]> {
  const claimed = await createClaimer(runtime, deliveriesInProgress)(64)
  return claimed.filter((one) => one.project_id === project_id)
}

/** Emits an event while no pool runs, and claims its delivery. */
async function claimAlone(scene: Scene): Promise<ClaimedDelivery> {
  await Promise.all(running.splice(0).map((pool) => pool.stop()))
  await scene.emit('call.completed')
  const [claimed] = await claimOf(scene)
  running.push(startDeliveries(runtime, { sources }))
  assert(claimed)
  return claimed
}

suite('a delivery with a fault outside the receiver', () => {
  test('is dropped without a request if the call or summary is deleted', async () => {
    const scene = await newScene()
    for (const [deleted, error] of [
      [deletedCalls, 'call_deleted'],
      [deletedSummaries, 'summary_deleted'],
    ] as const) {
      const call_id = randomUUID()
      deleted.add(call_id)
      await scene.emit('call.completed', { call_id })
      const dropped = await eventually(async () =>
        (await scene.deliveries()).find((one) => one.error === error),
      )
      assert.deepEqual([dropped.state, dropped.attempt, dropped.stage], ['dropped', 0, null])
    }
    assert.equal(scene.receiver.requests.length, 0)
    const { consecutive_failures, last_failure_at } = await scene.show()
    assert.deepEqual([consecutive_failures, last_failure_at], [0, null])
  })

  test('ends with secret_unreadable for a secret that cannot be decrypted, and does not count in the streak', async () => {
    const scene = await newScene()
    const claimed = await claimAlone(scene)
    const locked = { ...runtime, seal: createSeal('a master key that sealed nothing here') }
    const { outcome, delivery } = await attemptAndRecord(locked, claimed, sources[1])
    assert.equal(outcome.kind === 'failed' && outcome.error, 'secret_unreadable')
    assert.deepEqual([delivery?.state, delivery?.attempt], ['pending', 1])
    assert.equal((await scene.show()).consecutive_failures, 0)
    fixture.passes('1 minute')
    await scene.receiver.received(1)
  })

  test('ends with delivery_failed for a payload that cannot be built, and does not count in the streak', async () => {
    const scene = await newScene({ events: ['balance.low', 'order.paid'] })
    await scene.emit('balance.low', { transaction_id: randomUUID() })
    await scene.emit('order.paid', { order_id: randomUUID() })
    await eventually(async () => (await scene.deliveries()).every((one) => one.attempt === 1))
    for (const { state, error } of await scene.deliveries()) {
      assert.deepEqual([state, error], ['pending', 'delivery_failed'])
    }
    assert.equal((await scene.show()).consecutive_failures, 0)
  })
})

suite('a disabled endpoint', () => {
  /** Fails attempts until the endpoint has the given streak. */
  async function failing(scene: Scene, count: number): Promise<void> {
    const before = (await scene.show()).consecutive_failures
    for (let n = before; n < count; n += 1) await scene.emit('call.completed')
    await afterPauses(scene, async () => (await scene.show()).consecutive_failures >= count)
  }

  /**
   * Repeats `look` until it is true. Ends the pause of the endpoint each time, without making a
   * retry due.
   */
  async function afterPauses(scene: Scene, look: () => Promise<boolean>): Promise<void> {
    const endPause = () =>
      runtime.db.transact((tx) =>
        sql`update webhook_endpoints set last_failure_at = last_failure_at - interval '1 minute'
          where project_id = ${scene.project_id}`.execute(tx),
      )
    await eventually(async () => {
      await endPause()
      runtime.wakeups.announce('deliveries')
      return look()
    })
    await endPause()
  }

  test('is disabled after 50 failed attempts in a row, and its pending deliveries are dropped', async () => {
    const scene = await newScene()
    scene.receiver.answers(500)
    await failing(scene, 49)
    assert.equal((await scene.show()).active, true)
    await scene.emit('call.completed')
    await afterPauses(scene, async () => !(await scene.show()).active)
    assert.equal((await scene.show()).consecutive_failures, 50)
    for (const { state, error, stage } of await scene.deliveries()) {
      assert.deepEqual([state, error, stage], ['dropped', 'endpoint_disabled', null])
    }
    fixture.passes('2 days')
    await scene.emit('call.completed')
    assert.equal((await scene.deliveries()).length, 50, 'no delivery is made for it meanwhile')
    assert.equal(scene.receiver.requests.length, 50)
  })

  test('stays enabled if a success is between 49 failures and 49 more', async () => {
    const scene = await newScene()
    scene.receiver.answers(500)
    await failing(scene, 49)
    scene.receiver.answers(200)
    await scene.emit('call.completed')
    await afterPauses(scene, async () => (await scene.show()).consecutive_failures === 0)
    scene.receiver.answers(500)
    await failing(scene, 49)
    assert.equal((await scene.show()).active, true)
  })

  test('receives no event of the disabled period, and every event after it is enabled again', async () => {
    const scene = await newScene()
    scene.receiver.answers(500)
    await failing(scene, 50)
    const missed = await scene.emit('call.completed')
    scene.receiver.answers(200)
    const key = await fixture.newKey({ project_id: scene.project_id })
    await call(`POST /webhooks/${scene.endpoint.id}/enable`, { key })
    const seen = scene.receiver.requests.length
    const call_id = await scene.emit('call.completed')
    const received = (await scene.receiver.received(seen + 1)).map(
      (one: any) => one.event.data.call.id,
    )
    assert.equal(received.at(-1), call_id)
    assert.ok(!received.includes(missed))
  })

  test('drops deliveries inserted while it was being disabled, at the next enable', async () => {
    const scene = await newScene()
    await claimAlone(scene)
    await runtime.db.transact((tx) =>
      tx
        .updateTable('webhook_endpoints')
        .set({ active: false, consecutive_failures: 50 })
        .where('project_id', '=', scene.project_id)
        .execute(),
    )
    assert.equal((await scene.deliveries())[0]?.state, 'pending')
    const key = await fixture.newKey({ project_id: scene.project_id })
    await call(`POST /webhooks/${scene.endpoint.id}/enable`, { key })
    const [dropped] = await scene.deliveries()
    assert.deepEqual([dropped?.state, dropped?.error], ['dropped', 'endpoint_disabled'])
  })

  test('records the success of a running attempt without enabling the endpoint', async () => {
    const scene = await newScene()
    scene.receiver.answers(500)
    await failing(scene, 49)
    const claimed = await claimAlone(scene)
    await attemptNow(runtime, { project_id: scene.project_id, endpoint_id: scene.endpoint.id })
    scene.receiver.answers(200)
    const { delivery } = await attemptAndRecord(runtime, claimed, sources[1])
    assert.equal(delivery?.state, 'delivered')
    const { active, consecutive_failures, last_success_at } = await scene.show()
    assert.deepEqual([active, consecutive_failures], [false, 50])
    assert.ok(last_success_at)
  })

  test('receives no delivery inserted while it was disabled', async () => {
    const scene = await newScene()
    const claimed = await claimAlone(scene)
    const { outcome, delivery } = await attemptAndRecord(
      runtime,
      { ...claimed, active: false },
      sources[1],
    )
    assert.deepEqual(outcome, { kind: 'dropped', error: 'endpoint_disabled' })
    assert.equal(delivery?.state, 'dropped')
    assert.equal(scene.receiver.requests.length, 0)
  })

  test('loses its deliveries when it is deleted, and a running attempt records nothing', async () => {
    const scene = await newScene()
    const claimed = await claimAlone(scene)
    const key = await fixture.newKey({ project_id: scene.project_id })
    assert.equal((await call(`DELETE /webhooks/${scene.endpoint.id}`, { key })).status, 204)
    assert.deepEqual(await scene.deliveries(), [])
    const { outcome, delivery } = await attemptAndRecord(runtime, claimed, sources[1])
    assert.equal(outcome.kind, 'delivered')
    assert.equal(delivery, null)
  })
})

suite('several workers', () => {
  test('send every delivery once, from two pools', async () => {
    running.push(startDeliveries({ ...runtime }, { sources }))
    const scene = await newScene()
    const count = 150
    await runtime.db.transact(async (tx) => {
      const { project_id } = scene
      for (let n = 0; n < count; n += 1) {
        const subject = { call_id: randomUUID() }
        await emit(tx, runtime, { project_id, type: 'call.completed', subject })
      }
    })
    await eventually(async () =>
      (await scene.deliveries()).every(({ state }) => state === 'delivered'),
    )
    assert.equal(scene.receiver.requests.length, count)
    const ids = scene.receiver.requests.map(({ headers }) => headers['service-delivery'])
    assert.equal(new Set(ids).size, count)
  })

  test('send again with the same ids after a crash between sending and recording', async () => {
    const scene = await newScene()
    const claimed = await claimAlone(scene)
    const ended = await attempt(runtime, claimed, sources[1])
    assert.equal(scene.receiver.requests.length, 1)
    // The process dies here; the lease ends half a minute later.
    fixture.passes('29 seconds')
    assert.deepEqual(await claimOf(scene), [])
    fixture.passes('1 second')
    const [first, second] = (await scene.receiver.received(2)) as [any, any]
    assert.equal(second.event.id, first.event.id)
    assert.equal(second.headers['service-delivery'], first.headers['service-delivery'])
    const { state, attempt: attempts } = await attempted(scene, 1)
    assert.deepEqual([state, attempts], ['delivered', 1])
    assert.equal(
      await recordAttempt(runtime, claimed, ended),
      null,
      'the lost lease records nothing',
    )
    assert.equal((await scene.deliveries())[0]?.attempt, 1)
  })

  test('lose nothing in a crash before sending', async () => {
    const scene = await newScene()
    await claimAlone(scene)
    fixture.passes('31 seconds')
    await scene.receiver.received(1)
    assert.equal((await attempted(scene, 1)).state, 'delivered')
  })

  test('wait at shutdown for the running attempt and its record', async () => {
    const scene = await newScene()
    const answered = Promise.withResolvers<void>()
    const pools = running.splice(0)
    scene.receiver.answers(async (_request, response) => {
      const stopping = Promise.all(pools.map((pool) => pool.stop()))
      response.writeHead(204).end()
      await stopping
      answered.resolve()
    })
    await scene.emit('call.completed')
    await answered.promise
    assert.equal((await scene.deliveries())[0]?.state, 'delivered')
    running.push(startDeliveries(runtime, { sources }))
  })
})

test('each event type needs one source of payloads', () => {
  assert.throws(
    () => startDeliveries(runtime, { sources: [webhookTest, webhookTest] }),
    /two sources/,
  )
})
