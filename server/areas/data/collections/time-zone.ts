/** The time zone of times that name none, in forms and imports. */
import type { Reader } from '../../../kernel/database/database.ts'
import * as assistant from '../../assistant/service.ts'

export interface TimesWithoutZone {
  project_id: string
  /** The schema of the collection, as JSON. */
  schema: string
  /** The zone of the request; empty if it names none. */
  given: string
}

/**
 * Returns the given zone, else that of the assistant; null if neither is set. A schema without times
 * needs no lookup.
 */
export async function findTimezone(
  db: Reader,
  { project_id, schema, given }: TimesWithoutZone,
): Promise<string | null> {
  if (given !== '') return given
  return /"(?:date-)?time"/.test(schema) ? assistant.findTimezone(db, project_id) : null
}
