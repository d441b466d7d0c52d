/**
 * Tests of plans of deleted projects: a pair keeps one plan while one of it is deleted, and neither
 * an owed month nor a card is charged meanwhile.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { standingClock } from '../../../test/fixtures/bare-runtime.ts'
import { planFixture, slugOf } from '../../../test/fixtures/plans/plans.ts'
import { newSession } from '../../../test/fixtures/portal/sessions.ts'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import { plans, type Plan } from '../../contract/plans.ts'
import { newId } from '../../kernel/values/ids.ts'
import { microFromEuro } from '../../kernel/values/money.ts'
import { paymentsOf } from '../../providers/payments/payments.ts'
import * as projects from '../projects/service.ts'
import * as store from './store.ts'

const fixture = await openTestRuntime({ work: false, clock: standingClock() })
const { runtime } = fixture
const { newOwner, ownerOf, topUp, moveTo, work, settle } = planFixture(fixture)

const remove = async (email: string, id: string) => {
  const confirm = encodeURIComponent((await projects.find(runtime.db, id))?.name ?? '')
  const session = await newSession(fixture, email)
  const answer = await session.call(`DELETE /projects/${id}?confirm=${confirm}`)
  assert.equal(answer.status, 204, answer.text)
}
const restore = async (email: string, id: string) => {
  const session = await newSession(fixture, email)
  const answer = await session.call(`POST /deleted-projects/${id}/restore`)
  assert.equal(answer.status, 200, answer.text)
}

let pairs = 0

/** A pair on a paid plan, whose balance does not cover another month. */
async function newPair(plan: Plan) {
  moveTo({ months: 1, day: 28 })
  const { live_project_id, test_project_id } = await fixture.newProject({
    shape: 'pair',
    plan: 'free',
  })
  pairs += 1
  const email = `pair-${pairs}@bakery.example`
  for (const project_id of [live_project_id, test_project_id])
    await runtime.db.transact((tx) =>
      projects.setOwnerEmail(tx, { project_id, owner_email: email }),
    )
  await topUp(live_project_id, 60)
  const live = ownerOf(live_project_id, email)
  const testing = ownerOf(test_project_id, email)
  assert.equal((await live.change(plan)).body.plan, plan)
  return { email, live, testing, live_project_id, test_project_id }
}

describe('a pair of which the test project is deleted', () => {
  test('is restored on the smaller plan to which it was lowered meanwhile', async () => {
    const { email, live, testing, test_project_id } = await newPair('enterprise')
    assert.equal((await live.change('online')).body.planned.plan, 'online')
    await remove(email, test_project_id)
    moveTo({ months: 1, day: 1 })
    await work()
    await restore(email, test_project_id)
    assert.deepEqual([(await live.plan()).plan, (await testing.plan()).plan], ['online', 'online'])
  })

  test('is restored on Free after the payments failed meanwhile', async () => {
    const { email, live, testing, test_project_id } = await newPair('enterprise')
    await remove(email, test_project_id)
    moveTo({ months: 1, day: 1 })
    for (const day of [1, 2, 3]) {
      moveTo({ day })
      await work()
    }
    assert.equal((await live.plan()).state, 'ended')
    await restore(email, test_project_id)
    assert.equal((await testing.plan()).plan, 'free')
  })

  test('is restored on the larger plan that was paid meanwhile', async () => {
    const { email, live, testing, test_project_id } = await newPair('online')
    await remove(email, test_project_id)
    assert.equal((await live.change('reachable')).body.plan, 'reachable')
    await restore(email, test_project_id)
    assert.equal((await testing.plan()).plan, 'reachable')
  })

  test('does not fit a smaller plan because of what is deleted, and links to where it is restored', async () => {
    const { email, live, test_project_id } = await newPair('online')
    const key = await fixture.newKey({ project_id: test_project_id })
    for (let n = 0; n <= plans.free.collections_max; n += 1)
      await fixture.call('POST /collections', { key, body: { name: `c${n}` } })
    await remove(email, test_project_id)
    const [free] = (await live.plan()).plans
    const url = `${runtime.config.public_url}/portal/app/`
    const expected = { name: 'collections', used: 21, max: 20, url }
    assert.deepEqual(free.does_not_fit.at(-1), expected)
    const refused = await live.change('free')
    assert.deepEqual([refused.status, slugOf(refused)], [409, 'plan_limit_reached'])
    assert.deepEqual(refused.body.does_not_fit, free.does_not_fit)
  })
})

