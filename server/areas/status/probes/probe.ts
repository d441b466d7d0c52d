/**
 * Probes every component each minute, counts the results by day, and proposes incidents. The
 * reconciler runs in one process at a time; row locks of the last probes serialize runs that
 * overlap.
 */
import { limits } from '../../../contract/limits.ts'
import { takeOutage } from '../../../kernel/database/outages.ts'
import type { Transaction } from '../../../kernel/database/database.ts'
import { reconciler } from '../../../kernel/jobs/jobs.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { newId } from '../../../kernel/values/ids.ts'
import * as incidents from '../incidents/incidents-store.ts'
import { checkComponents, type ComponentHealths } from '../own-check.ts'
import { dayOf } from '../page/days.ts'
import { componentIds } from '../schema.ts'
import { evaluateProbe, type NewProposal } from './evaluate-probe.ts'
import * as store from './probes-store.ts'

const EVERY_S = 60
const EVERY_MS = EVERY_S * 1000
/** A second probe within this time of the last one is not counted. */
const APART_MS = EVERY_MS / 2
/** Probes that an outage of the database prevented, at most a day of them. */
const MISSED_MAX = 1440
const DISMISSED_SINCE_MS = 30 * 86_400_000
const PURGE_EVERY_S = 86_400

export const probeComponents = reconciler({
  name: 'status.probe',
  every_s: EVERY_S,
  async run(runtime) {
    const healths = await checkComponents(runtime)
    const outage = takeOutage(runtime)
    await runtime.db.transact((tx) => recordProbe(tx, runtime, { healths, outage }))
  },
})

interface Probed {
  healths: ComponentHealths
  /** Since when this process could not reach the database; null if it could. */
  outage: Date | null
}

async function recordProbe(
  tx: Transaction,
  runtime: Runtime,
  { healths, outage }: Probed,
): Promise<void> {
  const now = runtime.clock.now()
  const probes = await store.lockProbes(tx, componentIds)
  const last_ms = Math.max(...probes.map(({ probed_at }) => probed_at.getTime()))
  if (now.getTime() - last_ms < APART_MS) return
  const since = new Date(now.getTime() - DISMISSED_SINCE_MS)
  const { proposed, withdrawn, ...outcome } = evaluateProbe({
    now,
    healths,
    probes,
    incidents: await incidents.listOpen(tx),
    proposals: await store.listOpenProposals(tx),
    dismissed: await store.listDismissed(tx, since),
  })
  await store.saveProbes(tx, outcome.probes)
  const missed = outage === null ? [] : missedTimes(Math.max(outage.getTime(), last_ms), now)
  await store.addResults(tx, resultsOf(runtime, { healths, now, missed }))
  await store.decideProposals(tx, { ids: withdrawn, decision: 'withdrawn', decided_at: now })
  await store.insertProposals(
    tx,
    proposed.map((one) => rowOf(runtime, one)),
  )
}

function rowOf(runtime: Runtime, proposal: NewProposal): store.ProposalRow {
  const id = newId(runtime.clock)
  const created_at = runtime.clock.now()
  return { ...proposal, id, created_at, decided_at: null, decision: null }
}

/** The times of the probes that did not run from `from_ms` until before `now`. */
function missedTimes(from_ms: number, now: Date): Date[] {
  const count = Math.ceil((now.getTime() - from_ms) / EVERY_MS) - 1
  const kept = Math.min(Math.max(0, count), MISSED_MAX)
  return Array.from(
    { length: kept },
    (_, index) => new Date(now.getTime() - (index + 1) * EVERY_MS),
  )
}

interface Counted {
  healths: ComponentHealths
  now: Date
  missed: readonly Date[]
}

/** Without the database nothing works, so each missed probe counts as failed for every component. */
function resultsOf(
  { config }: Pick<Runtime, 'config'>,
  { healths, now, missed }: Counted,
): store.DayResult[] {
  const zone = config.billing_timezone
  const used = componentIds.filter((id) => healths[id] !== 'not_in_use')
  const byDay = Map.groupBy(missed, (time) => dayOf(time, zone))
  const today = used.map((component) => ({
    component,
    day: dayOf(now, zone),
    probes: 1,
    failed: healths[component] === 'operational' ? 0 : 1,
  }))
  const before = [...byDay].flatMap(([day, { length }]) =>
    used.map((component) => ({ component, day, probes: length, failed: length })),
  )
  return sumByDay([...today, ...before])
}

/** One row for each component and day, because an upsert takes each row only once. */
function sumByDay(results: readonly store.DayResult[]): store.DayResult[] {
  const sums = new Map<string, store.DayResult>()
  for (const { component, day, probes, failed } of results) {
    const key = `${component} ${day}`
    const sum = sums.get(key) ?? { component, day, probes: 0, failed: 0 }
    sums.set(key, { ...sum, probes: sum.probes + probes, failed: sum.failed + failed })
  }
  return [...sums.values()]
}

export const forgetProbes = reconciler({
  name: 'status.forget_probes',
  every_s: PURGE_EVERY_S,
  async run({ db, clock, config }) {
    const before = new Date(clock.now_ms() - limits.status_days_kept_s * 1000)
    const day = dayOf(before, config.billing_timezone)
    await db.transact((tx) => store.deleteOld(tx, { day, before }))
  },
})
