/**
 * Tests of the change of the month: the next month is charged once, planned downgrades take effect
 * if everything fits, and failed payments are tried three times before the limits of Free apply.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { standingClock } from '../../../test/fixtures/bare-runtime.ts'
import { planFixture, slugOf, type PlanOwner } from '../../../test/fixtures/plans/plans.ts'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import { plans } from '../../contract/plans.ts'
import { microFromEuro } from '../../kernel/values/money.ts'
import * as projects from '../projects/service.ts'

const fixture = await openTestRuntime({ work: false, clock: standingClock() })
const { runtime } = fixture
const { newOwner, moveTo, mailsOf, work, topUp, saveCard, settle, setDutch } = planFixture(fixture)

/** Begins the next month of 31 days that has 16 days left. */
function toMiddle(): void {
  moveTo({ months: 1, day: 16 })
  const day = Temporal.Instant.fromEpochMilliseconds(runtime.clock.now_ms()).toZonedDateTimeISO(
    'UTC',
  )
  if (day.daysInMonth !== 31) toMiddle()
}
const addCollections = async (project_id: string, count: number) => {
  const key = await fixture.newKey({ project_id })
  const made = []
  for (let n = 0; n < count; n += 1)
    made.push(await fixture.call('POST /collections', { key, body: { name: `c${n}` } }))
  return made
}

describe('a new month', () => {
  test('is charged once by concurrent processes, and appears in the monthly spending', async () => {
    toMiddle()
    const owner = await newOwner({ euro: 50 })
    await owner.change('online')
    moveTo({ months: 1, day: 1 })
    await Promise.all([work(), work(), work()])
    await work()
    assert.deepEqual(await owner.amounts(), [50, -4.65, -9])
    const [month] = (await owner.call('GET /balance/months')).body.data
    assert.deepEqual(month.spent_on, [{ source: 'plan', amount_eur: 9 }])
    const listed = await owner.call(`GET /balance/transactions?month=${month.month}`)
    assert.equal(listed.body.data[0].description, `Plan Online, ${month.month}`)
    assert.equal((await owner.plan()).state, 'active')
  })

  test('is charged by a change of the plan that precedes the reconciler', async () => {
    toMiddle()
    const owner = await newOwner({ euro: 300 })
    await owner.change('online')
    moveTo({ months: 1, day: 1 })
    const shown = await owner.change('business')
    assert.deepEqual([shown.status, slugOf(shown)], [409, 'conflict'], shown.text)
    assert.equal((await owner.change('business')).status, 200)
    assert.deepEqual(await owner.amounts(), [300, -4.65, -9, -90])
    await work()
    assert.equal((await owner.amounts()).length, 4)
  })

  test('is charged for the current month only after months of downtime', async () => {
    toMiddle()
    const owner = await newOwner({ euro: 100 })
    await owner.change('online')
    moveTo({ months: 4, day: 9 })
    await work()
    assert.deepEqual(await owner.amounts(), [100, -4.65, -9])
  })

  test('costs nothing on a plan that the operator set', async () => {
    toMiddle()
    const owner = await newOwner({ plan: 'reachable', euro: 50 })
    await owner.change('online')
    await owner.call('DELETE /plan/planned')
    moveTo({ months: 1, day: 2 })
    await work()
    const { plan, state } = await owner.plan()
    assert.deepEqual([plan, state, await owner.amounts()], ['reachable', 'granted', [50]])
  })
})

