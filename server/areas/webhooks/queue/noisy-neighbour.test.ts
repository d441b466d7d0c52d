/**
 * Tests that a project with very many pending deliveries does not slow the others: in any sequence
 * of claims and results, every project with a ready delivery gets its turn.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, beforeEach, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { depth } from '../../../../test/fixtures/depth.ts'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import { movableClock } from '../../../kernel/clock.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import type { AttemptOutcome } from '../outcome/outcome.ts'
import { recordAttempt } from '../outcome/record.ts'
import { emit } from '../service.ts'
import { insertEndpoint } from '../store.ts'
import { createClaimer } from './claim.ts'
import { deliveryCaps } from './pace.ts'
import type { ClaimedDelivery } from './store.ts'

const PENDING = 30_000
const OTHERS = 6
const fixture = await openTestRuntime({ work: false })
// A fixed clock, because leases could expire between two steps on a slow machine.
const start_ms = Date.UTC(2026, 10, 2, 9)
const clock = movableClock(0, { now: () => new Date(start_ms), now_ms: () => start_ms })
const runtime: Runtime = { ...fixture.runtime, clock }
const none: ReadonlySet<string> = new Set()
let noisy = ''
let others: string[] = []

async function newPlace(): Promise<string> {
  const { project_id } = await fixture.newProject()
  await runtime.db.transact((tx) =>
    insertEndpoint(tx, {
      project_id,
      id: randomUUID(),
      url: 'http://127.0.0.1:9/hooks',
      events: ['document.created'],
      sealed_secret: runtime.seal.seal('whsec_x', 'webhook-secret'),
      secret_prefix: 'whsec_x',
      created_at: clock.now(),
    }),
  )
  return project_id
}

/** Inserts the deliveries of many events in one statement. */
async function flood(project_id: string, count: number): Promise<void> {
  await runtime.db.transact(async (tx) => {
    await sql`set local statement_timeout = '5min'`.execute(tx)
    await sql`with made as (
        insert into events (project_id, id, type, subject, created_at)
        select ${project_id}, 'evt_' || replace(gen_random_uuid()::text, '-', ''),
          'document.created', jsonb_build_object('document_id', n), ${clock.now()}
        from generate_series(1, ${count}::int) as n returning project_id, id, subject
      )
      insert into webhook_deliveries (project_id, id, endpoint_id, event_id, type, subject_key,
        next_attempt_at, created_at)
      select made.project_id, gen_random_uuid(), e.id, made.id, 'document.created',
        made.subject::text, ${clock.now()}, ${clock.now()}
      from made join webhook_endpoints as e on e.project_id = made.project_id`.execute(tx)
  })
}

async function queue(project_id: string, count: number): Promise<void> {
  await runtime.db.transact(async (tx) => {
    for (let n = 0; n < count; n += 1) {
      const subject = { document_id: randomUUID() }
      await emit(tx, runtime, { project_id, type: 'document.created', subject })
    }
  })
}

before(async () => {
  noisy = await newPlace()
  others = await Promise.all(Array.from({ length: OTHERS }, newPlace))
  await flood(noisy, PENDING)
  await sql`analyze`.execute(runtime.db)
})
beforeEach(async () => {
  await runtime.db.transact(async (tx) => {
    await sql`delete from webhook_deliveries where project_id <> ${noisy}`.execute(tx)
    await sql`update webhook_deliveries set stage = 'ready', lease_token = null, lease_until = null
      where stage = 'leased'`.execute(tx)
  })
})

const delivered: AttemptOutcome = { kind: 'delivered', response_status: 204 }
const end = (claimed: ClaimedDelivery) =>
  recordAttempt(runtime, claimed, { outcome: delivered, ended_at: clock.now() })
const own = (claimed: readonly ClaimedDelivery[], project_id: string) =>
  claimed.filter((one) => one.project_id === project_id).length

test('the delivery queue serves every project once before the noisy project twice', async () => {
  for (const project_id of others) await queue(project_id, 1)
  const claimed = await createClaimer(runtime, none)(OTHERS + 1)
  for (const project_id of [noisy, ...others]) assert.equal(own(claimed, project_id), 1)
})

test('limits a noisy project with a slow receiver to its cap', async () => {
  const claim = createClaimer(runtime, none)
  const held = [...(await claim(64)), ...(await claim(64)), ...(await claim(64))]
  assert.equal(held.length, deliveryCaps.endpoint_cap)
  for (const project_id of others) await queue(project_id, 5)
  const claimed = await claim(64 - held.length)
  assert.equal(own(claimed, noisy), 0)
  for (const project_id of others) assert.equal(own(claimed, project_id), 5)
})

test('limits a failing endpoint with a long queue to one worker', async () => {
  const setFailures = (failures: number) =>
    runtime.db.transact((tx) =>
      sql`update webhook_endpoints set consecutive_failures = ${failures}
        where project_id = ${noisy}`.execute(tx),
    )
  await setFailures(deliveryCaps.doubtful_failures)
  const claim = createClaimer(runtime, none)
  assert.equal((await claim(64)).length + (await claim(64)).length, 1)
  await setFailures(0)
})

test('the delivery queue serves every project in the first round for any number of free workers', async () => {
  const round = fc.record({ slots: fc.integer({ min: 1, max: 9 }), ended: fc.nat(9) })
  const rounds = fc.array(round, { minLength: 10, maxLength: 20, size: 'max' })
  await fc.assert(
    fc.asyncProperty(rounds, async (list) => {
      await runtime.db.transact(async (tx) => {
        await sql`delete from webhook_deliveries where project_id <> ${noisy}`.execute(tx)
        await sql`update webhook_deliveries set stage = 'ready', lease_token = null,
          lease_until = null where stage = 'leased'`.execute(tx)
      })
      // Enough deliveries for all slots of all rounds.
      for (const project_id of others) await flood(project_id, 20 * 9)
      const claim = createClaimer(runtime, none)
      const in_progress: ClaimedDelivery[] = []
      const waited = new Map(others.map((project_id) => [project_id, 0]))
      for (const { slots, ended } of list) {
        for (const one of in_progress.splice(0, ended)) await end(one)
        const claimed = await claim(slots)
        in_progress.push(...claimed)
        for (const project_id of others) {
          const busy = own(in_progress, project_id) >= deliveryCaps.endpoint_cap
          const turns = own(claimed, project_id) > 0 || busy ? 0 : waited.get(project_id)! + slots
          // The number of claims is enough for a turn of every other project and of the noisy one.
          assert.ok(
            turns <= 2 * (OTHERS + 1) + slots,
            `${turns} turns without one of ${project_id}`,
          )
          waited.set(project_id, turns)
        }
      }
    }),
    { numRuns: depth(3, 8) },
  )
})
