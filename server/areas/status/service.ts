/**
 * The state of the service. It is read from the public status page: that of the settings if one is
 * configured, else our own. If the page does not answer, the service reports a check of its own.
 */
import type { Visitor } from '../../contract/caller.ts'
import { pageOf, readCursor, writeCursor } from '../../kernel/database/page.ts'
import { Problem } from '../../contract/errors.ts'
import type { Config } from '../../kernel/config/config-types.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import type { IncidentPage, IncidentQuery } from './incident-schema.ts'
import { listIncidents as readIncidents, type IncidentRow } from './incidents/incidents-store.ts'
import { readOpenIncidents } from './incidents/open-report.ts'
import { presentIncident } from './incidents/present-incident.ts'
import { componentsOf, endedAt, healthIn, stateAt } from './incidents/state-at.ts'
import { checkComponents, type ComponentHealths } from './own-check.ts'
import {
  componentIds,
  componentNames,
  type ComponentId,
  type Health,
  type Status,
} from './schema.ts'
import { readStatusPage } from './status-page.ts'
import { countConfirmed } from './subscribers/subscribers-store.ts'

export {
  changeIncident,
  deleteIncident,
  planMaintenance,
  reportIncident,
  STATUS_TOPIC,
  updateIncident,
} from './incidents/incidents.ts'
export { impacts, incidentStates, maintenanceStates, type Incident } from './incident-schema.ts'
export { checkComponents } from './own-check.ts'
export { componentIds } from './schema.ts'
export { automaticMessages, stateNames } from './page/state-names.ts'
export { componentNamesIn, type PageLanguage } from './page/component-names.ts'
export { PageContent, readPageContent, uptimeOf, type Day } from './page/page-content.ts'
export { dismissProposal, listProposals } from './probes/proposals.ts'
export {
  canSubscribe,
  confirmSubscription,
  readAddress,
  readToken,
  subscribe,
  unsubscribe,
  type LinkPurpose,
} from './subscribers/subscribers.ts'

type Overall = Status['status']

/** Whether the public status page is our own, and not another one that the settings name. */
export function hasOwnPage({ status_url, public_url }: Config): boolean {
  return status_url === '' || status_url === `${public_url}/status`
}

export async function showStatus({ runtime }: Pick<Visitor, 'runtime'>): Promise<Status> {
  const [page, own] = await Promise.all([readPage(runtime), checkComponents(runtime)])
  return describe(runtime, page, own)
}

/** The status while the database does not reply in time. */
export function unreachableStatus(runtime: Runtime): Status {
  const down = { sites: 'down', api: 'down', portal: 'down' } as const
  const others = { phone: 'down', ai: 'down', mail: 'down', payments: 'down' } as const
  return describe(runtime, null, { ...down, ...others })
}

function describe(runtime: Runtime, page: ReadPage | null, own: ComponentHealths): Status {
  const { status_url, public_url } = runtime.config
  const healths = page?.combine(own) ?? own
  const status = overall(healths)
  const faulty = componentIds.filter((id) => isFaulty(healths, id))
  const advice = adviceFor(status, faulty)
  return {
    status,
    source: page?.answers(own) === true ? 'status_page' : 'own_check',
    components: componentIds.map((id) => ({ id, name: componentNames[id], status: healths[id] })),
    incidents: page?.incidents ?? [],
    status_page: status_url || `${public_url}/status`,
    checked_at: runtime.clock.now().toISOString(),
    ...advice,
    user_message: [advice.user_message, page?.planned].filter(Boolean).join(' '),
  }
}

interface ReadPage {
  /**
   * Whether the page counts as reachable. Our own page does not while our own check finds the API
   * down.
   */
  answers(own: ComponentHealths): boolean
  incidents: Status['incidents']
  /** A sentence about the next planned maintenance; null if there is none. */
  planned: string | null
  /** The state of the components, from the page and from our own check. */
  combine(own: ComponentHealths): ComponentHealths
}

async function readPage(runtime: Runtime): Promise<ReadPage | null> {
  if (hasOwnPage(runtime.config)) return readOwnPage(runtime)
  const page = await readStatusPage(runtime)
  return (
    page && {
      answers: () => true,
      incidents: page.incidents,
      planned: null,
      combine: (own) => ({ ...own, ...page.healths }),
    }
  )
}

