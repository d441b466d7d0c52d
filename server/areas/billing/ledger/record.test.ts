/**
 * Tests that the ledger in PostgreSQL matches the model of test/fixtures/ledger/ledger-model.ts, on
 * the virtual clock, in two thousand random sequences of operations, many of them concurrent. Each run draws new ones.
 */
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { depth } from '../../../../test/fixtures/depth.ts'
import { openBareFixture } from '../../../../test/fixtures/bare-runtime.ts'
import {
  outcomeOf,
  runOperation,
  projectsWithCap,
} from '../../../../test/fixtures/ledger/ledger-operations.ts'
import {
  runHistoriesInThread,
  type Tally,
} from '../../../../test/fixtures/ledger/ledger-histories.ts'
import {
  applyOperation,
  modelMonthOf,
  newState,
  type ModelOperation,
  type ModelState,
} from '../../../../test/fixtures/ledger/ledger-model.ts'
import {
  auditLedger,
  readLedger,
  type LedgerRows,
} from '../../../../test/fixtures/ledger/ledger-rows.ts'
import { movableClock } from '../../../kernel/clock.ts'
import * as billing from '../service.ts'

const LIVES = depth(300, 2_000)
const THREADS = 2
const LANES = 4

const fixture = await openBareFixture()

/** Kinds of operations that the sequences must contain, otherwise the comparison proves little. */
const happenings = ['top_up', 'charge', 'hold', 'settle', 'release', 'balance.low']
const months = ['new month', 'past month']
const refusals = ['billing_blocked', 'insufficient_balance', 'lost', 'nothing new']

test('the recording of operations matches a plain model after random sequences of operations', async (t) => {
  const seed = randomInt(2 ** 31)
  t.diagnostic(`seeds ${seed} to ${seed + THREADS * LANES - 1}`)
  const threads = Array.from({ length: THREADS }, (_, thread) =>
    runHistoriesInThread({
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
    assert((tally[what] ?? 0) > LIVES / 200, `${what} happened often`)
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

test('the recording of operations releases expired holds once, whether they were settled before or not', async (t) => {
  const start_ms = Date.parse('2026-12-31T18:00:00Z')
  const clock = movableClock(0, { now_ms: () => start_ms, now: () => new Date(start_ms) })
  // A separate database, because releasing expired holds reads all projects.
  const alone = (await openBareFixture()).openRuntime(clock)
  const nextProject = projectsWithCap(alone)
  const monthNow = () => modelMonthOf(clock.now(), alone.config.billing_timezone)
  const property = fc.asyncProperty(holdsArbitrary, async (steps) => {
    const project_id = await nextProject(null)
    let state = newState(null)
    const act = async (operation: ModelOperation, lasts_s = FOUR_HOURS_S) => {
      const work = alone.db.transact((tx) =>
        runOperation(tx, alone, { project_id, operation, lasts_s }),
      )
      const expected = applyOperation(state, operation, monthNow())
      assert.equal(await outcomeOf(work), expected.outcome)
      state = expected.state
    }
    await act({ verb: 'topUp', name: 'one', amount_micro: 9_000_000n })
    const ends_ms = new Map<string, number>()
    for (const { wait_s, lasts_s, ...operation } of steps) {
      await act(operation, lasts_s)
      const is_held = typeof state.holds.get(operation.name) === 'bigint'
      if (is_held && !ends_ms.has(operation.name)) {
        ends_ms.set(operation.name, clock.now_ms() + lasts_s * 1000)
      }
      clock.advance(wait_s)
      await billing.releaseExpiredHolds(alone)
      for (const [name, at_ms] of ends_ms) {
        if (at_ms > clock.now_ms()) continue
        state = applyOperation(state, { verb: 'release', name, amount_micro: 0n }, monthNow()).state
      }
    }
    const rows = await readLedger(alone.db, project_id)
    auditLedger(rows, { cap_micro: null, zone: alone.config.billing_timezone })
    compareInAnyOrder(rows, state)
    // Leaves no open hold for the next run.
    clock.advance(86_400)
    await billing.releaseExpiredHolds(alone)
  })
  const seed = randomInt(2 ** 31)
  t.diagnostic(`seed ${seed}`)
  await fc.assert(property, { seed, numRuns: depth(40, 300) })
})

/** Compares entries without their order, because expired holds are released in any order. */
function compareInAnyOrder(rows: LedgerRows, state: ModelState): void {
  const facts = (entries: readonly { kind: string; reference: string; month: string }[]) =>
    entries.map(({ kind, reference, month }) => `${kind} ${reference} ${month}`).toSorted()
  assert.deepEqual(facts(rows.entries), facts(state.entries))
  const prepaid = rows.accounts.find(({ kind }) => kind === 'prepaid')
  assert.equal(prepaid?.balance_micro, state.balance_micro)
}
