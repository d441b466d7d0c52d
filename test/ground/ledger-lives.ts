/**
 * Lives of projects in the ledger, made up by the thousand and compared with the plain rules:
 * deeds with repeats and refusals, transactions that are lost, caps that change and ends of months.
 *
 * They are lived in threads, because the test runner follows every promise of its own thread, which
 * takes as long as the promises themselves.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import fc from 'fast-check'
import type pg from 'pg'
import * as billing from '../../server/areas/billing/service.ts'
import * as projects from '../../server/areas/projects/service.ts'
import { movableClock } from '../../server/kernel/clock.ts'
import type { House } from '../../server/kernel/house.ts'
import { microFromEuro } from '../../server/kernel/money.ts'
import { openBareHouse, standingClock } from './bare-house.ts'
import {
  deedArbitrary,
  deedIn,
  Lost,
  outcomeOf,
  perform,
  projectsWithCap,
  type MadeUpDeed,
} from './ledger-deeds.ts'
import { judge, modelMonthOf, newState, spentIn } from './ledger-model.ts'
import type { ModelDeed, ModelState, Outcome } from './ledger-model.ts'
import { auditLedger, readLedger, type LedgerRows } from './ledger-rows.ts'

/** How often what happened, to see that no rule was left alone. */
export type Tally = Record<string, number>

export interface Lives {
  connection: pg.PoolConfig
  /** How many lanes live at once. Each has a seed of its own, counted on from this one. */
  lanes: number
  seed: number
  runs: number
}

/** Lives them in a thread; throws the first fault, smallest case first, with its seed. */
export async function liveInThread(lives: Lives): Promise<Tally> {
  const thread = new Worker(new URL(import.meta.url), { workerData: lives })
  const [[tally]] = await Promise.all([once(thread, 'message'), once(thread, 'exit')])
  return tally
}

const cap = fc.constantFrom(null, null, null, 20_000_000n, 6_000_000n, 0n)

/**
 * How the deeds of a step are done: each in a transaction of its own; all in one, which a refusal
 * ends; all in one that goes on after a refusal; or all in one that is lost after the last.
 */
const manner = fc.constantFrom('alone', 'alone', 'together', 'caught', 'lost')

const stepArbitrary = fc.record({
  wait_s: fc.constantFrom(0, 0, 0, 0.001, 3600, 30 * 3600, 31 * 86_400),
  new_cap: fc.option(cap, { nil: undefined, freq: 15 }),
  manner,
  deeds: fc.array(deedArbitrary, { minLength: 1, maxLength: 2 }),
})
type MadeUpStep = typeof stepArbitrary extends fc.Arbitrary<infer S> ? S : never

/** A step when it is known in which month it is done. */
interface Step {
  manner: MadeUpStep['manner']
  deeds: ModelDeed[]
}

// Midnights at the end of a month: in winter, in summer, on a leap day, and far away.
const monthEnd = fc.constantFrom(
  { zone: 'Europe/Amsterdam', end: '2026-12-31T23:00:00Z' },
  { zone: 'Europe/Amsterdam', end: '2027-03-31T22:00:00Z' },
  { zone: 'Europe/Amsterdam', end: '2028-02-29T23:00:00Z' },
  { zone: 'America/New_York', end: '2026-11-01T04:00:00Z' },
  { zone: 'Pacific/Auckland', end: '2027-01-31T11:00:00Z' },
)
const runArbitrary = fc.record({
  cap,
  at: monthEnd,
  before_ms: fc.constantFrom(0, 1, 3_600_000, 144_000_000),
  // Most projects begin with money, since little happens without.
  first_micro: fc.option(fc.bigInt({ min: 1n, max: 30_000_000n }), { freq: 5 }),
  steps: fc.array(stepArbitrary, { minLength: 1, maxLength: 4 }),
})
type Run = typeof runArbitrary extends fc.Arbitrary<infer R> ? R : never

type StepOutcome = Outcome | 'lost'

/** Does the deeds of a step for real, and says what each transaction or deed came to. */
async function doStep(of: House, project_id: string, { manner, deeds }: Step) {
  const outcomes: StepOutcome[] = []
  if (manner === 'alone') {
    for (const deed of deeds) {
      const work = of.db.transact((tx) => perform(tx, of, { project_id, deed }))
      outcomes.push(await outcomeOf(work))
    }
    return outcomes
  }
  const work = of.db.transact(async (tx) => {
    for (const deed of deeds) {
      const one = perform(tx, of, { project_id, deed })
      if (manner === 'caught') outcomes.push(await outcomeOf(one))
      else await one
    }
    if (manner === 'lost') throw new Lost()
  })
  const outcome = await outcomeOf(work)
  return manner === 'caught' ? outcomes : [outcome]
}

interface Judged {
  outcomes: StepOutcome[]
  state: ModelState
}

/** The same by the plain rules. */
function judgeStep(before: ModelState, { manner, deeds }: Step, month: string): Judged {
  const outcomes: StepOutcome[] = []
  let state = before
  for (const deed of deeds) {
    const verdict = judge(state, deed, month)
    outcomes.push(verdict.outcome)
    state = verdict.state
  }
  if (manner === 'alone' || manner === 'caught') return { outcomes, state }
  const refused = outcomes.find((outcome) => outcome !== null)
  if (refused !== undefined) return { outcomes: [refused], state: before }
  return manner === 'lost' ? { outcomes: ['lost'], state: before } : { outcomes: [null], state }
}

