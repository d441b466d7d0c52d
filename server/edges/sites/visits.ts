/**
 * Finds the site of a host and its prepared live version. Results are cached for a second and
 * invalidated at once when any process announces a change; if the announcement is lost, this
 * process is a second late. Concurrent lookups share one statement.
 */
import { LRUCache } from 'lru-cache'
import {
  findAllServed,
  readManifest,
  SITES_TOPIC,
  type ServedSite,
} from '../../areas/sites/service.ts'
import { gather } from '../../kernel/database/driver/gather.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { layOut, type Sheet } from './serving/sheet.ts'

export interface Visit {
  /** null if there is no site. */
  site: ServedSite | null
  /** null if the site is offline. */
  sheet: Sheet | null
  from_ms: number
}

export interface Visits {
  /** The cached result; undefined if there is none or it is older than a second. */
  known(host: string): Visit | undefined
  find(host: string, label: string): Promise<Visit>
}

const BELIEVED_MS = 1_000
const HOSTS_MAX = 20_000
const LABELS_AT_ONCE_MAX = 200
const SHEETS_BYTES_MAX = 96 * 1_048_576
/** Estimated memory of a prepared version and of each of its files. */
const SHEET_BYTES = 2_000
const FILE_BYTES = 2_500

export function createVisits(runtime: Runtime): Visits {
  const hosts = new LRUCache<string, Visit>({ max: HOSTS_MAX })
  const looking = new Map<string, Promise<Visit>>()
  const sheets = new LRUCache<string, Sheet>({
    maxSize: SHEETS_BYTES_MAX,
    sizeCalculation: ({ shelf }) => SHEET_BYTES + shelf.files.size * FILE_BYTES,
  })
  const lookUp = gather(
    async (labels: readonly string[]) => {
      const found = await findAllServed(runtime.db, [...new Set(labels)])
      return labels.map((label) => found.get(label) ?? null)
    },
    { items_max: LABELS_AT_ONCE_MAX },
  )
  runtime.wakeups.listen(SITES_TOPIC, () => {
    hosts.clear()
    // Later requests must not share a lookup started before the change.
    looking.clear()
  })

  async function sheetOf(site: ServedSite): Promise<Sheet> {
    const { project_id, id, version, preview, visibility, spa, collections } = site
    const kind = [preview, visibility, spa, collections.length > 0]
    const key = [project_id, id, version, ...kind].join(' ')
    const known = sheets.get(key)
    if (known) return known
    const sheet = layOut(site, await readManifest(runtime.db, site, version))
    sheets.set(key, sheet)
    return sheet
  }

  async function look(label: string): Promise<Visit> {
    const from_ms = runtime.clock.now_ms()
    const site = await lookUp(label)
    const sheet = site?.status === 'live' ? await sheetOf(site) : null
    return { site, sheet, from_ms }
  }

  return {
    known(host) {
      const visit = hosts.get(host)
      if (visit === undefined) return undefined
      const age_ms = runtime.clock.now_ms() - visit.from_ms
      return age_ms >= 0 && age_ms < BELIEVED_MS ? visit : undefined
    },
    async find(host, label) {
      const under_way = looking.get(host)
      if (under_way) return under_way
      const asked = look(label)
      looking.set(host, asked)
      try {
        const visit = await asked
        if (looking.get(host) === asked) hosts.set(host, visit)
        return visit
      } finally {
        if (looking.get(host) === asked) looking.delete(host)
      }
    },
  }
}
