/**
 * Tests endpoints and deliveries against a reference model: random histories of events, claims,
 * results, crashes, deletions, disabling, enabling and passing time run on the real tables, which
 * must equal the model after every step. The model is written from the specification's state table,
 * not from the code.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { depth } from '../../../../test/fixtures/depth.ts'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import { emptyWebhooks, putEndpoint } from '../../../../test/fixtures/webhooks/webhook-rows.ts'
import type { Caller } from '../../../contract/caller.ts'
import { movableClock } from '../../../kernel/clock.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { newId } from '../../../kernel/values/ids.ts'
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

const RUNS = depth(8, 300)
const fixture = await openTestRuntime({ work: false })
const start_ms = Date.UTC(2026, 10, 2, 9)
const still = { now: () => new Date(start_ms), now_ms: () => start_ms }
const clock = movableClock(0, still)
const runtime: Runtime = { ...fixture.runtime, clock }
const project = await runtime.db
  .selectFrom('projects')
  .selectAll()
  .where('id', '=', fixture.project_id)
  .executeTakeFirstOrThrow()
const caller: Caller = {
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
}

const calls = Array.from({ length: 16 }, () => randomUUID())
type Step =
  | { do: 'create' }
  | { do: 'remove' | 'enable'; which: number }
  /** Sets the streak of an endpoint, so that a short history can disable it. */
  | { do: 'streak'; which: number; failures: number }
  /** Emits one event type for one or more calls. */
  | { do: 'emit'; type: (typeof modelEventTypes)[number]; calls: number[] }
  | { do: 'claim'; slots: number }
  | { do: 'finish'; which: number; outcome: OutcomeName }
  /** Repeats: one day passes, due deliveries are claimed, and all of them end with this outcome. */
  | { do: 'rounds'; times: number; outcome: OutcomeName }
  | { do: 'pass'; seconds: number }
  /** Ends the process with all its running attempts, or while it records one. */
  | { do: 'crash'; recording: boolean; outcome: OutcomeName }

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
      failures: fc.constantFrom(4, 13, 14, 16, 20, 48, 49, 49),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('emit' as const),
      type: fc.constantFrom(...modelEventTypes),
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
      // Index of the claim: mostly one of the latest, sometimes one whose lease has long expired.
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
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('crash' as const),
      recording: fc.boolean(),
      outcome,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('pass' as const),
      seconds: fc.constantFrom(1, 1, 3, 4, 29, 30, 59, 60, 300, 1800, 7200, 21_600, 43_200, 86_400),
    }),
  },
)

const death = new Error('The process died before it could commit.')

/** Records a result and rolls the transaction back, like a process that dies. */
async function dieRecording({ claimed }: InFlight, outcome: OutcomeName): Promise<void> {
  const dying: Runtime = {
    ...runtime,
    db: new Proxy(runtime.db, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name)
        if (name !== 'transact') return typeof value === 'function' ? value.bind(target) : value
        const transact: Runtime['db']['transact'] = (work) =>
          target.transact(async (tx) => {
            await work(tx)
            throw death
          })
        return transact
      },
    }),
  }
  const ended = { outcome: modelOutcomes[outcome], ended_at: clock.now() }
  await assert.rejects(recordAttempt(dying, claimed, ended), death)
}

/** Runs one history against the tables and the model. */
class History {
  readonly model = new ReferenceModel(clock)
  readonly inFlight: InFlight[] = []
  private claim = createClaimer(runtime, new Set())

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
      case 'crash':
        return this.crash(step)
    }
  }

  private async create(): Promise<void> {
    if (this.model.endpoints.length === 3) return
    const id = newId(clock)
    this.model.endpoints.push({ id, active: true, failures: 0, success_ms: null, failure_ms: null })
    await runtime.db.transact((tx) =>
      putEndpoint(tx, runtime, { project_id: project.id, id, events: [...modelEventTypes] }),
    )
  }

  private async setStreak({ which, failures }: { which: number; failures: number }): Promise<void> {
    const endpoint = this.model.endpoints[which]
    if (!endpoint?.active) return
    endpoint.failures = failures
    await runtime.db.transact((tx) =>
      tx
        .updateTable('webhook_endpoints')
        .set({ consecutive_failures: failures })
        .where('project_id', '=', project.id)
        .where('id', '=', endpoint.id)
        .execute(),
    )
  }

  private async emit({
    type,
    calls: chosen,
  }: {
    type: (typeof modelEventTypes)[number]
    calls: number[]
  }) {
    await runtime.db.transact(async (tx) => {
      for (const call_id of chosen.map((index) => calls[index]!)) {
        this.model.emit(type, call_id)
        await emit(tx, runtime, { project_id: project.id, type, subject: { call_id } })
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
    // Finished attempts stay in the list, because a repeated result must change nothing.
    const flight = this.inFlight[this.inFlight.length - 1 - which]
    if (!flight) return
    const interested = this.model.finish(flight, outcome)
    const ended = { outcome: modelOutcomes[outcome], ended_at: clock.now() }
    assert.equal((await recordAttempt(runtime, flight.claimed, ended)) !== null, interested)
  }

  /** Only the leases remain. The next process starts its round of projects at any project. */
  private async crash({ recording, outcome }: { recording: boolean; outcome: OutcomeName }) {
    const last = this.inFlight.at(-1)
    if (recording && last) await dieRecording(last, outcome)
    this.inFlight.length = 0
    this.claim = createClaimer(runtime, new Set())
  }

  /** Compares the tables with the model. */
  async check(): Promise<void> {
    const { endpoints, deliveries } = this.model
    const rows = await runtime.db
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
    const found = await runtime.db
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
      await runtime.db.transact(emptyWebhooks)
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