function firstStep(amount_micro: bigint | null): MadeUpStep[] {
  if (amount_micro === null) return []
  const topUp: MadeUpDeed = { verb: 'topUp', name: 'first', amount_micro, months_back: null }
  return [{ wait_s: 0, new_cap: undefined, manner: 'alone', deeds: [topUp] }]
}

interface Ground {
  house: House
  nextProject: ReturnType<typeof projectsWithCap>
  tally: Tally
}

/** One life from its begin to the audit, on a clock of its own. */
async function live({ house, nextProject, tally }: Ground, run: Run): Promise<void> {
  const { zone, end } = run.at
  const start_ms = Date.parse(end) - run.before_ms
  const clock = movableClock(0, { now_ms: () => start_ms, now: () => new Date(start_ms) })
  const of: House = { ...house, clock, config: { ...house.config, billing_timezone: zone } }
  const project_id = await nextProject(run.cap)
  let state = newState(run.cap)
  for (const { wait_s, new_cap, manner, deeds } of [...firstStep(run.first_micro), ...run.steps]) {
    clock.advance(wait_s)
    if (new_cap !== undefined) {
      await projects.change(of.db, project_id, { spending_limit_micro: new_cap })
      state = { ...state, cap_micro: new_cap }
    }
    const month = modelMonthOf(clock.now(), zone)
    const step = { manner, deeds: deeds.map((deed) => deedIn(month, deed)) }
    const judged = judgeStep(state, step, month)
    assert.deepEqual(await doStep(of, project_id, step), judged.outcomes)
    countStep(tally, state, judged)
    state = judged.state
  }
  const rows = await readLedger(of.db, project_id)
  compareRows(rows, state)
  const has_one_cap = run.steps.every(({ new_cap }) => new_cap === undefined)
  auditLedger(rows, { cap_micro: has_one_cap ? run.cap : null, zone })
  await compareBalance(of, project_id, state)
}

/** Every entry, event and hold there is, and none besides: what was refused or lost left nothing. */
function compareRows(rows: LedgerRows, state: ModelState): void {
  const entries = rows.entries.map(
    ({ kind, reference, amount_micro, balance_after_micro, month, crossed_threshold_micro }) => {
      const crossed = crossed_threshold_micro !== null
      return { kind, reference, amount_micro, balance_after_micro, month, crossed }
    },
  )
  assert.deepEqual(entries, state.entries)
  assert.deepEqual(rows.events, state.events)
  const open = rows.holds.filter(({ state }) => state === 'open')
  const expected = [...state.holds.values()].filter((held_micro) => held_micro !== null)
  assert.deepEqual(open.map(({ amount_micro }) => amount_micro).toSorted(), expected.toSorted())
}

/** What GET /balance shows is what the rules say. */
async function compareBalance(of: House, project_id: string, state: ModelState): Promise<void> {
  const month = modelMonthOf(of.clock.now(), of.config.billing_timezone)
  const shown = await billing.readBalance(of.db, of, { project_id, test: false })
  assert.equal(microFromEuro(shown.balance_eur), state.balance_micro)
  assert.equal(microFromEuro(shown.spent_this_month_eur), spentIn(state, month))
  const transactions = state.entries.filter(({ kind }) => kind !== 'hold' && kind !== 'release')
  assert.deepEqual(
    shown.transactions.map(({ amount_eur, balance_after_eur }) => [amount_eur, balance_after_eur]),
    transactions
      .toReversed()
      .slice(0, 20)
      .map(({ kind, amount_micro, balance_after_micro }) => [
        (kind === 'top_up' ? Number(amount_micro) : -Number(amount_micro)) / 1e6,
        Number(balance_after_micro) / 1e6,
      ]),
  )
}

function countStep(tally: Tally, before: ModelState, { outcomes, state }: Judged): void {
  const count = (what: string) => (tally[what] = (tally[what] ?? 0) + 1)
  const entries = state.entries.slice(before.entries.length)
  for (const outcome of outcomes) if (outcome !== null) count(outcome)
  for (const { kind, crossed, month } of entries) {
    count(kind)
    if (crossed) count('balance.low')
    if (month < state.month) count('past month')
  }
  if (outcomes.every((outcome) => outcome === null) && entries.length === 0) count('nothing new')
  const [first] = entries
  const latest = before.entries.at(-1)
  if (first && latest && state.month > before.month) count('new month')
}

async function liveAll({ connection, lanes, seed, runs }: Lives): Promise<Tally> {
  const house = openBareHouse(connection, standingClock())
  const ground = { house, nextProject: projectsWithCap(house), tally: {} }
  const property = fc.asyncProperty(runArbitrary, (run) => live(ground, run))
  const numRuns = Math.ceil(runs / lanes)
  try {
    const work = Array.from({ length: lanes }, (_, lane) =>
      fc.assert(property, { seed: seed + lane, numRuns }),
    )
    // All lanes are heard before the first fault is told, because the house closes after that.
    await Promise.allSettled(work)
    await Promise.all(work)
  } finally {
    await house.close()
  }
  return ground.tally
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- A thread has no origin.
if (!isMainThread && parentPort) parentPort.postMessage(await liveAll(workerData))
