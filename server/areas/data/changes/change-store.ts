/** The SQL of the change log. document-store.ts inserts the changes together with the documents. */
import { sql, type Selectable } from 'kysely'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import type { DocumentChangesTable } from '../../../kernel/database/tables.ts'
import type { CollectionScope } from '../documents/document-store.ts'

/** Returns the number of the newest change; undefined if the collection no longer exists. */
export async function findHead(
  db: Reader,
  { project_id, collection_id }: CollectionScope,
): Promise<bigint | undefined> {
  const row = await db
    .selectFrom('collections')
    .select('change_number')
    .where('project_id', '=', project_id)
    .where('id', '=', collection_id)
    .executeTakeFirst()
  return row?.change_number
}

/** Maximum number of changes in a table row; a check constraint enforces it too. */
export const CHANGES_IN_A_ROW = 100

export interface ChangeRow extends Pick<
  Selectable<DocumentChangesTable>,
  'number' | 'kind' | 'version'
> {
  document_id: string
}

/**
 * Returns changes after a number, in order. A row holds up to 100 consecutive changes, so rows that
 * start up to 100 numbers earlier are read too.
 */
export async function readChanges(
  db: Reader,
  { project_id, collection_id, after, count }: CollectionScope & { after: bigint; count: number },
): Promise<ChangeRow[]> {
  const { rows } = await sql<ChangeRow>`
    select c.number + e.place - 1 as number, c.kind, e.document_id, c.version
    from (
      select number, kind, version, document_ids from document_changes
      where project_id = ${project_id} and collection_id = ${collection_id}
        and number > ${after}::bigint - ${CHANGES_IN_A_ROW}::bigint
      order by number limit ${CHANGES_IN_A_ROW + count}
    ) as c
    cross join lateral unnest(c.document_ids) with ordinality as e (document_id, place)
    where c.number + e.place - 1 > ${after}::bigint
    order by 1 limit ${count}
  `.execute(db)
  return rows
}

/** Deletes at most `limit` rows created before `until`. Returns the number of deleted rows. */
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
