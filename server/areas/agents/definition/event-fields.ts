/** Checks the fields of a filter on an event: with one that the event does not have, the agent would never start. */
import type { Runtime } from '../../../kernel/runtime.ts'
import { findNearestName } from '../../../kernel/values/nearest.ts'
import type { FieldUse } from '../../data/service.ts'
import { lookUpField, type Lookup } from '../../json-schema/service.ts'
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
    if (found.is === 'undeclared' && found.names.length === 0) {
      // A filter reaches the items of a list by number.
      if (hasParts(lookUpField(data, found.parent))) continue
      return `names ${field}, but ${found.parent.join('.')} is a value without fields`
    }
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

function hasParts(found: Lookup): boolean {
  return found.is !== 'declared' || found.types.has('array') || found.types.has('object')
}

function inside(parent: readonly string[], names: readonly string[]): string {
  return names.map((name) => [...parent, name].join('.')).join(', ')
}
