/** The SQL of calls. */
import { sql, type Insertable, type Selectable } from 'kysely'
import type { Reader, Transaction } from '../../kernel/database/database.ts'
import type { CallsTable } from '../../kernel/database/tables.ts'

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

/** Identifies a call. */
export interface CallKey {
  project_id: string
  id: string
}

/** Returns the calls in the order of the ids; undefined for a missing one. */
export async function findMany(
  db: Reader,
  keys: readonly CallKey[],
): Promise<(CallRow | undefined)[]> {
  return inOrder(keys, await amongKeys(db, keys).selectAll('calls').execute())
}

/** Like `findMany`, without the columns that lists omit. */
export async function findListed(
  db: Reader,
  keys: readonly CallKey[],
): Promise<(ListedCall | undefined)[]> {
  return inOrder(
    keys,
    await amongKeys(db, keys)
      .select([...listedColumns, 'calls.project_id'])
      .execute(),
  )
}

function amongKeys(db: Reader, keys: readonly CallKey[]) {
  const projects = keys.map(({ project_id }) => project_id)
  const ids = keys.map(({ id }) => id)
  return db
    .selectFrom('calls')
    .innerJoin(
      sql<CallKey>`unnest(${projects}::uuid[], ${ids}::uuid[])`.as<'key'>(
        sql`key (project_id, id)`,
      ),
      (join) =>
        join.onRef('key.project_id', '=', 'calls.project_id').onRef('key.id', '=', 'calls.id'),
    )
}

function inOrder<Row extends CallKey>(keys: readonly CallKey[], rows: readonly Row[]) {
  const name = ({ project_id, id }: CallKey) => `${project_id} ${id}`
  const found = new Map(rows.map((row) => [name(row), row]))
  return keys.map((key) => found.get(name(key)))
}

const listedColumns = [
  'calls.id',
  'calls.direction',
  'calls.from_number',
  'calls.to_number',
  'calls.status',
  'calls.created_at',
  'calls.started_at',
  'calls.answered_at',
  'calls.ended_at',
  'calls.hangup_cause',
  'calls.hangup_by',
  'calls.summary_ready_at',
  'calls.test',
] as const

/** Newest first, without transcripts, which lists omit. */
export function list(db: Reader, { project_id, count, after }: CallsPage): Promise<ListedCall[]> {
  return db
    .selectFrom('calls')
    .select(listedColumns)
    .where('project_id', '=', project_id)
    .$if(after !== null, (query) => query.where('id', '<', after!))
    .orderBy('id', 'desc')
    .limit(count)
    .execute()
}

/** Returns the summary texts by the id of the call; calls without a summary are missing. */
export async function findSummaryTexts(
  db: Reader,
  project_id: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('calls')
    .select(['id', 'summary'])
    .where('project_id', '=', project_id)
    .where('id', 'in', [...ids])
    .execute()
  return new Map(rows.flatMap(({ id, summary }) => (summary ? [[id, summary.text] as const] : [])))
}

export interface NewSummary {
  project_id: string
  id: string
  summary: string
  now: Date
}

/** Stores the summary of a call that has none. Returns false if it has one or was deleted. */
export async function storeSummary(
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
