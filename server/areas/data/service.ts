/** The public functions of the data area for other areas. */
export { findCollection, type CompiledCollection } from './collections/collections.ts'
export { readAllDocuments, writeImported, type StoredDocument } from './documents/all-documents.ts'
export { findFieldNames, listFormTargets } from './store.ts'
export { parseFieldPath, writeFieldPath } from './fields/field-path.ts'
export { readTimezone } from './query/page.ts'
