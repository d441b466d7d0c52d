/** The SQL of changes. They are written with the documents, in document-store.ts. */
import { sql, type Selectable } from 'kysely'
import type { Reader, Transaction } from '../../kernel/database.ts'
import type { DocumentChangesTable } from '../../kernel/tables.ts'
import type { Place } from './document-store.ts'

/** The number of the newest change; undefined when there is no such collection any more. */
export async function findHead(
  db: Reader,
  { project_id, collection_id }: Place,
): Promise<bigint | undefined> {
  const row = await db
    .selectFrom('collections')
    .select('change_number')
    .where('project_id', '=', project_id)
    .where('id', '=', collection_id)
    .executeTakeFirst()
  return row?.change_number
}

export type ChangeRow = Pick<
  Selectable<DocumentChangesTable>,
  'number' | 'kind' | 'document_id' | 'version'
>

/** The changes after one, in the order of their numbers. */
export function readChanges(
  db: Reader,
  { project_id, collection_id, after, count }: Place & { after: bigint; count: number },
): Promise<ChangeRow[]> {
  return db
    .selectFrom('document_changes')
    .select(['number', 'kind', 'document_id', 'version'])
    .where('project_id', '=', project_id)
    .where('collection_id', '=', collection_id)
    .where('number', '>', after)
    .orderBy('number')
    .limit(count)
    .execute()
}

/** Deletes changes made before a time, at most `limit` of them, and tells how many. */
export async function deleteChanges(
  tx: Transaction,
  { until, limit }: { until: Date; limit: number },
): Promise<number> {
  const result = await sql`
    delete from document_changes where (project_id, collection_id, number) in (
      select project_id, collection_id, number from document_changes
      where created_at < ${until} order by created_at limit ${limit}
    )
  `.execute(tx)
  return Number(result.numAffectedRows ?? 0n)
}
