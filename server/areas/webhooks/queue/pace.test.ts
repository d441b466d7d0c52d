/**
 * Tests of pacing on the virtual clock: a receiver with a short outage loses no event and is not
 * disabled, whatever number of events is pending; a permanent outage disables it after fifty
 * attempts.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, suite, test } from 'node:test'
import { sql } from 'kysely'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import { limits } from '../../../contract/limits.ts'
import { movableClock } from '../../../kernel/clock.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import type { AttemptOutcome } from '../outcome/outcome.ts'
import { recordAttempt } from '../outcome/record.ts'
import { emit } from '../service.ts'
import { insertEndpoint } from '../store.ts'
import { openReceiver } from '../../../../test/fixtures/webhooks/webhook-receiver.ts'
import { createClaimer } from './claim.ts'
import { findPause, pauses_s } from './pace.ts'
import { lookForDue, type ClaimedDelivery } from './store.ts'

const fixture = await openTestRuntime({ work: false })
const start_ms = Date.UTC(2026, 10, 2, 9)
// Only the test moves this clock, so that pauses end at exact times.
const clock = movableClock(0, { now: () => new Date(start_ms), now_ms: () => start_ms })
const runtime: Runtime = { ...fixture.runtime, clock }

beforeEach(() =>
  runtime.db.transact((tx) =>
    sql`truncate webhook_endpoints, webhook_deliveries, webhook_attempts, events`.execute(tx),
  ),
)

const delivered: AttemptOutcome = { kind: 'delivered', response_status: 200 }
const refused: AttemptOutcome = {
  kind: 'failed',
  error: 'connection_failed',
  response_status: null,
  fault: 'receiver',
}

interface Place {
  project_id: string
  endpoint_id: string
}

async function newPlace(project_id: string = randomUUID(), failures = 0): Promise<Place> {
  const endpoint_id = randomUUID()
  await runtime.db.transact(async (tx) => {
    await sql`insert into projects select (jsonb_populate_record(p, ${JSON.stringify({ id: project_id })}::jsonb)).*
      from projects as p where id = ${fixture.project_id} on conflict do nothing`.execute(tx)
    await insertEndpoint(tx, {
      project_id,
      id: endpoint_id,
      url: 'http://127.0.0.1:9/hooks',
      events: ['document.created'],
      sealed_secret: runtime.seal.seal('whsec_x', 'webhook-secret'),
      secret_prefix: 'whsec_x',
      consecutive_failures: failures,
      last_failure_at: failures > 0 ? clock.now() : null,
      created_at: clock.now(),
    })
  })
  return { project_id, endpoint_id }
}

async function queue({ project_id }: Place, count: number): Promise<void> {
  await runtime.db.transact(async (tx) => {
    for (let n = 0; n < count; n += 1) {
      const subject = { document_id: randomUUID() }
      await emit(tx, runtime, { project_id, type: 'document.created', subject })
    }
  })
}

function show({ project_id, endpoint_id }: Place) {
  const table = runtime.db.selectFrom('webhook_endpoints').selectAll()
  const own = table.where('project_id', '=', project_id).where('id', '=', endpoint_id)
  return own.executeTakeFirstOrThrow()
}

/** Returns the number of deliveries by state and error. */
async function states({ endpoint_id }: Place): Promise<Record<string, number>> {
  const { rows } = await sql<{ name: string; count: number }>`
    select concat_ws(' ', state, error) as name, count(*)::int as count from webhook_deliveries
    where endpoint_id = ${endpoint_id} group by 1`.execute(runtime.db)
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]))
}

function end(one: ClaimedDelivery, outcome: AttemptOutcome) {
  return recordAttempt(runtime, one, { outcome, ended_at: clock.now() })
}

/**
 * Processes all claimable deliveries, like a pool whose attempts end at once: it claims again after
 * each. Returns the number of attempts.
 */
async function workOff(
  claim: (slots: number) => Promise<ClaimedDelivery[]>,
  outcome: AttemptOutcome,
) {
  const inHand = await claim(64)
  let attempts = 0
  for (let one = inHand.shift(); one; one = inHand.shift()) {
    await end(one, outcome)
    attempts += 1
    inHand.push(...(await claim(64 - inHand.length)))
  }
  return attempts
}

test('the pause is 0 s at first, 1 s after a burst, and then doubles up to a minute', () => {
  const table = [1, 2, 4, 5, 13, 14, 15, 16, 19, 20, 49].map((n) => [n, findPause(n)])
  assert.deepEqual(table, [
    ...[1, 2, 4].map((n) => [n, 0]),
    ...[5, 13, 14].map((n) => [n, 1]),
    ...[15, 16, 19].map((n) => [n, 2 ** (n - 14)]),
    ...[20, 49].map((n) => [n, 60]),
  ])
  assert.equal(pauses_s.length, limits.webhook_failures_in_a_row_max)
  const before_disabling_s = pauses_s.slice(13, -1).reduce((sum, pause_s) => sum + pause_s, 0)
  assert.ok(before_disabling_s >= 1800, 'half an hour, the worst burst before it not counted')
})

