/**
 * What the status page shows, as plain data that can be kept on disk: the daily results of 90 days,
 * and incidents and maintenance of a year.
 */
import { Type, type Static } from 'typebox'
import type { Runtime } from '../../../kernel/runtime.ts'
import { Incident, type Impact } from '../incident-schema.ts'
import { listPublished } from '../incidents/incidents-store.ts'
import { presentIncident } from '../incidents/present-incident.ts'
import { listDays, type DayResult } from '../probes/probes-store.ts'
import { componentIds } from '../schema.ts'
import { boundsOf, lastDays } from './days.ts'

const YEAR_MS = 366 * 86_400_000
const INCIDENTS_MAX = 300

const Day = Type.Object({
  day: Type.String(),
  probes: Type.Integer(),
  failed: Type.Integer(),
  /** The worst impact of an incident of the component on this day. */
  impact: Type.Union([Type.Enum(['minor', 'major', 'critical']), Type.Null()]),
  /** Titles of incidents and maintenance of the component on this day. */
  titles: Type.Array(Type.String()),
})
export type Day = Static<typeof Day>

export const PageContent = Type.Object({
  as_of: Type.String(),
  time_zone: Type.String(),
  components: Type.Array(Type.Object({ id: Type.Enum([...componentIds]), days: Type.Array(Day) })),
  /** Newest first. */
  incidents: Type.Array(Incident),
})
export type PageContent = Static<typeof PageContent>

export async function readPageContent({ clock, config, db }: Runtime): Promise<PageContent> {
  const now = clock.now()
  const zone = config.billing_timezone
  const days = lastDays(now, zone)
  const [results, rows] = await Promise.all([
    listDays(db, days[0] ?? ''),
    listPublished(db, { since: new Date(now.getTime() - YEAR_MS), count: INCIDENTS_MAX }),
  ])
  const incidents = rows.map((row) => presentIncident(row, now))
  const byComponent = Map.groupBy(results, ({ component }) => component)
  return {
    as_of: now.toISOString(),
    time_zone: zone,
    components: componentIds.map((id) => {
      const known = new Map(byComponent.get(id)?.map((result) => [result.day, result]))
      const ofIt = incidents.filter(({ components }) => components.includes(id))
      return { id, days: days.map((day) => dayFrom(known.get(day), { day, zone, now, ofIt })) }
    }),
    incidents,
  }
}

interface DayFacts {
  day: string
  zone: string
  now: Date
  ofIt: readonly Incident[]
}

function dayFrom(result: DayResult | undefined, { day, zone, now, ofIt }: DayFacts): Day {
  const { from, to } = boundsOf(day, zone)
  const then = ofIt.filter(
    ({ started_at, ended_at, state }) =>
      state !== 'scheduled' &&
      new Date(started_at) < to &&
      (ended_at === null ? now : new Date(ended_at)) >= from,
  )
  return {
    day,
    probes: result?.probes ?? 0,
    failed: result?.failed ?? 0,
    impact: worstOf(then.map(({ impact }) => impact)),
    titles: then.map(({ title }) => title),
  }
}

function worstOf(impacts: readonly Impact[]): Day['impact'] {
  return (['critical', 'major', 'minor'] as const).find((one) => impacts.includes(one)) ?? null
}

/** The share of probes that succeeded, from 0 to 1; null without probes. */
export function uptimeOf(days: readonly Pick<Day, 'probes' | 'failed'>[]): number | null {
  const probes = days.reduce((sum, day) => sum + day.probes, 0)
  const failed = days.reduce((sum, day) => sum + day.failed, 0)
  return probes === 0 ? null : 1 - failed / probes
}
