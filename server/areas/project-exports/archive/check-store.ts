/** SQL that checks the rows of an import, which could have been changed. */
import { sql } from 'kysely'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'

export interface ColumnOfIds {
  project_id: string
  table: string
  column: string
  /** The table whose rows have these ids. */
  of: string
}

/** Whether the column has the id of a row of another project. */
export async function hasForeignIds(
  db: Reader,
  { project_id, table, column, of }: ColumnOfIds,
): Promise<boolean> {
  const { rows } = await sql`
    select from (
      select distinct ${sql.ref(column)} as id from ${sql.table(table)} where project_id = ${project_id}
    ) r join ${sql.table(of)} o on o.id = r.id
    where o.project_id <> ${project_id} limit 1`.execute(db)
  return rows.length > 0
}

export interface FileFacts {
  project_id: string
  id: string
  bytes: string
  beside: string[]
}

export async function listFiles(db: Reader, project_id: string): Promise<FileFacts[]> {
  const { rows } = await sql<FileFacts>`
    select project_id, id, bytes, beside from files
    where project_id = ${project_id} and stored_at is not null`.execute(db)
  return rows
}

/** Whether a file has a copy whose name the blob store would refuse when the file is deleted. */
export async function hasUnusableCopies(db: Reader, project_id: string): Promise<boolean> {
  const { rows } = await sql`
    select from files, unnest(beside) as suffix
    where project_id = ${project_id}
      and (suffix is null or length(suffix) > 100 or suffix !~ '^[a-z0-9-]+([.][a-z0-9-]+)*$')
    limit 1`.execute(db)
  return rows.length > 0
}

const columnsOfTimes = [
  ['documents', 'created_at'],
  ['conversations', 'created_at'],
] as const

/** The first of these tables that has a row of the future; null if none has. */
export async function findFutureRows(
  db: Reader,
  { project_id, now }: { project_id: string; now: Date },
): Promise<string | null> {
  for (const [table, column] of columnsOfTimes) {
    const { rows } = await sql`
      select from ${sql.table(table)}
      where project_id = ${project_id} and ${sql.ref(column)} > ${now} limit 1`.execute(db)
    if (rows.length > 0) return table
  }
  return null
}

/** Far above what documents reach, and far below where the next number would overflow. */
const CHANGE_NUMBER_MAX = 1_000_000_000_000_000n

/** Whether a number of changes is one that no installation reaches. */
export async function hasUnusableChangeNumbers(db: Reader, project_id: string): Promise<boolean> {
  const { rows } = await sql`
    select from (
      select change_number as number from collections where project_id = ${project_id}
      union all
      select deleted_change_number from data_usage where project_id = ${project_id}
    ) as r where number < 0 or number > ${CHANGE_NUMBER_MAX}::bigint limit 1`.execute(db)
  return rows.length > 0
}

/** Whether the assistant transfers calls to a text that is no phone number. */
export async function hasUnusableTransfer(db: Reader, project_id: string): Promise<boolean> {
  const { rows } = await sql`
    select from assistants
    where project_id = ${project_id} and transfer_phone !~ '^[+][1-9][0-9]{1,14}$'`.execute(db)
  return rows.length > 0
}

/** Sets the counters of collections and the usage of storage to the sums of the imported rows. */
export async function countUsage(tx: Transaction, project_id: string): Promise<void> {
  await sql`
    update collections as c set document_count = d.count, bytes = d.bytes
    from (
      select c.id, count(d.id) as count, coalesce(sum(d.bytes), 0) as bytes
      from collections as c left join documents as d
        on d.project_id = c.project_id and d.collection_id = c.id
      where c.project_id = ${project_id} group by c.id
    ) as d
    where c.project_id = ${project_id} and c.id = d.id`.execute(tx)
  await sql`
    insert into data_usage (project_id, bytes, versions_bytes)
    select ${project_id}::uuid,
      coalesce((select sum(bytes) from documents where project_id = ${project_id}), 0),
      coalesce((select sum(bytes) from document_versions where project_id = ${project_id}), 0)
    where exists (select from collections where project_id = ${project_id})
      or exists (select from data_usage where project_id = ${project_id})
    on conflict (project_id) do update
      set bytes = excluded.bytes, versions_bytes = excluded.versions_bytes`.execute(tx)
  await sql`
    insert into file_usage (project_id, bytes)
    select ${project_id}::uuid, sum(bytes) from files
      where project_id = ${project_id} and doomed_at is null having count(*) > 0
    on conflict (project_id) do update set bytes = excluded.bytes`.execute(tx)
}
