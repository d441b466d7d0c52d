/** The public functions of the data area for other areas. */
import type { Runtime } from '../../kernel/runtime.ts'
import { findPublicCollection } from './collections/collections.ts'
import type { JsonObject } from './schema.ts'
import { findDocumentIn } from './documents/document-store.ts'
import { createDocument } from './documents/documents.ts'

export { findCollection, type CompiledCollection } from './collections/collections.ts'
export { readAllDocuments, writeImported, type StoredDocument } from './documents/all-documents.ts'
export {
  findProductDocuments,
  listProductDocuments,
  type ProductDocument,
} from './documents/product-store.ts'
export { Challenge, GuestQuery } from './public/form-schema.ts'
export { setFullNotice } from './public/forms.ts'
export { lowerNumber } from './documents/lower-number.ts'
export { findFieldNames, listFormTargets } from './store.ts'
export { parseFieldPath, writeFieldPath } from './field-path.ts'
export { findTimezone } from './collections/time-zone.ts'
export { readTimezone } from './query/page.ts'
export { findAddressesInDocuments, type KnownAddress } from './documents/known-address-store.ts'
export type { FieldUse } from './query/filter/field-use.ts'
export { parseFilter } from './query/filter/filter-grammar.ts'
export type { Filter, FilterField, Literal } from './query/filter/filter.ts'
export { isTimezone, timeOf as parseTime } from './query/filter/times.ts'

/** A document that another area creates, once for its id. */
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
