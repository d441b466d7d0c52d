/**
 * Tests of thirty-two concurrent writers, each with its own server on one database, like separate
 * processes. For any interleaving, the rows must equal the result of the model for some serial
 * order of the operations.
 */
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test, type TestContext } from 'node:test'
import fc from 'fast-check'
import { depth } from '../../../../test/fixtures/depth.ts'
import { openBareFixture } from '../../../../test/fixtures/bare-runtime.ts'
import {
  operationArbitrary,
  assignMonth,
  DeliberateRollback,
  outcomeOf,
  runOperation,
  projectsWithCap,
} from '../../../../test/fixtures/ledger/ledger-operations.ts'
import {
  applyOperation,
  modelMonthOf,
  newState,
  spentIn,
  type ModelOperation,
  type ModelState,
  type Verb,
} from '../../../../test/fixtures/ledger/ledger-model.ts'
import {
  auditLedger,
  findWriterMonth,
  readLedger,
  type EntryRow,
} from '../../../../test/fixtures/ledger/ledger-rows.ts'
import { movableClock } from '../../../kernel/clock.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { microFromEuro } from '../../../kernel/values/money.ts'
import * as billing from '../service.ts'

const WRITERS = 32
const ZONE = 'Europe/Amsterdam'
const MONTH_END_MS = Date.parse('2026-12-31T23:00:00Z')

const fixture = await openBareFixture()
const runtimes = Array.from({ length: WRITERS }, () => fixture.openRuntime())
const [runtime] = runtimes
assert(runtime)
const nextProject = projectsWithCap(runtime)

const actArbitrary = fc.record({
  // Omits holds of zero, which change no account and therefore do not open its month.
  operation: operationArbitrary.filter(
    ({ verb, amount_micro }) => verb !== 'hold' || amount_micro > 0n,
  ),
  project: fc.nat(3),
  /** Whether other writers also use this reference. */
  is_shared: fc.boolean(),
  /** Whether the transaction is rolled back after the operation. */
  is_lost: fc.constantFrom(false, false, false, false, true),
  wait_s: fc.constantFrom(0, 0, 0.5, 2),
})
const planArbitrary = fc.record({
  cap: fc.constantFrom(null, null, 60_000_000n, 9_000_000n),
  writers: fc.array(
    fc.record({
      // The clocks of the writers differ, and most of them pass the end of the month.
      before_ms: fc.integer({ min: -500, max: 2500 }),
      acts: fc.array(actArbitrary, { minLength: 2, maxLength: 6 }),
    }),
    { minLength: WRITERS, maxLength: WRITERS },
  ),
})
type Plan = typeof planArbitrary extends fc.Arbitrary<infer P> ? P : never

interface Done {
  project_id: string
  operation: ModelOperation
  outcome: Awaited<ReturnType<typeof outcomeOf>>
}

/** Runs the operations of one writer in sequence. */
async function write(plan: Plan, project_ids: readonly string[], number: number): Promise<Done[]> {
  const { before_ms, acts } = plan.writers[number]!
  const start_ms = MONTH_END_MS - before_ms
  const clock = movableClock(0, { now_ms: () => start_ms, now: () => new Date(start_ms) })
  const of: Runtime = { ...runtimes[number]!, clock }
  const done: Done[] = []
  for (const { operation, project, is_shared, is_lost, wait_s } of acts) {
    clock.advance(wait_s)
    const known = assignMonth(modelMonthOf(clock.now(), ZONE), operation)
    const named = is_shared ? known : { ...known, name: `${operation.name} of ${number}` }
    const project_id = project_ids[project % project_ids.length]!
    const work = of.db.transact(async (tx) => {
      await runOperation(tx, of, { project_id, operation: named })
      if (is_lost) throw new DeliberateRollback()
    })
    done.push({ project_id, operation: named, outcome: await outcomeOf(work) })
  }
  return done
}

const verbOf: Record<EntryRow['kind'], Verb> = {
  top_up: 'topUp',
  charge: 'charge',
  hold: 'hold',
  settle: 'settle',
  release: 'release',
}

/** Returns the operation that an entry records. */
function operationOf(entry: EntryRow): ModelOperation {
  const { kind, source, reference: name, amount_micro, month } = entry
  const verb = kind === 'top_up' && source !== 'payment' ? 'credit' : verbOf[kind]
  const is_past = month < findWriterMonth(entry, ZONE)
  return { verb, name, amount_micro, ...(is_past ? { month } : {}) }
}

