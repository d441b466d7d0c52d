/** The list of deleted documents of a collection, for the portal. */
import { peopleOperation } from '../../../contract/people.ts'
import { PageQuery } from '../../../contract/schema/pages.ts'
import { CollectionParams } from '../schema.ts'
import { listDeleted } from './deleted.ts'
import { DeletedDocuments } from './history-schema.ts'

export const listDeletedDocuments = peopleOperation({
  name: 'documents.list_deleted',
  route: 'GET /projects/{project_id}/collections/{name}/deleted-documents',
  about:
    'Lists the deleted documents of a collection that can be restored, last deleted first. ' +
    'POST /collections/{name}/documents/{id}/restore with the version restores one.',
  keywords: 'trash, recycle bin, deleted by accident, customer record, get back, undelete',
  access: 'viewer',
  reach: 'selection',
  effect: 'read',
  params: CollectionParams,
  query: PageQuery,
  status: 200,
  reply: DeletedDocuments,
  errors: ['not_found', 'invalid_parameter'],
  run: ({ params, query }, caller) => listDeleted(caller, params.name, query),
})
