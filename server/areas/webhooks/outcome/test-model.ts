/**
 * The reference model of endpoints and deliveries: the specification's state table in plain arrays,
 * written from the table and not from the code. Tests run the same history on the model and on the
 * tables.
 */
import type { Clock } from '../../../kernel/clock.ts'
import type { AttemptOutcome } from './outcome.ts'
import type { ClaimedDelivery } from '../queue/store.ts'

export const modelEventTypes = ['call.completed', 'call.summary.ready'] as const
export const modelOutcomes = {
  delivered: { kind: 'delivered', response_status: 204 },
  failed: { kind: 'failed', error: 'timeout', response_status: null, fault: 'receiver' },
  own_fault: {
    kind: 'failed',
    error: 'secret_unreadable',
    response_status: null,
    fault: 'service',
  },
  deleted: { kind: 'dropped', error: 'call_deleted' },
} as const satisfies Record<string, AttemptOutcome>
export type OutcomeName = keyof typeof modelOutcomes

export interface ModelEndpoint {
  id: string
  active: boolean
  failures: number
  success_ms: number | null
  failure_ms: number | null
}

export interface ModelDelivery {
  endpoint: ModelEndpoint
  type: (typeof modelEventTypes)[number]
  call_id: string
  state: 'pending' | 'delivered' | 'failed' | 'dropped'
  stage: 'waiting' | 'ready' | 'leased' | null
  attempt: number
  next_ms: number | null
  lease: { until_ms: number } | null
  error: string | null
  response_status: number | null
}

export interface InFlight {
  claimed: ClaimedDelivery
  delivery: ModelDelivery
  lease: { until_ms: number }
}

const delays_min = [1, 5, 30, 120, 360, 720, 1440]

export class ReferenceModel {
  private readonly clock: Clock
  endpoints: ModelEndpoint[] = []
  deliveries: ModelDelivery[] = []

  constructor(clock: Clock) {
    this.clock = clock
  }

  emit(type: ModelDelivery['type'], call_id: string): void {
    for (const endpoint of this.endpoints.filter(({ active }) => active)) {
      const same = (one: ModelDelivery) =>
        one.endpoint === endpoint && one.type === type && one.call_id === call_id
      if (this.deliveries.some(same)) continue
      this.deliveries.push({
        endpoint,
        type,
        call_id,
        state: 'pending',
        stage: 'ready',
        attempt: 0,
        next_ms: this.clock.now_ms(),
        lease: null,
        error: null,
        response_status: null,
      })
    }
  }

  /** Returns the deliveries that a claim of this size gets, unordered. */
  claim(slots: number): ModelDelivery[] {
    const now_ms = this.clock.now_ms()
    for (const one of this.deliveries) {
      const due = one.stage === 'waiting' && one.next_ms! <= now_ms
      const lost = one.stage === 'leased' && one.lease!.until_ms <= now_ms
      if (due || lost) Object.assign(one, { stage: 'ready', lease: null })
    }
    const leased = (endpoint?: ModelEndpoint) =>
      this.deliveries.filter(
        (one) => one.stage === 'leased' && (!endpoint || one.endpoint === endpoint),
      ).length
    const candidates = this.endpoints.flatMap((endpoint) => {
      const room = this.capOf(endpoint) - leased(endpoint)
      const own = this.deliveries.filter(
        (one) => one.endpoint === endpoint && one.stage === 'ready',
      )
      const heads = own.filter((one) => !this.waitsForEarlier(one)).slice(0, Math.max(room, 0))
      return heads.map((delivery, n) => ({ delivery, n, at: this.deliveries.indexOf(delivery) }))
    })
    const chosen = candidates
      .toSorted((a, b) => a.n - b.n || a.at - b.at)
      .slice(0, Math.max(Math.min(slots, 20 - leased()), 0))
      .map(({ delivery }) => delivery)
    const lease = { until_ms: now_ms + 30_000 }
    for (const one of chosen) Object.assign(one, { stage: 'leased', lease })
    return chosen
  }

  /**
   * The cap of an endpoint: one attempt at a time after five failures in a row, and none during the
   * pause after the last of them.
   */
  private capOf({ failures, failure_ms }: ModelEndpoint): number {
    if (failures < 5) return 10
    const pause_s = [1, 2, 4, 8, 16, 32][failures - 14] ?? (failures < 14 ? 1 : 60)
    return this.clock.now_ms() < (failure_ms ?? 0) + pause_s * 1000 ? 0 : 1
  }

  private waitsForEarlier(delivery: ModelDelivery): boolean {
    if (delivery.attempt > 0) return false
    const before = this.deliveries.slice(0, this.deliveries.indexOf(delivery))
    return before.some(
      ({ endpoint, call_id, state, attempt }) =>
        endpoint === delivery.endpoint &&
        call_id === delivery.call_id &&
        state === 'pending' &&
        attempt === 0,
    )
  }

  /** Records a result; false if the delivery is gone or its lease was lost. */
  finish({ delivery, lease }: InFlight, name: OutcomeName): boolean {
    const { endpoint } = delivery
    if (!this.endpoints.includes(endpoint) || delivery.lease !== lease) return false
    const now_ms = this.clock.now_ms()
    delivery.lease = null
    if (name === 'deleted') {
      if (delivery.state === 'pending') this.end(delivery, 'dropped', 'call_deleted')
      return true
    }
    delivery.attempt += 1
    delivery.response_status = name === 'delivered' ? 204 : null
    if (name === 'delivered') {
      if (endpoint.active) endpoint.failures = 0
      endpoint.success_ms = now_ms
      this.end(delivery, 'delivered', null)
      return true
    }
    if (delivery.state === 'pending')
      this.retry(delivery, name === 'failed' ? 'timeout' : 'secret_unreadable')
    if (name === 'failed') this.blame(endpoint)
    if (!endpoint.active && delivery.state === 'pending')
      this.end(delivery, 'dropped', 'endpoint_disabled')
    return true
  }

  private retry(delivery: ModelDelivery, error: string): void {
    if (delivery.attempt === 8) return this.end(delivery, 'failed', error)
    const next_ms = this.clock.now_ms() + delays_min[delivery.attempt - 1]! * 60_000
    Object.assign(delivery, { stage: 'waiting', next_ms, error })
  }

  private blame(endpoint: ModelEndpoint): void {
    endpoint.failure_ms = this.clock.now_ms()
    if (!endpoint.active) return
    endpoint.failures += 1
    if (endpoint.failures === 50) {
      endpoint.active = false
      this.dropPending(endpoint)
    }
  }

  dropPending(endpoint: ModelEndpoint): void {
    for (const one of this.deliveries) {
      if (one.endpoint === endpoint && one.state === 'pending')
        this.end(one, 'dropped', 'endpoint_disabled')
    }
  }

  private end(delivery: ModelDelivery, state: ModelDelivery['state'], error: string | null): void {
    Object.assign(delivery, { state, stage: null, next_ms: null, error })
  }

  enable(endpoint: ModelEndpoint): void {
    Object.assign(endpoint, { active: true, failures: 0 })
  }

  remove(endpoint: ModelEndpoint): void {
    this.endpoints = this.endpoints.filter((one) => one !== endpoint)
    this.deliveries = this.deliveries.filter((one) => one.endpoint !== endpoint)
  }
}