describe('a planned downgrade', () => {
  test('takes effect at the beginning of the month at its own price, with a mail', async () => {
    toMiddle()
    const owner = await newOwner({ euro: 100 })
    await owner.change('business')
    await owner.change('online')
    await work()
    assert.equal((await owner.plan()).plan, 'business')
    moveTo({ months: 1, day: 1 })
    await work()
    const { plan, planned, state } = await owner.plan()
    assert.deepEqual([plan, planned, state], ['online', null, 'active'])
    assert.deepEqual(await owner.amounts(), [100, -51.1, -9])
    assert.match(
      (await mailsOf(owner.project_id)).at(-1)?.subject ?? '',
      /^Your plan is Online now/,
    )
  })

  test('to Free ends the charges', async () => {
    toMiddle()
    const owner = await newOwner({ euro: 100 })
    await owner.change('online')
    await owner.change('free')
    moveTo({ months: 1, day: 1 })
    await work()
    const { plan, state, failed_payment } = await owner.plan()
    assert.deepEqual([plan, state, failed_payment], ['free', 'free', null])
    assert.deepEqual(await owner.amounts(), [100, -4.65])
  })

  test('is dropped if it no longer fits: the plan stays and is charged, and a mail lists the reasons', async () => {
    toMiddle()
    const owner = await newOwner({ euro: 100 })
    await setDutch(owner)
    await owner.change('online')
    await owner.change('free')
    await addCollections(owner.project_id, plans.free.collections_max + 1)
    const [excess] = (await owner.plan()).planned.does_not_fit
    assert.deepEqual([excess.name, excess.used, excess.max], ['collections', 21, 20])
    moveTo({ months: 1, day: 1 })
    await work()
    const { plan, planned } = await owner.plan()
    assert.deepEqual([plan, planned, await owner.amounts()], ['online', null, [100, -4.65, -9]])
    const mail = (await mailsOf(owner.project_id)).at(-1)
    assert.match(mail?.subject ?? '', /^Uw abonnement blijft Online/)
    assert.match(mail?.text ?? '', /Collecties: 21 van 20\n.*\/data\n/)
  })

  for (const round of [1, 2, 3]) {
    test(`never succeeds together with a concurrent request over the smaller limit (${round})`, async () => {
      toMiddle()
      const owner = await newOwner({ euro: 100 })
      const { project_id } = owner
      await owner.change('online')
      await owner.change('free')
      await addCollections(project_id, plans.free.collections_max - 1)
      moveTo({ months: 1, day: 1 })
      const key = await fixture.newKey({ project_id })
      const create = (n: number) =>
        fixture.call('POST /collections', { key, body: { name: `race${n}` } })
      const [answers] = await Promise.all([Promise.all([create(1), create(2), create(3)]), work()])
      const { plan, used } = await owner.plan()
      const collections = used.find(({ name }: { name: string }) => name === 'collections').used
      if (plan === 'free') assert.ok(collections <= plans.free.collections_max)
      else assert.equal(plan, 'online')
      const made = answers.filter(({ status }) => status === 201).length
      assert.equal(collections, plans.free.collections_max - 1 + made)
    })
  }
})

describe('a planned downgrade', () => {
  /** Runs requests concurrently with the change of the month, from just below the limit of Free. */
  async function race(prepare: (owner: PlanOwner) => Promise<(n: number) => Promise<unknown>>) {
    toMiddle()
    const owner = await newOwner({ euro: 100 })
    await owner.change('online')
    await owner.change('free')
    const add = await prepare(owner)
    moveTo({ months: 1, day: 1 })
    await owner.plan()
    await Promise.all([add(1), add(2), add(3), work(), add(4)])
    return owner.plan()
  }
  const usedOf = ({ used }: any, limit: string): number =>
    used.find(({ name }: { name: string }) => name === limit).used

  test('keeps files within the plan when uploads are announced concurrently', async () => {
    const plan = await race(async ({ project_id }) => {
      const key = await fixture.newKey({ project_id })
      const announce = (n: number, bytes: number) => {
        const about = { filename: `${n}.pdf`, content_type: 'application/pdf' }
        const file = { ...about, bytes, sha256: `${n}`.repeat(64) }
        return fixture.call('POST /media/uploads', { key, body: { files: [file] } })
      }
      await runtime.db.transact((tx) =>
        tx
          .insertInto('file_usage')
          .values({ project_id, bytes: BigInt(plans.free.files_bytes_max - 1500) })
          .execute(),
      )
      return (n) => announce(n, 1000)
    })
    const files = usedOf(plan, 'files_bytes')
    assert.ok(plan.plan === 'online' || files <= plans.free.files_bytes_max, `${files}`)
  })

  test('keeps data within the plan when documents change concurrently', async () => {
    const plan = await race(async ({ project_id }) => {
      const key = await fixture.newKey({ project_id })
      await fixture.call('POST /collections', { key, body: { name: 'things' } })
      const path = '/collections/things/documents'
      const made = await fixture.call(`POST ${path}`, { key, body: { text: '' } })
      await runtime.db.transact((tx) =>
        tx
          .updateTable('data_usage')
          .set({ bytes: BigInt(plans.free.data_bytes_max - 15) })
          .where('project_id', '=', project_id)
          .execute(),
      )
      return (n) =>
        fixture.call(`PATCH ${path}/${made.body.id}`, { key, body: { text: 'x'.repeat(10 * n) } })
    })
    const bytes = usedOf(plan, 'data_bytes')
    assert.ok(plan.plan === 'online' || bytes <= plans.free.data_bytes_max, `${bytes}`)
  })

  test('keeps the team within the plan when people are invited concurrently', async () => {
    const plan = await race(async ({ call }) => {
      return (n) => call('POST /invitations', { email: `guest-${n}@b.example`, role: 'viewer' })
    })
    const members = usedOf(plan, 'team_members')
    assert.ok(plan.plan === 'online' || members <= plans.free.team_members_max, `${members}`)
  })
})

