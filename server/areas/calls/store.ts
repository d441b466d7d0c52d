/** The SQL of calls. */
import type { Insertable, Selectable } from 'kysely'
import type { Reader, Transaction } from '../../kernel/database.ts'
import type { CallsTable } from '../../kernel/tables.ts'

export type CallRow = Selectable<CallsTable>
export type ListedCall = Omit<
  CallRow,
  'project_id' | 'number_id' | 'language' | 'path' | 'transcript' | 'wants_summary' | 'summary'
>

export async function insert(tx: Transaction, row: Insertable<CallsTable>): Promise<void> {
  await tx.insertInto('calls').values(row).execute()
}

export function find(db: Reader, project_id: string, id: string): Promise<CallRow | undefined> {
  return db
    .selectFrom('calls')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .executeTakeFirst()
}

export interface CallsPage {
  project_id: string
  count: number
  after: string | null
}

/** Newest first. The transcript stays where it is: lists do not show it. */
export function list(db: Reader, { project_id, count, after }: CallsPage): Promise<ListedCall[]> {
  return db
    .selectFrom('calls')
    .select([
      'id',
      'direction',
      'from_number',
      'to_number',
      'status',
      'created_at',
      'started_at',
      'answered_at',
      'ended_at',
      'hangup_cause',
      'hangup_by',
      'summary_ready_at',
      'test',
    ])
    .where('project_id', '=', project_id)
    .$if(after !== null, (query) => query.where('id', '<', after!))
    .orderBy('id', 'desc')
    .limit(count)
    .execute()
}

export interface NewSummary {
  project_id: string
  id: string
  summary: string
  now: Date
}

/** Keeps the summary of a call that has none yet. False when it has one, or is gone. */
export async function keepSummary(
  tx: Transaction,
  { project_id, id, summary, now }: NewSummary,
): Promise<boolean> {
  const result = await tx
    .updateTable('calls')
    .set({ summary, summary_ready_at: now })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .where('wants_summary', '=', true)
    .where('summary_ready_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}
