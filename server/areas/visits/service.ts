/** Reads the page views of a site. */
import type { Caller } from '../../contract/caller.ts'
import { Problem } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { findSite } from '../sites/service.ts'
import { flushViews } from './record.ts'
import { SHOWN_MAX, type Visits, type VisitsQuery } from './schema.ts'
import * as store from './store.ts'

export { flushViews, recordView, type PageView } from './record.ts'

const DAY_MS = 86_400_000
const DEFAULT_DAYS = 30

export async function show(caller: Caller, id: string, query: VisitsQuery): Promise<Visits> {
  await findSite(caller, id)
  const days = daysOf(query, caller.runtime.clock.now_ms())
  const [from = '', to = ''] = [days[0], days.at(-1)]
  // Views of other processes are at most ten seconds late.
  await flushViews(caller.runtime)
  const wanted = { project_id: caller.project.id, site_id: id, from, to }
  const [by_day, pages, referrers] = await Promise.all([
    store.sumByDay(caller.db, wanted),
    store.sumByName(caller.db, { ...wanted, kind: 'page', count: SHOWN_MAX }),
    store.sumByName(caller.db, { ...wanted, kind: 'referrer', count: SHOWN_MAX }),
  ])
  const views = new Map(by_day.map((row) => [row.day, Number(row.views)]))
  return {
    from,
    to,
    views: [...views.values()].reduce((sum, one) => sum + one, 0),
    days: days.map((day) => ({ day, views: views.get(day) ?? 0 })),
    pages: pages.map((row) => ({ path: row.name || null, views: Number(row.views) })),
    referrers: referrers.map((row) => ({ host: row.name || null, views: Number(row.views) })),
  }
}

/** Lists every day from the first to the last. Throws for an invalid span. */
function daysOf({ from, to }: VisitsQuery, now_ms: number): string[] {
  const last = to === undefined ? now_ms : Date.parse(to)
  const first = from === undefined ? last - (DEFAULT_DAYS - 1) * DAY_MS : Date.parse(from)
  const count = Math.floor(last / DAY_MS) - Math.floor(first / DAY_MS) + 1
  if (count < 1) throw new Problem('invalid_parameter', 'from must not be later than to.')
  if (count > limits.visits_days_max) {
    const detail = `from and to may span at most ${limits.visits_days_max} days.`
    throw new Problem('invalid_parameter', detail)
  }
  return Array.from({ length: count }, (_, n) => dayOf(first + n * DAY_MS))
}

function dayOf(time_ms: number): string {
  return new Date(time_ms).toISOString().slice(0, 10)
}
