/** Tests of the state table of endpoints and deliveries, row by row and by properties. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { limits } from '../../../contract/limits.ts'
import { findDueNotice } from './notice.ts'
import {
  applyOutcome,
  applyManualOutcome,
  type DeliveryState,
  type EndpointState,
  type AttemptOutcome,
  type DeliveryAndEndpoint,
} from './outcome.ts'

const start = new Date('2026-11-02T09:00:00.000Z')
const delivered: AttemptOutcome = { kind: 'delivered', response_status: 200 }
const failed: AttemptOutcome = {
  kind: 'failed',
  error: 'non_2xx_status',
  response_status: 500,
  fault: 'receiver',
}
const ownFault: AttemptOutcome = {
  kind: 'failed',
  error: 'secret_unreadable',
  response_status: null,
  fault: 'service',
}
const callDeleted: AttemptOutcome = { kind: 'dropped', error: 'call_deleted' }

const newDelivery: DeliveryState = {
  state: 'pending',
  attempt: 0,
  next_attempt_at: start,
  response_status: null,
  error: null,
}
const newEndpoint: EndpointState = {
  active: true,
  consecutive_failures: 0,
  last_success_at: null,
  last_failure_at: null,
  disabled_at: null,
  disabled_reason: null,
  warned_failures: 0,
}

function after(
  outcome: AttemptOutcome,
  pair: { delivery?: DeliveryState; endpoint?: EndpointState } = {},
) {
  const before = { delivery: newDelivery, endpoint: newEndpoint, ...pair }
  return applyOutcome(before, { outcome, ended_at: start })
}

const withFailures = (consecutive_failures: number) => ({ ...newEndpoint, consecutive_failures })
const disabled: EndpointState = {
  ...withFailures(50),
  active: false,
  disabled_at: start,
  disabled_reason: 'failures',
  warned_failures: 45,
}

test('recording an attempt marks a first attempt with 2xx as delivered and resets the streak', () => {
  const { delivery, endpoint } = after(delivered, { endpoint: withFailures(49) })
  assert.deepEqual(delivery, {
    state: 'delivered',
    attempt: 1,
    next_attempt_at: null,
    response_status: 200,
    error: null,
  })
  assert.deepEqual(endpoint, { ...newEndpoint, last_success_at: start })
})

test('recording an attempt keeps a failed first attempt pending and adds one to the streak', () => {
  const { delivery, endpoint } = after(failed)
  assert.equal(delivery.state, 'pending')
  assert.equal(delivery.error, 'non_2xx_status')
  assert.equal(delivery.response_status, 500)
  assert.deepEqual(endpoint, { ...withFailures(1), last_failure_at: start })
})

test('recording an attempt retries 1, 5 and 30 minutes, then 2, 6, 12 and 24 hours after each failure', () => {
  let delivery = newDelivery
  let at = start
  const waits_min: number[] = []
  while (delivery.state === 'pending') {
    delivery = applyOutcome(
      { delivery, endpoint: newEndpoint },
      { outcome: failed, ended_at: at },
    ).delivery
    if (!delivery.next_attempt_at) break
    waits_min.push((delivery.next_attempt_at.getTime() - at.getTime()) / 60_000)
    at = delivery.next_attempt_at
  }
  assert.deepEqual(waits_min, [1, 5, 30, 120, 360, 720, 1440])
  assert.equal(at.getTime() - start.getTime(), (44 * 60 + 36) * 60_000, '44 h 36 min in all')
  assert.equal(delivery.state, 'failed')
  assert.equal(delivery.attempt, 8)
})

test('recording an attempt marks a delivery as failed after the eighth failure, and as delivered if the eighth attempt succeeds', () => {
  const seventh = { ...newDelivery, attempt: 7, error: 'timeout' }
  assert.equal(after(failed, { delivery: seventh }).delivery.state, 'failed')
  const late = after(delivered, { delivery: seventh }).delivery
  assert.deepEqual([late.state, late.attempt, late.error], ['delivered', 8, null])
})

test('recording an attempt disables the endpoint and drops the delivery at the fiftieth failure in a row', () => {
  const { delivery, endpoint } = after(failed, { endpoint: withFailures(49) })
  assert.deepEqual([endpoint.active, endpoint.consecutive_failures], [false, 50])
  assert.deepEqual([delivery.state, delivery.error], ['dropped', 'endpoint_disabled'])
  assert.equal(delivery.next_attempt_at, null)
  assert.equal(after(failed, { endpoint: withFailures(48) }).endpoint.active, true)
})

test('recording an attempt stores the time and the reason of disabling', () => {
  const { endpoint } = after(failed, { endpoint: withFailures(49) })
  assert.deepEqual([endpoint.disabled_at, endpoint.disabled_reason], [start, 'failures'])
})

test('recording an attempt sends one warning each at the 25th, 35th and 45th failure in a row', () => {
  let endpoint = newEndpoint
  const notices: [failures: number, kind: string][] = []
  while (endpoint.active) {
    const next = after(failed, { endpoint }).endpoint
    const kind = findDueNotice(endpoint, next)
    if (kind !== null) notices.push([next.consecutive_failures, kind])
    endpoint = next
  }
  assert.deepEqual(notices, [
    [25, 'warning'],
    [35, 'warning'],
    [45, 'warning'],
    [50, 'disabled'],
  ])
})

test('recording an attempt starts a new streak with its own warnings after a success', () => {
  const warned = { ...withFailures(46), warned_failures: 45 }
  const { endpoint } = after(delivered, { endpoint: warned })
  assert.deepEqual([endpoint.consecutive_failures, endpoint.warned_failures], [0, 0])
  assert.equal(findDueNotice(warned, endpoint), null)
})

test('recording an attempt sends one warning for a streak that began before warnings existed', () => {
  const watched = withFailures(38)
  const { endpoint } = after(failed, { endpoint: watched })
  assert.deepEqual([endpoint.warned_failures, findDueNotice(watched, endpoint)], [35, 'warning'])
  const next = after(failed, { endpoint }).endpoint
  assert.equal(findDueNotice(endpoint, next), null)
})

test('recording an attempt sends no warning for uncounted results or a disabled endpoint', () => {
  const near = { ...withFailures(24) }
  for (const outcome of [ownFault, callDeleted, delivered]) {
    assert.equal(findDueNotice(near, after(outcome, { endpoint: near }).endpoint), null)
  }
  const dropped = { ...newDelivery, state: 'dropped' as const, error: 'endpoint_disabled' }
  for (const outcome of [failed, delivered]) {
    const late = after(outcome, { delivery: dropped, endpoint: disabled }).endpoint
    assert.equal(findDueNotice(disabled, late), null)
    assert.deepEqual([late.disabled_at, late.warned_failures], [start, 45])
  }
})

test('recording an attempt marks an eighth failure that is also the fiftieth as failed, not dropped', () => {
  const eighth = { ...newDelivery, attempt: 7 }
  const { delivery, endpoint } = after(failed, { delivery: eighth, endpoint: withFailures(49) })
  assert.deepEqual([delivery.state, delivery.error], ['failed', 'non_2xx_status'])
  assert.equal(endpoint.active, false)
})

test('recording an attempt drops the delivery of a deleted call or summary without counting it', () => {
  for (const error of ['call_deleted', 'summary_deleted'] as const) {
    const { delivery, endpoint } = after({ kind: 'dropped', error }, { endpoint: withFailures(3) })
    assert.deepEqual([delivery.state, delivery.error, delivery.attempt], ['dropped', error, 0])
    assert.deepEqual(endpoint, withFailures(3))
  }
})

test('recording an attempt retries an internal fault on schedule without counting it', () => {
  const { delivery, endpoint } = after(ownFault, { endpoint: withFailures(49) })
  assert.deepEqual([delivery.state, delivery.error], ['pending', 'secret_unreadable'])
  assert.equal(delivery.next_attempt_at?.getTime(), start.getTime() + 60_000)
  assert.deepEqual(endpoint, withFailures(49))
})

test('recording an attempt marks a dropped delivery as delivered on a late success, without enabling the endpoint', () => {
  const dropped = { ...newDelivery, state: 'dropped' as const, error: 'endpoint_disabled' }
  const { delivery, endpoint } = after(delivered, { delivery: dropped, endpoint: disabled })
  assert.deepEqual([delivery.state, delivery.error], ['delivered', null])
  assert.deepEqual(endpoint, { ...disabled, last_success_at: start })
})

test('recording an attempt leaves a dropped delivery and the streak unchanged on a late failure', () => {
  const dropped = { ...newDelivery, state: 'dropped' as const, error: 'endpoint_disabled' }
  const { delivery, endpoint } = after(failed, { delivery: dropped, endpoint: disabled })
  assert.deepEqual([delivery.state, delivery.error], ['dropped', 'endpoint_disabled'])
  assert.deepEqual([delivery.attempt, delivery.response_status], [1, 500])
  assert.deepEqual(endpoint, { ...disabled, last_failure_at: start })
  assert.equal(after(callDeleted, { delivery: dropped }).delivery.error, 'endpoint_disabled')
})

test('recording an attempt does not retry a failure if the endpoint was disabled meanwhile', () => {
  const { delivery, endpoint } = after(failed, { endpoint: disabled })
  assert.deepEqual([delivery.state, delivery.error], ['dropped', 'endpoint_disabled'])
  assert.equal(endpoint.consecutive_failures, 50)
})

test('recording an attempt accepts no further result for a finished delivery', () => {
  const over = { ...newDelivery, state: 'delivered' as const }
  assert.throws(() => after(failed, { delivery: over }), assert.AssertionError)
  assert.throws(() => after(failed, { delivery: { ...newDelivery, attempt: 8 } }))
})

const over = { ...newDelivery, next_attempt_at: null }
const everyFailure: readonly AttemptOutcome[] = [failed, ownFault]
const everyOutcome: readonly AttemptOutcome[] = [delivered, ...everyFailure, callDeleted]

test('recording an attempt leaves streak, schedule and count unchanged after a requested attempt', () => {
  for (const state of ['delivered', 'failed', 'dropped'] as const) {
    for (const outcome of everyOutcome) {
      const before = { delivery: { ...over, state, attempt: 8 }, endpoint: withFailures(49) }
      const { delivery, endpoint } = applyManualOutcome(before, { outcome, ended_at: start })
      assert.deepEqual([endpoint.active, endpoint.consecutive_failures], [true, 49])
      assert.deepEqual([delivery.attempt, delivery.next_attempt_at], [8, null])
      const last = [endpoint.last_success_at, endpoint.last_failure_at]
      const seen: (Date | null)[] = [
        outcome === delivered ? start : null,
        outcome === failed ? start : null,
      ]
      assert.deepEqual(last, seen, 'only a receiver that was asked has answered')
    }
  }
})

test('recording an attempt marks a finished delivery as delivered on success of a requested attempt, and changes nothing on failure', () => {
  for (const state of ['delivered', 'failed', 'dropped'] as const) {
    const before = { ...over, state, error: state === 'delivered' ? null : 'timeout' }
    const pair = { delivery: before, endpoint: disabled }
    const better = applyManualOutcome(pair, { outcome: delivered, ended_at: start })
    assert.deepEqual([better.delivery.state, better.delivery.error], ['delivered', null])
    assert.equal(better.endpoint.active, false)
    for (const outcome of everyFailure) {
      assert.deepEqual(applyManualOutcome(pair, { outcome, ended_at: start }).delivery, before)
    }
  }
})

test('recording an attempt drops an undelivered delivery if a requested attempt finds its call deleted', () => {
  const afterManual = (state: 'delivered' | 'failed' | 'dropped') =>
    applyManualOutcome(
      { delivery: { ...over, state, error: null }, endpoint: newEndpoint },
      { outcome: callDeleted, ended_at: start },
    ).delivery
  assert.deepEqual(
    [afterManual('failed').state, afterManual('failed').error],
    ['dropped', 'call_deleted'],
  )
  assert.equal(afterManual('dropped').error, 'call_deleted')
  assert.deepEqual(
    [afterManual('delivered').state, afterManual('delivered').error],
    ['delivered', null],
  )
})

test('recording an attempt refuses a requested attempt for a pending delivery', () => {
  const pair = { delivery: newDelivery, endpoint: newEndpoint }
  assert.throws(() => applyManualOutcome(pair, { outcome: failed, ended_at: start }))
})

const outcomes = fc.constantFrom(delivered, failed, failed, failed, ownFault, callDeleted)

test('a delivery has at most 8 scheduled attempts and one final status, in 10,000 random histories', () => {
  fc.assert(
    fc.property(fc.array(outcomes, { minLength: 12, maxLength: 20 }), (history) => {
      let pair: DeliveryAndEndpoint = { delivery: newDelivery, endpoint: newEndpoint }
      const made: AttemptOutcome[] = []
      while (pair.delivery.state === 'pending') {
        const outcome = history[made.length]
        assert(outcome, 'it ends within eight attempts and a drop')
        const ended_at = pair.delivery.next_attempt_at ?? start
        made.push(outcome)
        pair = applyOutcome(pair, { outcome, ended_at })
      }
      const attempts = made.filter(({ kind }) => kind !== 'dropped').length
      assert.equal(pair.delivery.attempt, attempts)
      assert.ok(attempts <= limits.webhook_attempts_max)
      const states = { delivered: 'delivered', failed: 'failed', dropped: 'dropped' } as const
      assert.equal(pair.delivery.state, states[made.at(-1)!.kind])
    }),
    { numRuns: 10_000 },
  )
})

test('an endpoint is disabled at the fiftieth failure in a row, in 10,000 random histories', () => {
  fc.assert(
    fc.property(fc.array(outcomes, { maxLength: 120 }), fc.nat(49), (history, streak) => {
      let endpoint: EndpointState = withFailures(streak)
      let expected = streak
      for (const outcome of history) {
        if (!endpoint.active) break
        if (outcome === failed) expected += 1
        if (outcome === delivered) expected = 0
        endpoint = applyOutcome(
          { delivery: newDelivery, endpoint },
          { outcome, ended_at: start },
        ).endpoint
        assert.equal(endpoint.consecutive_failures, expected)
        assert.equal(endpoint.active, expected < limits.webhook_failures_in_a_row_max)
      }
    }),
    { numRuns: 10_000 },
  )
})
