/**
 * A process that delivers webhooks until it is killed, for the tests that kill it. It may be told
 * a point of its way at which it kills itself with SIGKILL, at the n-th time it gets there. The
 * points are in the parts of the house that it hands to the deliveries, not in what delivers.
 */
import { Type } from 'typebox'
import { startDeliveries } from '../../server/areas/webhooks/runner.ts'
import { event } from '../../server/contract/events.ts'
import { movableClock } from '../../server/kernel/clock.ts'
import type { Database } from '../../server/kernel/database.ts'
import type { House } from '../../server/kernel/house.ts'
import { createOutbound } from '../../server/kernel/outbound.ts'
import { openBareHouse, standingClock } from './bare-house.ts'

export const WORKER_NAME = 'delivery worker'

const RING_MS = 30

export const crashPoints = [
  'in the claim, before its commit',
  'after the claim',
  'before the POST',
  'after the POST, before the record',
  'in the record, before its commit',
  'after the record',
] as const
export type CrashPoint = (typeof crashPoints)[number]

export interface WorkerTask {
  connection: object
  offset_s: number
  /** Whether its clock goes on by itself. */
  runs: boolean
  crash: { point: CrashPoint; nth: number } | null
}

/** The events that are delivered here: a document, of which nothing is known but its id. */
export const documentCreated = event({
  type: 'document.created',
  data: Type.Object({ document_id: Type.String() }),
  load: async (_db, _project_id, { document_id }: { document_id: string }) => ({ document_id }),
})

/** A house on a database, from which addresses of this machine may be called. */
export function openDeliveringHouse({ connection, offset_s, runs }: Omit<WorkerTask, 'crash'>) {
  const clock = runs ? movableClock(offset_s * 1000) : standingClock(offset_s)
  const house = openBareHouse({ ...connection, application_name: WORKER_NAME }, clock)
  const policy = { allow_private: true, allow_cidrs: [], proxy_url: null }
  return { ...house, webhook_outbound: createOutbound(policy) }
}

/** The same house, with whatever is to happen at each point. */
function watched(house: House, reach: (point: CrashPoint) => void): House {
  const { webhook_outbound } = house
  const db = new Proxy(house.db, {
    get(target, name) {
      if (name === 'transact') return transact
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  const transact: Database['transact'] = async (work) => {
    // Claims and records are told apart by who asks: nothing else does in a house like this.
    const claims = /\/webhooks\/queue\//.test(new Error().stack ?? '')
    const result = await house.db.transact(async (tx) => {
      const inside = await work(tx)
      reach(claims ? 'in the claim, before its commit' : 'in the record, before its commit')
      return inside
    })
    reach(claims ? 'after the claim' : 'after the record')
    return result
  }
  return {
    ...house,
    db,
    webhook_outbound: {
      ...webhook_outbound,
      async request(request) {
        reach('before the POST')
        const response = await webhook_outbound.request(request)
        reach('after the POST, before the record')
        return response
      },
    },
  }
}

if (import.meta.main) {
  const task: WorkerTask = JSON.parse(process.argv[2] ?? '{}')
  const { crash } = task
  let reached = 0
  const house = watched(openDeliveringHouse(task), (point) => {
    if (point !== crash?.point) return
    reached += 1
    if (reached === crash.nth) process.kill(process.pid, 'SIGKILL')
  })
  startDeliveries(house, { sources: [documentCreated] })
  // The events are written by another process, so nothing else announces them here.
  if (task.runs) setInterval(() => house.wakeups.announce('deliveries'), RING_MS)
}
