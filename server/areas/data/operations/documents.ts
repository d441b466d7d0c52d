/** The operations on single documents and batches. */
import { limits } from '../../../contract/limits.ts'
import type { JsonRecord } from '../../../contract/manifest/state-section.ts'
import { operation, type BriefReply } from '../../../contract/operation.ts'
import { batch as runBatch } from '../documents/batch.ts'
import * as documents from '../documents/documents.ts'
import { findBatchLoss, nameDocument } from '../documents/losses.ts'
import {
  BatchInput,
  BatchReply,
  CollectionParams,
  Document,
  DocumentData,
  DocumentParams,
  DocumentPatch,
  DocumentQuery,
  UpsertQuery,
} from '../schema.ts'

/** Errors of document writes. */
const refusals = [
  'not_found',
  'schema_mismatch',
  'document_too_large',
  'plan_limit_reached',
] as const

export const create = operation({
  name: 'documents.create',
  route: 'POST /collections/{name}/documents',
  about: 'Adds a document: the body is the document itself. It must match the schema.',
  keywords:
    'record, row, entry, insert, add a customer, booking, appointment, contact, product, log a ' +
    'job, put in the list, note this, write down, save, complaint, lead, order, jot',
  scope: 'data:write',
  reach: 'selection',
  effect: 'write',
  params: CollectionParams,
  body: DocumentData,
  status: 201,
  reply: Document,
  headers: { etag: 'version' },
  errors: [...refusals, 'document_limit_reached'],
  run: ({ params, body }, caller) => documents.create(caller, params.name, body),
})

export const upsert = operation({
  name: 'documents.upsert',
  route: 'PUT /collections/{name}/documents',
  about:
    'Replaces the document with the same value in the unique field `by`, or creates ' +
    'one with version 1 if there is none.',
  keywords:
    'insert or update, external id, sync, merge, unique key, if it does not exist yet, avoid ' +
    'doubles',
  scope: 'data:write',
  reach: 'selection',
  effect: 'write',
  params: CollectionParams,
  query: UpsertQuery,
  body: DocumentData,
  status: 200,
  reply: Document,
  headers: { etag: 'version' },
  errors: [...refusals, 'invalid_parameter', 'document_limit_reached', 'version_conflict'],
  run: ({ params, query, body, if_match, must_exist }, caller) => {
    const change = { data: body, version: if_match, must_exist }
    return documents.upsert(caller, { name: params.name, by: query.by, ...change })
  },
})

export const find = operation({
  name: 'documents.get',
  route: 'GET /collections/{name}/documents/{id}',
  about: 'One document, or some fields of its data. Its version is also in the ETag header.',
  keywords:
    'record, row, entry, by id, read one, selected fields, booking details, open the file of a ' +
    'customer, single',
  scope: 'data:read',
  reach: 'selection',
  effect: 'read',
  params: DocumentParams,
  query: DocumentQuery,
  status: 200,
  reply: Document,
  headers: { etag: 'version' },
  errors: ['not_found', 'invalid_parameter'],
  run: ({ params, query }, caller) => documents.show(caller, params, query.fields),
})

export const replace = operation({
  name: 'documents.replace',
  route: 'PUT /collections/{name}/documents/{id}',
  about: 'Replaces a document. With If-Match, the request is refused if the version has changed.',
  keywords: 'record, row, overwrite, put whole, set all fields, complete rewrite, swap',
  scope: 'data:write',
  reach: 'selection',
  effect: 'write',
  params: DocumentParams,
  body: DocumentData,
  status: 200,
  reply: Document,
  headers: { etag: 'version' },
  errors: [...refusals, 'version_conflict'],
  run: ({ params, body, if_match }, caller) =>
    documents.replace(caller, { ...params, data: body, version: if_match }),
})

export const patch = operation({
  name: 'documents.update',
  route: 'PATCH /collections/{name}/documents/{id}',
  about:
    'Changes a document with a JSON merge patch (RFC 7396): given fields are set, ' +
    'fields with null are removed, other fields stay. The result must match the schema.',
  keywords:
    'record, row, entry, edit, change price, mark as done, move booking, reschedule, correct, ' +
    'status, set, paid, tick off, wrong number, new address, product, correct a typo',
  scope: 'data:write',
  reach: 'selection',
  effect: 'write',
  params: DocumentParams,
  body: DocumentPatch,
  status: 200,
  reply: Document,
  headers: { etag: 'version' },
  errors: [...refusals, 'version_conflict'],
  run: ({ params, body, if_match }, caller) =>
    documents.patch(caller, { ...params, data: body, version: if_match }),
})

export const remove = operation({
  name: 'documents.delete',
  route: 'DELETE /collections/{name}/documents/{id}',
  about: 'Deletes a document. With If-Match, the request is refused if the version has changed.',
  keywords:
    'record, row, entry, remove, spam submission, guest book, cancel booking, duplicate, ' +
    'double, in there twice, strike, customer data',
  consent: {
    about: 'Deletes a document.',
    subject: ({ params: { name, id } }, caller) => nameDocument(caller, name, id),
  },
  scope: 'data:write',
  reach: 'selection',
  effect: 'write',
  params: DocumentParams,
  status: 204,
  headers: { etag: 'version' },
  errors: ['not_found', 'version_conflict'],
  run: ({ params, if_match }, caller) => documents.remove(caller, { ...params, version: if_match }),
})

export const batch = operation({
  name: 'documents.batch',
  route: 'POST /collections/{name}/documents/batch',
  about:
    `Creates, replaces, patches and deletes up to ${limits.batch_operations_max} ` +
    'documents in one request, in order. By default all or none succeed; with ' +
    'each_alone, failed operations do not stop the others.',
  keywords:
    'bulk, many records at once, mass update, multiple rows, ten percent cheaper, remove all ' +
    'older than, matching filter, insert 500, upsert many, several at once, raise all prices, ' +
    'mark all, clear old, whole list',
  consent: {
    about: 'Changes many documents at once.',
    loses: ({ params, body }, caller) => findBatchLoss(caller, params.name, body),
  },
  scope: 'data:write',
  reach: 'selection',
  effect: 'write',
  params: CollectionParams,
  body: BatchInput,
  body_rules: {
    bytes_max: limits.batch_body_bytes_max,
    values_max: limits.batch_values_max,
    refuses_itself: (body, path) =>
      /^\/operations\/\d+\/data\//.test(path) && Object(body)['each_alone'] === true,
  },
  status: 200,
  reply: BatchReply,
  brief: briefBatch,
  errors: [...refusals, 'document_limit_reached', 'version_conflict'],
  run: ({ params, body }, caller) => runBatch(caller, params.name, body),
})

/**
 * The number of documents by kind, the ids of new ones, and the failures with their positions, which name
 * the fields that the sender of a form chose.
 */
function briefBatch({ results }: JsonRecord): BriefReply {
  const all = Array.isArray(results) ? results.map((one, index) => ({ ...one, index })) : []
  const failures = all
    .filter(({ error }) => error !== null)
    .map(({ index, op, error }) => ({ index, op, error }))
  const done = Object.groupBy(
    all.filter(({ error }) => error === null),
    ({ op }) => String(op),
  )
  const counts = Object.entries(done).map(([op, some = []]) => [op, some.length])
  const created = (done['create'] ?? []).map(({ id }) => id)
  const reply = {
    done: Object.fromEntries(counts),
    ...(created.length > 0 && created.length <= IDS_MAX && { created }),
  }
  return failures.length === 0
    ? { reply }
    : { reply, outsiders: { failures: JSON.stringify(failures) } }
}

const IDS_MAX = 10
