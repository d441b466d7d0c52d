/** Tests of the functions that billing offers to areas that charge. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { openBareFixture } from '../../../test/fixtures/bare-runtime.ts'
import { countStatements } from '../../../test/fixtures/ledger/statement-count.ts'
import { Problem } from '../../contract/errors.ts'
import { movableClock } from '../../kernel/clock.ts'
import type { Transaction } from '../../kernel/database/database.ts'
import { microFromEuro } from '../../kernel/values/money.ts'
import * as projects from '../projects/service.ts'
import { readConfig } from '../../kernel/config/config.ts'
import { releaseHoldsWhenExpired } from './jobs.ts'
import * as billing from './service.ts'

const fixture = await openBareFixture()
const start_ms = Date.parse('2026-11-30T21:00:00.000Z')
const clock = movableClock(0, { now_ms: () => start_ms, now: () => new Date(start_ms) })
const runtime = fixture.openRuntime(clock)

async function projectWith(balance_eur: number, cap_eur: number | null = null): Promise<string> {
  const facts = { name: 'Bakery', shape: 'single', plan: 'reachable', owner_email: null } as const
  const made = await projects.create(runtime, facts)
  assert('project_id' in made)
  const { project_id } = made
  const spending_limit_micro = cap_eur === null ? null : microFromEuro(cap_eur)
  await projects.change(runtime.db, project_id, { spending_limit_micro })
  if (balance_eur > 0) await topUp(project_id, balance_eur)
  return project_id
}

const transact = <T>(work: (tx: Transaction) => Promise<T>) => runtime.db.transact(work)

const topUp = (project_id: string, euro: number, reference: string = randomUUID()) =>
  transact((tx) =>
    billing.topUp(tx, runtime, {
      project_id,
      amount_micro: microFromEuro(euro),
      source: 'payment',
      description: 'Top-up',
      reference,
    }),
  )

const order = (project_id: string, euro: number, reference: string = randomUUID()) => ({
  project_id,
  amount_micro: microFromEuro(euro),
  source: 'sms' as const,
  description: 'SMS to +31612345678',
  quantity: 2,
  unit: 'segment',
  reference_id: '0193a5d0-0000-7000-8000-000000000001',
  reference,
})

const charge = (project_id: string, euro: number, reference?: string) =>
  transact((tx) => billing.charge(tx, runtime, order(project_id, euro, reference)))
const hold = (project_id: string, euro: number, lasts_s?: number) =>
  transact((tx) =>
    billing.hold(tx, runtime, {
      ...order(project_id, euro),
      ...(lasts_s === undefined ? {} : { lasts_s }),
    }),
  )
const settle = (project_id: string, hold_id: string, euro: number) =>
  transact((tx) =>
    billing.settle(tx, runtime, { project_id, hold_id, amount_micro: microFromEuro(euro) }),
  )
const release = (project_id: string, hold_id: string) =>
  transact((tx) => billing.release(tx, runtime, { project_id, hold_id }))
const balanceOf = (project_id: string) =>
  billing.readBalance(runtime.db, runtime, { project_id, test: false })

async function refused(work: Promise<unknown>, slug: string): Promise<Problem> {
  let thrown: unknown = null
  await assert.rejects(work, (error) => {
    thrown = error
    return error instanceof Problem && error.slug === slug
  })
  assert(thrown instanceof Problem)
  return thrown
}

test('the ledger lowers the balance by a charge and shows it as a negative transaction', async () => {
  const project_id = await projectWith(10)
  await charge(project_id, 0.168)
  const { balance_eur, spent_this_month_eur, transactions } = await balanceOf(project_id)
  assert.equal(balance_eur, 9.832)
  assert.equal(spent_this_month_eur, 0.168)
  const [first = assert.fail('There is no transaction.')] = transactions
  assert.deepEqual(first, {
    id: first.id,
    type: 'charge',
    source: 'sms',
    amount_eur: -0.168,
    balance_after_eur: 9.832,
    description: 'SMS to +31612345678',
    quantity: 2,
    unit: 'segment',
    reference_id: '0193a5d0-0000-7000-8000-000000000001',
    created_at: '2026-11-30T21:00:00.000Z',
  })
})

test('the ledger uses its own id as the reference of a top-up without a payment record', async () => {
  const project_id = await projectWith(10)
  const [transaction] = (await balanceOf(project_id)).transactions
  assert.equal(transaction?.type, 'top_up')
  assert.equal(transaction.amount_eur, 10)
  assert.equal(transaction.reference_id, transaction.id)
  assert.equal(transaction.quantity, null)
  assert.equal(transaction.unit, null)
})

test('the ledger refuses a charge below zero with both amounts, and writes nothing', async () => {
  const project_id = await projectWith(1)
  const before = await balanceOf(project_id)
  const problem = await refused(charge(project_id, 1.000001), 'insufficient_balance')
  assert.equal(problem.status, 402)
  assert.equal(problem.detail, 'This takes 1.000001 euro and the balance is 1 euro.')
  assert.deepEqual(await balanceOf(project_id), before)
})

test('the ledger refuses a charge to a project that never topped up', async () => {
  const project_id = await projectWith(0)
  await refused(charge(project_id, 0.01), 'insufficient_balance')
  await refused(hold(project_id, 0.01), 'insufficient_balance')
})

test('the ledger refuses a charge over the monthly cap with billing_blocked, even with enough balance', async () => {
  const project_id = await projectWith(50, 10)
  await charge(project_id, 6)
  const problem = await refused(charge(project_id, 5), 'billing_blocked')
  assert.equal(problem.detail, 'This takes 5 euro; 6 of the 10 euro of this month is spent.')
  await charge(project_id, 4)
  assert.equal((await balanceOf(project_id)).spent_this_month_eur, 10)
})

test('the ledger lets a project without a cap spend its whole balance', async () => {
  const project_id = await projectWith(900)
  await charge(project_id, 900)
  assert.equal((await balanceOf(project_id)).balance_eur, 0)
})

test('the ledger continues the transaction after a caught refusal', async () => {
  const project_id = await projectWith(1)
  await transact(async (tx) => {
    await refused(billing.charge(tx, runtime, order(project_id, 2)), 'insufficient_balance')
    await billing.charge(tx, runtime, order(project_id, 1))
  })
  assert.equal((await balanceOf(project_id)).balance_eur, 0)
})

test('the ledger undoes a charge with the transaction that contains it', async () => {
  const project_id = await projectWith(5)
  const before = await balanceOf(project_id)
  const work = transact(async (tx) => {
    await billing.charge(tx, runtime, order(project_id, 2))
    throw new Error('The message could not be sent.')
  })
  await assert.rejects(work, /could not be sent/)
  assert.deepEqual(await balanceOf(project_id), before)
})

test('the ledger charges the same reference once, even if the balance no longer covers it', async () => {
  const project_id = await projectWith(3)
  await charge(project_id, 3, 'sms:1')
  await charge(project_id, 3, 'sms:1')
  assert.equal((await balanceOf(project_id)).transactions.length, 2)
  await topUp(project_id, 4, 'payment:1')
  await topUp(project_id, 4, 'payment:1')
  assert.equal((await balanceOf(project_id)).balance_eur, 4)
})

test('the ledger treats the same reference in another project as another charge', async () => {
  const [one, other] = [await projectWith(3), await projectWith(3)]
  await charge(one, 1, 'sms:1')
  await charge(other, 2, 'sms:1')
  assert.equal((await balanceOf(one)).balance_eur, 2)
  assert.equal((await balanceOf(other)).balance_eur, 1)
})

test('writes nothing for a charge of zero', async () => {
  const project_id = await projectWith(3)
  await charge(project_id, 0)
  assert.equal((await balanceOf(project_id)).transactions.length, 1)
})

test('the ledger lowers the balance by a hold and counts it against the cap, without a transaction', async () => {
  const project_id = await projectWith(10, 8)
  await hold(project_id, 6)
  const balance = await balanceOf(project_id)
  assert.equal(balance.balance_eur, 4)
  assert.equal(balance.spent_this_month_eur, 6)
  assert.equal(balance.transactions.length, 1)
  await refused(charge(project_id, 3), 'billing_blocked')
  await refused(hold(project_id, 5), 'billing_blocked')
})

test('the ledger creates a repeated hold once and returns the same id', async () => {
  const project_id = await projectWith(10)
  const one = order(project_id, 6, 'call:1')
  const first = await transact((tx) => billing.hold(tx, runtime, one))
  const again = await transact((tx) => billing.hold(tx, runtime, one))
  assert.equal(again, first)
  assert.equal((await balanceOf(project_id)).balance_eur, 4)
})

test('the ledger charges the actual cost at settlement and releases the rest', async () => {
  const project_id = await projectWith(10)
  const hold_id = await hold(project_id, 6)
  assert.equal(await settle(project_id, hold_id, 2.5), 'settled')
  const { balance_eur, spent_this_month_eur, transactions } = await balanceOf(project_id)
  assert.equal(balance_eur, 7.5)
  assert.equal(spent_this_month_eur, 2.5)
  assert.equal(transactions[0]?.amount_eur, -2.5)
  assert.equal(transactions[0]?.balance_after_eur, 7.5)
  assert.equal(transactions[0]?.type, 'charge')
  assert.equal(transactions[0]?.description, 'SMS to +31612345678')
})

test('the ledger replaces the description of the hold at settlement', async () => {
  const project_id = await projectWith(10)
  const hold_id = await hold(project_id, 6)
  const used = { description: 'Call from +31612345678', quantity: 3, unit: 'minute' }
  await transact((tx) =>
    billing.settle(tx, runtime, { project_id, hold_id, amount_micro: 450_000n, ...used }),
  )
  const [{ description, quantity, unit } = assert.fail()] = (await balanceOf(project_id))
    .transactions
  assert.deepEqual({ description, quantity, unit }, used)
})

test('the ledger takes the excess from the balance if a settlement exceeds its hold', async () => {
  const project_id = await projectWith(10, 9)
  const hold_id = await hold(project_id, 4)
  await settle(project_id, hold_id, 9)
  assert.equal((await balanceOf(project_id)).balance_eur, 1)
})

test('the ledger refuses a settlement over the balance or the cap, and keeps the hold', async () => {
  const poor = await projectWith(10)
  const of_poor = await hold(poor, 4)
  await refused(settle(poor, of_poor, 10.01), 'insufficient_balance')
  const capped = await projectWith(10, 5)
  const of_capped = await hold(capped, 4)
  await refused(settle(capped, of_capped, 5.01), 'billing_blocked')
  assert.equal(await settle(poor, of_poor, 10), 'settled')
  assert.equal(await settle(capped, of_capped, 5), 'settled')
})

test('the ledger settles a hold despite a cap that was lowered since', async () => {
  const project_id = await projectWith(10, 9)
  const hold_id = await hold(project_id, 6)
  await projects.change(runtime.db, project_id, { spending_limit_micro: 1_000_000n })
  assert.equal(await settle(project_id, hold_id, 6), 'settled')
})

test('the ledger ends a hold once, by the first settlement or release', async () => {
  const project_id = await projectWith(10)
  const [settled, released] = [await hold(project_id, 2), await hold(project_id, 3)]
  assert.equal(await settle(project_id, settled, 1), 'settled')
  assert.equal(await settle(project_id, settled, 2), 'settled')
  assert.equal(await release(project_id, settled), 'settled')
  assert.equal(await release(project_id, released), 'released')
  assert.equal(await release(project_id, released), 'released')
  assert.equal(await settle(project_id, released, 3), 'released')
  assert.equal((await balanceOf(project_id)).balance_eur, 9)
})

test('the ledger releases a hold that is settled for zero', async () => {
  const project_id = await projectWith(10)
  assert.equal(await settle(project_id, await hold(project_id, 2), 0), 'released')
  const { balance_eur, transactions } = await balanceOf(project_id)
  assert.equal(balance_eur, 10)
  assert.equal(transactions.length, 1)
})

test('the ledger does not find a hold of another project', async () => {
  const [mine, other] = [await projectWith(10), await projectWith(10)]
  const hold_id = await hold(mine, 2)
  await assert.rejects(settle(other, hold_id, 1), /made before/)
  await assert.rejects(release(other, hold_id), /made before/)
  assert.equal(await release(mine, hold_id), 'released')
})

test('the ledger releases a hold when it expires', async () => {
  const project_id = await projectWith(10)
  const [short, long] = [await hold(project_id, 2, 600), await hold(project_id, 3)]
  clock.advance(599)
  assert.equal(await billing.releaseExpiredHolds(runtime), 0)
  clock.advance(1)
  assert.equal(await billing.releaseExpiredHolds(runtime), 1)
  assert.equal((await balanceOf(project_id)).balance_eur, 7)
  assert.equal(await settle(project_id, short, 2), 'released')
  assert.equal(await settle(project_id, long, 3), 'settled')
})

test('the ledger releases more expired holds than one batch', async () => {
  const project_id = await projectWith(10)
  for (let number = 0; number < 101; number += 1) await hold(project_id, 0.05, 60)
  clock.advance(60)
  await releaseHoldsWhenExpired.run(runtime)
  assert.equal((await balanceOf(project_id)).balance_eur, 10)
})

test('the ledger ends the month at midnight in Amsterdam and moves holds to the next month', async () => {
  clock.advance((Date.parse('2026-11-30T22:59:59.000Z') - clock.now_ms()) / 1000)
  const project_id = await projectWith(50, 10)
  await charge(project_id, 7)
  const hold_id = await hold(project_id, 3)
  await refused(charge(project_id, 1), 'billing_blocked')
  assert.equal(await billing.spentThisMonth(runtime.db, runtime, project_id), 10_000_000n)
  clock.advance(1)
  assert.equal(await billing.spentThisMonth(runtime.db, runtime, project_id), 3_000_000n)
  assert.equal((await balanceOf(project_id)).spent_this_month_eur, 3)
  await settle(project_id, hold_id, 2)
  await refused(charge(project_id, 9), 'billing_blocked')
  await charge(project_id, 8)
  assert.equal((await balanceOf(project_id)).spent_this_month_eur, 10)
})

test('the ledger does not carry charges of the past month into the new month at a top-up', async () => {
  clock.advance((Date.parse('2026-12-31T22:59:59.000Z') - clock.now_ms()) / 1000)
  const project_id = await projectWith(10, 10)
  await charge(project_id, 10)
  clock.advance(1)
  await topUp(project_id, 10)
  assert.equal((await balanceOf(project_id)).spent_this_month_eur, 0)
  await charge(project_id, 10)
})

const statementsOf = (work: (tx: Transaction) => Promise<unknown>) =>
  transact((tx) => countStatements(tx, () => work(tx)))

test('the ledger uses three statements for a charge, four for a settlement, one for the balance', async () => {
  const project_id = await projectWith(50)
  const hold_id = await hold(project_id, 3)
  const settlement = { project_id, hold_id, amount_micro: 2_000_000n }
  const read = { project_id, test: false }
  assert.equal(await statementsOf((tx) => billing.charge(tx, runtime, order(project_id, 1))), 3)
  assert.equal(await statementsOf((tx) => billing.settle(tx, runtime, settlement)), 4)
  assert.equal(await statementsOf((tx) => billing.readBalance(tx, runtime, read)), 1)
})

const credit = (project_id: string, euro: number, reference: string = randomUUID()) =>
  transact((tx) =>
    billing.credit(tx, runtime, {
      project_id,
      amount_micro: microFromEuro(euro),
      source: 'number',
      description: 'Phone number +31851234567 could not be registered',
      reference,
      reference_id: '0193a5d0-0000-7000-8000-000000000001',
    }),
  )

test('the ledger refunds a charge once, as a transaction without a webhook event', async () => {
  const project_id = await projectWith(10, 6)
  await charge(project_id, 5)
  await credit(project_id, 5, 'number:1:refused')
  await credit(project_id, 5, 'number:1:refused')
  const { balance_eur, spent_this_month_eur, transactions } = await balanceOf(project_id)
  assert.equal(balance_eur, 10)
  assert.equal(spent_this_month_eur, 0)
  const [first] = transactions
  assert.deepEqual([first?.type, first?.source, first?.amount_eur], ['top_up', 'number', 5])
  const events = await runtime.db
    .selectFrom('events')
    .select('type')
    .where('project_id', '=', project_id)
    .where('type', '=', 'balance.topped_up')
    .execute()
  assert.equal(events.length, 1)
})

test('the ledger computes the cost of a record as its charges minus its refunds', async () => {
  const project_id = await projectWith(50)
  const chargedFor = (id: string) => billing.sumCharged(runtime.db, project_id, id)
  const record = '0193a5d0-0000-7000-8000-000000000001'
  assert.equal(await chargedFor(record), 0n)
  await charge(project_id, 2)
  await settle(project_id, await hold(project_id, 9), 3)
  await hold(project_id, 4)
  assert.equal(await chargedFor(record), 5_000_000n)
  await credit(project_id, 2)
  assert.equal(await chargedFor(record), 3_000_000n)
  assert.equal(await chargedFor('0193a5d0-0000-7000-8000-000000000002'), 0n)
})

test('the ledger separates the spendable balance from the funds, which include holds', async () => {
  const project_id = await projectWith(10)
  await charge(project_id, 1)
  await hold(project_id, 4)
  assert.equal(await billing.readSpendableBalance(runtime.db, project_id), 5_000_000n)
  assert.equal(await billing.readUnspentFunds(runtime.db, project_id), 9_000_000n)
  await hold(project_id, 5)
  assert.equal(await billing.readSpendableBalance(runtime.db, project_id), 0n)
  assert.equal(await billing.readUnspentFunds(runtime.db, project_id), 9_000_000n)
  const poor = await projectWith(0)
  assert.equal(await billing.readSpendableBalance(runtime.db, poor), 0n)
  assert.equal(await billing.readUnspentFunds(runtime.db, poor), 0n)
})

test('the ledger checks for a refusal in advance without writing', async () => {
  const ask = (project_id: string, euro: number) =>
    billing.requireAffordable(runtime.db, runtime, {
      project_id,
      amount_micro: microFromEuro(euro),
    })
  const capped = await projectWith(50, 10)
  await charge(capped, 4)
  await hold(capped, 3)
  await ask(capped, 3)
  const blocked = await refused(ask(capped, 3.000001), 'billing_blocked')
  assert.match(blocked.detail, /7 of the 10 euro/)
  const poor = await projectWith(0)
  await ask(poor, 0)
  await refused(ask(poor, 0.01), 'insufficient_balance')
  assert.equal((await balanceOf(poor)).transactions.length, 0)
  await projects.remove(runtime, poor)
  await refused(ask(poor, 0.01), 'not_found')
})

test('the ledger uses the time zone of months and the daily prices set by the operator', async () => {
  const file = {
    'sms.segment': [
      { from: '2020-01-01', price_eur: 0.07 },
      { from: '2027-02-01', price_eur: 0.08 },
    ],
  }
  const config = {
    ...readConfig({ HOMEPORT_BILLING_TIMEZONE: 'Pacific/Auckland' }, '/'),
    prices: JSON.stringify(file),
  }
  const there = { ...runtime, config }
  const before = new Date('2027-01-31T10:59:59Z')
  const after = new Date('2027-01-31T11:00:00Z')
  assert.equal(billing.findBillingMonth(there, before), '2027-01-01')
  assert.equal(billing.findBillingMonth(there, after), '2027-02-01')
  assert.equal(billing.findBillingMonth(runtime, after), '2027-01-01')
  assert.equal(billing.findPrice(there, 'sms.segment', before), 70_000n)
  assert.equal(billing.findPrice(there, 'sms.segment', after), 80_000n)
  assert.equal(billing.findPrice(there, 'sms.segment', '2027-02-01'), 80_000n)
  assert.equal(billing.findPrice(there, 'sms.segment'), 70_000n)
  assert.equal(billing.findPrice(runtime, 'sms.segment'), 84_000n)
  assert.equal(billing.readPrices(there), billing.readPrices(there))
})

test('the ledger ends the month of the cap in the time zone set by the operator', async () => {
  const config = readConfig({ HOMEPORT_BILLING_TIMEZONE: 'America/New_York' }, '/')
  const there = { ...runtime, config }
  clock.advance((Date.parse('2027-03-01T04:59:59.000Z') - clock.now_ms()) / 1000)
  const project_id = await projectWith(0, 10)
  const top_up = { ...order(project_id, 50), source: 'payment' as const }
  await there.db.transact((tx) => billing.topUp(tx, there, top_up))
  await there.db.transact((tx) => billing.charge(tx, there, order(project_id, 10)))
  const spent = () => billing.spentThisMonth(runtime.db, there, project_id)
  assert.equal(await spent(), 10_000_000n)
  clock.advance(1)
  assert.equal(await spent(), 0n)
  await there.db.transact((tx) => billing.charge(tx, there, order(project_id, 10)))
})