describe('a pair of which the live project is deleted', () => {
  test('leaves the test project on Free, and gets its plan back with the restore', async () => {
    const { email, live, testing, live_project_id } = await newPair('online')
    await remove(email, live_project_id)
    const kept = await testing.plan()
    assert.deepEqual([kept.plan, kept.state], ['free', 'free'])
    await restore(email, live_project_id)
    assert.deepEqual([(await live.plan()).plan, (await testing.plan()).plan], ['online', 'online'])
  })

  test('leaves a test project on Free that is restored alone', async () => {
    const { email, testing, live_project_id, test_project_id } = await newPair('online')
    await remove(email, test_project_id)
    await remove(email, live_project_id)
    await restore(email, test_project_id)
    assert.equal((await testing.plan()).plan, 'free')
  })
})

describe('a month that was owed before the project was deleted', () => {
  test('is not charged after a restore in a later month, which is charged once', async () => {
    moveTo({ months: 1, day: 28 })
    const owner = await newOwner({ euro: 5 })
    await owner.change('online')
    moveTo({ months: 1, day: 1 })
    await work()
    moveTo({ day: 10 })
    await remove(owner.email, owner.project_id)
    moveTo({ months: 1, day: 1 })
    await restore(owner.email, owner.project_id)
    const [first = 0, second = 0] = await owner.amounts()
    await topUp(owner.project_id, 100)
    await work()
    await work()
    assert.deepEqual(await owner.amounts(), [first, second, 100, -9])
    assert.equal((await owner.plan()).state, 'active')
  })

  test('is not charged by a payment now either', async () => {
    moveTo({ months: 1, day: 28 })
    const owner = await newOwner({ euro: 5 })
    await owner.change('online')
    moveTo({ months: 1, day: 1 })
    await work()
    moveTo({ day: 10 })
    await remove(owner.email, owner.project_id)
    moveTo({ months: 1, day: 1 })
    await restore(owner.email, owner.project_id)
    await topUp(owner.project_id, 100)
    const paid = await owner.call('POST /plan/payments')
    assert.deepEqual([paid.status, paid.body.state], [200, 'active'])
    await work()
    assert.deepEqual((await owner.amounts()).slice(2), [100, -9])
  })
})

describe('a card payment of a project that is deleted', () => {
  async function beginPayment(project_id: string) {
    const row = {
      project_id,
      id: newId(runtime.clock),
      kind: 'upgrade',
      from_plan: 'free',
      plan: 'online',
      price_micro: microFromEuro(9),
      due_micro: microFromEuro(4.65),
      card_micro: microFromEuro(4.65),
      month: '2026-03-01',
      counts_as_try: false,
      state: 'pending',
      payment_method: 'pm_card_visa',
      customer: null,
      description: 'Plan Online',
      created_at: runtime.clock.now(),
    } as const
    return runtime.db.transact((tx) => store.insertPayment(tx, row))
  }
  const stateOf = (project_id: string) =>
    runtime.db
      .selectFrom('plan_payments')
      .select(['state', 'failure'])
      .where('project_id', '=', project_id)
      .executeTakeFirstOrThrow()

  test('is never taken, and has failed after a day', async () => {
    const owner = await newOwner({ card: 'visa' })
    await beginPayment(owner.project_id)
    await owner.plan()
    await remove(owner.email, owner.project_id)
    fixture.passes('2 hours')
    await settle()
    assert.equal((await stateOf(owner.project_id)).state, 'pending')
    fixture.passes('23 hours')
    await settle()
    const ended = await stateOf(owner.project_id)
    assert.deepEqual(ended, { state: 'failed', failure: 'provider_unavailable' })
    await restore(owner.email, owner.project_id)
    assert.deepEqual([(await owner.plan()).plan, await owner.amounts()], ['free', []])
  })

  test('that was taken before is credited, and changes no plan', async () => {
    const owner = await newOwner({ card: 'visa' })
    const payment = await beginPayment(owner.project_id)
    const { id: reference, card_micro: amount_micro, payment_method } = payment
    const order = { amount_micro, reference, payment_method, customer: null, description: 'Plan' }
    await paymentsOf(runtime)?.take(order)
    await owner.plan()
    await remove(owner.email, owner.project_id)
    fixture.passes('2 minutes')
    await settle()
    assert.equal((await stateOf(owner.project_id)).state, 'paid')
    await restore(owner.email, owner.project_id)
    assert.deepEqual([(await owner.plan()).plan, await owner.amounts()], ['free', [4.65]])
  })
})
