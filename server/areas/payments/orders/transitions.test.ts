/**
 * Model test of the states of an order: a provider's payment changes at random, and its states are reported
 * late, repeatedly and out of order.
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { ProviderPayment } from '../../../providers/checkout/checkout-contract.ts'
import { listSteps, statusRanks, type OrderState, type OrderStatus } from './transitions.ts'

const amount_cents = 1_000n

const act = fc.oneof(
  fc.constantFrom('pending', 'paid', 'failed', 'expired', 'canceled', 'charged_back'),
  fc.bigInt({ min: 1n, max: amount_cents }),
)

/** What a provider does. Money may arrive after a payment has expired. */
function playProvider(payment: ProviderPayment, next: string | bigint): ProviderPayment {
  if (typeof next === 'bigint') {
    const refunded_cents = payment.refunded_cents + next
    return payment.state === 'paid' && refunded_cents <= amount_cents
      ? { ...payment, refunded_cents }
      : payment
  }
  if (next === 'charged_back') {
    return payment.state === 'paid' ? { ...payment, charged_back: true } : payment
  }
  if (payment.state === 'paid') return payment
  return { ...payment, state: next as ProviderPayment['state'] }
}

/** Every state that the provider had, the first one first. */
function historyOf(acts: readonly (string | bigint)[]): ProviderPayment[] {
  const first: ProviderPayment = {
    state: 'open',
    amount_cents,
    refunded_cents: 0n,
    charged_back: false,
    mandate: null,
  }
  return acts.reduce(
    (history, next) => [...history, playProvider(history.at(-1) ?? first, next)],
    [first],
  )
}

interface Followed extends OrderState {
  reached: OrderStatus[]
}

const opened: Followed = { status: 'open', amount_cents, refunded_cents: 0n, reached: [] }

function follow(order: Followed, seen: ProviderPayment): Followed {
  return listSteps(order, seen).reduce<Followed>((state, step) => {
    assert(statusRanks[step.to] >= statusRanks[state.status])
    const reached = [...state.reached, step.to]
    const refunded_cents = 'refunded_cents' in step ? step.refunded_cents : state.refunded_cents
    assert(refunded_cents >= state.refunded_cents)
    return { ...state, status: step.to, refunded_cents, reached }
  }, order)
}

describe('an order', () => {
  it('is paid once and never goes back, however its payment is reported', () => {
    fc.assert(
      fc.property(
        fc.array(act, { maxLength: 12 }),
        fc.array(fc.nat(), { maxLength: 30 }),
        (acts, picks) => {
          const history = historyOf(acts)
          const reports = picks.map((pick) => history[pick % history.length]!)
          const { status, reached } = reports.reduce(follow, opened)
          assert(reached.filter((one) => one === 'paid').length <= 1)
          const has_paid = reports.some(({ state }) => state === 'paid')
          assert.equal(reached.includes('paid'), has_paid)
          if (has_paid) assert(statusRanks[status] >= statusRanks.paid)
        },
      ),
    )
  })

  it('ends in the last state of the provider, whatever was reported before', () => {
    fc.assert(
      fc.property(
        fc.array(act, { maxLength: 12 }),
        fc.array(fc.nat(), { maxLength: 30 }),
        (acts, picks) => {
          const history = historyOf(acts)
          const last = history.at(-1)!
          const reports = picks.map((pick) => history[pick % history.length]!)
          const direct = follow(opened, last)
          const after = follow(reports.reduce(follow, opened), last)
          if (last.state === 'paid') {
            assert.equal(after.refunded_cents <= direct.refunded_cents, true)
            if (!reports.some(({ charged_back }) => charged_back)) {
              assert.deepEqual(
                [after.status, after.refunded_cents],
                [direct.status, direct.refunded_cents],
              )
            }
          }
          assert.deepEqual(follow(after, last).reached.length, after.reached.length)
        },
      ),
    )
  })
})
