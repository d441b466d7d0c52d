/** The transactions of a month and its totals by day, over the portal's API. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { newSession, newTeam } from '../../../../test/fixtures/portal/sessions.ts'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import { microFromEuro } from '../../../kernel/values/money.ts'
import * as billing from '../service.ts'

const fixture = await openTestRuntime({ work: false })
const { runtime } = fixture
const team = await newTeam(fixture)
const { project_id } = team

const order = (source: 'payment' | 'sms' | 'call', euro: number) => ({
  project_id,
  source,
  amount_micro: microFromEuro(euro),
  description: source,
  reference: randomUUID(),
  reference_id: randomUUID(),
})
const today = () =>
  Temporal.Instant.fromEpochMilliseconds(fixture.clock.now_ms())
    .toZonedDateTimeISO(runtime.config.billing_timezone)
    .toPlainDate()
const monthOf = (day: Temporal.PlainDate) => day.toPlainYearMonth().toString()

const first = today()
await runtime.db.transact(async (tx) => {
  await billing.topUp(tx, runtime, { ...order('payment', 50), source: 'payment' })
  await billing.charge(tx, runtime, { ...order('sms', 1.5), source: 'sms' })
})
fixture.passes('32 days')
const second = today()
await runtime.db.transact(async (tx) => {
  await billing.charge(tx, runtime, { ...order('call', 2), source: 'call' })
  await billing.charge(tx, runtime, { ...order('sms', 0.5), source: 'sms' })
  await billing.charge(tx, runtime, { ...order('sms', 0.25), source: 'sms' })
})

// The sessions of the team have ended in the meantime.
const viewer = await newSession(fixture, team.viewer.email)
const limited = await newSession(fixture, team.limited.email)

const ask = async (path: string) => {
  const { status, body, text } = await viewer.call(`GET /projects/${project_id}/balance/${path}`)
  assert.equal(status, 200, text)
  return body
}
const amountsIn = async (query: string): Promise<number[]> =>
  (await ask(`transactions?${query}`)).data.map((row: { amount_eur: number }) => row.amount_eur)

describe('GET /balance/transactions', () => {
  test('lists the transactions of one month, newest first', async () => {
    assert.deepEqual(await amountsIn(`month=${monthOf(first)}`), [-1.5, 50])
    assert.deepEqual(await amountsIn(`month=${monthOf(second)}`), [-0.25, -0.5, -2])
    assert.deepEqual(await amountsIn('month=2020-01'), [])
  })

  test('filters by type and by category', async () => {
    assert.deepEqual(await amountsIn(`month=${monthOf(first)}&type=top_up`), [50])
    assert.deepEqual(await amountsIn(`month=${monthOf(first)}&type=charge`), [-1.5])
    assert.deepEqual(await amountsIn(`month=${monthOf(second)}&source=sms`), [-0.25, -0.5])
  })

  test('continues with the cursor', async () => {
    const page = await ask(`transactions?month=${monthOf(second)}&limit=2`)
    assert.equal(page.data.length, 2)
    const cursor = `cursor=${encodeURIComponent(page.next_cursor)}`
    assert.deepEqual(await amountsIn(`month=${monthOf(second)}&limit=2&${cursor}`), [-2])
  })

  test('refuses a text that is not a month, and members who are limited to some sites', async () => {
    const path = `GET /projects/${project_id}/balance/transactions`
    assert.equal((await viewer.call(`${path}?month=2026-13`)).status, 400)
    assert.equal((await viewer.call(path)).status, 400)
    assert.equal((await limited.call(`${path}?month=2026-11`)).status, 403)
  })
})

describe('GET /balance/days', () => {
  test('sums each day by category', async () => {
    assert.deepEqual(await ask(`days?month=${monthOf(first)}`), {
      data: [
        {
          day: first.toString(),
          topped_up_eur: 50,
          spent_on: [{ source: 'sms', amount_eur: 1.5 }],
        },
      ],
    })
    assert.deepEqual((await ask(`days?month=${monthOf(second)}`)).data, [
      {
        day: second.toString(),
        topped_up_eur: 0,
        spent_on: [
          { source: 'call', amount_eur: 2 },
          { source: 'sms', amount_eur: 0.75 },
        ],
      },
    ])
  })
})
