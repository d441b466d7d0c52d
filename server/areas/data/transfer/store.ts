/** The SQL of exports, besides the document list. */
import { sql } from 'kysely'
import type { Reader } from '../../../kernel/database/database.ts'
import type { CollectionScope } from '../documents/document-store.ts'

/** Returns the distinct top-level field names of the documents, in code point order. */
export async function findFieldNames(
  db: Reader,
  { project_id, collection_id, limit }: CollectionScope & { limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct k.name collate "C" as name
    from documents as d, jsonb_object_keys(d.data) as k (name)
    where d.project_id = ${project_id} and d.collection_id = ${collection_id}
    order by 1 limit ${limit}
  `.execute(db)
  return rows.map(({ name }) => name)
}
