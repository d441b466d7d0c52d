/**
 * The declarations of all areas about personal data. They are set at the start, because areas do not
 * import each other.
 */
import assert from 'node:assert/strict'
import type { Area } from '../../contract/area.ts'
import type { Retention } from '../../contract/personal-data.ts'
import type { PersonalRecords } from '../../contract/person/person.ts'
import type { Runtime } from '../../kernel/runtime.ts'

interface Declared {
  retentions: readonly Retention[]
  personalRecords: readonly PersonalRecords[]
}

/** Keyed by the metrics, because copies of a runtime for a transaction share them. */
const declaredByMetrics = new WeakMap<Runtime['metrics'], Declared>()

export function setPersonalDataOfAreas({ metrics }: Runtime, areas: readonly Area[]): void {
  declaredByMetrics.set(metrics, {
    retentions: areas.flatMap(({ retentions = [] }) => retentions),
    personalRecords: areas.flatMap(({ personalRecords = [] }) => personalRecords),
  })
}

export function findDeclared({ metrics }: Runtime): Declared {
  const declared = declaredByMetrics.get(metrics)
  assert(declared, 'The declarations of areas about personal data are not set.')
  return declared
}