/** Replays the entries in the model, which must accept each and reach the same state. */
function replayInModel(entries: readonly EntryRow[], cap_micro: bigint | null): ModelState {
  let state = newState(cap_micro)
  for (const entry of entries) {
    const { kind, reference, amount_micro, balance_after_micro, month } = entry
    const crossed = entry.crossed_threshold_micro !== null
    const result = applyOperation(state, operationOf(entry), findWriterMonth(entry, ZONE))
    const expected = { kind, reference, amount_micro, balance_after_micro, month, crossed }
    assert.equal(result.outcome, null, `the model refuses ${kind} ${reference}`)
    assert.equal(result.state.entries.length, state.entries.length + 1)
    assert.deepEqual(result.state.entries.at(-1), expected)
    state = result.state
  }
  return state
}

/** Asserts that every successful operation has its entry, and that no other entry exists. */
function compareAnswers(entries: readonly EntryRow[], done: readonly Done[]): void {
  const kept = done.filter(({ outcome }) => outcome === null).map(({ operation }) => operation)
  const kinds = { topUp: 'top_up', credit: 'top_up', charge: 'charge', hold: 'hold' } as const
  const has = (kind: EntryRow['kind'], name: string) =>
    entries.some((entry) => entry.kind === kind && entry.reference === name)
  for (const { verb, name, amount_micro } of kept) {
    const leaves_trace = verb !== 'charge' || amount_micro > 0n
    if (verb === 'settle' || verb === 'release' || !leaves_trace) continue
    assert(has(kinds[verb], name), `${verb} ${name} was lost`)
  }
  for (const { kind, reference } of entries) {
    const asked = kept.some(({ verb, name, amount_micro }) => {
      if (name !== reference) return false
      if (verb === 'settle') return kind === (amount_micro > 0n ? 'settle' : 'release')
      return verb === 'release' ? kind === 'release' : kind === kinds[verb]
    })
    assert(asked, `no writer requested ${kind} ${reference}`)
  }
}

async function check(project_id: string, cap: bigint | null, done: readonly Done[]): Promise<void> {
  const rows = await readLedger(runtime!.db, project_id)
  auditLedger(rows, { cap_micro: cap, zone: ZONE })
  const state = replayInModel(rows.entries, cap)
  compareAnswers(rows.entries, done)
  assert.deepEqual(rows.events, state.events)
  const clock = movableClock(0, { now_ms: () => MONTH_END_MS, now: () => new Date(MONTH_END_MS) })
  const of = { ...runtime!, clock }
  const shown = await billing.readBalance(of.db, of, { project_id, test: false })
  assert.equal(microFromEuro(shown.balance_eur), state.balance_micro)
  assert.equal(microFromEuro(shown.spent_this_month_eur), spentIn(state, '2027-01-01'))
}
/** Runs many plans in sequence, each with new projects. A failure depends on timing. */
async function manyPlans(t: TestContext, { plans, projects }: { plans: number; projects: number }) {
  const seed = randomInt(2 ** 31)
  t.diagnostic(`seed ${seed}`)
  const property = fc.asyncProperty(planArbitrary, async (plan) => {
    const asked = Array.from({ length: projects }, () => nextProject(plan.cap))
    const project_ids = await Promise.all(asked)
    const writing = runtimes.map((_, number) => write(plan, project_ids, number))
    const done = (await Promise.all(writing)).flat()
    for (const project_id of project_ids) {
      const here = done.filter((one) => one.project_id === project_id)
      await check(project_id, plan.cap, here)
    }
  })
  await fc.assert(property, { seed, numRuns: plans, endOnFailure: true })
}

test('the ledger keeps the books of one project serializable under 32 concurrent writers', (t) =>
  manyPlans(t, { plans: depth(5, 20), projects: 1 }))

test('the ledger keeps the books of four projects serializable under 32 concurrent writers', (t) =>
  manyPlans(t, { plans: depth(2, 10), projects: 4 }))

