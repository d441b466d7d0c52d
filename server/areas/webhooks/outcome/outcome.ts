/**
 * The effect of a finished attempt on its delivery and its endpoint: the state table of the
 * specification as one pure function, without clock, database or network.
 *
 * An endpoint's streak follows the order in which attempts are recorded, not the order in which
 * they began. While an endpoint is disabled its streak does not change. An attempt that was in
 * flight is still recorded, and a success still marks its delivery as delivered.
 */
import assert from 'node:assert/strict'
import type { DropReason } from '../../../contract/events.ts'
import { limits } from '../../../contract/limits.ts'
import type { DeliveryError } from '../schema.ts'

export type AttemptOutcome =
  | { kind: 'delivered'; response_status: number }
  | {
      kind: 'failed'
      error: DeliveryError
      response_status: number | null
      fault: Fault
      /** True if no retry follows. */
      final?: true
    }
  | { kind: 'dropped'; error: DropReason | 'endpoint_disabled' }

/** The cause of a failure. Faults of the service do not count against the endpoint. */
type Fault = 'receiver' | 'service'

/** The result of an attempt and its time. */
export interface EndedAttempt {
  outcome: AttemptOutcome
  ended_at: Date
  /** Details for the log; absent if the delivery was dropped before a request. */
  trace?: Trace
}

/** The logged details of an attempt besides its outcome. */
export interface Trace {
  started_at: Date
  duration_ms: number
  /** The beginning of the response, safe to show; null if there was none. */
  response_text: string | null
  /** Hash of the sent body; null if nothing was sent. */
  body_sha256: Buffer | null
}

export interface DeliveryState {
  state: 'pending' | 'delivered' | 'failed' | 'dropped'
  /** Number of finished attempts. */
  attempt: number
  next_attempt_at: Date | null
  response_status: number | null
  /** The DeliveryError of the last attempt, or the reason of the drop. */
  error: string | null
}

export interface EndpointState {
  active: boolean
  consecutive_failures: number
  last_success_at: Date | null
  last_failure_at: Date | null
  disabled_at: Date | null
  disabled_reason: 'failures' | null
  /** The highest threshold of this streak for which a warning was sent; 0 if none. */
  warned_failures: number
}

export interface DeliveryAndEndpoint {
  delivery: DeliveryState
  endpoint: EndpointState
}

/**
 * Returns the delivery and the endpoint after an attempt. The caller drops the other pending
 * deliveries.
 */
export function applyOutcome(
  { delivery, endpoint }: DeliveryAndEndpoint,
  ended: EndedAttempt,
): DeliveryAndEndpoint {
  // A delivery in flight is pending, or was dropped with its endpoint meanwhile.
  assert(delivery.state === 'pending' || delivery.state === 'dropped')
  assert(delivery.attempt < limits.webhook_attempts_max)
  const endpointAfter = nextEndpoint(endpoint, ended)
  const deliveryAfter = nextDelivery(delivery, ended)
  const stranded = deliveryAfter.state === 'pending' && !endpointAfter.active
  return {
    endpoint: endpointAfter,
    delivery: stranded ? drop(deliveryAfter, 'endpoint_disabled') : deliveryAfter,
  }
}

/**
 * Like `applyOutcome`, for a webhook.test. A test ignores pauses, and its failure does not extend
 * one: the pause still starts at the earlier failure.
 */
export function applyTestOutcome(
  before: DeliveryAndEndpoint,
  ended: EndedAttempt,
): DeliveryAndEndpoint {
  const after = applyOutcome(before, ended)
  const { consecutive_failures, last_failure_at } = before.endpoint
  const is_paced = consecutive_failures >= limits.webhook_failures_before_pauses
  return is_paced ? { ...after, endpoint: { ...after.endpoint, last_failure_at } } : after
}

/**
 * Like `applyOutcome`, for a manual attempt, which changes neither schedule nor streak. It can mark a
 * finished delivery as delivered, or as dropped if its subject is deleted.
 */
export function applyManualOutcome(
  { delivery, endpoint }: DeliveryAndEndpoint,
  { outcome, ended_at }: EndedAttempt,
): DeliveryAndEndpoint {
  assert(delivery.state !== 'pending')
  if (outcome.kind === 'delivered') {
    const { response_status } = outcome
    return {
      delivery: { ...delivery, state: 'delivered', response_status, error: null },
      endpoint: { ...endpoint, last_success_at: ended_at },
    }
  }
  if (outcome.kind === 'dropped') {
    const over = delivery.state === 'delivered'
    return { delivery: over ? delivery : drop(delivery, outcome.error), endpoint }
  }
  const blamed = outcome.fault === 'receiver'
  return { delivery, endpoint: blamed ? { ...endpoint, last_failure_at: ended_at } : endpoint }
}

function nextDelivery(delivery: DeliveryState, { outcome, ended_at }: EndedAttempt): DeliveryState {
  if (outcome.kind === 'dropped') {
    return delivery.state === 'dropped' ? delivery : drop(delivery, outcome.error)
  }
  const attempt = delivery.attempt + 1
  const { response_status } = outcome
  if (outcome.kind === 'delivered') {
    return { state: 'delivered', attempt, next_attempt_at: null, response_status, error: null }
  }
  if (delivery.state === 'dropped') return { ...delivery, attempt, response_status }
  const { error } = outcome
  const delay_s = limits.webhook_retry_delays_s[attempt - 1]
  if (outcome.final || attempt >= limits.webhook_attempts_max || delay_s === undefined) {
    return { state: 'failed', attempt, next_attempt_at: null, response_status, error }
  }
  const next_attempt_at = new Date(ended_at.getTime() + delay_s * 1000)
  return { state: 'pending', attempt, next_attempt_at, response_status, error }
}

function drop(delivery: DeliveryState, error: DeliveryError): DeliveryState {
  return { ...delivery, state: 'dropped', next_attempt_at: null, error }
}

function nextEndpoint(endpoint: EndpointState, { outcome, ended_at }: EndedAttempt): EndpointState {
  if (outcome.kind === 'delivered') {
    if (!endpoint.active) return { ...endpoint, last_success_at: ended_at }
    return { ...endpoint, consecutive_failures: 0, warned_failures: 0, last_success_at: ended_at }
  }
  if (outcome.kind === 'dropped' || outcome.fault === 'service') return endpoint
  if (!endpoint.active) return { ...endpoint, last_failure_at: ended_at }
  const consecutive_failures = endpoint.consecutive_failures + 1
  const failing = { ...endpoint, consecutive_failures, last_failure_at: ended_at }
  if (consecutive_failures >= limits.webhook_failures_in_a_row_max) {
    return { ...failing, active: false, disabled_at: ended_at, disabled_reason: 'failures' }
  }
  const reached = limits.webhook_warning_failures.filter((count) => count <= consecutive_failures)
  return { ...failing, warned_failures: Math.max(endpoint.warned_failures, ...reached) }
}
