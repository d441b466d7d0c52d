/** The summary in the format of Atlassian Statuspage, which monitors and other Homeports read. */
import type { Incident } from './incident.ts'
import type { View } from './view.ts'

const indicators = { operational: 'none', degraded: 'minor', down: 'critical' } as const
const healths = {
  operational: 'operational',
  degraded: 'partial_outage',
  down: 'major_outage',
  not_in_use: 'operational',
} as const

export function writeSummary({ status, content }: View, public_url: string): object {
  const url = `${public_url}/status`
  const open = (content?.incidents ?? []).filter(({ ended_at }) => ended_at === null)
  const listed = (kind: Incident['kind']) =>
    open.filter((one) => one.kind === kind).map((one) => writeIncident(one, url))
  return {
    page: {
      id: 'homeport',
      name: 'Homeport',
      url,
      time_zone: content?.time_zone ?? null,
      updated_at: content?.as_of ?? status.checked_at,
    },
    status: { indicator: indicators[status.status], description: status.user_message },
    components: status.components.map(({ id, name, status: health }) => ({
      id,
      name,
      status: healths[health],
    })),
    incidents: listed('incident'),
    scheduled_maintenances: listed('maintenance'),
  }
}

function writeIncident(incident: Incident, url: string): object {
  const { id, title, state, impact, kind, started_at, planned_until, updates } = incident
  return {
    id,
    name: title,
    status: state,
    impact: kind === 'maintenance' ? 'maintenance' : impact,
    created_at: updates.at(-1)?.posted_at ?? started_at,
    started_at,
    updated_at: updates[0]?.posted_at ?? started_at,
    shortlink: `${url}/incidents/${id}`,
    ...(planned_until !== null && { scheduled_for: started_at, scheduled_until: planned_until }),
    components: incident.components.map((component) => ({ id: component })),
    incident_updates: updates.map(({ id: update_id, state: status, message, posted_at }) => ({
      id: update_id,
      status,
      body: message,
      created_at: posted_at,
    })),
  }
}
