/** Data: collections, documents, queries, change feeds and public forms. */
import { defineArea } from '../../contract/area.ts'
import { purgeChanges } from './changes/change-jobs.ts'
import * as events from './events.ts'
import * as changes from './operations/changes.ts'
import * as collections from './operations/collections.ts'
import * as documents from './operations/documents.ts'
import * as forms from './operations/public.ts'
import { trimHistories } from './history/history-jobs.ts'
import * as history from './operations/history.ts'
import * as deleted from './history/people-operations-history.ts'
import * as query from './operations/query.ts'
import { documentsOfPerson, versionsOfPerson } from './person-documents.ts'
import { collectionsSection } from './state-section.ts'

export const data = defineArea({
  name: 'data',
  operations: [collections, documents, history, query, changes, forms],
  peopleOperations: [deleted],
  events: [events],
  reconcilers: [purgeChanges, trimHistories],
  state: [collectionsSection],
  personalRecords: [documentsOfPerson, versionsOfPerson],
  exported: [
    { table: 'collections', ids_of: { id: 'collections' } },
    { table: 'documents', ids_of: { collection_id: 'collections' }, sizes: { bytes: 'data' } },
    { table: 'document_keys', ids_of: { collection_id: 'collections' } },
    {
      table: 'document_versions',
      ids_of: { collection_id: 'collections' },
      sizes: { bytes: 'data' },
    },
    { table: 'document_changes', ids_of: { collection_id: 'collections' } },
    { table: 'data_usage' },
  ],
  guides: [
    {
      page: 'forms',
      group: 'Websites and data',
      title: 'Forms',
      card: { title: 'Forms', text: 'A form on a website, step by step.' },
    },
    {
      page: 'filters',
      group: 'Websites and data',
      title: 'Filter, sort, search',
      card: { title: 'Filters', text: 'Find documents in a collection.' },
    },
  ],
})
