/**
 * Tests of the rent of live numbers: each month is charged once, for every course of the clock and
 * the balance, and with two workers.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { depth } from '../../../../test/fixtures/depth.ts'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import { microFromEuro } from '../../../kernel/values/money.ts'
import * as projects from '../../projects/service.ts'
import { liveFixture } from '../../../../test/fixtures/live-projects.ts'
import { chargeDueMonths, addMonth } from './months.ts'

const prices = join(mkdtempSync(join(tmpdir(), 'homeport-prices-')), 'prices.json')
writeFileSync(
  prices,
  JSON.stringify({
    'number.national': [
      { from: '2020-01-01', price_eur: 5 },
      { from: '2400-01-01', price_eur: 7 },
    ],
  }),
)
const runtime = await openTestRuntime({ settings: { HOMEPORT_PRICES: prices }, work: false })
const fixture = liveFixture(runtime)
const { order, readyProject, books, topUp } = fixture

/** Moves the clock to a day and an hour of a later month. */
function passMonths(count: number, { day = 1, hour = 12 } = {}): void {
  const now = Temporal.Instant.from(runtime.clock.now().toISOString()).toZonedDateTimeISO(
    'Europe/Amsterdam',
  )
  const then = now.add({ months: count }).with({ day, hour, minute: 0, second: 0 })
  const seconds = Math.ceil((then.epochMilliseconds - runtime.clock.now_ms()) / 1000)
  runtime.passes(`${Math.max(0, seconds)} seconds`)
}

const charge = () => chargeDueMonths(runtime.runtime)

describe('a live number', () => {
  test('is charged on the first of each month, once', async () => {
    const { key } = await readyProject()
    await order(key)
    await charge()
    assert.deepEqual((await books(key)).amounts, [100, -5])
    passMonths(1)
    for (let round = 0; round < 3; round++) await charge()
    assert.deepEqual((await books(key)).amounts, [100, -5, -5])
    const { body } = await runtime.call('GET /balance', { key })
    const [{ description, quantity, unit, source }] = body.transactions
    assert.match(description, /^Phone number \+31\d{9}, \d{4}-\d\d$/)
    assert.deepEqual([source, quantity, unit], ['number', 1, 'month'])
  })
  test('starts a month at midnight in Amsterdam, not in UTC', async () => {
    const { key } = await readyProject()
    await order(key)
    passMonths(1, { hour: 0 })
    await charge()
    assert.deepEqual((await books(key)).amounts, [100, -5, -5])
  })
  test('is charged for each month that a jump of the clock skipped', async () => {
    const { key } = await readyProject()
    await order(key)
    passMonths(4, { day: 17 })
    await charge()
    assert.deepEqual((await books(key)).amounts, [100, -5, -5, -5, -5, -5])
  })
  test('is charged once by two concurrent workers', async () => {
    const { key } = await readyProject()
    await order(key)
    passMonths(3)
    await Promise.all([charge(), charge(), charge(), charge()])
    assert.deepEqual((await books(key)).amounts, [100, -5, -5, -5, -5])
  })
  test('stays owed and usable if the charge fails, and is charged as soon as possible', async () => {
    const { project_id, key } = await readyProject({ euro: 8 })
    const { id } = (await order(key)).body
    passMonths(2)
    await charge()
    assert.deepEqual((await books(key)).amounts, [8, -5])
    const { body } = await runtime.call('GET /numbers', { key })
    assert.deepEqual([body.data[0].id, body.data[0].status], [id, 'active'])
    await topUp(project_id, 2)
    await charge()
    assert.deepEqual((await books(key)).amounts, [8, -5, 2, -5])
    await topUp(project_id, 50)
    await charge()
    assert.deepEqual((await books(key)).amounts, [8, -5, 2, -5, 50, -5])
  })
  test('is charged for a past month against no cap, and for this month against its cap', async () => {
    const { key } = await readyProject({ cap: 5 })
    await order(key)
    passMonths(3)
    await charge()
    assert.deepEqual(await books(key), { balance: 80, spent: 5, amounts: [100, -5, -5, -5, -5] })
  })
  test('waits while the cap of this month is reached, and does not count against the cap of the next month', async () => {
    const { project_id, key } = await readyProject({ cap: 5 })
    await order(key)
    await fixture.change(project_id, { spending_limit_micro: microFromEuro(4) })
    passMonths(1)
    await charge()
    assert.deepEqual((await books(key)).amounts, [100, -5])
    passMonths(1)
    await charge()
    assert.deepEqual((await books(key)).amounts, [100, -5, -5], 'the month that is over')
  })
  test('of a project that cannot pay does not delay the charges of other projects', async () => {
    const poor = await Promise.all(Array.from({ length: 3 }, () => readyProject({ euro: 5 })))
    for (const { key } of poor) await order(key)
    const { key } = await readyProject()
    await order(key)
    passMonths(1)
    await charge()
    assert.deepEqual((await books(key)).amounts, [100, -5, -5])
  })
  test('costs nothing after its project is deleted', async () => {
    const { project_id, key } = await readyProject()
    await order(key)
    await projects.remove(runtime.runtime, project_id)
    passMonths(1)
    await charge()
    const rows = await runtime.runtime.db
      .selectFrom('ledger_entries')
      .select('id')
      .where('project_id', '=', project_id)
      .where('kind', '=', 'charge')
      .execute()
    assert.deepEqual(rows, [])
  })
  test('is never charged if it is in the test range', async () => {
    const { project_id } = await readyProject()
    const key = await runtime.newKey({ project_id })
    await order(key)
    passMonths(2)
    await charge()
    assert.deepEqual((await books(key)).amounts, [100])
  })
})

