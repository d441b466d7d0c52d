/**
 * Tests of calendar months in the ledger: charges and credits of past months, and the monthly
 * totals of the accounts, which must equal the sums of their entries.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { depth } from '../../../test/fixtures/depth.ts'
import { openBareFixture } from '../../../test/fixtures/bare-runtime.ts'
import { countStatements } from '../../../test/fixtures/ledger/statement-count.ts'
import { Problem } from '../../contract/errors.ts'
import { movableClock } from '../../kernel/clock.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { microFromEuro } from '../../kernel/values/money.ts'
import * as projects from '../projects/service.ts'
import * as billing from './service.ts'

const OCTOBER = '2026-10-01'
const NOVEMBER = '2026-11-01'
const DECEMBER = '2026-12-01'

const fixture = await openBareFixture()
const open = fixture.openRuntime()

/** Opens a runtime whose clock starts at a moment. */
function at(moment: string): Runtime {
  const start_ms = Date.parse(moment)
  return {
    ...open,
    clock: movableClock(0, { now_ms: () => start_ms, now: () => new Date(start_ms) }),
  }
}
const october = at('2026-10-15T12:00:00Z')
const november = at('2026-11-15T12:00:00Z')
const december = at('2026-12-15T12:00:00Z')

async function projectWith(euro: number, cap_eur: number | null = null): Promise<string> {
  const facts = { name: 'Bakery', shape: 'single', plan: 'reachable', owner_email: null } as const
  const made = await projects.create(october, facts)
  assert('project_id' in made)
  const { project_id } = made
  const spending_limit_micro = cap_eur === null ? null : microFromEuro(cap_eur)
  await projects.change(open.db, project_id, { spending_limit_micro })
  const top_up = { ...order(project_id, euro), source: 'payment' as const }
  await open.db.transact((tx) => billing.topUp(tx, october, top_up))
  return project_id
}

const order = (project_id: string, euro: number, reference: string = randomUUID()) => ({
  project_id,
  amount_micro: microFromEuro(euro),
  source: 'number' as const,
  description: 'Phone number +31851234567',
  reference_id: '0193a5d0-0000-7000-8000-000000000001',
  reference,
})

interface Which {
  month?: string
  reference?: string
}

// oxlint-disable-next-line max-params -- when, whose, how much, and what of it
const charge = (runtime: Runtime, project_id: string, euro: number, which: Which = {}) =>
  open.db.transact((tx) => billing.charge(tx, runtime, { ...order(project_id, euro), ...which }))
// oxlint-disable-next-line max-params -- when, whose, how much, and what of it
const credit = (runtime: Runtime, project_id: string, euro: number, which: Which = {}) =>
  open.db.transact((tx) => billing.credit(tx, runtime, { ...order(project_id, euro), ...which }))

const spent = async (runtime: Runtime, project_id: string) => {
  const balance = await billing.readBalance(open.db, runtime, { project_id, test: false })
  const cap_micro = await billing.spentThisMonth(open.db, runtime, project_id)
  assert.equal(microFromEuro(balance.spent_this_month_eur), cap_micro)
  return balance.spent_this_month_eur
}
const balanceOf = async (project_id: string) =>
  (await billing.readBalance(open.db, december, { project_id, test: false })).balance_eur

async function rowsOf(project_id: string) {
  const { db } = open
  const [accounts, entries, postings] = await Promise.all([
    db.selectFrom('ledger_accounts').selectAll().where('project_id', '=', project_id).execute(),
    db
      .selectFrom('ledger_entries')
      .selectAll()
      .where('project_id', '=', project_id)
      .orderBy('id')
      .execute(),
    db.selectFrom('ledger_postings').selectAll().where('project_id', '=', project_id).execute(),
  ])
  return { accounts, entries, postings }
}

const postingsOf = async (project_id: string) => {
  const { entries, postings } = await rowsOf(project_id)
  const last = entries.at(-1)
  return postings
    .filter(({ entry_id }) => entry_id === last?.id)
    .map((one) => `${one.from_account} ${one.to_account} ${one.amount_micro}`)
    .toSorted()
}

const monthsOf = async (project_id: string) =>
  (await rowsOf(project_id)).entries.map(({ kind, month }) => `${kind} ${month}`)

/**
 * Checks that each account equals the sum of its postings, and its month total the sum of that
 * month's entries.
 */
