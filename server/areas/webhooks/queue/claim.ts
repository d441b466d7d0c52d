/**
 * Claiming: selects the deliveries to attempt next. Claims of all processes are serialized, so the
 * caps hold exactly. Each claim continues its round of the projects where the previous one stopped,
 * so a project with a million deliveries and one with a single delivery take turns.
 */
import { randomUUID } from 'node:crypto'
import { limits } from '../../../contract/limits.ts'
import type { Transaction } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import type { DeliveryLease } from '../store.ts'
import { deliveryCaps, HOST_CAP, pauses_s } from './pace.ts'
import {
  chooseDeliveries,
  leaseDeliveries,
  lookForDue,
  makeReady,
  openClaim,
  type ClaimedDelivery,
} from './store.ts'

/** The topic of wake-ups for due deliveries. */
export const DELIVERIES_TOPIC = 'deliveries'

const LEASE_MARGIN_S = 20
/** Number of extra projects per claim, because some have reached their caps. */
const PROJECTS_SPARE = 16
const READY_MAX = 500
const CIRCLE_START = '00000000-0000-0000-0000-000000000000'

/** Returns a lease from `now` on: the maximum duration of an attempt plus time to record it. */
export function createLease(now: Date): DeliveryLease {
  const lease_ms = (limits.webhook_response_timeout_s + LEASE_MARGIN_S) * 1000
  return { lease_token: randomUUID(), lease_until: new Date(now.getTime() + lease_ms) }
}

interface Look {
  slots: number
  overdue: boolean
  now: Date
}

export interface ClaimerParts {
  /** Ids of deliveries whose attempt the process could not record. */
  unrecorded?: ReadonlySet<string>
  /** Hosts, as in URLs, at which the process makes at least `count` attempts. */
  listBusyHosts?(count: number): string[]
}

/**
 * Creates the claim function of one process. Its position in the round of projects is only a hint,
 * lost at a restart. `in_progress` are the ids of the deliveries that the process is attempting.
 */
export function createClaimer(
  runtime: Runtime,
  in_progress: ReadonlySet<string>,
  { unrecorded = new Set(), listBusyHosts = () => [] }: ClaimerParts = {},
): (slots: number) => Promise<ClaimedDelivery[]> {
  let after_project = CIRCLE_START

  async function claim(tx: Transaction, { slots, overdue, now }: Look) {
    const magnitude = await openClaim(tx)
    const readied = overdue
      ? await makeReady(tx, {
          now,
          in_progress: [...in_progress],
          unrecorded: [...unrecorded],
          limit: READY_MAX,
          magnitude,
        })
      : 0
    const projects_max = slots + PROJECTS_SPARE
    const { choices, last_seen, share } = await chooseDeliveries(tx, {
      ...deliveryCaps,
      pauses_s,
      busy_hosts: listBusyHosts(HOST_CAP),
      now,
      magnitude,
      after_project,
      slots,
      projects_max,
    })
    const terms = { ...createLease(now), magnitude }
    const claimed = choices.length === 0 ? [] : await leaseDeliveries(tx, choices, terms)
    const [furthest] = choices.toSorted((one, two) => two.project_order - one.project_order)
    const left_over = choices.length < slots
    return {
      claimed,
      // If slots are left over, all seen projects got their share, so the next claim starts after
      // them.
      stop: (left_over ? last_seen : furthest?.project_id) ?? after_project,
      // More deliveries may be due, or ready at endpoints that were limited to a share.
      more:
        readied >= READY_MAX ||
        (left_over && claimed.length > 0 && share < deliveryCaps.endpoint_cap),
    }
  }

  return async (slots) => {
    const now = runtime.clock.now()
    const { ready, overdue } = await lookForDue(runtime.db, now)
    if (!ready && !overdue) return []
    const look = { slots, overdue, now }
    const { claimed, stop, more } = await runtime.db.transact((tx) => claim(tx, look))
    after_project = stop
    if (more) runtime.wakeups.wake(DELIVERIES_TOPIC)
    return claimed
  }
}
