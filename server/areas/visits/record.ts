/**
 * Counts page views in memory and writes the counts in batches, so that a view costs no statement.
 * The number of counted names is bounded; views beyond that are counted under the empty name.
 */
import type { Runtime } from '../../kernel/runtime.ts'
import * as store from './store.ts'

export interface PageView {
  project_id: string
  site_id: string
  path: string
  /** Host of the page with the link; null if it is unknown or the site itself. */
  referrer: string | null
}

/** Time between the first counted view and the write of its batch. */
const GATHER_MS = 10_000
const NAMES_MAX = 20_000
/** Names of one project and of one site, which cannot use up those of all. */
const NAMES_OF_PROJECT_MAX = 5_000
const NAMES_OF_SITE_MAX = 1_000
/** Counts the names beyond a maximum together; written as the same name of the table. */
const OTHERS = ''
const BATCH = 1_000

interface ViewCounter {
  add(view: PageView): void
  flush(): Promise<void>
}

const counters = new WeakMap<Runtime, ViewCounter>()

function counterOf(runtime: Runtime): ViewCounter {
  const known = counters.get(runtime)
  if (known) return known
  const counter = createCounter(runtime)
  counters.set(runtime, counter)
  return counter
}

/** Counts a view. Never waits and never throws. */
export function recordView(runtime: Runtime, view: PageView): void {
  counterOf(runtime).add(view)
}

/** Writes the counts that this process has not written yet. */
export function flushViews(runtime: Runtime): Promise<void> {
  return counterOf(runtime).flush()
}

/** The counts of one site on one day, by path and by referring host. */
interface SiteCounts {
  project_id: string
  site_id: string
  day: string
  page: Map<string, number>
  referrer: Map<string, number>
}

function createCounter({ clock, db, log, metrics }: Runtime): ViewCounter {
  let sites = new Map<string, SiteCounts>()
  let names = 0
  let names_of_project = new Map<string, number>()
  let timer: NodeJS.Timeout | null = null
  let writing: Promise<void> = Promise.resolve()

  /** Whether one more name may be held for the site. */
  function hasRoom({ project_id, page, referrer }: SiteCounts): boolean {
    const of_project = names_of_project.get(project_id) ?? 0
    return (
      names < NAMES_MAX &&
      of_project < NAMES_OF_PROJECT_MAX &&
      page.size + referrer.size < NAMES_OF_SITE_MAX
    )
  }

  function addName(counts: SiteCounts, kind: 'page' | 'referrer', given: string): void {
    const { project_id } = counts
    const of_kind = counts[kind]
    const name = of_kind.has(given) || hasRoom(counts) ? given : OTHERS
    if (!of_kind.has(name) && name !== OTHERS) {
      names += 1
      names_of_project.set(project_id, (names_of_project.get(project_id) ?? 0) + 1)
    }
    of_kind.set(name, (of_kind.get(name) ?? 0) + 1)
  }

  async function write(rows: store.CountedViews[]): Promise<void> {
    for (let from = 0; from < rows.length; from += BATCH) {
      const batch = rows.slice(from, from + BATCH)
      try {
        await db.transact((tx) => store.addViews(tx, batch))
      } catch (error) {
        metrics.site_views_dropped.inc({ reason: 'write_failed' }, batch.length)
        log.warn({ err: error, rows: batch.length }, 'page views of sites were lost')
      }
    }
  }

  function flush(): Promise<void> {
    if (timer) clearTimeout(timer)
    timer = null
    const rows = [...sites.values()].flatMap(toRows)
    sites = new Map()
    names = 0
    names_of_project = new Map()
    if (rows.length > 0) writing = writing.then(() => write(rows))
    return writing
  }

  return {
    flush,
    add({ project_id, site_id, path, referrer }) {
      const day = clock.now().toISOString().slice(0, 10)
      const key = site_id + day
      const counts = sites.get(key) ?? {
        project_id,
        site_id,
        day,
        page: new Map(),
        referrer: new Map(),
      }
      sites.set(key, counts)
      addName(counts, 'page', path)
      if (referrer !== null) addName(counts, 'referrer', referrer)
      timer ??= setTimeout(() => void flush(), GATHER_MS).unref()
    },
  }
}

function toRows({ page, referrer, ...site }: SiteCounts): store.CountedViews[] {
  const rowsOf = (kind: 'page' | 'referrer', names: ReadonlyMap<string, number>) =>
    [...names].map(([name, views]) => ({ ...site, kind, name, views }))
  return [...rowsOf('page', page), ...rowsOf('referrer', referrer)]
}
