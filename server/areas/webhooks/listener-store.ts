/** The SQL of a listener: new events of a project. Read-only. */
import { sql } from 'kysely'
import type { Subject } from '../../contract/events.ts'
import type { Reader } from '../../kernel/database/database.ts'

export interface HappenedEvent {
  id: string
  type: string
  subject: Subject
  created_at: Date
}

export async function findLatestId(db: Reader, project_id: string): Promise<string | null> {
  const row = await db
    .selectFrom('events')
    .select('id')
    .where('project_id', '=', project_id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? null
}

/** Events of these types after an id, excluding seen ones, in the order of their ids. */
export async function listNewEvents(
  db: Reader,
  { project_id, after, seen, types, count }: NewEventsQuery,
): Promise<HappenedEvent[]> {
  const { rows } = await sql<HappenedEvent>`
    select id, type, subject, created_at from events
    where project_id = ${project_id} and id > ${after} and id <> all (${seen}::text[])
      and type = any (${types}::text[])
    order by id limit ${count}`.execute(db)
  return rows
}

export interface NewEventsQuery {
  project_id: string
  after: string
  seen: readonly string[]
  types: readonly string[]
  count: number
}

export async function listIdsAfter(
  db: Reader,
  project_id: string,
  after: string,
): Promise<string[]> {
  const rows = await db
    .selectFrom('events')
    .select('id')
    .where('project_id', '=', project_id)
    .where('id', '>', after)
    .execute()
  return rows.map(({ id }) => id)
}