async function audit(project_id: string): Promise<void> {
  const { accounts, entries, postings } = await rowsOf(project_id)
  for (const { kind, balance_micro, month, month_micro } of accounts) {
    const sum = (of: ReadonlySet<string>) =>
      postings.reduce((total, { entry_id, from_account, to_account, amount_micro }) => {
        if (!of.has(entry_id)) return total
        if (to_account === kind) return total + amount_micro
        return from_account === kind ? total - amount_micro : total
      }, 0n)
    const ids = (some: typeof entries) => new Set(some.map(({ id }) => id))
    assert.equal(balance_micro, sum(ids(entries)), kind)
    assert.equal(month_micro, sum(ids(entries.filter((one) => one.month === month))), kind)
    assert(kind === 'funding' || balance_micro >= 0n)
    assert(kind !== 'revenue' || (month_micro >= 0n && month_micro <= balance_micro))
  }
}

async function refused(work: Promise<unknown>, slug: string): Promise<void> {
  await assert.rejects(work, (error) => error instanceof Problem && error.slug === slug)
}

test('the ledger books a charge of a past month in that month and adds nothing to this one', async () => {
  const project_id = await projectWith(50)
  await charge(november, project_id, 3)
  await charge(november, project_id, 5, { month: OCTOBER })
  assert.equal(await spent(november, project_id), 3)
  assert.equal(await balanceOf(project_id), 42)
  assert.deepEqual(await monthsOf(project_id), [
    `top_up ${OCTOBER}`,
    `charge ${NOVEMBER}`,
    `charge ${OCTOBER}`,
  ])
  assert.deepEqual(await postingsOf(project_id), ['prepaid revenue 5000000'])
  await audit(project_id)
})

test('the ledger is limited neither by the cap of this month nor by the cap of its own month', async () => {
  const project_id = await projectWith(50, 5)
  await charge(october, project_id, 5)
  await charge(november, project_id, 5)
  await refused(charge(november, project_id, 1), 'billing_blocked')
  await charge(november, project_id, 6, { month: OCTOBER })
  assert.equal(await balanceOf(project_id), 34)
  await audit(project_id)
})

test('the ledger leaves the cap of this month unchanged', async () => {
  const project_id = await projectWith(50, 5)
  await charge(november, project_id, 20, { month: OCTOBER })
  await refused(charge(november, project_id, 5.01), 'billing_blocked')
  await charge(november, project_id, 5)
  await audit(project_id)
})

test('the ledger refuses a charge that exceeds the balance and writes nothing', async () => {
  const project_id = await projectWith(4, 1)
  const work = charge(november, project_id, 4.01, { month: OCTOBER })
  await refused(work, 'insufficient_balance')
  assert.deepEqual(await monthsOf(project_id), [`top_up ${OCTOBER}`])
})

test('the ledger books a reference once, even if the balance no longer covers it', async () => {
  const project_id = await projectWith(5)
  const which = { month: OCTOBER, reference: 'number:1:2026-10-01' }
  for (let time = 0; time < 3; time += 1) await charge(november, project_id, 5, which)
  assert.equal(await balanceOf(project_id), 0)
  assert.equal((await monthsOf(project_id)).length, 2)
})

test('the ledger starts this month at zero if the first entry belongs to a past month', async () => {
  const project_id = await projectWith(50)
  await charge(october, project_id, 7)
  await charge(december, project_id, 5, { month: NOVEMBER })
  assert.equal(await spent(december, project_id), 0)
  await audit(project_id)
  await charge(december, project_id, 2)
  assert.equal(await spent(december, project_id), 2)
  await charge(december, project_id, 5, { month: OCTOBER })
  assert.equal(await spent(december, project_id), 2)
  await audit(project_id)
})

test('the ledger reports a low balance after a charge of a past month like after any charge', async () => {
  const project_id = await projectWith(6)
  await charge(november, project_id, 2, { month: OCTOBER })
  const events = await open.db
    .selectFrom('events')
    .select('type')
    .where('project_id', '=', project_id)
    .where('type', '=', 'balance.low')
    .execute()
  assert.equal(events.length, 1)
})

test('the ledger treats an explicit current month like an absent one', async () => {
  const project_id = await projectWith(50, 5)
  await charge(november, project_id, 3, { month: NOVEMBER })
  assert.equal(await spent(november, project_id), 3)
  await refused(charge(november, project_id, 3, { month: NOVEMBER }), 'billing_blocked')
})

test('the ledger keeps the cap if two processes book around midnight', async () => {
  const project_id = await projectWith(50, 5)
  await charge(november, project_id, 4)
  await refused(charge(october, project_id, 2, { month: OCTOBER }), 'billing_blocked')
  await charge(october, project_id, 1, { month: OCTOBER })
  assert.deepEqual((await monthsOf(project_id)).at(-1), `charge ${NOVEMBER}`)
  await credit(october, project_id, 5, { month: OCTOBER })
  assert.equal(await spent(november, project_id), 0)
  await audit(project_id)
})

