/**
 * Tests of upgrades that the saved card pays, with the payment provider simulated by this server:
 * after a crash at any point a payment is taken, credited and used exactly once.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { standingClock } from '../../../test/fixtures/bare-runtime.ts'
import { planFixture, slugOf, type PlanOwner } from '../../../test/fixtures/plans/plans.ts'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import * as records from '../../kernel/simulator-records.ts'
import { newId } from '../../kernel/values/ids.ts'
import { microFromEuro } from '../../kernel/values/money.ts'
import { paymentsOf } from '../../providers/payments/payments.ts'
import * as projects from '../projects/service.ts'
import { setByOperator } from './service.ts'
import * as store from './store.ts'

const fixture = await openTestRuntime({ work: false, clock: standingClock() })
const { runtime } = fixture
const { newOwner, moveTo, settle, mailsOf } = planFixture(fixture)
// A month of 31 days, of which 16 are left.
moveTo({ day: 16 })

/** Payments that the simulated provider took, for a project's payments of plans. */
async function takenFor({ project_id }: PlanOwner): Promise<number> {
  const rows = await runtime.db
    .selectFrom('plan_payments')
    .select('id')
    .where('project_id', '=', project_id)
    .execute()
  const intents = (await records.listRecords(runtime, 'stripe'))
    .map(({ record }) => JSON.stringify(record))
    .filter((json) => json.includes('"succeeded"') && !json.includes('made_at_ms'))
  return intents.filter((json) => rows.some(({ id }) => json.includes(id))).length
}

/** Inserts the payment of an upgrade to Online, as a process that crashes afterwards does. */
async function beginPayment({ project_id }: PlanOwner, change: object = {}) {
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
    ...change,
  } as const
  return runtime.db.transact((tx) => store.insertPayment(tx, row))
}

const later = async (time: string) => {
  fixture.passes(time)
  await Promise.all([settle(), settle()])
}

describe('an upgrade that the balance does not cover', () => {
  test('is paid by the saved card, credited to the balance and charged from it', async () => {
    const owner = await newOwner({ euro: 2, card: 'visa' })
    const { status, body, text } = await owner.change('online')
    assert.equal(status, 200, text)
    assert.deepEqual([body.plan, body.state, body.pending_payment], ['online', 'active', null])
    assert.deepEqual(await owner.amounts(), [2, 4.65, -4.65])
    assert.equal(await takenFor(owner), 1)
    assert.equal((await mailsOf(owner.project_id)).length, 1)
  })

  test('charges at least the minimum of the card provider, and leaves the rest on the balance', async () => {
    const owner = await newOwner({ card: 'visa' })
    await runtime.db.transact((tx) =>
      store.saveSubscription(tx, {
        project_id: owner.project_id,
        state: 'active',
        granted: false,
        price_micro: microFromEuro(8.5),
        month: '2026-03-01',
        next_plan: null,
        tries: 0,
        next_try_at: null,
        failure: null,
        failed_at: null,
        updated_at: runtime.clock.now(),
      }),
    )
    assert.equal((await owner.change('online')).status, 200)
    assert.deepEqual(await owner.amounts(), [0.5, -0.26])
  })

  test('charges the card once for two concurrent requests', async () => {
    const owner = await newOwner({ card: 'visa' })
    const answers = await Promise.all([1, 2, 3].map(() => owner.change('business')))
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200],
    )
    assert.deepEqual(await owner.amounts(), [51.1, -51.1])
    assert.equal(await takenFor(owner), 1)
  })

  for (const [card, reason] of [
    ['chargeDeclined', 'card_declined'],
    ['chargeDeclinedInsufficientFunds', 'insufficient_funds'],
    ['authenticationRequired', 'authentication_required'],
  ] as const) {
    test(`changes nothing if the card is refused: 402 payment_required, ${reason}`, async () => {
      const owner = await newOwner({ euro: 2, card })
      const answer = await owner.change('online')
      assert.deepEqual([answer.status, slugOf(answer)], [402, 'payment_required'])
      assert.equal(answer.body.reason, reason)
      assert.match(answer.body.next_step, /top up the balance, or save another card/)
      const { plan, pending_payment } = await owner.plan()
      assert.deepEqual([plan, pending_payment, await owner.amounts()], ['free', null, [2]])
    })
  }

  test('is pending while the provider does not reply, and takes effect once the payment is found', async () => {
    const owner = await newOwner({ card: 'takenThenTrouble' })
    const { status, body } = await owner.change('online')
    assert.deepEqual([status, body.plan, body.pending_payment.plan], [200, 'free', 'online'])
    const again = await owner.change('online')
    assert.equal(again.status, 200)
    const other = await owner.change('business')
    assert.deepEqual([other.status, slugOf(other)], [409, 'conflict'])
    await later('1 minute')
    assert.equal((await owner.plan()).plan, 'online')
    assert.deepEqual(await owner.amounts(), [4.65, -4.65])
  })
})

describe('a crash', () => {
  test('before the card is charged: another process charges it once, and the plan takes effect', async () => {
    const owner = await newOwner({ card: 'visa' })
    await beginPayment(owner)
    await later('1 minute')
    assert.equal((await owner.plan()).plan, 'online')
    assert.deepEqual(await owner.amounts(), [4.65, -4.65])
    assert.equal(await takenFor(owner), 1)
  })

  test('between the charge of the card and the change of the plan: another process applies the payment once', async () => {
    const owner = await newOwner({ card: 'visa' })
    const { id, card_micro, payment_method, customer, description } = await beginPayment(owner)
    const taken = await paymentsOf(runtime)?.take({
      amount_micro: card_micro,
      reference: id,
      payment_method,
      customer,
      description,
    })
    assert.equal(taken?.state, 'paid')
    assert.equal((await owner.plan()).plan, 'free')
    await later('1 minute')
    await later('1 minute')
    assert.equal((await owner.plan()).plan, 'online')
    assert.deepEqual(await owner.amounts(), [4.65, -4.65])
    assert.equal(await takenFor(owner), 1)
  })

  test('before the operator sets another plan: the money stays on the balance', async () => {
    const owner = await newOwner({ card: 'visa' })
    await beginPayment(owner)
    await setByOperator(runtime, { project_id: owner.project_id, plan: 'business' })
    await later('1 minute')
    assert.equal((await owner.plan()).plan, 'business')
    assert.deepEqual(await owner.amounts(), [4.65])
  })

  test('before the spending cap is lowered: the money stays on the balance, and the plan stays', async () => {
    const owner = await newOwner({ card: 'visa' })
    await beginPayment(owner)
    await projects.change(runtime.db, owner.project_id, { spending_limit_micro: 1n })
    await later('1 minute')
    const { plan, pending_payment } = await owner.plan()
    assert.deepEqual([plan, pending_payment, await owner.amounts()], ['free', null, [4.65]])
  })

  test('a day ago: a payment unknown to the provider fails, and is not charged later', async () => {
    const owner = await newOwner({ card: 'visa' })
    await beginPayment(owner)
    await later('4 hours')
    assert.equal((await owner.plan()).pending_payment.plan, 'online')
    await later('21 hours')
    const { plan, pending_payment } = await owner.plan()
    assert.deepEqual([plan, pending_payment, await takenFor(owner)], ['free', null, 0])
  })
})
