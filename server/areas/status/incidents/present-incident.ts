/** An incident as operators and visitors of the status page see it. */
import type { Incident } from '../incident-schema.ts'
import type { IncidentWithUpdates } from './incidents-store.ts'
import { componentsOf, endedAt, stateAt } from './state-at.ts'

export function presentIncident(incident: IncidentWithUpdates, now: Date): Incident {
  return {
    id: incident.id,
    kind: incident.kind,
    title: incident.title,
    impact: incident.impact,
    components: componentsOf(incident),
    state: stateAt(incident, now),
    started_at: incident.started_at.toISOString(),
    planned_until: incident.planned_until?.toISOString() ?? null,
    ended_at: endedAt(incident, now)?.toISOString() ?? null,
    updates: incident.updates.map(({ id, state, message, posted_at }) => ({
      id,
      state,
      message,
      posted_at: posted_at.toISOString(),
    })),
  }
}
