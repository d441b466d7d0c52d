/**
 * Endpoints and deliveries against a reference model: random histories of events, claims, results,
 * deletions, disabling, enabling and time passing run on the real tables, and after every step
 * the tables must say what the model says. The model is written from the specification's state
 * table, not from the code.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { openTestHouse } from '../../../test/ground/house.ts'
import type { Caller } from '../../contract/caller.ts'
import { movableClock } from '../../kernel/clock.ts'
import type { House } from '../../kernel/house.ts'
import { newId } from '../../kernel/ids.ts'
import type { Outcome } from './outcome.ts'
import { createClaimer } from './queue/claim.ts'
import type { Claimed } from './queue/store.ts'
import { record } from './record.ts'
import { emit, enable, remove } from './service.ts'
import { insertEndpoint } from './store.ts'

const RUNS = 40
const ground = await openTestHouse({ work: false })
const start_ms = Date.UTC(2026, 10, 2, 9)
const still = { now: () => new Date(start_ms), now_ms: () => start_ms }
const clock = movableClock(0, still)
const house: House = { ...ground.house, clock }
const project = await house.db
  .selectFrom('projects')
  .selectAll()
  .where('id', '=', ground.project_id)
  .executeTakeFirstOrThrow()
const caller: Caller = {
  house,
  db: house.db,
  project,
  mode: 'test',
  key_id: randomUUID(),
  scopes: new Set(),
  access: null,
  idempotency_key: null,
  request_id: 'req_of_the_model',
  remember: async () => {},
}

const calls = Array.from({ length: 16 }, () => randomUUID())
const types = ['call.completed', 'call.summary.ready'] as const
const outcomes = {
  delivered: { kind: 'delivered', response_status: 204 },
  failed: { kind: 'failed', error: 'timeout', response_status: null, fault: 'receiver' },
  own_fault: {
    kind: 'failed',
    error: 'secret_unreadable',
    response_status: null,
    fault: 'service',
  },
  deleted: { kind: 'dropped', error: 'call_deleted' },
} as const satisfies Record<string, Outcome>
type OutcomeName = keyof typeof outcomes

interface ModelEndpoint {
  id: string
  active: boolean
  failures: number
  success_ms: number | null
  failure_ms: number | null
}

interface ModelDelivery {
  endpoint: ModelEndpoint
  type: (typeof types)[number]
  call_id: string
  state: 'pending' | 'delivered' | 'failed' | 'dropped'
  stage: 'waiting' | 'ready' | 'leased' | null
  attempt: number
  next_ms: number | null
  lease: { until_ms: number } | null
  error: string | null
  response_status: number | null
}

interface InFlight {
  claimed: Claimed
  delivery: ModelDelivery
  lease: { until_ms: number }
}

const delays_min = [1, 5, 30, 120, 360, 720, 1440]

/** The reference: what the specification says, in plain arrays. */
class Model {
  endpoints: ModelEndpoint[] = []
  deliveries: ModelDelivery[] = []

  emit(type: ModelDelivery['type'], call_id: string): void {
    for (const endpoint of this.endpoints.filter(({ active }) => active)) {
      const same = (one: ModelDelivery) =>
        one.endpoint === endpoint && one.type === type && one.call_id === call_id
      if (this.deliveries.some(same)) continue
      this.deliveries.push({
        endpoint,
        type,
        call_id,
        state: 'pending',
        stage: 'ready',
        attempt: 0,
        next_ms: clock.now_ms(),
        lease: null,
        error: null,
        response_status: null,
      })
    }
  }

