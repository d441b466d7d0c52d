/** Tests of automatic top-up in the portal API, and of the balance by month. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { eventually } from '../../../../test/fixtures/eventually.ts'
import { openTestRuntime, type Answer } from '../../../../test/fixtures/runtime.ts'
import { newTeam, newSession, type TestTeam } from '../../../../test/fixtures/portal/sessions.ts'
import { microFromEuro } from '../../../kernel/values/money.ts'
import * as billing from '../service.ts'

const fixture = await openTestRuntime()
const { runtime } = fixture
const slugOf = ({ body }: Answer): string => body.type.split('/').at(-1)
const wish = { enabled: true, threshold_eur: 5, amount_eur: 20, max_per_month: 3 }

const put = ({ admin, project_id }: TestTeam, body: object) =>
  admin.call(`PUT /projects/${project_id}/auto-reload`, { body })
const get = ({ viewer, project_id }: TestTeam) =>
  viewer.call(`GET /projects/${project_id}/auto-reload`)

/** A team that topped up once and saved the card. */
async function teamWithCard(): Promise<TestTeam> {
  const team = await newTeam(fixture)
  const { owner, project_id } = team
  const route = `/projects/${project_id}/top-ups`
  const made = await owner.call(`POST ${route}`, { body: { amount_eur: 6, save_card: true } })
  assert.equal(made.status, 201, made.text)
  const body = new URLSearchParams({ card: 'pm_card_visa' })
  await fetch(made.body.url, { method: 'POST', body, redirect: 'manual' })
  assert.equal((await owner.call(`GET ${route}/${made.body.id}`)).body.state, 'paid')
  return team
}

interface Purpose {
  source?: 'sms' | 'call'
  month?: string
}

const charge = (project_id: string, euro: number, { source = 'sms', month }: Purpose = {}) =>
  runtime.db.transact((tx) =>
    billing.charge(tx, runtime, {
      project_id,
      amount_micro: microFromEuro(euro),
      source,
      description: 'A charge',
      reference_id: randomUUID(),
      reference: randomUUID(),
      ...(month === undefined ? {} : { month }),
    }),
  )

describe('automatic top-up', () => {
  test('is shown to the team and set by admins', async () => {
    const team = await teamWithCard()
    assert.equal((await get(team)).body.enabled, false)
    const set = await put(team, wish)
    assert.equal(set.status, 200, set.text)
    const { enabled, threshold_eur, amount_eur, max_per_month } = (await get(team)).body
    assert.deepEqual({ enabled, threshold_eur, amount_eur, max_per_month }, wish)
    const { member, project_id } = team
    const refused = await member.call(`PUT /projects/${project_id}/auto-reload`, { body: wish })
    assert.deepEqual([refused.status, slugOf(refused)], [403, 'forbidden'])
  })

  test('tops up when the balance is low', async () => {
    const team = await teamWithCard()
    await put(team, wish)
    await charge(team.project_id, 2)
    const balance = await eventually(async () => {
      const { body } = await team.viewer.call(`GET /projects/${team.project_id}/balance`)
      fixture.passes('10 seconds')
      return body.balance_eur === 24 && body
    })
    assert.equal(balance.auto_reload.used_this_month, 1)
  })

  test('cannot be turned on without a card, but its settings can be saved', async () => {
    const team = await newTeam(fixture)
    const refused = await put(team, wish)
    assert.deepEqual([refused.status, slugOf(refused)], [402, 'payment_mandate_missing'])
    assert.match(refused.body.user_message, /no saved card/)
    assert.equal((await put(team, { ...wish, enabled: false, amount_eur: 50 })).status, 200)
    assert.equal((await get(team)).body.amount_eur, 50)
  })

  test('deletes the card and turns itself off', async () => {
    const team = await teamWithCard()
    const both = await put(team, { ...wish, card: null })
    assert.deepEqual([both.status, slugOf(both)], [402, 'payment_mandate_missing'])
    assert.equal((await put(team, { ...wish, enabled: false, card: null })).body.card, null)
    const { body } = await team.viewer.call(`GET /projects/${team.project_id}/verification`)
    assert.equal(body.card, false)
  })

  test('accepts every amount within its bounds in whole cents', async () => {
    const team = await teamWithCard()
    const faults = [
      { ...wish, amount_eur: 4 },
      { ...wish, amount_eur: 20.001 },
      { ...wish, threshold_eur: 0.005 },
      { ...wish, threshold_eur: -1 },
      { ...wish, max_per_month: 0 },
      { ...wish, max_per_month: 1.5 },
      { enabled: true },
      { ...wish, card: 'pm_card_visa' },
    ]
    for (const body of faults) {
      const answer = await put(team, body)
      assert.deepEqual([answer.status, slugOf(answer)], [422, 'validation_failed'], answer.text)
    }
    assert.equal((await put(team, { ...wish, amount_eur: 19.99 })).body.amount_eur, 19.99)
  })

  test('requires a recent confirmation of identity', async () => {
    const team = await teamWithCard()
    const old = await newSession(fixture, team.owner.email)
    fixture.passes('16 minutes')
    const answer = await old.call(`PUT /projects/${team.project_id}/auto-reload`, { body: wish })
    assert.deepEqual([answer.status, slugOf(answer)], [403, 'forbidden'])
  })
})

describe('the balance by month', () => {
  test('lists payments and spending per month, newest month first', async () => {
    const team = await teamWithCard()
    const { project_id, viewer } = team
    const month = billing.findBillingMonth(runtime, runtime.clock.now())
    const before = `${Number(month.slice(0, 4)) - 1}-03-01`
    await charge(project_id, 1.5)
    await charge(project_id, 0.25)
    await charge(project_id, 2, { source: 'call' })
    await charge(project_id, 0.5, { source: 'call', month: before })
    const { body } = await viewer.call(`GET /projects/${project_id}/balance/months`)
    assert.deepEqual(body.data, [
      {
        month: month.slice(0, 7),
        topped_up_eur: 6,
        spent_eur: 3.75,
        spent_on: [
          { source: 'call', amount_eur: 2 },
          { source: 'sms', amount_eur: 1.75 },
        ],
      },
      {
        month: before.slice(0, 7),
        topped_up_eur: 0,
        spent_eur: 0.5,
        spent_on: [{ source: 'call', amount_eur: 0.5 }],
      },
    ])
    const latest = await viewer.call(`GET /projects/${project_id}/balance/months?months=1`)
    assert.equal(latest.body.data.length, 1)
  })

  test('subtracts refunds from the spending', async () => {
    const team = await teamWithCard()
    const { project_id } = team
    await charge(project_id, 3, { source: 'call' })
    await runtime.db.transact((tx) =>
      billing.credit(tx, runtime, {
        project_id,
        amount_micro: microFromEuro(1),
        source: 'call',
        description: 'Given back',
        reference: randomUUID(),
        reference_id: randomUUID(),
      }),
    )
    const { body } = await team.viewer.call(`GET /projects/${project_id}/balance/months`)
    const [latest] = body.data
    assert.deepEqual([latest.topped_up_eur, latest.spent_eur], [6, 2])
  })

  test('is empty for a month without entries, and accepts 1 to 36 months', async () => {
    const team = await newTeam(fixture)
    const route = `GET /projects/${team.project_id}/balance/months`
    assert.deepEqual((await team.viewer.call(route)).body, { data: [] })
    for (const months of ['0', '37', 'x', '1.5']) {
      const answer = await team.viewer.call(`${route}?months=${months}`)
      assert.deepEqual([answer.status, slugOf(answer)], [400, 'invalid_parameter'])
    }
  })
})
