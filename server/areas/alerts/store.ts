/** SQL of alerts. They belong to the installation, not to a project. */
import { sql, type Selectable } from 'kysely'
import type { Reader, Transaction } from '../../kernel/database/database.ts'
import type { AlertChannelsTable, AlertsTable } from '../../kernel/database/tables.ts'

export type AlertRow = Selectable<AlertsTable>
export type ChannelRow = Selectable<AlertChannelsTable>
export type Channel = ChannelRow['channel']

/** Locks the evaluation until the transaction ends, and records its time. */
export async function lockEvaluation(tx: Transaction, now: Date): Promise<void> {
  await sql`
    insert into alert_checks (id, checked_at) values (1, ${now})
    on conflict (id) do update set checked_at = excluded.checked_at`.execute(tx)
}

/** The time of the last evaluation; null before the first. */
export async function readCheckedAt(db: Reader): Promise<Date | null> {
  const row = await db.selectFrom('alert_checks').select('checked_at').executeTakeFirst()
  return row?.checked_at ?? null
}

/** Alerts that are pending or firing. */
export function listOpen(db: Reader): Promise<AlertRow[]> {
  return db
    .selectFrom('alerts')
    .selectAll()
    .where('state', '<>', 'resolved')
    .orderBy('began_at')
    .orderBy('id')
    .execute()
}

export function listResolved(
  db: Reader,
  { since, count }: { since: Date; count: number },
): Promise<AlertRow[]> {
  return db
    .selectFrom('alerts')
    .selectAll()
    .where('state', '=', 'resolved')
    .where('resolved_at', '>=', since)
    .orderBy('resolved_at', 'desc')
    .limit(count)
    .execute()
}

/** The number of firing alerts by kind. */
export async function countFiring(db: Reader): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('alerts')
    .select(({ fn }) => ['kind', fn.countAll<string>().as('count')])
    .where('state', '=', 'firing')
    .groupBy('kind')
    .execute()
  return new Map(rows.map(({ kind, count }) => [kind, Number(count)]))
}

/** Inserts new alerts, and replaces those with a known id. */
export async function saveAlerts(tx: Transaction, rows: readonly AlertRow[]): Promise<void> {
  if (rows.length === 0) return
  await sql`
    insert into alerts
    select * from jsonb_populate_recordset(null::alerts, ${JSON.stringify(rows)}::jsonb)
    on conflict (id) do update
      set state = excluded.state, detail = excluded.detail, seen_at = excluded.seen_at,
        fired_at = excluded.fired_at, sent_at = excluded.sent_at,
        cleared_at = excluded.cleared_at, resolved_at = excluded.resolved_at`.execute(tx)
}

export async function deleteAlerts(tx: Transaction, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await tx.deleteFrom('alerts').where('id', 'in', ids).execute()
}

export async function deleteResolved(tx: Transaction, before: Date): Promise<void> {
  await tx
    .deleteFrom('alerts')
    .where('state', '=', 'resolved')
    .where('resolved_at', '<', before)
    .execute()
}

export function listChannels(db: Reader): Promise<ChannelRow[]> {
  return db.selectFrom('alert_channels').selectAll().execute()
}

export async function recordDelivery(
  tx: Transaction,
  { channel, ...change }: Pick<ChannelRow, 'channel'> & Partial<ChannelRow>,
): Promise<void> {
  await tx
    .insertInto('alert_channels')
    .values({ channel, ...change })
    .onConflict((conflict) => conflict.column('channel').doUpdateSet(change))
    .execute()
}