  /** What a claim of so many gets, in no particular order. */
  claim(slots: number): ModelDelivery[] {
    const now_ms = clock.now_ms()
    for (const one of this.deliveries) {
      const due = one.stage === 'waiting' && one.next_ms! <= now_ms
      const lost = one.stage === 'leased' && one.lease!.until_ms <= now_ms
      if (due || lost) Object.assign(one, { stage: 'ready', lease: null })
    }
    const leased = (endpoint?: ModelEndpoint) =>
      this.deliveries.filter(
        (one) => one.stage === 'leased' && (!endpoint || one.endpoint === endpoint),
      ).length
    const candidates = this.endpoints.flatMap((endpoint) => {
      const room = (endpoint.failures >= 5 ? 1 : 10) - leased(endpoint)
      const own = this.deliveries.filter(
        (one) => one.endpoint === endpoint && one.stage === 'ready',
      )
      const heads = own.filter((one) => !this.waitsForEarlier(one)).slice(0, Math.max(room, 0))
      return heads.map((delivery, n) => ({ delivery, n, at: this.deliveries.indexOf(delivery) }))
    })
    const chosen = candidates
      .toSorted((a, b) => a.n - b.n || a.at - b.at)
      .slice(0, Math.max(Math.min(slots, 20 - leased()), 0))
      .map(({ delivery }) => delivery)
    const lease = { until_ms: now_ms + 30_000 }
    for (const one of chosen) Object.assign(one, { stage: 'leased', lease })
    return chosen
  }

  private waitsForEarlier(delivery: ModelDelivery): boolean {
    if (delivery.attempt > 0) return false
    const before = this.deliveries.slice(0, this.deliveries.indexOf(delivery))
    return before.some(
      ({ endpoint, call_id, state, attempt }) =>
        endpoint === delivery.endpoint &&
        call_id === delivery.call_id &&
        state === 'pending' &&
        attempt === 0,
    )
  }

  /** Records a result; false when nobody is interested in it any more. */
  finish({ delivery, lease }: InFlight, name: OutcomeName): boolean {
    const { endpoint } = delivery
    if (!this.endpoints.includes(endpoint) || delivery.lease !== lease) return false
    const now_ms = clock.now_ms()
    delivery.lease = null
    if (name === 'deleted') {
      if (delivery.state === 'pending') this.end(delivery, 'dropped', 'call_deleted')
      return true
    }
    delivery.attempt += 1
    delivery.response_status = name === 'delivered' ? 204 : null
    if (name === 'delivered') {
      if (endpoint.active) endpoint.failures = 0
      endpoint.success_ms = now_ms
      this.end(delivery, 'delivered', null)
      return true
    }
    if (delivery.state === 'pending')
      this.retry(delivery, name === 'failed' ? 'timeout' : 'secret_unreadable')
    if (name === 'failed') this.blame(endpoint)
    if (!endpoint.active && delivery.state === 'pending')
      this.end(delivery, 'dropped', 'endpoint_disabled')
    return true
  }

  private retry(delivery: ModelDelivery, error: string): void {
    if (delivery.attempt === 8) return this.end(delivery, 'failed', error)
    const next_ms = clock.now_ms() + delays_min[delivery.attempt - 1]! * 60_000
    Object.assign(delivery, { stage: 'waiting', next_ms, error })
  }

  private blame(endpoint: ModelEndpoint): void {
    endpoint.failure_ms = clock.now_ms()
    if (!endpoint.active) return
    endpoint.failures += 1
    if (endpoint.failures === 50) {
      endpoint.active = false
      this.dropPending(endpoint)
    }
  }

  dropPending(endpoint: ModelEndpoint): void {
    for (const one of this.deliveries) {
      if (one.endpoint === endpoint && one.state === 'pending')
        this.end(one, 'dropped', 'endpoint_disabled')
    }
  }

  private end(delivery: ModelDelivery, state: ModelDelivery['state'], error: string | null): void {
    Object.assign(delivery, { state, stage: null, next_ms: null, error })
  }

  enable(endpoint: ModelEndpoint): void {
    Object.assign(endpoint, { active: true, failures: 0 })
  }

  remove(endpoint: ModelEndpoint): void {
    this.endpoints = this.endpoints.filter((one) => one !== endpoint)
    this.deliveries = this.deliveries.filter((one) => one.endpoint !== endpoint)
  }
}

