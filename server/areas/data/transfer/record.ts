/**
 * A document as a file has it: its own fields side by side with those of the service, which begin
 * with an underscore (`_id`). A field of the data that has such a name gets one underscore more,
 * so that nothing is ever taken for something else, and everything comes back as it was.
 */
import { timeText } from '../../../kernel/database/driver/time-text.ts'
import type { FoundDocument } from '../document-store.ts'
import { createdMs, dataOf, updatedMs } from '../show.ts'

export type FlatRecord = Record<string, unknown>

/** What the service says of a document, in the order of the columns that follow the data. */
export const followingNames = ['_version', '_source', '_created_at', '_updated_at'] as const
/** Holds, as one object, the fields that have no column of their own. */
export const MORE = '_more'

const reserved = /^_+(?:id|version|source|created_at|updated_at|more)$/

/** The name of a field of the data in a file. */
export function nameInFile(name: string): string {
  return reserved.test(name) ? `_${name}` : name
}

/** The field of the data that a name in a file means, or null when it means the service's. */
export function nameInData(name: string): string | null {
  if (!reserved.test(name)) return name
  return name.startsWith('__') ? name.slice(1) : null
}

export function flatten(document: FoundDocument): FlatRecord {
  const { id, version, source } = document
  // Made from entries, because a field may be called __proto__.
  return Object.fromEntries([
    ['_id', id],
    ...Object.entries(dataOf(document)).map(([name, value]) => [nameInFile(name), value]),
    ['_version', version],
    ['_source', source],
    ['_created_at', timeText(createdMs(document))],
    ['_updated_at', timeText(updatedMs(document))],
  ])
}

/** What an import makes of a record: the id it names, and the data. */
export function unflatten(record: FlatRecord): { id: unknown; data: FlatRecord } {
  const own = Object.entries(record).flatMap(([name, value]) => {
    const field = nameInData(name)
    return field === null ? [] : [[field, value] as const]
  })
  return { id: record['_id'], data: Object.fromEntries(own) }
}
