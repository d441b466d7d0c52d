/**
 * The state of an incident by the clock. Maintenance starts and ends at its planned times, also before
 * the reconciler has recorded it.
 */
import type { IncidentState } from '../incident-schema.ts'
import { componentIds, type ComponentId, type Health } from '../schema.ts'
import type { IncidentRow } from './incidents-store.ts'

type Timed = Pick<IncidentRow, 'kind' | 'state' | 'started_at' | 'planned_until' | 'ended_at'>

export function stateAt({ kind, state, started_at, planned_until }: Timed, now: Date) {
  if (kind === 'incident' || state === 'completed') return state
  if (planned_until !== null && planned_until <= now) return 'completed' as const
  return state === 'scheduled' && started_at <= now ? ('in_progress' as const) : state
}

/** When it ended; null while it is open. */
export function endedAt(row: Timed, now: Date): Date | null {
  if (row.ended_at !== null) return row.ended_at
  return stateAt(row, now) === 'completed' ? row.planned_until : null
}

export function isOver(state: IncidentState): boolean {
  return state === 'resolved' || state === 'completed'
}

/** The components of a row in the order of the specification. */
export function componentsOf({ components }: { components: readonly string[] }): ComponentId[] {
  return componentIds.filter((id) => components.includes(id))
}

/** The health of the components of an open incident; null if it does not affect them now. */
export function healthIn(row: IncidentRow, now: Date): Health | null {
  const state = stateAt(row, now)
  if (isOver(state) || state === 'scheduled') return null
  if (row.kind === 'maintenance') return 'degraded'
  if (row.impact === 'none') return null
  return row.impact === 'critical' ? 'down' : 'degraded'
}
