/**
 * Presenters of collections and written documents. show.ts presents documents that are only read.
 */
import { isObject } from '../json-schema/service.ts'
import type { DocumentRow } from './documents/document-store.ts'
import type { Collection, Document, JsonObject } from './schema.ts'
import type { CollectionRow } from './store.ts'

export function presentCollection(row: CollectionRow): Collection {
  return {
    id: row.id,
    name: row.name,
    title: row.title,
    schema: JSON.parse(row.schema),
    public_write: row.public_write,
    public_read: row.public_read,
    readable_fields: row.readable_fields,
    webhook_on_insert: row.webhook_on_insert,
    indexes: row.indexes,
    unique: row.unique_fields,
    document_count: row.document_count,
    bytes: Number(row.bytes),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    test: row.test,
    assistant_facts: row.assistant_facts,
    form: { challenge: row.form.challenge },
    catalogue: row.catalogue,
  }
}

export function presentDocument(row: DocumentRow, collection_name: string): Document {
  return {
    id: row.id,
    collection: collection_name,
    data: dataOf(row),
    version: row.version,
    source: row.source,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    test: row.test,
  }
}

/** The data of a document, which is always a JSON object. */
function dataOf({ data }: Pick<DocumentRow, 'data'>): JsonObject {
  if (isObject(data)) return data
  throw new Error('The data of a document is a JSON object.')
}