type Step =
  | { do: 'create' }
  | { do: 'remove' | 'enable'; which: number }
  /** Sets the streak of an endpoint, so that its end comes into reach of a short history. */
  | { do: 'streak'; which: number; failures: number }
  /** The same event of one or more calls. */
  | { do: 'emit'; type: (typeof types)[number]; calls: number[] }
  | { do: 'claim'; slots: number }
  | { do: 'finish'; which: number; outcome: OutcomeName }
  /** So often a day passes, whatever is due is claimed, and all of it ends alike. */
  | { do: 'rounds'; times: number; outcome: OutcomeName }
  | { do: 'pass'; seconds: number }

const endpoint = fc.nat(2)
const outcome = fc.constantFrom<OutcomeName>(
  ...(['failed', 'failed', 'failed', 'failed', 'delivered', 'own_fault', 'deleted'] as const),
)
const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constantFrom('remove' as const, 'enable' as const),
      which: endpoint,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('create' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('streak' as const),
      which: endpoint,
      failures: fc.constantFrom(4, 48, 49, 49),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('emit' as const),
      type: fc.constantFrom(...types),
      calls: fc.uniqueArray(fc.nat(calls.length - 1), { minLength: 1, maxLength: calls.length }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('claim' as const), slots: fc.constantFrom(1, 3, 64) }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('finish' as const),
      // Mostly the latest claims, now and then one whose lease is long gone.
      which: fc.nat(9),
      outcome,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('rounds' as const),
      times: fc.constantFrom(1, 1, 1, 8),
      outcome,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('pass' as const),
      seconds: fc.constantFrom(1, 29, 30, 60, 300, 1800, 7200, 21_600, 43_200, 86_400),
    }),
  },
)

/** One history: the tables and the model, step by step. */
class History {
  readonly model = new Model()
  readonly inFlight: InFlight[] = []
  private readonly claim = createClaimer(house, new Set())

  async run(step: Step): Promise<void> {
    switch (step.do) {
      case 'create':
        return this.create()
      case 'streak':
        return this.setStreak(step)
      case 'remove':
      case 'enable':
        return this.change(step)
      case 'emit':
        return this.emit(step)
      case 'claim':
        return this.take(step.slots)
      case 'finish':
        return this.finish(step)
      case 'rounds':
        for (let n = 0; n < step.times; n += 1) await this.round(step.outcome)
        return
      case 'pass':
        return clock.advance(step.seconds)
    }
  }

  private async create(): Promise<void> {
    if (this.model.endpoints.length === 3) return
    const id = newId(clock)
    this.model.endpoints.push({ id, active: true, failures: 0, success_ms: null, failure_ms: null })
    await house.db.transact((tx) =>
      insertEndpoint(tx, {
        project_id: project.id,
        id,
        url: 'http://127.0.0.1:9/hooks',
        events: [...types],
        sealed_secret: house.seal.seal('whsec_x', 'webhook-secret'),
        secret_prefix: 'whsec_x',
        created_at: clock.now(),
      }),
    )
  }

  private async setStreak({ which, failures }: { which: number; failures: number }): Promise<void> {
    const endpoint = this.model.endpoints[which]
    if (!endpoint?.active) return
    endpoint.failures = failures
    await house.db.transact((tx) =>
      tx
        .updateTable('webhook_endpoints')
        .set({ consecutive_failures: failures })
        .where('project_id', '=', project.id)
        .where('id', '=', endpoint.id)
        .execute(),
    )
  }

  private async emit({ type, calls: chosen }: { type: (typeof types)[number]; calls: number[] }) {
    await house.db.transact(async (tx) => {
      for (const call_id of chosen.map((index) => calls[index]!)) {
        this.model.emit(type, call_id)
        await emit(tx, house, { project_id: project.id, type, subject: { call_id } })
      }
    })
  }

