/** Says why an event that an agent waits for is not sent, or never starts it. */
import type { Caller } from '../../contract/caller.ts'
import { parseFilter, type Filter, type FilterField } from '../data/service.ts'
import { findSilentSources } from '../webhooks/service.ts'
import { definitionOf, present } from './present.ts'
import type { Agent } from './schema.ts'
import type { AgentRow } from './store.ts'

/** An agent with what keeps it from starting. */
export async function presentOne(caller: Caller, row: AgentRow): Promise<Agent> {
  const { trigger } = definitionOf(row)
  // The warnings name collections.
  if (trigger.type !== 'event' || !caller.scopes.has('data:read')) return present(row)
  const filter = filterOf(trigger.filter)
  const names = filter === null ? [] : namesIn(filter)
  // Another filter may choose collections in a way that is not read here.
  if (filter !== null && names.length === 0 && choosesCollections(filter)) return present(row)
  // A project without a live part has forms of test mode too.
  const of = {
    names: names.length > 0 ? names : null,
    ...(caller.project.shape !== 'test' && { mode: row.mode }),
  }
  const warnings = await findSilentSources(caller, [trigger.event], of)
  return { ...present(row), ...(warnings.length > 0 && { warnings }) }
}

function filterOf(text: string | undefined): Filter | null {
  if (text === undefined) return null
  return parseFilter({ text, parameter: 'filter', moment: { now_ms: 0, timezone: 'UTC' } })
}

const nameFields: readonly string[] = ['collection.name', 'document.collection']

/** The collections that a filter names. */
function namesIn(filter: Filter): string[] {
  if ('parts' in filter) return filter.parts.flatMap(namesIn)
  if (filter.is !== 'equal' && filter.is !== 'in') return []
  if (!nameFields.includes(pathOf(filter.field))) return []
  const literals = filter.is === 'equal' ? [filter.literal] : filter.literals
  return literals.flatMap((one) => ('value' in one ? [String(one.value)] : []))
}

/** Whether a filter is about the collection, and not only about what is in the document. */
function choosesCollections(filter: Filter): boolean {
  if ('parts' in filter) return filter.parts.some(choosesCollections)
  if ('part' in filter) return choosesCollections(filter.part)
  const path = pathOf(filter.field)
  return path.startsWith('collection.') || nameFields.includes(path)
}

function pathOf(field: FilterField): string {
  return 'path' in field ? field.path.join('.') : ''
}