describe('a month that cannot be charged', () => {
  test('is attempted on days 1, 2 and 3 after a partly paid month, with a mail each time, then ends the plan and deletes nothing', async () => {
    toMiddle()
    const owner = await newOwner({ euro: 5 })
    const { project_id } = owner
    await owner.change('online')
    await addCollections(project_id, plans.free.collections_max + 2)
    moveTo({ months: 1, day: 1 })
    await work()
    const first = await owner.plan()
    assert.deepEqual([first.plan, first.state], ['online', 'past_due'])
    const { amount_eur, reason, tries, tries_max, next_try_at } = first.failed_payment
    assert.deepEqual([amount_eur, reason, tries, tries_max], [9, 'insufficient_balance', 1, 3])
    assert.equal(next_try_at.slice(8, 10), '02')
    assert.match((await mailsOf(project_id)).at(-1)?.text ?? '', /If the last attempt, on 3 /)
    await work()
    assert.equal((await owner.plan()).failed_payment.tries, 1)
    moveTo({ day: 2 })
    await work()
    assert.deepEqual((await owner.plan()).failed_payment.next_try_at.slice(8, 10), '03')
    moveTo({ day: 3 })
    await work()
    const { plan, state, failed_payment, used } = await owner.plan()
    assert.deepEqual([plan, state, failed_payment.next_try_at], ['free', 'ended', null])
    assert.equal(used.find(({ name }: { name: string }) => name === 'collections').used, 22)
    const key = await fixture.newKey({ project_id })
    const more = await fixture.call('POST /collections', { key, body: { name: 'more' } })
    assert.equal(slugOf(more), 'collection_limit_reached')
    assert.equal((await fixture.call('GET /collections', { key })).status, 200)
    const subjects = (await mailsOf(project_id)).map(({ subject }) => subject.split(':')[0])
    assert.deepEqual(subjects, [
      'Your plan is Online now',
      'The payment for your plan failed',
      'The payment for your plan failed',
      'Your plan is Free now',
    ])
    assert.deepEqual(await owner.amounts(), [5, -4.65])
  })

  test('is attempted on days 1, 4 and 8 after a month that was paid as a whole', async () => {
    toMiddle()
    const owner = await newOwner({ euro: 14 })
    await owner.change('online')
    moveTo({ months: 1, day: 1 })
    await work()
    moveTo({ months: 1, day: 1 })
    for (const [day, state] of [
      [1, 'past_due'],
      [4, 'past_due'],
      [7, 'past_due'],
      [8, 'ended'],
    ] as const) {
      moveTo({ day })
      await work()
      assert.equal((await owner.plan()).state, state)
    }
  })

  test('is attempted on days 1, 2 and 3 after a whole month of a smaller plan', async () => {
    toMiddle()
    const owner = await newOwner({ euro: 14 })
    await owner.change('online')
    moveTo({ months: 1, day: 1 })
    await work()
    moveTo({ day: 28 })
    await topUp(owner.project_id, 400)
    await owner.change('enterprise')
    const { balance_eur } = await owner.plan()
    assert.ok(balance_eur < 399)
    moveTo({ months: 1, day: 1 })
    for (const day of [1, 2, 3]) {
      moveTo({ day })
      await work()
    }
    assert.deepEqual([(await owner.plan()).state], ['ended'])
  })

  test('is charged as soon as the balance covers it', async () => {
    toMiddle()
    const owner = await newOwner({ euro: 5 })
    await owner.change('online')
    moveTo({ months: 1, day: 1 })
    await work()
    await topUp(owner.project_id, 20)
    await work()
    const { state, failed_payment } = await owner.plan()
    assert.deepEqual([state, failed_payment], ['active', null])
    assert.deepEqual(await owner.amounts(), [5, -4.65, 20, -9])
  })

  test('can be paid by the owner at once; a failure of that does not count as an attempt', async () => {
    toMiddle()
    const owner = await newOwner({ euro: 5 })
    await owner.change('online')
    moveTo({ months: 1, day: 1 })
    await work()
    const refused = await owner.call('POST /plan/payments')
    assert.deepEqual([refused.status, slugOf(refused)], [402, 'insufficient_balance'])
    assert.equal((await owner.plan()).failed_payment.tries, 1)
    await topUp(owner.project_id, 20)
    const paid = await Promise.all([1, 2, 3].map(() => owner.call('POST /plan/payments')))
    assert.deepEqual(
      paid.map(({ status }) => status),
      [200, 200, 200],
    )
    assert.deepEqual(await owner.amounts(), [5, -4.65, 20, -9])
  })

  test('refuses an upgrade with 402 payment_required, which names the payment as the next step', async () => {
    toMiddle()
    const owner = await newOwner({ euro: 5 })
    await owner.change('online')
    moveTo({ months: 1, day: 1 })
    await work()
    const answer = await owner.change('business')
    assert.deepEqual([answer.status, slugOf(answer)], [402, 'payment_required'], answer.text)
    assert.match(answer.body.next_step, /POST \/projects\/\{project_id\}\/plan\/payments.*Plan/)
  })

  test('is not charged to the card above the spending cap, and is retried later', async () => {
    toMiddle()
    const owner = await newOwner({ euro: 50, card: 'visa' })
    const { project_id } = owner
    await owner.change('online')
    await projects.change(runtime.db, project_id, { spending_limit_micro: microFromEuro(8) })
    moveTo({ months: 1, day: 1 })
    await work()
    assert.equal((await owner.plan()).failed_payment.reason, 'billing_blocked')
    await work()
    await projects.change(runtime.db, project_id, { spending_limit_micro: microFromEuro(80) })
    moveTo({ day: 4 })
    await work()
    assert.deepEqual(
      [(await owner.plan()).state, await owner.amounts()],
      ['active', [50, -4.65, -9]],
    )
  })

  test('is no longer owed once the plan has ended; a new plan needs a new payment', async () => {
    toMiddle()
    const owner = await newOwner({ euro: 5 })
    await owner.change('online')
    moveTo({ months: 1, day: 1 })
    await work()
    moveTo({ day: 4 })
    await work()
    moveTo({ day: 8 })
    await work()
    await topUp(owner.project_id, 20)
    const { body } = await owner.change('online')
    assert.deepEqual([body.plan, body.state, body.failed_payment], ['online', 'active', null])
  })

  test('is not charged for a deleted project', async () => {
    toMiddle()
    const owner = await newOwner({ euro: 50 })
    await owner.change('online')
    await projects.remove(runtime, owner.project_id)
    moveTo({ months: 1, day: 1 })
    await work()
    const rows = await runtime.db
      .selectFrom('ledger_entries')
      .select('id')
      .where('project_id', '=', owner.project_id)
      .execute()
    assert.equal(rows.length, 2)
  })
})