test('the next month begins on the next first day', () => {
  assert.equal(addMonth('2026-12-01'), '2027-01-01')
  assert.equal(addMonth('2028-02-01'), '2028-03-01')
})

test('any order of clock jumps, top-ups and runs charges each month once and in sequence', async () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('pass' as const), months: fc.integer({ min: 0, max: 3 }) }),
    fc.record({ do: fc.constant('topUp' as const), euro: fc.integer({ min: 1, max: 12 }) }),
    fc.record({ do: fc.constant('charge' as const), workers: fc.integer({ min: 1, max: 3 }) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
      const { project_id, key } = await readyProject({ euro: 5 })
      const { id } = (await order(key)).body
      for (const one of steps) {
        if (one.do === 'pass') passMonths(one.months, { day: 28 })
        if (one.do === 'topUp') await topUp(project_id, one.euro)
        if (one.do === 'charge') {
          await Promise.all(Array.from({ length: one.workers }, () => charge()))
        }
      }
      await charge()
      const entries = await runtime.runtime.db
        .selectFrom('ledger_entries')
        .select(['reference', 'amount_micro'])
        .where('project_id', '=', project_id)
        .where('reference_id', '=', id)
        .where('kind', 'in', ['charge', 'settle'])
        .orderBy('id')
        .execute()
      assert(entries.every(({ amount_micro }) => amount_micro === microFromEuro(5)))
      const months = entries.slice(1).map(({ reference }) => reference.split(':')[2]!)
      assert.deepEqual(
        months.map((month, index) => (index === 0 ? month : addMonth(months[index - 1]!))),
        months,
        'no month twice, none left out',
      )
      const { next_charge_on } = await runtime.runtime.db
        .selectFrom('numbers')
        .select('next_charge_on')
        .where('project_id', '=', project_id)
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      const last = months.at(-1)
      if (last) assert.equal(next_charge_on, addMonth(last))
      const { balance } = await books(key)
      assert(balance >= 0 && (balance < 5 || next_charge_on! > runtime.clock.now().toISOString()))
    }),
    { numRuns: depth(10, 40) },
  )
})

test('a month costs the price that the price file has for its first day', async () => {
  const { project_id, key } = await readyProject({ euro: 100 })
  await order(key)
  const years = 2400 - runtime.clock.now().getUTCFullYear()
  await runtime.runtime.db.transact((tx) =>
    tx
      .updateTable('numbers')
      .set({ next_charge_on: '2399-11-01' })
      .where('project_id', '=', project_id)
      .execute(),
  )
  passMonths(years * 12 - runtime.clock.now().getUTCMonth())
  await charge()
  assert.deepEqual((await books(key)).amounts, [100, -5, -5, -5, -7])
})
