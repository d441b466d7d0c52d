/** Creates a document for another area, once for its id. */
import type { Runtime } from '../../../kernel/runtime.ts'
import { findPublicCollection } from '../collections/collections.ts'
import type { JsonObject } from '../schema.ts'
import { findDocumentIn } from './document-store.ts'
import { createDocument } from './documents.ts'

export interface OwnDocument {
  project_id: string
  /** Name and id: a new collection of the same name is another one. */
  collection: string
  collection_id: string
  id: string
  data: JsonObject
  test: boolean
}

/** Returns why it was refused; null if it is stored, now or before. */
export async function createOnce(runtime: Runtime, document: OwnDocument): Promise<string | null> {
  const { project_id, collection: name, collection_id, id, data, test } = document
  const collection = await findPublicCollection(runtime, project_id, name)
  if (collection?.row.id !== collection_id) return 'The collection was deleted.'
  if (await findDocumentIn(runtime.db, { project_id, name, id })) return null
  const written = await createDocument(runtime, collection, { id, data, source: 'form', test })
  return 'refusal' in written ? written.refusal.detail : null
}