async function readOwnPage(runtime: Runtime): Promise<ReadPage | null> {
  const rows = await readOpenIncidents(runtime)
  if (rows === null) return null
  const now = runtime.clock.now()
  const open = rows.filter((row) => endedAt(row, now) === null)
  const current = open.filter((row) => stateAt(row, now) !== 'scheduled')
  return {
    answers: ({ api }) => api !== 'down',
    incidents: current.map((row) => ({
      title: row.title,
      status: stateAt(row, now),
      started_at: row.started_at.toISOString(),
    })),
    planned: plannedSentence(open, now),
    combine: (own) => worsened(own, current, now),
  }
}

/** An incident never improves what our own check found. */
function worsened(
  own: ComponentHealths,
  incidents: readonly IncidentRow[],
  now: Date,
): ComponentHealths {
  const healths: Record<ComponentId, Health> = { ...own }
  for (const row of incidents) {
    const health = healthIn(row, now)
    if (health === null) continue
    for (const id of componentsOf(row)) if (healths[id] !== 'down') healths[id] = health
  }
  return healths
}

const PLANNED_MS = 7 * 86_400_000

type Planned = IncidentRow & { planned_until: Date }

/** Maintenance that begins within a week, the next first. */
function plannedIn(open: readonly IncidentRow[], now: Date): Planned[] {
  return open
    .filter((row): row is Planned => row.planned_until !== null)
    .filter((row) => stateAt(row, now) === 'scheduled')
    .filter(({ started_at }) => started_at.getTime() - now.getTime() < PLANNED_MS)
    .toSorted((one, other) => one.started_at.getTime() - other.started_at.getTime())
}

function plannedSentence(open: readonly IncidentRow[], now: Date): string | null {
  const [next] = plannedIn(open, now)
  if (!next) return null
  const [from, to] = [next.started_at, next.planned_until].map(writeMinute)
  return `Planned maintenance: ${next.title}, from ${from} to ${to} UTC.`
}

/** The state of the service for the portal, in parts that the portal translates. */
export async function showNotices(runtime: Runtime) {
  const { status, incidents, status_page } = await showStatus({ runtime })
  const rows = hasOwnPage(runtime.config) ? await readOpenIncidents(runtime) : null
  const planned = plannedIn(rows ?? [], runtime.clock.now()).map((row) => ({
    title: row.title,
    starts_at: row.started_at.toISOString(),
    ends_at: row.planned_until.toISOString(),
  }))
  return { status, incidents, planned, status_page }
}

function writeMinute(time: Date): string {
  return time.toISOString().slice(0, 16).replace('T', ' ')
}

export async function describePage(runtime: Runtime) {
  const { status_url, public_url } = runtime.config
  const subscribers = await countConfirmed(runtime.db)
  const url = status_url || `${public_url}/status`
  return { url, is_own: hasOwnPage(runtime.config), subscribers }
}

/** Newest first. */
export async function listIncidents(
  runtime: Runtime,
  { limit, cursor, only }: IncidentQuery,
): Promise<IncidentPage> {
  const { clock, db, seal } = runtime
  const list = 'operator incidents'
  const after = cursor === undefined ? null : readCursor(seal, list, cursor)
  if (cursor !== undefined && after === null)
    throw new Problem('invalid_parameter', 'This cursor was not issued for this list.')
  const rows = await readIncidents(db, { after, count: limit + 1, only_open: only === 'open' })
  const page = pageOf(rows, limit, (last) => writeCursor(seal, list, last))
  return { ...page, data: page.data.map((row) => presentIncident(row, clock.now())) }
}

const isFaulty = (healths: ComponentHealths, id: ComponentId) =>
  healths[id] === 'degraded' || healths[id] === 'down'

function overall(healths: ComponentHealths): Overall {
  if (healths.api === 'down') return 'down'
  return componentIds.some((id) => isFaulty(healths, id)) ? 'degraded' : 'operational'
}

function adviceFor(
  status: Overall,
  faulty: readonly ComponentId[],
): Pick<Status, 'user_message' | 'next_step'> {
  const names = faulty.map((id) => componentNames[id]).join(', ')
  switch (status) {
    case 'operational':
      return {
        user_message: 'Everything works as far as the service can tell.',
        next_step:
          'If a request fails all the same, look at the type of its problem; a blocked network on your side is not an outage.',
      }
    case 'degraded':
      return {
        user_message: `Not everything works at the moment: ${names}.`,
        next_step:
          'Tell the user if what they want needs one of these, and try that again in a few minutes. Everything else can go on.',
      }
    case 'down':
      return {
        user_message: 'The service has a problem at the moment and is being brought back.',
        next_step: 'Wait a few seconds, then try again.',
      }
  }
}