/** Returns one operation for each of 32 concurrent writers on one project. */
const each32 = (project_id: string, operationOf: (number: number) => ModelOperation) =>
  Promise.all(
    runtimes.map((of, number) => {
      const operation = operationOf(number)
      return outcomeOf(of.db.transact((tx) => runOperation(tx, of, { project_id, operation })))
    }),
  )

async function projectWith(balance_micro: bigint, cap: bigint | null = null): Promise<string> {
  const project_id = await nextProject(cap)
  const operation = { verb: 'topUp', name: 'first', amount_micro: balance_micro } as const
  await runtime!.db.transact((tx) => runOperation(tx, runtime!, { project_id, operation }))
  return project_id
}

const rowsOf = async (project_id: string, cap: bigint | null = null) => {
  const rows = await readLedger(runtime!.db, project_id)
  auditLedger(rows, { cap_micro: cap, zone: ZONE })
  const balance = (kind: string) => rows.accounts.find((row) => row.kind === kind)?.balance_micro
  return {
    ...rows,
    prepaid: balance('prepaid'),
    revenue: balance('revenue'),
    held: balance('held'),
  }
}

const times = (outcomes: readonly unknown[], what: unknown) =>
  outcomes.filter((outcome) => outcome === what).length

test('the ledger spends no more than the balance in 32 concurrent charges', async () => {
  const project_id = await projectWith(5_500_000n)
  const outcomes = await each32(project_id, (number) => {
    return { verb: 'charge', name: `sms:${number}`, amount_micro: 1_000_000n }
  })
  assert.equal(times(outcomes, null), 5)
  assert.equal(times(outcomes, 'insufficient_balance'), 27)
  const { prepaid, revenue } = await rowsOf(project_id)
  assert.deepEqual([prepaid, revenue], [500_000n, 5_000_000n])
})

test('the ledger stops 32 concurrent charges and holds at the spending cap', async () => {
  const cap = 10_000_000n
  const project_id = await projectWith(99_000_000n, cap)
  const outcomes = await each32(project_id, (number) => {
    const verb = number % 2 === 0 ? 'charge' : 'hold'
    return { verb, name: `call:${number}`, amount_micro: 1_000_000n }
  })
  assert.equal(times(outcomes, null), 10)
  assert.equal(times(outcomes, 'billing_blocked'), 22)
  const { revenue = 0n, held = 0n } = await rowsOf(project_id, cap)
  assert.equal(revenue + held, cap)
})

test('the ledger books a reference of 32 concurrent writers once, also on empty books', async () => {
  const project_id = await nextProject(null)
  const operation: ModelOperation = { verb: 'topUp', name: 'payment:1', amount_micro: 7_000_000n }
  const outcomes = await each32(project_id, () => operation)
  assert.equal(times(outcomes, null), 32)
  const { prepaid, entries, events } = await rowsOf(project_id)
  assert.equal(prepaid, 7_000_000n)
  assert.equal(entries.length, 1)
  assert.deepEqual(events, ['balance.topped_up'])
})

test('the ledger pays a charge repeated by 32 concurrent writers once, with the last of the balance', async () => {
  const project_id = await projectWith(6_000_000n)
  const operation: ModelOperation = { verb: 'charge', name: 'sms:1', amount_micro: 6_000_000n }
  assert.equal(times(await each32(project_id, () => operation), null), 32)
  const { prepaid, events } = await rowsOf(project_id)
  assert.equal(prepaid, 0n)
  assert.deepEqual(events, ['balance.topped_up', 'balance.low'])
})

test('the ledger ends a hold once if 32 writers settle or release it concurrently', async () => {
  const project_id = await projectWith(9_000_000n)
  const hold: ModelOperation = { verb: 'hold', name: 'call:1', amount_micro: 4_000_000n }
  await runtime.db.transact((tx) => runOperation(tx, runtime, { project_id, operation: hold }))
  const outcomes = await each32(project_id, (number) => {
    const verb = number % 2 === 0 ? 'settle' : 'release'
    return { verb, name: 'call:1', amount_micro: 3_000_000n }
  })
  assert.equal(times(outcomes, null), 32)
  const { prepaid = 0n, revenue = 0n, held, entries } = await rowsOf(project_id)
  assert.equal(prepaid + revenue, 9_000_000n)
  assert([0n, 3_000_000n].includes(revenue))
  assert.equal(held, 0n)
  assert.equal(entries.length, 3)
})
