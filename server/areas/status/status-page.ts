/**
 * Reads the public status page in the format of Atlassian Statuspage, which other products offer as
 * well: `/api/v2/summary.json` below its address.
 */
import { Type, type Static } from 'typebox'
import { schemaChecks } from '../../kernel/values/typebox.ts'
import { OutboundError } from '../../kernel/outbound/outbound.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { shareResult } from './shared.ts'
import {
  componentIds,
  componentNames,
  type ComponentId,
  type Health,
  type Status,
} from './schema.ts'

const Summary = Type.Object({
  components: Type.Array(Type.Object({ name: Type.String(), status: Type.String() })),
  incidents: Type.Array(
    Type.Object({
      name: Type.String(),
      status: Type.String(),
      created_at: Type.String(),
      started_at: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    }),
  ),
})

const DEADLINE_MS = 3000
const RESPONSE_BYTES_MAX = 1_048_576
const INCIDENTS_MAX = 20
const TITLE_CHARACTERS_MAX = 200

const healths: Readonly<Record<string, Health>> = {
  operational: 'operational',
  under_maintenance: 'degraded',
  degraded_performance: 'degraded',
  partial_outage: 'degraded',
  major_outage: 'down',
}
const solved = new Set(['resolved', 'completed', 'postmortem'])

interface PageReport {
  /** Our components on the page, by name. */
  healths: Partial<Record<ComponentId, Health>>
  incidents: Status['incidents']
}

/** Reads the status page. Null if none is configured, or if its reply has another format. */
export const readStatusPage = shareResult(async (runtime: Runtime): Promise<PageReport | null> => {
  const { status_url } = runtime.config
  if (status_url === '') return null
  const summary = await fetchSummary(runtime, `${status_url}/api/v2/summary.json`)
  return summary && { healths: healthsIn(summary), incidents: incidentsIn(summary) }
})

async function fetchSummary(runtime: Runtime, url: string): Promise<Static<typeof Summary> | null> {
  try {
    const { status, body } = await runtime.outbound.request({
      url,
      deadline_ms: DEADLINE_MS,
      response_bytes_max: RESPONSE_BYTES_MAX,
    })
    const json: unknown = status === 200 ? JSON.parse(Buffer.from(body).toString()) : null
    if (schemaChecks().Check(Summary, json)) return json
    runtime.log.warn({ url, status }, 'the status page answers in another format')
  } catch (error) {
    if (!(error instanceof OutboundError) && !(error instanceof SyntaxError)) throw error
    runtime.log.warn({ err: error, url }, 'the status page does not answer')
  }
  return null
}

function healthsIn({ components }: Static<typeof Summary>): PageReport['healths'] {
  const found: PageReport['healths'] = {}
  for (const id of componentIds) {
    const names = [id, componentNames[id].toLowerCase()]
    const component = components.find(({ name }) => names.includes(name.trim().toLowerCase()))
    if (component) found[id] = healths[component.status] ?? 'degraded'
  }
  return found
}

function incidentsIn({ incidents }: Static<typeof Summary>): Status['incidents'] {
  return incidents
    .filter(({ status }) => !solved.has(status))
    .map(({ name, status, created_at, started_at }) => ({
      title: name.slice(0, TITLE_CHARACTERS_MAX),
      status,
      started: new Date(started_at ?? created_at),
    }))
    .filter(({ started }) => !Number.isNaN(started.getTime()))
    .slice(0, INCIDENTS_MAX)
    .map(({ started, ...incident }) => ({ ...incident, started_at: started.toISOString() }))
}
