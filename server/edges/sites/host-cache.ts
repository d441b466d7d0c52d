/**
 * Finds the site of a host and its prepared live version. Results are cached for a second and
 * invalidated at once when any process announces a change; if the announcement is lost, this
 * process is a second late. Concurrent lookups share one statement. While the database does not
 * answer, the last result is used, because then nothing can change; not that of a project whose change
 * was announced.
 */
import { LRUCache } from 'lru-cache'
import {
  findAllServed,
  readManifest,
  SITES_TOPIC,
  type ServedSite,
} from '../../areas/sites/service.ts'
import { isDatabaseBusy, isDatabaseUnavailable } from '../../kernel/database/database.ts'
import { batchCalls } from '../../kernel/process/batch-calls.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { growingCache } from '../../kernel/limits/growing-cache.ts'
import { prepareVersion, type VersionLayout } from './serving/version-layout.ts'

export interface HostEntry {
  /** The site of the host; null if there is none. */
  site: ServedSite | null
  /** The prepared live version; null if the site is offline. */
  layout: VersionLayout | null
  from_ms: number
  /** Whether nothing was announced since. */
  is_fresh: boolean
}

export interface HostCache {
  /** Returns the cached result; undefined if there is none or it is older than a second. */
  known(host: string): HostEntry | undefined
  find(host: string, label: string): Promise<HostEntry>
}

const FRESH_MS = 1_000
/** After it the last result is used, if there is one that is not too old. */
const ANSWER_MS_MAX = 1_000
const LAST_MS_MAX = 600_000
/** The same when announcements may have been missed, such as that a site was blocked. */
const MISSED_MS_MAX = 60_000
const HOSTS_MAX = 20_000
const LABELS_AT_ONCE_MAX = 200
const LAYOUTS_BYTES_MAX = 96 * 1_048_576
/** Estimated memory of a prepared version and of each of its files. */
const LAYOUT_BYTES = 2_000
const FILE_BYTES = 2_500

export function createHostCache(runtime: Runtime): HostCache {
  const hosts = growingCache<HostEntry>(HOSTS_MAX)
  const pending = new Map<string, Promise<HostEntry>>()
  const layouts = new LRUCache<string, VersionLayout>({
    maxSize: LAYOUTS_BYTES_MAX,
    sizeCalculation: ({ routing }) => LAYOUT_BYTES + routing.files.size * FILE_BYTES,
  })
  const lookUp = batchCalls(
    async (labels: readonly string[]) => {
      const found = await findAllServed(runtime.db, [...new Set(labels)])
      return labels.map((label) => found.get(label) ?? null)
    },
    { items_max: LABELS_AT_ONCE_MAX },
  )
  runtime.wakeups.listen(SITES_TOPIC, (project_id) => {
    const missed_ms = runtime.clock.now_ms() - LAST_MS_MAX + MISSED_MS_MAX
    for (const [host, entry] of hosts.entries().toArray()) {
      // A host without a site may be the one that was made or came back.
      if (!entry.site || entry.site.project_id === project_id) hosts.delete(host)
      else entry.is_fresh = false
      if (project_id === null) entry.from_ms = Math.min(entry.from_ms, missed_ms)
    }
    // A lookup that started before the change may be outdated, so later requests must not share it.
    pending.clear()
  })

  async function layoutOf(site: ServedSite): Promise<VersionLayout> {
    const { project_id, id, version, preview, visibility, spa, collections } = site
    const kind = [preview, visibility, spa, collections.length > 0]
    const key = [project_id, id, version, ...kind].join(' ')
    const known = layouts.get(key)
    if (known) return known
    const layout = prepareVersion(site, await readManifest(runtime.db, site, version))
    layouts.set(key, layout)
    return layout
  }

  async function look(label: string): Promise<HostEntry> {
    const from_ms = runtime.clock.now_ms()
    const site = await lookUp(label)
    const layout = site?.status === 'live' ? await layoutOf(site) : null
    return { site, layout, from_ms, is_fresh: true }
  }

  function lastOf(host: string): HostEntry | undefined {
    const entry = hosts.get(host)
    return entry && runtime.clock.now_ms() - entry.from_ms <= LAST_MS_MAX ? entry : undefined
  }

  async function keep(host: string, asked: Promise<HostEntry>): Promise<void> {
    const entry = await asked.catch(() => null)
    if (pending.get(host) !== asked) return
    if (entry) hosts.set(host, entry)
    pending.delete(host)
  }

  return {
    known(host) {
      const entry = hosts.get(host)
      if (entry === undefined) return undefined
      const age_ms = runtime.clock.now_ms() - entry.from_ms
      return entry.is_fresh && age_ms >= 0 && age_ms < FRESH_MS ? entry : undefined
    },
    async find(host, label) {
      const under_way = pending.get(host)
      if (under_way) return orLast(under_way, lastOf(host))
      const asked = look(label)
      pending.set(host, asked)
      void keep(host, asked)
      return orLast(asked, lastOf(host))
    },
  }
}

/** Returns `last` if the lookup fails for the database, or takes too long. */
async function orLast(asked: Promise<HostEntry>, last: HostEntry | undefined): Promise<HostEntry> {
  if (!last) return asked
  const late = Promise.withResolvers<HostEntry>()
  const timer = setTimeout(late.resolve, ANSWER_MS_MAX, last)
  try {
    return await Promise.race([asked, late.promise])
  } catch (error) {
    if (isDatabaseUnavailable(error) || isDatabaseBusy(error)) return last
    throw error
  } finally {
    clearTimeout(timer)
  }
}