test('the ledger refuses a future month and a day that starts no month with an exception', async () => {
  const project_id = await projectWith(50)
  for (const month of [DECEMBER, '2026-10-02', '2026-13-01', '2026-10', '']) {
    await assert.rejects(charge(november, project_id, 1, { month }), assert.AssertionError)
    await assert.rejects(credit(november, project_id, 1, { month }), assert.AssertionError)
  }
  assert.equal(await balanceOf(project_id), 50)
})

test('the ledger uses as many statements in a past month as in the current one', async () => {
  const project_id = await projectWith(50)
  const statementsFor = (month: string) =>
    open.db.transact((tx) =>
      countStatements(tx, async () => {
        await billing.charge(tx, november, { ...order(project_id, 1), month })
        await billing.credit(tx, november, { ...order(project_id, 1), month })
      }),
    )
  const current = await statementsFor(NOVEMBER)
  assert.ok(current > 0)
  assert.equal(await statementsFor(OCTOBER), current)
})

test('the ledger frees the cap by a refunded amount', async () => {
  const project_id = await projectWith(50, 5)
  await charge(october, project_id, 5)
  await refused(charge(october, project_id, 1), 'billing_blocked')
  await credit(october, project_id, 4)
  assert.deepEqual(await postingsOf(project_id), ['revenue prepaid 4000000'])
  assert.equal(await spent(october, project_id), 1)
  await charge(october, project_id, 4)
  await refused(charge(october, project_id, 0.01), 'billing_blocked')
  await audit(project_id)
})

test('the ledger refunds a charge of a past month in that month and leaves this one unchanged', async () => {
  const project_id = await projectWith(50)
  await charge(october, project_id, 5)
  await charge(november, project_id, 2)
  await credit(november, project_id, 5, { month: OCTOBER })
  assert.deepEqual(await postingsOf(project_id), ['revenue prepaid 5000000'])
  assert.equal((await monthsOf(project_id)).at(-1), `top_up ${OCTOBER}`)
  assert.equal(await spent(november, project_id), 2)
  assert.equal(await balanceOf(project_id), 48)
  await audit(project_id)
})

test('the ledger refunds at most the charges of a month and books the rest as a gift', async () => {
  const project_id = await projectWith(50)
  await charge(october, project_id, 5)
  await charge(november, project_id, 2)
  await credit(november, project_id, 5)
  const both = ['funding prepaid 3000000', 'revenue prepaid 2000000']
  assert.deepEqual(await postingsOf(project_id), both)
  assert.equal(await spent(november, project_id), 0)
  await charge(november, project_id, 1)
  await credit(november, project_id, 7, { month: OCTOBER })
  const rest = ['funding prepaid 2000000', 'revenue prepaid 5000000']
  assert.deepEqual(await postingsOf(project_id), rest)
  assert.equal(await spent(november, project_id), 1)
  await audit(project_id)
})

test('the ledger books a credit to a project without charges as a gift', async () => {
  const project_id = await projectWith(1)
  await credit(october, project_id, 2)
  assert.deepEqual(await postingsOf(project_id), ['funding prepaid 2000000'])
  assert.equal(await balanceOf(project_id), 3)
  await audit(project_id)
})

const operationArbitrary = fc.record({
  verb: fc.constantFrom('charge', 'charge', 'credit', 'hold', 'settle'),
  euro: fc.integer({ min: 1, max: 9 }),
  months_later: fc.constantFrom(0, 0, 0, 1, 2),
  months_ago: fc.constantFrom(undefined, undefined, 0, 1, 2),
})

test('the ledger keeps each month equal to its entries in any order, and the current one within the cap', () =>
  fc.assert(
    fc.asyncProperty(fc.array(operationArbitrary, { maxLength: 12 }), async (operations) => {
      const project_id = await projectWith(40, 12)
      let now = Temporal.PlainDate.from(OCTOBER)
      const holds: string[] = []
      for (const { verb, euro, months_later, months_ago } of operations) {
        now = now.add({ months: months_later })
        const runtime = at(`${now}T12:00:00Z`)
        const month = months_ago === undefined ? undefined : now.subtract({ months: months_ago })
        const which = month === undefined ? {} : { month: month.toString() }
        await open.db
          .transact(async (tx) => {
            const what = order(project_id, euro)
            if (verb === 'charge') await billing.charge(tx, runtime, { ...what, ...which })
            if (verb === 'credit') await billing.credit(tx, runtime, { ...what, ...which })
            if (verb === 'hold') holds.push(await billing.hold(tx, runtime, what))
            const hold_id = verb === 'settle' ? holds.pop() : undefined
            if (hold_id === undefined) return
            const { amount_micro } = what
            await billing.settle(tx, runtime, { project_id, hold_id, amount_micro })
          })
          .catch((error: unknown) => assert(error instanceof Problem, String(error)))
        await audit(project_id)
        assert((await spent(runtime, project_id)) <= 12)
      }
    }),
    { numRuns: depth(15, 60) },
  ))