describe('a month that the card pays', () => {
  test('is charged to the card when the balance is too low', async () => {
    toMiddle()
    const owner = await newOwner({ euro: 5, card: 'visa' })
    await owner.change('online')
    moveTo({ months: 1, day: 1 })
    await work()
    assert.deepEqual(await owner.amounts(), [5, -4.65, 9, -9])
    assert.equal((await owner.plan()).state, 'active')
  })

  test('counts each refusal of the card as an attempt, and is paid by another card', async () => {
    toMiddle()
    const owner = await newOwner({ euro: 5, card: 'chargeDeclined' })
    await owner.change('online')
    moveTo({ months: 1, day: 1 })
    await work()
    const { reason, tries } = (await owner.plan()).failed_payment
    assert.deepEqual([reason, tries], ['card_declined', 1])
    const refused = await owner.call('POST /plan/payments')
    assert.deepEqual([refused.status, slugOf(refused)], [402, 'payment_required'])
    assert.equal(refused.body.reason, 'card_declined')
    assert.equal((await owner.plan()).failed_payment.tries, 1)
    await saveCard(owner.project_id, 'mastercard')
    const paid = await owner.call('POST /plan/payments')
    assert.deepEqual([paid.status, paid.body.state], [200, 'active'])
    assert.deepEqual(await owner.amounts(), [5, -4.65, 9, -9])
  })

  test('is settled by the reconciler if the reply of the provider was lost', async () => {
    toMiddle()
    const owner = await newOwner({ euro: 5, card: 'takenThenTrouble' })
    await owner.change('online')
    moveTo({ months: 1, day: 1 })
    await work()
    assert.equal((await owner.plan()).pending_payment.amount_eur, 9)
    await work()
    fixture.passes('1 minute')
    await Promise.all([settle(), settle()])
    const { state, pending_payment } = await owner.plan()
    assert.deepEqual([state, pending_payment], ['active', null])
    assert.deepEqual(await owner.amounts(), [5, -4.65, 9, -9])
  })
})
