/** The public functions of the data area for other areas. */
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
export { createOnce, type OwnDocument } from './documents/create-once.ts'
export { findFieldNames, listFormTargets } from './store.ts'
export { parseFieldPath, writeFieldPath } from './field-path.ts'
export { findTimezone } from './collections/time-zone.ts'
export { readTimezone } from './query/page.ts'
export { findAddressesInDocuments, type KnownAddress } from './documents/known-address-store.ts'
export type { FieldUse } from './query/filter/field-use.ts'
export { parseFilter } from './query/filter/filter-grammar.ts'
export type { Filter, FilterField, Literal } from './query/filter/filter.ts'
export { isTimezone, timeOf as parseTime } from './query/filter/times.ts'
