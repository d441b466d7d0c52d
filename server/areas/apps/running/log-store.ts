/** SQL of the log of apps and of the counts of their requests. */
import { sql, type Selectable } from 'kysely'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import type { AppHoursTable, AppLogsTable } from '../../../kernel/database/tables.ts'

export type LogRow = Selectable<AppLogsTable>
export type HourRow = Selectable<AppHoursTable>

/** Leaves out lines of apps that were deleted meanwhile. */
export async function insertLines(tx: Transaction, rows: readonly LogRow[]): Promise<void> {
  if (rows.length === 0) return
  const of = <Value>(value: (row: LogRow) => Value) => rows.map(value)
  await sql`
    insert into app_logs (project_id, app_id, id, level, text, place, version, at)
    select g.* from unnest(${of((row) => row.project_id)}::uuid[], ${of((row) => row.app_id)}::uuid[],
      ${of(({ id }) => id)}::uuid[], ${of(({ level }) => level)}::text[],
      ${of(({ text }) => text)}::text[], ${of(({ place }) => place)}::text[],
      ${of(({ version }) => version)}::integer[], ${of(({ at }) => at)}::timestamptz[])
      as g (project_id, app_id, id, level, text, place, version, at)
    where exists (select 1 from apps as a where a.project_id = g.project_id and a.id = g.app_id)
  `.execute(tx)
}

export async function addHours(tx: Transaction, rows: readonly HourRow[]): Promise<void> {
  for (const { project_id, app_id, hour, requests, errors } of rows) {
    await sql`
      insert into app_hours (project_id, app_id, hour, requests, errors)
      select project_id, id, ${hour}, ${requests}, ${errors} from apps
      where project_id = ${project_id} and id = ${app_id}
      on conflict (project_id, app_id, hour) do update
        set requests = app_hours.requests + excluded.requests,
          errors = app_hours.errors + excluded.errors
    `.execute(tx)
  }
}

const failures: readonly LogRow['level'][] = ['error', 'exception', 'system']

interface OfLog {
  project_id: string
  app_id: string
  only_errors: boolean
}

function linesOf(db: Reader, { project_id, app_id, only_errors }: OfLog) {
  return db
    .selectFrom('app_logs')
    .selectAll()
    .where((of) => of.and({ project_id, app_id }))
    .$if(only_errors, (query) => query.where('level', 'in', failures))
}

export function listLines(
  db: Reader,
  { after, count, ...of }: OfLog & { count: number; after: string | null },
): Promise<LogRow[]> {
  return linesOf(db, of)
    .$if(after !== null, (query) => query.where('id', '<', after))
    .orderBy('id', 'desc')
    .limit(count)
    .execute()
}

/** Lines after an id, the oldest first. */
export function listLinesAfter(
  db: Reader,
  { after, count, ...of }: OfLog & { count: number; after: string },
): Promise<LogRow[]> {
  return linesOf(db, of).where('id', '>', after).orderBy('id').limit(count).execute()
}

export function listHours(
  db: Reader,
  { project_id, app_id, since }: { project_id: string; app_id: string; since: Date },
): Promise<HourRow[]> {
  return db
    .selectFrom('app_hours')
    .selectAll()
    .where((of) => of.and({ project_id, app_id }))
    .where('hour', '>=', since)
    .orderBy('hour')
    .execute()
}

/** Returns the number of deleted lines. */
export async function deleteLines(tx: Transaction, until: Date, count: number): Promise<number> {
  const { rows } = await sql`
    delete from app_logs where (project_id, app_id, id) in (
      select project_id, app_id, id from app_logs where at < ${until} limit ${count})
    returning 1`.execute(tx)
  return rows.length
}

export async function deleteHours(tx: Transaction, until: Date): Promise<void> {
  await tx.deleteFrom('app_hours').where('hour', '<', until).execute()
}
