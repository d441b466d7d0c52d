/**
 * Tests ten thousand short histories against the reference model. They run in parallel, one project
 * each, so that one claim and one read of the tables serve hundreds of them. The result of each
 * attempt, crashes included, and the changes of the endpoint between attempts are random.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { depth } from '../../../../test/fixtures/depth.ts'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import { emptyWebhooks, putEndpoint } from '../../../../test/fixtures/webhooks/webhook-rows.ts'
import type { Caller, ProjectRow } from '../../../contract/caller.ts'
import { movableClock } from '../../../kernel/clock.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { newId } from '../../../kernel/values/ids.ts'
import type { EndedAttempt } from './outcome.ts'
import { createClaimer } from '../queue/claim.ts'
import { recordAttempt } from './record.ts'
import { emit, enable, remove } from '../service.ts'
import {
  ReferenceModel,
  modelOutcomes,
  modelEventTypes,
  type InFlight,
  type OutcomeName,
} from './test-model.ts'

const SIDE_BY_SIDE = depth(300, 500)
const WORLDS = depth(1, 20)
const TICKS_MAX = 4
const LANES = 8
/**
 * Number of deliveries that a claim may return: more than the number of projects, so that a claim
 * covers all of them.
 */
const SLOTS = 2 * SIDE_BY_SIDE

const fixture = await openTestRuntime({ work: false })
const start_ms = Date.UTC(2026, 10, 2, 9)
const clock = movableClock(0, { now: () => new Date(start_ms), now_ms: () => start_ms })
const runtime: Runtime = { ...fixture.runtime, clock }
const claim = createClaimer(runtime, new Set())
const projects: ProjectRow[] = await insertProjects()

async function insertProjects(): Promise<ProjectRow[]> {
  const { project_id } = await fixture.newProject()
  const example = await runtime.db
    .selectFrom('projects')
    .selectAll()
    .where('id', '=', project_id)
    .executeTakeFirstOrThrow()
  const rows = Array.from({ length: SIDE_BY_SIDE }, () => ({ ...example, id: newId(clock) }))
  await runtime.db.transact(async (tx) => {
    const ids = rows.map(({ id }) => id)
    await sql`insert into projects (id, name, shape, plan, rails, created_at)
      select id, 'Model', 'single', 'free', ${JSON.stringify(example.rails)}, ${clock.now()}
      from unnest(${ids}::uuid[]) as made (id)`.execute(tx)
  })
  return rows
}

/** One random step of a history, after which the tables are compared with the model. */
type Step =
  /** Ends the running attempts with this outcome. */
  | { do: 'finish'; outcome: OutcomeName }
  /** Ends the process with all its running attempts. */
  | { do: 'crash' }
  | { do: 'enable' | 'remove' | 'nothing' }

interface Lot {
  /** The initial streak. It is high enough in some histories that the endpoint is disabled. */
  failures: number
  /** Number of events. The second event waits for the first attempt of the first. */
  events: 1 | 2
  fates: Step[]
}

interface World {
  lots: Lot[]
  /** Seconds before each check, for all histories. */
  pauses_s: number[]
}

const finish = fc.record({
  do: fc.constant('finish' as const),
  outcome: fc.constantFrom<OutcomeName>(
    ...(['failed', 'failed', 'failed', 'delivered', 'delivered', 'own_fault', 'deleted'] as const),
  ),
})
const fate: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: finish },
  { weight: 5, arbitrary: fc.constant({ do: 'crash' as const }) },
  { weight: 2, arbitrary: fc.constant({ do: 'enable' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'remove' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'nothing' as const }) },
)
const lot: fc.Arbitrary<Lot> = fc.record({
  failures: fc.constantFrom(0, 0, 0, 4, 48, 49),
  events: fc.constantFrom(1, 1, 2),
  fates: fc.array(fate, { minLength: 2, maxLength: TICKS_MAX, size: 'max' }),
})
const world: fc.Arbitrary<World> = fc.record({
  lots: fc.array(lot, { minLength: SIDE_BY_SIDE, maxLength: SIDE_BY_SIDE, size: 'max' }),
  pauses_s: fc.array(fc.constantFrom(1, 30, 300, 86_400, 86_400), {
    minLength: TICKS_MAX,
    maxLength: TICKS_MAX,
  }),
})

interface History {
  project: ProjectRow
  model: ReferenceModel
  fates: Step[]
  inFlight: InFlight[]
}

const callerOf = (project: ProjectRow): Caller => ({
  runtime,
  db: runtime.db,
  project,
  mode: 'test',
  key_id: randomUUID(),
  scopes: new Set(),
  access: null,
  idempotency_key: null,
  request_id: 'req_of_the_model',
  remember: async () => {},
})