  private async change({
    do: what,
    which,
  }: {
    do: 'remove' | 'enable'
    which: number
  }): Promise<void> {
    const endpoint = this.model.endpoints[which]
    if (!endpoint) return
    if (what === 'remove') {
      this.model.remove(endpoint)
      return remove(caller, endpoint.id)
    }
    this.model.enable(endpoint)
    await enable(caller, endpoint.id)
  }

  private async take(slots: number): Promise<void> {
    const expected = this.model.claim(slots)
    const claimed = await this.claim(slots)
    const name = (endpoint_id: string, type: string, call_id: string) =>
      `${endpoint_id} ${type} ${call_id}`
    const byName = new Map(
      expected.map((one) => [name(one.endpoint.id, one.type, one.call_id), one]),
    )
    const got = claimed.map((one) => name(one.endpoint_id, one.type, one.subject['call_id']!))
    assert.deepEqual(got.toSorted(), [...byName.keys()].toSorted())
    for (const [index, one] of claimed.entries()) {
      const delivery = byName.get(got[index]!)!
      this.inFlight.push({ claimed: one, delivery, lease: delivery.lease! })
    }
  }

  private async round(outcome: OutcomeName): Promise<void> {
    clock.advance(86_400)
    const before = this.inFlight.length
    await this.take(64)
    const claimed = this.inFlight.length - before
    for (let which = claimed - 1; which >= 0; which -= 1) await this.finish({ which, outcome })
  }

  private async finish({ which, outcome }: { which: number; outcome: OutcomeName }): Promise<void> {
    // One that was finished stays in the list: a result that comes twice must change nothing.
    const flight = this.inFlight[this.inFlight.length - 1 - which]
    if (!flight) return
    const interested = this.model.finish(flight, outcome)
    const ended = { outcome: outcomes[outcome], ended_at: clock.now() }
    assert.equal((await record(house, flight.claimed, ended)) !== null, interested)
  }

  /** The tables, in the words of the model. */
  async check(): Promise<void> {
    const { endpoints, deliveries } = this.model
    const rows = await house.db
      .selectFrom('webhook_endpoints')
      .selectAll()
      .where('project_id', '=', project.id)
      .orderBy('id')
      .execute()
    assert.deepEqual(
      rows.map(
        ({ id, active, consecutive_failures: failures, last_success_at, last_failure_at }) => ({
          id,
          active,
          failures,
          success_ms: last_success_at?.getTime() ?? null,
          failure_ms: last_failure_at?.getTime() ?? null,
        }),
      ),
      endpoints,
    )
    const found = await house.db
      .selectFrom('webhook_deliveries')
      .selectAll()
      .where('project_id', '=', project.id)
      .orderBy('id')
      .execute()
    assert.deepEqual(
      found.map(
        ({
          endpoint_id,
          type,
          call_id,
          state,
          stage,
          attempt,
          error,
          response_status,
          ...row
        }) => ({
          endpoint_id,
          type,
          call_id,
          state,
          stage,
          attempt,
          error,
          response_status,
          next_ms: row.next_attempt_at?.getTime() ?? null,
          until_ms: row.lease_until?.getTime() ?? null,
        }),
      ),
      deliveries.map(({ endpoint, lease, ...one }) => ({
        ...one,
        endpoint_id: endpoint.id,
        until_ms: lease?.until_ms ?? null,
      })),
    )
  }
}

test(`${RUNS} random histories on the real tables agree with the model`, async () => {
  const history = fc.array(steps, { minLength: 20, maxLength: 60, size: 'max' })
  await fc.assert(
    fc.asyncProperty(history, async (list) => {
      await house.db.transact((tx) =>
        sql`truncate webhook_endpoints, webhook_deliveries, webhook_attempts, events`.execute(tx),
      )
      const history = new History()
      await history.run({ do: 'create' })
      for (const step of list) {
        await history.run(step)
        await history.check()
      }
    }),
    { numRuns: RUNS, endOnFailure: false },
  )
})
