/** Tests of plans through the API of the portal: prices, upgrades, downgrades and who may change. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { standingClock } from '../../../test/fixtures/bare-runtime.ts'
import { planFixture, slugOf } from '../../../test/fixtures/plans/plans.ts'
import { newTeam } from '../../../test/fixtures/portal/sessions.ts'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import { planNames, plans } from '../../contract/plans.ts'
import { microFromEuro } from '../../kernel/values/money.ts'
import * as billing from '../billing/service.ts'
import * as projects from '../projects/service.ts'
import { setByOperator } from './service.ts'

const fixture = await openTestRuntime({ work: false, clock: standingClock() })
const { runtime } = fixture
const { newOwner, moveTo, mailsOf, work, ownerOf, setDutch } = planFixture(fixture)
// A month of 31 days, of which 16 are left.
moveTo({ months: 1, day: 1 })
while (new Date(runtime.clock.now_ms()).getUTCMonth() !== 11) moveTo({ months: 1, day: 1 })
moveTo({ day: 16 })

describe('GET /plan', () => {
  test('shows every plan with its limits, its price and what changing costs now', async () => {
    const owner = await newOwner()
    const body = await owner.plan()
    assert.deepEqual([body.plan, body.state, body.price_month_eur], ['free', 'free', 0])
    assert.deepEqual(
      body.plans.map((one: any) => [one.plan, one.change, one.price_month_eur, one.price_now_eur]),
      [
        ['free', null, 0, 0],
        ['online', 'upgrade', 9, 4.65],
        ['reachable', 'upgrade', 29, 14.97],
        ['business', 'upgrade', 99, 51.1],
        ['enterprise', 'upgrade', 399, 205.94],
      ],
    )
    for (const [index, name] of planNames.entries()) {
      const max = (limit: string) =>
        body.plans[index].limits.find((one: any) => one.name === limit).max
      assert.equal(max('collections'), plans[name].collections_max)
      assert.equal(max('data_bytes'), plans[name].data_bytes_max)
    }
  })

  test('can be read by the whole team, and changed only by owners who confirmed their identity', async () => {
    const team = await newTeam(fixture)
    const path = `/projects/${team.project_id}/plan`
    assert.equal((await team.viewer.call(`GET ${path}`)).status, 200)
    assert.equal((await team.limited.call(`GET ${path}`)).status, 403)
    const body = { plan: 'business', price_now_eur: 51.1 }
    assert.equal((await team.admin.call(`PUT ${path}`, { body })).status, 403)
    assert.equal((await team.member.call(`POST ${path}/payments`)).status, 403)
    assert.equal((await team.admin.call(`DELETE ${path}/planned`)).status, 403)
    fixture.passes('16 minutes')
    const stale = await team.owner.call(`PUT ${path}`, { body })
    assert.ok(stale.body.confirm_url)
    const other = await newTeam(fixture)
    assert.equal((await other.owner.call(`GET ${path}`)).status, 404)
  })
})

describe('an upgrade', () => {
  test('takes effect at once, charges the rest of the month and mails the owner', async () => {
    const owner = await newOwner({ euro: 20 })
    await setDutch(owner)
    const { status, body, text } = await owner.change('online')
    assert.equal(status, 200, text)
    assert.deepEqual([body.plan, body.state, body.price_month_eur], ['online', 'active', 9])
    assert.deepEqual([body.balance_eur, body.renews_on?.slice(5)], [15.35, '01-01'])
    assert.deepEqual(await owner.amounts(), [20, -4.65])
    const key = await fixture.newKey({ project_id: owner.project_id })
    const [entry] = (await fixture.call('GET /balance', { key })).body.transactions
    assert.equal(entry.source, 'plan')
    assert.match(entry.description, /^Plan Online from \d{4}-12-16, 16 of 31 days$/)
    const [mail] = await mailsOf(owner.project_id)
    assert.equal(mail?.to, owner.email)
    assert.match(mail.subject, /^Uw abonnement is nu Online/)
    assert.match(mail.text, /€\s4,65.*\/projects\/[\w-]+\/billing\/plan/s)
  })

  test('pays only the difference to what is already paid', async () => {
    const owner = await newOwner({ euro: 60 })
    await owner.change('online')
    const { body } = await owner.change('business')
    assert.equal(body.plan, 'business')
    assert.deepEqual(await owner.amounts(), [60, -4.65, -46.45])
  })

  test('raises the limits from the next request on', async () => {
    const owner = await newOwner({ euro: 20 })
    const key = await fixture.newKey({ project_id: owner.project_id })
    const create = (n: number) =>
      fixture.call('POST /collections', { key, body: { name: `c${n}` } })
    for (let n = 0; n < plans.free.collections_max; n += 1) await create(n)
    assert.equal(slugOf(await create(99)), 'collection_limit_reached')
    assert.equal((await owner.change('online')).status, 200)
    assert.equal((await create(99)).status, 201)
  })

  test('is charged once for two concurrent requests', async () => {
    const owner = await newOwner({ euro: 200 })
    const answers = await Promise.all(Array.from({ length: 4 }, () => owner.change('business')))
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 200],
    )
    assert.deepEqual(await owner.amounts(), [200, -51.1])
  })

  test('is never charged twice for concurrent upgrades to two plans', async () => {
    const owner = await newOwner({ euro: 200 })
    const [one, other] = await Promise.all([owner.change('online'), owner.change('business')])
    const spent = 200 - (await owner.plan()).balance_eur
    // The second request met another price or plan, so it was refused or became a downgrade.
    const refused = [one, other].filter(({ status }) => status !== 200)
    for (const answer of refused) assert.equal(slugOf(answer), 'conflict', answer.text)
    assert.ok([4.65, 51.1].includes(Math.round(spent * 100) / 100), String(spent))
  })

  test('is refused with the new price, charging nothing, if the price differs from the one shown', async () => {
    const owner = await newOwner({ euro: 20 })
    const answer = await owner.change('online', { price_now_eur: 4.5 })
    assert.deepEqual([answer.status, slugOf(answer)], [409, 'conflict'])
    assert.equal(answer.body.price_now_eur, 4.65)
    assert.deepEqual(await owner.amounts(), [20])
    assert.equal((await owner.plan()).plan, 'free')
  })

  test('is refused with 422 validation_failed for a price that is not an amount of money', async () => {
    const owner = await newOwner({ euro: 20 })
    for (const price_now_eur of [1e300, 1e9 + 1, -1]) {
      const answer = await owner.change('online', { price_now_eur })
      assert.deepEqual([answer.status, slugOf(answer)], [422, 'validation_failed'], answer.text)
    }
    assert.equal((await owner.change('online', { price_now_eur: 1e9 })).status, 409)
    assert.deepEqual(await owner.amounts(), [20])
  })

  test('is refused without a balance and a card, and changes nothing', async () => {
    const poor = await newOwner({ euro: 1 })
    const low = await poor.change('online')
    assert.deepEqual([low.status, slugOf(low)], [402, 'insufficient_balance'])
    const none = await (await newOwner()).change('online')
    assert.deepEqual([none.status, slugOf(none)], [402, 'payment_mandate_missing'])
    assert.equal((await poor.plan()).plan, 'free')
    assert.deepEqual(await poor.amounts(), [1])
  })

  test('respects the spending cap, and counts held amounts as spent', async () => {
    const capped = await newOwner({ euro: 20, card: 'visa' })
    const spending_limit_micro = microFromEuro(4)
    await projects.change(runtime.db, capped.project_id, { spending_limit_micro })
    const answer = await capped.change('online')
    assert.deepEqual([answer.status, slugOf(answer)], [402, 'billing_blocked'])
    assert.deepEqual(await capped.amounts(), [20])
    const held = await newOwner({ euro: 5 })
    await runtime.db.transact((tx) =>
      billing.hold(tx, runtime, {
        project_id: held.project_id,
        amount_micro: microFromEuro(1),
        source: 'call',
        description: 'Call',
        reference: 'held',
        reference_id: held.project_id,
      }),
    )
    assert.equal(slugOf(await held.change('online')), 'insufficient_balance')
  })
})

describe('a downgrade', () => {
  test('is planned for the end of the month, charges nothing and can be cancelled', async () => {
    const owner = await newOwner({ euro: 100 })
    await owner.change('business')
    const { status, body } = await owner.change('online')
    assert.equal(status, 200)
    assert.deepEqual(
      [body.plan, body.planned.plan, body.planned.price_month_eur],
      ['business', 'online', 9],
    )
    assert.equal(body.planned.on, body.renews_on)
    assert.deepEqual(await owner.amounts(), [100, -51.1])
    const cancelled = await owner.call('DELETE /plan/planned')
    assert.deepEqual([cancelled.status, cancelled.body.planned], [200, null])
    assert.equal((await owner.call('DELETE /plan/planned')).status, 200)
  })

  test('lists what does not fit, each with a link, and is refused', async () => {
    const owner = await newOwner({ euro: 20 })
    await owner.change('online')
    const key = await fixture.newKey({ project_id: owner.project_id })
    for (let n = 0; n <= plans.free.collections_max; n += 1)
      await fixture.call('POST /collections', { key, body: { name: `c${n}` } })
    await projects.setRail(runtime.db, {
      project_id: owner.project_id,
      rail: 'payments',
      mode: 'live',
    })
    const answer = await owner.change('free')
    assert.deepEqual([answer.status, slugOf(answer)], [409, 'plan_limit_reached'], answer.text)
    const page = `${runtime.config.public_url}/portal/app/projects/${owner.project_id}`
    assert.deepEqual(answer.body.does_not_fit, [
      { name: 'collections', used: 21, max: 20, url: `${page}/data` },
      { name: 'live_payments', used: 1, max: 0, url: `${page}/go-live` },
    ])
    assert.match(answer.body.next_step, /Billing/)
    assert.equal((await owner.plan()).planned, null)
  })

  test('is dropped by an upgrade', async () => {
    const owner = await newOwner({ euro: 300 })
    await owner.change('online')
    await owner.change('free')
    const { body } = await owner.change('business')
    assert.deepEqual([body.plan, body.planned], ['business', null])
  })
})

describe('a plan that the operator sets', () => {
  test('costs nothing, and returns what was paid for the rest of the month', async () => {
    const owner = await newOwner({ euro: 100 })
    await owner.change('business')
    const { project_id } = owner
    assert.ok(await setByOperator(runtime, { project_id, plan: 'enterprise' }))
    const body = await owner.plan()
    assert.deepEqual([body.plan, body.state, body.price_month_eur], ['enterprise', 'granted', 0])
    assert.deepEqual(await owner.amounts(), [100, -51.1, 51.1])
    await setByOperator(runtime, { project_id, plan: 'free' })
    assert.deepEqual(await owner.amounts(), [100, -51.1, 51.1])
  })

  test('pays the whole rest of the month for a larger plan', async () => {
    const owner = await newOwner({ plan: 'reachable', euro: 60 })
    assert.equal((await owner.change('business')).body.state, 'active')
    assert.deepEqual(await owner.amounts(), [60, -51.1])
  })

  test('is never charged at the end of a month, even after a cancelled downgrade', async () => {
    const owner = await newOwner({ plan: 'reachable', euro: 60 })
    await owner.change('online')
    await owner.call('DELETE /plan/planned')
    assert.equal((await owner.plan()).state, 'granted')
  })

  test('belongs to both projects of a pair, whose test project cannot change it', async () => {
    const { live_project_id, test_project_id } = await fixture.newProject({
      shape: 'pair',
      plan: 'free',
    })
    const email = 'pair-owner@bakery.example'
    for (const project_id of [live_project_id, test_project_id])
      await runtime.db.transact((tx) =>
        projects.setOwnerEmail(tx, { project_id, owner_email: email }),
      )
    await planFixture(fixture).topUp(live_project_id, 20)
    const [live, testing] = [ownerOf(live_project_id, email), ownerOf(test_project_id, email)]
    const refused = await testing.change('online')
    assert.deepEqual([refused.status, slugOf(refused)], [409, 'conflict'])
    assert.equal((await live.change('online')).status, 200)
    const shown = await testing.plan()
    assert.deepEqual([shown.plan, shown.is_changeable, shown.state], ['online', false, 'active'])
  })
})

test('charges nothing in the middle of a month', async () => {
  const owner = await newOwner({ euro: 20 })
  await owner.change('online')
  await Promise.all([work(), work()])
  assert.deepEqual(await owner.amounts(), [20, -4.65])
})
