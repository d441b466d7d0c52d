/**
 * The record of a document in a file: data fields beside system fields, which have a leading
 * underscore (`_id`). A data field with such a name gets one more underscore, so that a round trip
 * is exact.
 */
import type { StoredDocument } from '../data/service.ts'

export type FlatRecord = Record<string, unknown>

/** System fields in the order of the columns after the data. */
export const trailingSystemFields = ['_version', '_source', '_created_at', '_updated_at'] as const
/** The column with the fields that have no column of their own, as one JSON object. */
export const MORE_COLUMN = '_more'

const reserved = /^_+(?:id|version|source|created_at|updated_at|more)$/

/** Returns the name of a data field in a file. */
export function nameInFile(name: string): string {
  return reserved.test(name) ? `_${name}` : name
}

/** Returns the data field of a name in a file; null for a system field. */
export function nameInData(name: string): string | null {
  if (!reserved.test(name)) return name
  return name.startsWith('__') ? name.slice(1) : null
}

export function flatten(document: StoredDocument): FlatRecord {
  const { id, data, version, source, created_at, updated_at } = document
  // fromEntries defines a field named __proto__ as an own property.
  return Object.fromEntries([
    ['_id', id],
    ...Object.entries(data).map(([name, value]) => [nameInFile(name), value]),
    ['_version', version],
    ['_source', source],
    ['_created_at', created_at],
    ['_updated_at', updated_at],
  ])
}

/** Splits a record into the id and the data. Other system fields are dropped. */
export function unflatten(record: FlatRecord): { id: unknown; data: FlatRecord } {
  const own = Object.entries(record).flatMap(([name, value]) => {
    const field = nameInData(name)
    return field === null ? [] : [[field, value] as const]
  })
  return { id: record['_id'], data: Object.fromEntries(own) }
}
