/** Says why an event that an agent waits for is not sent, or never starts it. */
import type { Caller } from '../../contract/caller.ts'
import { parseFilter, type Filter } from '../data/service.ts'
import { findSilentSources } from '../webhooks/service.ts'
import { definitionOf, present } from './present.ts'
import type { Agent } from './schema.ts'
import type { AgentRow } from './store.ts'

/** An agent with what keeps it from starting. */
export async function presentOne(caller: Caller, row: AgentRow): Promise<Agent> {
  const { trigger } = definitionOf(row)
  // The warnings name collections.
  if (trigger.type !== 'event' || !caller.scopes.has('data:read')) return present(row)
  const names = collectionsIn(trigger.filter)
  // Another filter may choose collections in a way that is not read here.
  if (trigger.filter !== undefined && names === null) return present(row)
  // A project without a live part has forms of test mode too.
  const of = { names, ...(caller.project.shape !== 'test' && { mode: row.mode }) }
  const warnings = await findSilentSources(caller, [trigger.event], of)
  return { ...present(row), ...(warnings.length > 0 && { warnings }) }
}

/** The collections that the filter of a trigger names; null if it names none. */
function collectionsIn(text: string | undefined): string[] | null {
  if (text === undefined) return null
  const moment = { now_ms: 0, timezone: 'UTC' }
  const names = namesIn(parseFilter({ text, parameter: 'filter', moment }))
  return names.length > 0 ? names : null
}

function namesIn(filter: Filter): string[] {
  if (filter.is === 'and' || filter.is === 'or') return filter.parts.flatMap(namesIn)
  if (filter.is !== 'equal' && filter.is !== 'in') return []
  if (!('path' in filter.field) || filter.field.path.join('.') !== 'collection.name') return []
  const literals = filter.is === 'equal' ? [filter.literal] : filter.literals
  return literals.flatMap((one) => ('value' in one ? [String(one.value)] : []))
}
