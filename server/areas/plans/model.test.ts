/**
 * Random histories of a project: changes of the plan, days that pass, top-ups, cards, caps and
 * payments. The ledger stays balanced, no month is charged twice, and nobody pays more for a month
 * than the largest plan costs.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { depth } from '../../../test/fixtures/depth.ts'
import { standingClock } from '../../../test/fixtures/bare-runtime.ts'
import { planFixture, type PlanOwner } from '../../../test/fixtures/plans/plans.ts'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import { planNames } from '../../contract/plans.ts'
import { microFromEuro } from '../../kernel/values/money.ts'
import * as projects from '../projects/service.ts'
import { setByOperator } from './service.ts'

const fixture = await openTestRuntime({ work: false, clock: standingClock() })
const { runtime } = fixture
const { newOwner, topUp, saveCard, work, settle } = planFixture(fixture)

const anyStep = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('change' as const),
      plan: fc.constantFrom(...planNames),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('pass' as const),
      days: fc.integer({ min: 1, max: 40 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('top_up' as const),
      euro: fc.integer({ min: 1, max: 500 }),
    }),
  },
  fc.record({ do: fc.constant('pay' as const) }),
  fc.record({ do: fc.constant('keep' as const) }),
  fc.record({
    do: fc.constant('card' as const),
    name: fc.constantFrom('visa', 'chargeDeclined', 'takenThenTrouble'),
  }),
  fc.record({ do: fc.constant('cap' as const), euro: fc.constantFrom(1, 50, 500) }),
  fc.record({ do: fc.constant('operator' as const), plan: fc.constantFrom(...planNames) }),
)
type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never

async function take(owner: PlanOwner, step: Step): Promise<void> {
  const { project_id } = owner
  switch (step.do) {
    case 'change':
      return void (await Promise.all([owner.change(step.plan), owner.change(step.plan)]))
    case 'pass':
      fixture.passes(`${step.days} days`)
      await Promise.all([work(), settle()])
      return work()
    case 'top_up':
      return topUp(project_id, step.euro)
    case 'pay':
      return void (await owner.call('POST /plan/payments'))
    case 'keep':
      return void (await owner.call('DELETE /plan/planned'))
    case 'card':
      return saveCard(project_id, step.name)
    case 'cap':
      return void (await projects.change(runtime.db, project_id, {
        spending_limit_micro: microFromEuro(step.euro),
      }))
    case 'operator':
      return void (await setByOperator(runtime, { project_id, plan: step.plan }))
  }
}

async function assertSound({ project_id }: PlanOwner): Promise<void> {
  const accounts = await runtime.db
    .selectFrom('ledger_accounts')
    .select(['kind', 'balance_micro'])
    .where('project_id', '=', project_id)
    .execute()
  assert.equal(
    accounts.reduce((sum, { balance_micro }) => sum + balance_micro, 0n),
    0n,
  )
  for (const { kind, balance_micro } of accounts)
    if (kind !== 'funding') assert.ok(balance_micro >= 0n, `${kind} is ${balance_micro}`)
  const entries = await runtime.db
    .selectFrom('ledger_entries')
    .select(['kind', 'month', 'amount_micro', 'reference'])
    .where('project_id', '=', project_id)
    .where('source', '=', 'plan')
    .execute()
  for (const [month, some] of Map.groupBy(entries, (entry) => entry.month)) {
    const sum = some.reduce(
      (total, { kind, amount_micro }) => total + (kind === 'top_up' ? -amount_micro : amount_micro),
      0n,
    )
    assert.ok(sum >= 0n && sum <= microFromEuro(399), `${month} costs ${sum}`)
    assert.ok(some.every(({ amount_micro }) => amount_micro % 10_000n === 0n))
    const whole = some.filter(({ reference }) => reference.startsWith('plan:month:'))
    assert.ok(whole.length <= 1, `${month} is charged ${whole.length} times`)
  }
}

/** A plan that is not Free is paid, owed, or set by the operator. */
async function assertPaid(owner: PlanOwner): Promise<void> {
  const { plan, state, failed_payment, pending_payment } = await owner.plan()
  assert.ok(plan === 'free' ? /free|ended/.test(state) : /granted|active|past_due/.test(state))
  if (state === 'past_due') assert.ok(failed_payment !== null || pending_payment !== null)
}

test('keeps the ledger balanced in random sequences of changes, months and payments', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 4, maxLength: 16 }), async (steps) => {
      const owner = await newOwner({ euro: 100 })
      for (const step of steps) {
        await take(owner, step)
        await assertSound(owner)
        await assertPaid(owner)
      }
    }),
    { numRuns: depth(5, 25) },
  )
})
