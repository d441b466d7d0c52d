/**
 * Claiming: who may be attempted next. Claims of all processes are made one after the other, so
 * the caps hold exactly; each goes on in the circle of projects where the one before it stopped,
 * so that a project with a million deliveries and one with a single delivery take turns.
 */
import { randomUUID } from 'node:crypto'
import { limits } from '../../../contract/limits.ts'
import type { Transaction } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import type { Lease } from '../store.ts'
import { caps, pauses_s } from './pace.ts'
import { choose, lease, lookForDue, makeReady, openClaim, type Claimed } from './store.ts'

/** The topic of wake-ups for due deliveries. */
export const TOPIC = 'deliveries'

const LEASE_MARGIN_S = 20
/** More projects are seen than there are hands, because some of them have had what they may. */
const PROJECTS_SPARE = 16
const READY_MAX = 500
const CIRCLE_START = '00000000-0000-0000-0000-000000000000'

/** A lease from `now` on: what an attempt can take at most, and time to record it. */
export function newLease(now: Date): Lease {
  const lease_ms = (limits.webhook_response_timeout_s + LEASE_MARGIN_S) * 1000
  return { lease_token: randomUUID(), lease_until: new Date(now.getTime() + lease_ms) }
}

interface Look {
  slots: number
  overdue: boolean
  now: Date
}

/**
 * Claims for one process. Its place in the circle is a hint and no truth: after a restart it
 * begins anywhere. `under_way` are the ids of the deliveries the process is attempting, `survived`
 * those whose attempt it could not record.
 */
export function createClaimer(
  runtime: Runtime,
  under_way: ReadonlySet<string>,
  survived: ReadonlySet<string> = new Set(),
): (slots: number) => Promise<Claimed[]> {
  let after_project = CIRCLE_START

  async function claim(tx: Transaction, { slots, overdue, now }: Look) {
    const magnitude = await openClaim(tx)
    const readied = overdue
      ? await makeReady(tx, {
          now,
          under_way: [...under_way],
          survived: [...survived],
          limit: READY_MAX,
          magnitude,
        })
      : 0
    const projects_max = slots + PROJECTS_SPARE
    const { choices, last_seen, share } = await choose(tx, {
      ...caps,
      pauses_s,
      now,
      magnitude,
      after_project,
      slots,
      projects_max,
    })
    const terms = { ...newLease(now), magnitude }
    const claimed = choices.length === 0 ? [] : await lease(tx, choices, terms)
    const [furthest] = choices.toSorted((one, two) => two.project_order - one.project_order)
    const left_over = choices.length < slots
    return {
      claimed,
      // With hands left over, all who were seen got what they may: the next look begins behind them.
      stop: (left_over ? last_seen : furthest?.project_id) ?? after_project,
      // There may be more: whose time has come, or of endpoints that got no more than a share.
      more: readied >= READY_MAX || (left_over && claimed.length > 0 && share < caps.endpoint_cap),
    }
  }

  return async (slots) => {
    const now = runtime.clock.now()
    const { ready, overdue } = await lookForDue(runtime.db, now)
    if (!ready && !overdue) return []
    const look = { slots, overdue, now }
    const { claimed, stop, more } = await runtime.db.transact((tx) => claim(tx, look))
    after_project = stop
    if (more) runtime.wakeups.wake(TOPIC)
    return claimed
  }
}
