/** Tests of concurrent results: each is counted once, in order, and none blocks another. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, suite, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { depth } from '../../../../test/fixtures/depth.ts'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import { emptyWebhooks, putEndpoint } from '../../../../test/fixtures/webhooks/webhook-rows.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { applyOutcome, type AttemptOutcome, type DeliveryAndEndpoint } from './outcome.ts'
import { createClaimer } from '../queue/claim.ts'
import type { ClaimedDelivery } from '../queue/store.ts'
import { recordAttempt } from './record.ts'
import { emit } from '../service.ts'
import { lockEndpoint } from '../store.ts'

const fixture = await openTestRuntime({ work: false })
const { clock } = fixture
let transactions = 0
const runtime: Runtime = {
  ...fixture.runtime,
  db: new Proxy(fixture.runtime.db, {
    get(db, name) {
      if (name === 'transact') transactions += 1
      const member: unknown = Reflect.get(db, name, db)
      return typeof member === 'function' ? member.bind(db) : member
    },
  }),
}

beforeEach(() => fixture.runtime.db.transact(emptyWebhooks))

const delivered: AttemptOutcome = { kind: 'delivered', response_status: 200 }
const failed: AttemptOutcome = {
  kind: 'failed',
  error: 'timeout',
  response_status: null,
  fault: 'receiver',
}

interface Place {
  project_id: string
  endpoint_id: string
}

async function newPlace(failures = 0): Promise<Place> {
  const { project_id } = await fixture.newProject()
  const row = { project_id, events: ['document.created' as const], consecutive_failures: failures }
  const { id } = await fixture.runtime.db.transact((tx) => putEndpoint(tx, runtime, row))
  return { project_id, endpoint_id: id }
}

/** Leases the given number of deliveries of the endpoint. */
async function leased({ project_id }: Place, count: number): Promise<ClaimedDelivery[]> {
  await fixture.runtime.db.transact(async (tx) => {
    for (let n = 0; n < count; n += 1) {
      const subject = { document_id: randomUUID() }
      await emit(tx, fixture.runtime, { project_id, type: 'document.created', subject })
    }
  })
  const claimed = await createClaimer(fixture.runtime, new Set())(64)
  assert.equal(claimed.length, count)
  return claimed
}

const end = (one: ClaimedDelivery, outcome: AttemptOutcome) =>
  recordAttempt(runtime, one, { outcome, ended_at: clock.now() })

function show({ endpoint_id }: Place) {
  const table = fixture.runtime.db.selectFrom('webhook_endpoints').selectAll()
  return table.where('id', '=', endpoint_id).executeTakeFirstOrThrow()
}

function find({ id }: ClaimedDelivery) {
  const table = fixture.runtime.db.selectFrom('webhook_deliveries').selectAll()
  return table.where('id', '=', id).executeTakeFirstOrThrow()
}

