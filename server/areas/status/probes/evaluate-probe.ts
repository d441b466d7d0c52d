/** Computes the new state of the probes and the proposals after a probe of all components. Pure. */
import type { Impact } from '../incident-schema.ts'
import type { IncidentRow } from '../incidents/incidents-store.ts'
import { componentsOf, stateAt } from '../incidents/state-at.ts'
import type { ComponentHealths } from '../own-check.ts'
import { componentIds, type ComponentId } from '../schema.ts'
import type { ProbeRow, ProposalRow } from './probes-store.ts'

/** Number of consecutive failed probes after which an incident is proposed. */
const FAILURES_BEFORE_PROPOSAL = 3

export interface Known {
  now: Date
  healths: ComponentHealths
  /** The last probes, before this one. */
  probes: readonly ProbeRow[]
  /** Incidents and maintenance that are open. */
  incidents: readonly IncidentRow[]
  /** Open proposals. */
  proposals: readonly ProposalRow[]
  /** Reports that operators dismissed. */
  dismissed: readonly Pick<ProposalRow, 'components' | 'created_at'>[]
}

export type NewProposal = Pick<ProposalRow, 'kind' | 'impact' | 'since' | 'incident_id'> & {
  components: ComponentId[]
}

export interface ProbeOutcome {
  probes: ProbeRow[]
  proposed: NewProposal[]
  /** Ids of open proposals that no longer hold. */
  withdrawn: string[]
}

export function evaluateProbe(known: Known): ProbeOutcome {
  const probes = known.probes.map((row) => afterProbe(row, known))
  const failing = new Map(
    probes.filter(({ failures }) => failures > 0).map((row) => [row.component, row]),
  )
  const withdrawn = known.proposals.filter((one) => isOutdated(one, failing, known))
  const open = known.proposals.filter((one) => !withdrawn.includes(one))
  const report = reportOf(known, probes, open)
  return {
    probes,
    proposed: [...(report ? [report] : []), ...resolutionsOf(known, failing, open)],
    withdrawn: withdrawn.map(({ id }) => id),
  }
}

function afterProbe(row: ProbeRow, { now, healths }: Known): ProbeRow {
  const id = componentIds.find((one) => one === row.component)
  const health = id === undefined ? 'not_in_use' : healths[id]
  const failed = health === 'degraded' || health === 'down'
  return {
    ...row,
    probed_at: now,
    failures: failed ? row.failures + 1 : 0,
    failing_since: failed ? (row.failing_since ?? now) : null,
  }
}

type Failing = ReadonlyMap<string, ProbeRow>

/**
 * A report no longer holds if all its components work again; a resolution if one fails again, or if
 * the incident is over.
 */
function isOutdated(
  { kind, components, incident_id }: ProposalRow,
  failing: Failing,
  { incidents }: Known,
): boolean {
  if (kind === 'report') return !components.some((id) => failing.has(id))
  return components.some((id) => failing.has(id)) || !incidents.some(({ id }) => id === incident_id)
}

/**
 * Proposes one incident for all failing components without an open or dismissed proposal or an
 * incident.
 */
function reportOf(
  { now, healths, incidents, dismissed }: Known,
  probes: readonly ProbeRow[],
  open: readonly ProposalRow[],
): NewProposal | null {
  const isCovered = (id: string, since: Date) =>
    open.some(({ kind, components }) => kind === 'report' && components.includes(id)) ||
    incidents.some((row) => row.components.includes(id) && stateAt(row, now) !== 'scheduled') ||
    dismissed.some(({ components, created_at }) => components.includes(id) && created_at >= since)
  const found = probes.filter(
    ({ component, failures, failing_since }) =>
      failures >= FAILURES_BEFORE_PROPOSAL &&
      failing_since !== null &&
      !isCovered(component, failing_since),
  )
  const components = componentsOf({ components: found.map(({ component }) => component) })
  const since = found.flatMap(({ failing_since }) => failing_since ?? [])
  if (components.length === 0) return null
  return {
    kind: 'report',
    components,
    impact: impactOf(components.map((id) => [id, healths[id]] as const)),
    incident_id: null,
    since: new Date(Math.min(...since.map((time) => time.getTime()))),
  }
}

function impactOf(healths: readonly (readonly [ComponentId, string])[]): Impact {
  const down = healths.filter(([, health]) => health === 'down')
  if (down.some(([id]) => id === 'api' || id === 'portal')) return 'critical'
  return down.length > 0 ? 'major' : 'minor'
}

/** Proposes to resolve an incident if the last of its components that failed works again. */
function resolutionsOf(
  { now, probes, incidents }: Known,
  failing: Failing,
  open: readonly ProposalRow[],
): NewProposal[] {
  const recovered = new Set(
    probes
      .filter(({ component, failures }) => failures > 0 && !failing.has(component))
      .map(({ component }) => component),
  )
  return incidents
    .filter(
      ({ id, kind, components }) =>
        kind === 'incident' &&
        components.some((one) => recovered.has(one)) &&
        !components.some((one) => failing.has(one)) &&
        !open.some(({ incident_id }) => incident_id === id),
    )
    .map((row) => ({
      kind: 'resolve',
      components: componentsOf(row),
      impact: row.impact,
      incident_id: row.id,
      since: now,
    }))
}
