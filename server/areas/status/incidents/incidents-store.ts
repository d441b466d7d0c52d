/** The SQL of incidents and maintenance. */
import { sql, type Selectable } from 'kysely'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import type { StatusIncidentsTable, StatusUpdatesTable } from '../../../kernel/database/tables.ts'

export type IncidentRow = Selectable<StatusIncidentsTable>
export type UpdateRow = Selectable<StatusUpdatesTable>

export interface IncidentWithUpdates extends IncidentRow {
  /** Newest first. */
  updates: UpdateRow[]
}

export async function insertIncident(tx: Transaction, row: IncidentRow): Promise<void> {
  await tx.insertInto('status_incidents').values(row).execute()
}

export async function insertUpdate(tx: Transaction, row: UpdateRow): Promise<void> {
  await tx.insertInto('status_updates').values(row).execute()
}

export async function countOpen(tx: Transaction): Promise<number> {
  // The lock makes concurrent inserts count one after another.
  await sql`select pg_advisory_xact_lock(hashtext('status_incidents'))`.execute(tx)
  const { count } = await tx
    .selectFrom('status_incidents')
    .where('ended_at', 'is', null)
    .select((row) => row.fn.countAll<bigint>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function countUpdates(tx: Transaction, incident_id: string): Promise<number> {
  const { count } = await tx
    .selectFrom('status_updates')
    .where('incident_id', '=', incident_id)
    .select((row) => row.fn.countAll<bigint>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export function lockIncident(tx: Transaction, id: string): Promise<IncidentRow | undefined> {
  return tx
    .selectFrom('status_incidents')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export type IncidentValues = Partial<Omit<IncidentRow, 'id' | 'kind'>>

export async function changeIncident(
  tx: Transaction,
  id: string,
  values: IncidentValues,
): Promise<void> {
  if (Object.keys(values).length === 0) return
  await tx.updateTable('status_incidents').set(values).where('id', '=', id).execute()
}

export function deleteIncident(
  tx: Transaction,
  id: string,
): Promise<{ id: string; title: string } | undefined> {
  return tx
    .deleteFrom('status_incidents')
    .where('id', '=', id)
    .returning(['id', 'title'])
    .executeTakeFirst()
}

/** A page of incidents, newest first; with `only_open`, only those that have not ended. */
export interface IncidentsWanted {
  /** Id of the last incident of the page before; null for the first page. */
  after: string | null
  count: number
  only_open: boolean
}

export function listIncidents(
  db: Reader,
  { after, count, only_open }: IncidentsWanted,
): Promise<IncidentWithUpdates[]> {
  let rows = db.selectFrom('status_incidents').selectAll()
  if (after !== null) rows = rows.where('id', '<', after)
  if (only_open) rows = rows.where('ended_at', 'is', null)
  return rows
    .orderBy('id', 'desc')
    .limit(count)
    .execute()
    .then((found) => withUpdates(db, found))
}

export async function findIncident(
  db: Reader,
  id: string,
): Promise<IncidentWithUpdates | undefined> {
  const rows = await db.selectFrom('status_incidents').selectAll().where('id', '=', id).execute()
  const [incident] = await withUpdates(db, rows)
  return incident
}

/** Lists all open incidents, and the newest `count` that began since `since`. */
export async function listPublished(
  db: Reader,
  { since, count }: { since: Date; count: number },
): Promise<IncidentWithUpdates[]> {
  const { rows } = await sql<IncidentRow>`
    select * from status_incidents where ended_at is null
    union
    (select * from status_incidents where started_at >= ${since}
      order by started_at desc limit ${count})
    order by started_at desc, id desc`.execute(db)
  return withUpdates(db, rows)
}

export function listOpen(db: Reader): Promise<IncidentRow[]> {
  return db
    .selectFrom('status_incidents')
    .selectAll()
    .where('ended_at', 'is', null)
    .orderBy('started_at', 'desc')
    .execute()
}

async function withUpdates(
  db: Reader,
  incidents: readonly IncidentRow[],
): Promise<IncidentWithUpdates[]> {
  if (incidents.length === 0) return []
  const ids = incidents.map(({ id }) => id)
  const updates = await db
    .selectFrom('status_updates')
    .selectAll()
    .where('incident_id', 'in', ids)
    .orderBy('id', 'desc')
    .execute()
  const byIncident = Map.groupBy(updates, ({ incident_id }) => incident_id)
  return incidents.map((row) => ({ ...row, updates: byIncident.get(row.id) ?? [] }))
}

/** Locks maintenance whose planned start or end has passed and is not recorded yet. */
export function lockDueMaintenance(tx: Transaction, now: Date): Promise<IncidentRow[]> {
  return tx
    .selectFrom('status_incidents')
    .selectAll()
    .where('kind', '=', 'maintenance')
    .where('ended_at', 'is', null)
    .where((row) =>
      row.or([
        row.and([row('state', '=', 'scheduled'), row('started_at', '<=', now)]),
        row('planned_until', '<=', now),
      ]),
    )
    .orderBy('id')
    .forUpdate()
    .execute()
}