/** Creates an endpoint and one or two events about a call for each history, in one transaction. */
async function begin(lots: readonly Lot[]): Promise<History[]> {
  const histories = lots.map(({ fates }, index) => ({
    project: projects[index]!,
    model: new ReferenceModel(clock),
    fates: [...fates],
    inFlight: [],
  }))
  await runtime.db.transact(async (tx) => {
    await emptyWebhooks(tx)
    for (const [index, { project, model }] of histories.entries()) {
      const id = newId(clock)
      const { failures, events } = lots[index]!
      const row = { project_id: project.id, id, events: [...modelEventTypes] }
      await putEndpoint(tx, runtime, { ...row, consecutive_failures: failures })
      model.endpoints.push({ id, active: true, failures, success_ms: null, failure_ms: null })
      const call_id = randomUUID()
      for (const type of modelEventTypes.slice(0, events)) {
        model.emit(type, call_id)
        await emit(tx, runtime, { project_id: project.id, type, subject: { call_id } })
      }
    }
  })
  return histories
}

/** Claims all claimable deliveries; each history must get those that its model predicts. */
async function claimAll(histories: readonly History[]): Promise<void> {
  const nameOf = (endpoint_id: string, type: string) => `${endpoint_id} ${type}`
  const expected = new Map(
    histories.flatMap((history) =>
      history.model
        .claim(Infinity)
        .map((delivery) => [
          nameOf(delivery.endpoint.id, delivery.type),
          { history, delivery, lease: delivery.lease! },
        ]),
    ),
  )
  const wanted = [...expected.keys()].toSorted()
  const got: string[] = []
  for (let claimed = await claim(SLOTS); claimed.length > 0; claimed = await claim(SLOTS)) {
    for (const one of claimed) {
      const name = nameOf(one.endpoint_id, one.type)
      got.push(name)
      const found = expected.get(name)
      if (found) found.history.inFlight.push({ claimed: one, ...found })
    }
  }
  assert.deepEqual(got.toSorted(), wanted)
}

async function live({ project, model, fates, inFlight }: History): Promise<void> {
  const fate = fates.shift()
  const [endpoint] = model.endpoints
  switch (fate?.do) {
    case 'finish':
      for (const flight of inFlight.splice(0)) {
        const interested = model.finish(flight, fate.outcome)
        const ended: EndedAttempt = { outcome: modelOutcomes[fate.outcome], ended_at: clock.now() }
        assert.equal((await recordAttempt(runtime, flight.claimed, ended)) !== null, interested)
      }
      return
    case 'crash':
      inFlight.length = 0
      return
    case 'enable':
      if (!endpoint) return
      model.enable(endpoint)
      await enable(callerOf(project), endpoint.id)
      return
    case 'remove':
      if (!endpoint) return
      model.remove(endpoint)
      await remove(callerOf(project), endpoint.id)
      return
    default:
  }
}

/** Compares the tables with the models. */
async function check(histories: readonly History[]): Promise<void> {
  const endpoints = await runtime.db
    .selectFrom('webhook_endpoints')
    .select(['id', 'active', 'consecutive_failures', 'last_success_at', 'last_failure_at'])
    .orderBy('id')
    .execute()
  assert.deepEqual(
    endpoints.map(({ id, active, consecutive_failures: failures, ...last }) => ({
      id,
      active,
      failures,
      success_ms: last.last_success_at?.getTime() ?? null,
      failure_ms: last.last_failure_at?.getTime() ?? null,
    })),
    histories.flatMap(({ model }) => model.endpoints),
  )
  const deliveries = await runtime.db
    .selectFrom('webhook_deliveries')
    .select(['endpoint_id', 'type', 'call_id', 'state', 'stage', 'attempt', 'error'])
    .select(['response_status', 'next_attempt_at', 'lease_until'])
    .orderBy('id')
    .execute()
  assert.deepEqual(
    deliveries.map(({ next_attempt_at, lease_until, ...row }) => ({
      ...row,
      next_ms: next_attempt_at?.getTime() ?? null,
      until_ms: lease_until?.getTime() ?? null,
    })),
    histories.flatMap(({ model }) =>
      model.deliveries.map(({ endpoint, lease, ...one }) => ({
        ...one,
        endpoint_id: endpoint.id,
        until_ms: lease?.until_ms ?? null,
      })),
    ),
  )
}

async function eachInLanes<T>(items: readonly T[], work: (item: T) => Promise<void>) {
  const waiting = items.values()
  const lane = async () => {
    for (const item of waiting) await work(item)
  }
  await Promise.all(Array.from({ length: LANES }, lane))
}

test(`${WORLDS * SIDE_BY_SIDE} random histories agree with the model`, async () => {
  await fc.assert(
    fc.asyncProperty(world, async ({ lots, pauses_s }) => {
      const histories = await begin(lots)
      for (const pause_s of pauses_s) {
        await claimAll(histories)
        await eachInLanes(histories, live)
        await check(histories)
        clock.advance(pause_s)
      }
    }),
    { numRuns: WORLDS, endOnFailure: true },
  )
})