suite('results recorded in one batch', () => {
  test('use one transaction for any number of endpoints', async () => {
    const one = await newPlace()
    const other = await newPlace()
    const claimed = [...(await leased(one, 5)), ...(await leased(other, 5))]
    transactions = 0
    const after = await Promise.all(claimed.map((delivery) => end(delivery, delivered)))
    assert.ok(after.every((delivery) => delivery?.state === 'delivered'))
    assert.equal(transactions, 1)
    for (const delivery of claimed) {
      const { state, stage, lease_token, finished_at } = await find(delivery)
      assert.deepEqual([state, stage, lease_token], ['delivered', null, null])
      assert.ok(finished_at)
    }
    assert.ok((await show(one)).last_success_at && (await show(other)).last_success_at)
  })

  test('each enter the log with request and response', async () => {
    const place = await newPlace()
    const claimed = await leased(place, 3)
    const started_at = clock.now()
    const trace = (n: number) => ({
      started_at,
      duration_ms: n,
      response_text: n === 0 ? null : `"it's" \\ ${n} ü`,
      body_sha256: n === 0 ? null : Buffer.alloc(32, n),
    })
    transactions = 0
    const recorded = claimed.map((one, n) =>
      recordAttempt(runtime, one, { outcome: delivered, ended_at: clock.now(), trace: trace(n) }),
    )
    await Promise.all(recorded)
    assert.equal(transactions, 1)
    for (const [n, { id }] of claimed.entries()) {
      const table = fixture.runtime.db.selectFrom('webhook_attempts').selectAll()
      const { project_id, delivery_id, ...line } = await table
        .where('delivery_id', '=', id)
        .executeTakeFirstOrThrow()
      assert.deepEqual([project_id, delivery_id], [place.project_id, id])
      const answer = { response_status: 200, error: null }
      assert.deepEqual(line, { number: 1, manual: false, ...trace(n), ...answer })
    }
  })

  test('apply in the order in which the attempts ended', async () => {
    const outcomes = fc.array(fc.constantFrom(delivered, failed), { minLength: 1, maxLength: 10 })
    await fc.assert(
      fc.asyncProperty(outcomes, async (list) => {
        const place = await newPlace(2)
        const claimed = await leased(place, list.length)
        let endpoint: DeliveryAndEndpoint['endpoint'] = {
          active: true,
          consecutive_failures: 2,
          last_success_at: null,
          last_failure_at: null,
          disabled_at: null,
          disabled_reason: null,
          warned_failures: 0,
        }
        const ended_at = clock.now()
        for (const outcome of list) {
          const next_attempt_at = ended_at
          const delivery = { state: 'pending', attempt: 0, response_status: null } as const
          const before = { endpoint, delivery: { ...delivery, error: null, next_attempt_at } }
          endpoint = applyOutcome(before, { outcome, ended_at }).endpoint
        }
        await Promise.all(
          claimed.map((one, n) => recordAttempt(runtime, one, { outcome: list[n]!, ended_at })),
        )
        const found = await show(place)
        const kept = Object.keys(endpoint) as (keyof DeliveryAndEndpoint['endpoint'])[]
        assert.deepEqual(Object.fromEntries(kept.map((name) => [name, found[name]])), endpoint)
      }),
      { numRuns: depth(5, 15) },
    )
  })

  test('disable an endpoint at its fiftieth failure without affecting others', async () => {
    const dying = await newPlace()
    const claimed = await leased(dying, 6)
    await fixture.runtime.db.transact((tx) =>
      sql`update webhook_endpoints set consecutive_failures = 47`.execute(tx),
    )
    const well = await newPlace()
    const [others, waiting] = [await leased(well, 1), claimed.pop()!]
    const all = [...claimed, ...others]
    const after = await Promise.all(
      all.map((one) => end(one, one.project_id === well.project_id ? delivered : failed)),
    )
    assert.deepEqual(
      after.map((delivery) => delivery?.state),
      ['pending', 'pending', 'dropped', 'dropped', 'dropped', 'delivered'],
    )
    for (const one of [...claimed, waiting]) assert.equal((await find(one)).state, 'dropped')
    const { active, consecutive_failures } = await show(dying)
    assert.deepEqual([active, consecutive_failures], [false, 50])
    assert.equal((await find(waiting)).error, 'endpoint_disabled')
    assert.equal((await end(waiting, delivered))?.state, 'delivered', 'it was under way then')
    assert.equal((await show(dying)).active, false)
  })

  test('count once if one of them is reported twice', async () => {
    const place = await newPlace()
    const [one] = await leased(place, 1)
    const after = await Promise.all([end(one!, failed), end(one!, failed)])
    assert.deepEqual(
      after.map((delivery) => delivery?.attempt),
      [1, undefined],
    )
    assert.equal((await show(place)).consecutive_failures, 1)
  })

  test('do not include a result that lost its lease', async () => {
    const place = await newPlace()
    const [lost, ...others] = await leased(place, 3)
    await fixture.runtime.db.transact((tx) =>
      sql`update webhook_deliveries set lease_token = ${randomUUID()} where id = ${lost!.id}`.execute(
        tx,
      ),
    )
    const after = await Promise.all([lost!, ...others].map((one) => end(one, failed)))
    assert.deepEqual(
      after.map((delivery) => delivery?.state ?? null),
      [null, 'pending', 'pending'],
    )
    assert.equal((await show(place)).consecutive_failures, 2)
    assert.equal((await find(lost!)).stage, 'leased')
  })

  test('do not wait for an endpoint locked by another transaction', async () => {
    const [locked, free] = [await newPlace(), await newPlace()]
    const claimed = [...(await leased(locked, 2)), ...(await leased(free, 1))]
    const blocked = await fixture.runtime.db.transact(async (tx) => {
      await lockEndpoint(tx, locked.project_id, locked.endpoint_id)
      const [one, two, other] = claimed.map((delivery) => end(delivery, failed))
      assert.equal((await other)?.state, 'pending')
      assert.equal((await show(locked)).consecutive_failures, 0)
      return [one, two]
    })
    for (const delivery of blocked) assert.equal((await delivery)?.attempt, 1)
    assert.equal((await show(locked)).consecutive_failures, 2)
  })

  test('are recorded although one of them violates a database constraint', async () => {
    const place = await newPlace()
    const [broken, ...others] = await leased(place, 3)
    await fixture.runtime.db.transact((tx) =>
      sql`update webhook_deliveries set attempt = 8 where id = ${broken!.id}`.execute(tx),
    )
    const after = await Promise.allSettled([broken!, ...others].map((one) => end(one, failed)))
    assert.deepEqual(
      after.map(({ status }) => status),
      ['rejected', 'fulfilled', 'fulfilled'],
    )
    assert.equal((await show(place)).consecutive_failures, 2)
  })

  test('are discarded if the endpoint is deleted', async () => {
    const place = await newPlace()
    const claimed = await leased(place, 2)
    await fixture.runtime.db.transact((tx) => sql`delete from webhook_endpoints`.execute(tx))
    assert.deepEqual(await Promise.all(claimed.map((one) => end(one, failed))), [null, null])
  })
})