suite('200 events for an unreachable receiver', () => {
  for (const down_s of [1, 10, 60]) {
    test(`do not disable its endpoint during ${down_s} s, and are delivered afterwards`, async () => {
      const place = await newPlace()
      await queue(place, 200)
      const claim = createClaimer(runtime, new Set())
      const up_ms = clock.now_ms() + down_s * 1000
      let failed = 0
      while (clock.now_ms() < up_ms) {
        failed += await workOff(claim, refused)
        clock.advance(0.5)
      }
      assert.ok(failed >= 5 && failed <= 20, `${failed} attempts failed`)
      const { active, consecutive_failures } = await show(place)
      assert.deepEqual([active, consecutive_failures], [true, failed])
      clock.advance(findPause(failed))
      assert.ok((await workOff(claim, delivered)) >= 200 - failed, 'at full speed after the first')
      clock.advance(60)
      await workOff(claim, delivered)
      assert.deepEqual(await states(place), { delivered: 200 })
    })
  }

  test('disable its endpoint after exactly 50 attempts, over half an hour or more', async () => {
    const place = await newPlace()
    await queue(place, 200)
    const claim = createClaimer(runtime, new Set())
    const began_ms = clock.now_ms()
    let attempts = 0
    while ((await show(place)).active) {
      attempts += await workOff(claim, refused)
      assert.equal((await show(place)).consecutive_failures, attempts)
      if (attempts < 50) clock.advance(findPause(attempts))
    }
    assert.equal(attempts, 50)
    assert.ok(clock.now_ms() - began_ms >= 1_800_000)
    assert.deepEqual(await states(place), { 'dropped endpoint_disabled': 200 })
    clock.advance(86_400)
    assert.deepEqual(await claim(64), [])
  })
})

suite('a paused endpoint', () => {
  test('gets one attempt exactly when the pause ends', async () => {
    const place = await newPlace(undefined, 16)
    await queue(place, 3)
    const claim = createClaimer(runtime, new Set())
    clock.advance(3.999)
    assert.deepEqual(await claim(64), [])
    clock.advance(0.001)
    const [one, ...others] = await claim(64)
    assert.deepEqual(others, [])
    assert.deepEqual(await claim(64), [], 'one at a time')
    await end(one!, refused)
    clock.advance(7.999)
    assert.deepEqual(await claim(64), [], 'the pause after another failure is longer')
    clock.advance(0.001)
    assert.equal((await claim(64)).length, 1)
  })

  test('causes empty claims that request no further poll', async () => {
    const place = await newPlace(undefined, 20)
    await queue(place, 30)
    let wakeups = 0
    const unlisten = runtime.wakeups.listen('deliveries', () => (wakeups += 1))
    const claim = createClaimer(runtime, new Set())
    for (let n = 0; n < 3; n += 1) assert.deepEqual(await claim(64), [])
    unlisten()
    assert.equal(wakeups, 0)
    const due = await lookForDue(runtime.db, clock.now())
    assert.deepEqual(due, { ready: true, overdue: false }, 'the next poll looks again')
  })

  test('delays its retries as well', async () => {
    const place = await newPlace()
    await queue(place, 1)
    const claim = createClaimer(runtime, new Set())
    await end((await claim(1))[0]!, refused)
    clock.advance(59)
    await runtime.db.transact((tx) =>
      sql`update webhook_endpoints set consecutive_failures = 16, last_failure_at = ${clock.now()}
        where id = ${place.endpoint_id}`.execute(tx),
    )
    clock.advance(2)
    assert.deepEqual(await claim(1), [])
    clock.advance(2)
    assert.equal((await claim(1)).length, 1)
  })

  test('accepts a test at once, and its success ends the pause', async () => {
    const receiver = await openReceiver()
    const place = await newPlace(fixture.project_id, 40)
    await queue(place, 30)
    await runtime.db.transact((tx) =>
      sql`update webhook_endpoints set url = ${receiver.url}`.execute(tx),
    )
    const claim = createClaimer(runtime, new Set())
    assert.deepEqual(await claim(64), [])
    const sent = await fixture.call(`POST /webhooks/${place.endpoint_id}/test`)
    assert.deepEqual([sent.body.status, receiver.requests.length], ['delivered', 1], sent.text)
    assert.equal((await claim(64)).length, 10)
  })

  test('does not delay other endpoints of the project', async () => {
    const paused = await newPlace(undefined, 30)
    const other = await newPlace(paused.project_id)
    await queue(paused, 20)
    const claimed = await createClaimer(runtime, new Set())(64)
    assert.deepEqual(
      claimed.map(({ endpoint_id }) => endpoint_id),
      Array.from({ length: 10 }, () => other.endpoint_id),
    )
  })

  test('does not hide other endpoints from the first poll, even if hundreds are paused', async () => {
    const ids = Array.from({ length: 301 }, () => randomUUID()).toSorted()
    for (const [index, id] of ids.entries()) {
      const place = await newPlace(id, index < 300 ? 30 : 0)
      await queue(place, 2)
    }
    const claimed = await createClaimer(runtime, new Set())(64)
    assert.deepEqual(
      claimed.map(({ project_id }) => project_id),
      [ids[300], ids[300]],
    )
  })
})
