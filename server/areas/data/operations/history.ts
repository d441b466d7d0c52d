/** The operations on earlier versions of documents. */
import { limits } from '../../../contract/limits.ts'
import { operation } from '../../../contract/operation.ts'
import { PageQuery } from '../../../contract/schema/pages.ts'
import * as history from '../history/history.ts'
import { DocumentVersions, RestoreInput } from '../history/history-schema.ts'
import { Document, DocumentParams } from '../schema.ts'

const DAY_S = 86_400

export const versions = operation({
  name: 'documents.versions',
  route: 'GET /collections/{name}/documents/{id}/versions',
  about:
    'The versions of a document, newest first: their data, who wrote them and when. The newest ' +
    `${limits.document_versions_kept_max} earlier versions are kept for ` +
    `${limits.document_versions_kept_s / DAY_S} days, also of a deleted document.`,
  keywords:
    'revision history, what changed, edits, diff, who changed the record, previous values, audit',
  scope: 'data:read',
  reach: 'selection',
  effect: 'read',
  params: DocumentParams,
  query: PageQuery,
  status: 200,
  reply: DocumentVersions,
  errors: ['not_found', 'invalid_parameter'],
  run: ({ params, query }, caller) => history.list(caller, params, query),
})

export const restore = operation({
  name: 'documents.restore',
  route: 'POST /collections/{name}/documents/{id}/restore',
  about:
    'Writes the data of an earlier version as the next version of a document. A deleted document ' +
    'exists again. The data must match the current schema.',
  keywords:
    'undo, undelete, bring back, get it back, deleted by accident, overwrote, wiped, earlier ' +
    'version, recover, revert, put back, roll back, earlier state',
  scope: 'data:write',
  reach: 'selection',
  effect: 'write',
  params: DocumentParams,
  body: RestoreInput,
  status: 200,
  reply: Document,
  headers: { etag: 'version' },
  errors: [
    'not_found',
    'schema_mismatch',
    'document_too_large',
    'plan_limit_reached',
    'document_limit_reached',
    'version_conflict',
  ],
  run: ({ params, body, if_match }, caller) =>
    history.restore(caller, { ...params, version: body.version, if_match }),
})
