/** SQL of the events that start runs. */
import { sql } from 'kysely'
import type { Reader } from '../../../kernel/database/database.ts'
import type { RunKey } from './store.ts'

/** Returns undefined if the event was deleted. */
export function findEvent(db: Reader, { project_id, id }: RunKey) {
  return db
    .selectFrom('events')
    .select(['id', 'type', 'subject', 'created_at'])
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Newest first. Searches only the newest 1000 events of the project, which keeps the query fast. */
export async function listPastEvents(
  db: Reader,
  { project_id, type, count }: { project_id: string; type: string; count: number },
): Promise<{ id: string }[]> {
  const newest = db
    .selectFrom('events')
    .select(['id', 'type'])
    .where('project_id', '=', project_id)
    .orderBy('id', 'desc')
    .limit(1000)
  return db
    .selectFrom(newest.as('newest'))
    .select('id')
    .where('type', '=', sql<never>`${type}`)
    .orderBy('id', 'desc')
    .limit(count)
    .execute()
}
