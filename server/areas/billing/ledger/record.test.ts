/**
 * The ledger on a real PostgreSQL against the plain rules of test/fixtures/ledger-model.ts, on the
 * virtual clock: ten thousand lives of projects, many of them side by side.
 */
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { openBareFixture } from '../../../../test/fixtures/bare-runtime.ts'
import { outcomeOf, perform, projectsWithCap } from '../../../../test/fixtures/ledger-deeds.ts'
import { liveInThread, type Tally } from '../../../../test/fixtures/ledger-lives.ts'
import {
  judge,
  modelMonthOf,
  newState,
  type ModelDeed,
  type ModelState,
} from '../../../../test/fixtures/ledger-model.ts'
import { auditLedger, readLedger, type LedgerRows } from '../../../../test/fixtures/ledger-rows.ts'
import { movableClock } from '../../../kernel/clock.ts'
import * as billing from '../service.ts'

const LIVES = 10_000
const THREADS = 2
const LANES = 4

const fixture = await openBareFixture()

/** What has to happen in them, for the comparison to mean something. */
const happenings = ['top_up', 'charge', 'hold', 'settle', 'release', 'balance.low']
const months = ['new month', 'past month']
const refusals = ['billing_blocked', 'insufficient_balance', 'lost', 'nothing new']

test('matches a plain model after ten thousand random sequences of operations', async (t) => {
  const seed = randomInt(2 ** 31)
  t.diagnostic(`seeds ${seed} to ${seed + THREADS * LANES - 1}`)
  const threads = Array.from({ length: THREADS }, (_, thread) =>
    liveInThread({
      connection: fixture.connection,
      lanes: LANES,
      seed: seed + thread * LANES,
      runs: LIVES / THREADS,
    }),
  )
  const tally: Tally = {}
  for (const counted of await Promise.all(threads)) {
    for (const [what, times] of Object.entries(counted)) tally[what] = (tally[what] ?? 0) + times
  }
  t.diagnostic(JSON.stringify(tally))
  for (const what of [...happenings, ...months, ...refusals]) {
    assert((tally[what] ?? 0) > LIVES / 100, `${what} happened often`)
  }
})

const FOUR_HOURS_S = 4 * 3600
const holdsArbitrary = fc.array(
  fc.record({
    verb: fc.constantFrom('hold', 'hold', 'settle', 'release'),
    name: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    amount_micro: fc.bigInt({ min: 0n, max: 4_000_000n }),
    lasts_s: fc.constantFrom(FOUR_HOURS_S, 1, 3600, 86_400),
    wait_s: fc.constantFrom(0, 600, 3600, 7 * 3600),
  }),
  { minLength: 1, maxLength: 10 },
)

test('releases expired holds once, whether they were settled before or not', async (t) => {
  const start_ms = Date.parse('2026-12-31T18:00:00Z')
  const clock = movableClock(0, { now_ms: () => start_ms, now: () => new Date(start_ms) })
  // A database of its own, because holds are looked for in all projects.
  const alone = (await openBareFixture()).openRuntime(clock)
  const nextProject = projectsWithCap(alone)
  const monthNow = () => modelMonthOf(clock.now(), alone.config.billing_timezone)
  const property = fc.asyncProperty(holdsArbitrary, async (steps) => {
    const project_id = await nextProject(null)
    let state = newState(null)
    const act = async (deed: ModelDeed, lasts_s = FOUR_HOURS_S) => {
      const work = alone.db.transact((tx) => perform(tx, alone, { project_id, deed, lasts_s }))
      const judged = judge(state, deed, monthNow())
      assert.equal(await outcomeOf(work), judged.outcome)
      state = judged.state
    }
    await act({ verb: 'topUp', name: 'one', amount_micro: 9_000_000n })
    const ends_ms = new Map<string, number>()
    for (const { wait_s, lasts_s, ...deed } of steps) {
      await act(deed, lasts_s)
      const is_held = typeof state.holds.get(deed.name) === 'bigint'
      if (is_held && !ends_ms.has(deed.name)) {
        ends_ms.set(deed.name, clock.now_ms() + lasts_s * 1000)
      }
      clock.advance(wait_s)
      await billing.releaseExpiredHolds(alone)
      for (const [name, at_ms] of ends_ms) {
        if (at_ms > clock.now_ms()) continue
        state = judge(state, { verb: 'release', name, amount_micro: 0n }, monthNow()).state
      }
    }
    const rows = await readLedger(alone.db, project_id)
    auditLedger(rows, { cap_micro: null, zone: alone.config.billing_timezone })
    compareInAnyOrder(rows, state)
    // Nothing is left for the next run to find.
    clock.advance(86_400)
    await billing.releaseExpiredHolds(alone)
  })
  const seed = randomInt(2 ** 31)
  t.diagnostic(`seed ${seed}`)
  await fc.assert(property, { seed, numRuns: 300 })
})

/** Holds that are over when they are looked for are given back in any order. */
function compareInAnyOrder(rows: LedgerRows, state: ModelState): void {
  const facts = (entries: readonly { kind: string; reference: string; month: string }[]) =>
    entries.map(({ kind, reference, month }) => `${kind} ${reference} ${month}`).toSorted()
  assert.deepEqual(facts(rows.entries), facts(state.entries))
  const prepaid = rows.accounts.find(({ kind }) => kind === 'prepaid')
  assert.equal(prepaid?.balance_micro, state.balance_micro)
}
