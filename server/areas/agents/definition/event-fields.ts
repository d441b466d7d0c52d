/** Checks the fields of a filter on an event: with one that the event does not have, the agent would never start. */
import type { Runtime } from '../../../kernel/runtime.ts'
import { findNearestName } from '../../../kernel/values/nearest.ts'
import type { FieldUse } from '../../data/service.ts'
import { lookUpField } from '../../json-schema/service.ts'
import { findSource } from '../../webhooks/service.ts'

/** Returns what is wrong with the first field that does not fit; null if all do. */
export function findWrongField(
  runtime: Runtime,
  event: string,
  uses: readonly FieldUse[],
): string | null {
  const data = findSource(runtime, event)?.data
  for (const { path, wants } of uses) {
    const field = path.join('.')
    const found = lookUpField(data, path)
    // A field without names below it is a list or a value, whose items a filter reaches by number.
    if (found.is === 'undeclared' && found.names.length === 0) continue
    if (found.is === 'undeclared') {
      const { names, parent } = found
      const nearest = findNearestName(path[parent.length] ?? '', names)
      const known = nearest === undefined ? names : [nearest]
      return `names ${field}, which ${event} does not have; it has ${inside(parent, known)}`
    }
    const below = lookUpField(data, [...path, ''])
    if (found.is === 'declared' && wants?.types.isDisjointFrom(found.types)) {
      const named = below.is === 'undeclared' ? below.names : []
      return named.length > 0
        ? `compares ${field}, which is an object; compare ${inside(path, named)}`
        : `compares ${field} with a value of another type`
    }
  }
  return null
}

function inside(parent: readonly string[], names: readonly string[]): string {
  return names.map((name) => [...parent, name].join('.')).join(', ')
}
