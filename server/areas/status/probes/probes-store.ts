/** The SQL of probes, their daily results, and proposals. */
import { sql, type Selectable } from 'kysely'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import type { StatusProbesTable, StatusProposalsTable } from '../../../kernel/database/tables.ts'

export type ProbeRow = Selectable<StatusProbesTable>
export type ProposalRow = Selectable<StatusProposalsTable>

/** Locks the last probes. Creates the rows of new components, so that the locks always exist. */
export async function lockProbes(
  tx: Transaction,
  components: readonly string[],
): Promise<ProbeRow[]> {
  await sql`
    insert into status_probes (component, probed_at, failures)
    select component, to_timestamp(0), 0 from unnest(${components}::text[]) as component
    on conflict do nothing`.execute(tx)
  return tx.selectFrom('status_probes').selectAll().orderBy('component').forUpdate().execute()
}

export async function saveProbes(tx: Transaction, rows: readonly ProbeRow[]): Promise<void> {
  await sql`
    update status_probes as p set probed_at = r.probed_at, failures = r.failures,
      failing_since = r.failing_since
    from jsonb_populate_recordset(null::status_probes, ${JSON.stringify(rows)}::jsonb) as r
    where p.component = r.component`.execute(tx)
}

export interface DayResult {
  component: string
  day: string
  probes: number
  failed: number
}

export async function addResults(tx: Transaction, results: readonly DayResult[]): Promise<void> {
  await sql`
    insert into status_days (component, day, probes, failed)
    select component, day, probes, failed
    from jsonb_populate_recordset(null::status_days, ${JSON.stringify(results)}::jsonb)
    on conflict (component, day) do update
      set probes = status_days.probes + excluded.probes,
        failed = status_days.failed + excluded.failed`.execute(tx)
}

export function listDays(db: Reader, since: string): Promise<DayResult[]> {
  return db
    .selectFrom('status_days')
    .selectAll()
    .where('day', '>=', since)
    .orderBy('component')
    .orderBy('day')
    .execute()
}

export function listOpenProposals(db: Reader): Promise<ProposalRow[]> {
  return db
    .selectFrom('status_proposals')
    .selectAll()
    .where('decided_at', 'is', null)
    .orderBy('created_at', 'desc')
    .execute()
}

/** The components of reports that operators dismissed since a time. */
export async function listDismissed(
  tx: Transaction,
  since: Date,
): Promise<Pick<ProposalRow, 'components' | 'created_at'>[]> {
  return tx
    .selectFrom('status_proposals')
    .select(['components', 'created_at'])
    .where('decision', '=', 'dismissed')
    .where('kind', '=', 'report')
    .where('created_at', '>=', since)
    .execute()
}

export async function insertProposals(
  tx: Transaction,
  rows: readonly ProposalRow[],
): Promise<void> {
  if (rows.length > 0)
    await tx
      .insertInto('status_proposals')
      .values([...rows])
      .execute()
}

export type Decision = NonNullable<ProposalRow['decision']>

export interface DecisionValues {
  ids: readonly string[]
  decision: Decision
  decided_at: Date
  /** The incident that was published; undefined leaves it as it is. */
  incident_id?: string
}

/** Decides open proposals, and returns their ids. */
export async function decideProposals(
  tx: Transaction,
  { ids, ...values }: DecisionValues,
): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await tx
    .updateTable('status_proposals')
    .set(values)
    .where('id', 'in', ids)
    .where('decided_at', 'is', null)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Deletes results and decided proposals from before a time. */
export async function deleteOld(
  tx: Transaction,
  { day, before }: { day: string; before: Date },
): Promise<void> {
  await tx.deleteFrom('status_days').where('day', '<', day).execute()
  await tx.deleteFrom('status_proposals').where('decided_at', '<', before).execute()
}
