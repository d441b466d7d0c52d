/** The SQL that reads the documents of catalogues, for the payments area. */
import type { Reader } from '../../../kernel/database/database.ts'
import { sql } from 'kysely'

export interface ProductDocument {
  id: string
  collection_id: string
  /** Name of the collection. */
  collection: string
  data: unknown
}

function productsOf(db: Reader, project_id: string) {
  return db
    .selectFrom('documents')
    .innerJoin('collections', (join) =>
      join
        .onRef('collections.project_id', '=', 'documents.project_id')
        .onRef('collections.id', '=', 'documents.collection_id'),
    )
    .where('documents.project_id', '=', project_id)
    .where('collections.project_id', '=', project_id)
    .where('collections.catalogue', '=', true)
    .select([
      'documents.id',
      'documents.collection_id',
      'collections.name as collection',
      'documents.data',
    ])
}

/** Finds documents of any catalogue of the project. */
export function findProductDocuments(
  db: Reader,
  project_id: string,
  ids: readonly string[],
): Promise<ProductDocument[]> {
  return productsOf(db, project_id)
    .where(sql<boolean>`documents.id = any(${ids}::uuid[])`)
    .orderBy('documents.collection_id')
    .execute()
}

export interface ProductsPage {
  project_id: string
  /** Null: of all catalogues. */
  collection: string | null
  count: number
  after: string | null
}

/** Newest first. */
export function listProductDocuments(
  db: Reader,
  { project_id, collection, count, after }: ProductsPage,
): Promise<ProductDocument[]> {
  return productsOf(db, project_id)
    .$if(collection !== null, (query) => query.where('collections.name', '=', collection!))
    .$if(after !== null, (query) => query.where('documents.id', '<', after!))
    .orderBy('documents.id', 'desc')
    .limit(count)
    .execute()
}
