/** Data: collections, documents, queries, imports, exports and public forms. */
import { defineArea } from '../../contract/area.ts'
import { purgeChanges } from './changes/change-jobs.ts'
import * as events from './events.ts'
import * as changes from './operations/changes.ts'
import * as collections from './operations/collections.ts'
import * as documents from './operations/documents.ts'
import * as forms from './operations/public.ts'
import * as query from './operations/query.ts'
import * as transfer from './operations/transfer.ts'
import { collectionsSection } from './state-section.ts'

export const data = defineArea({
  name: 'data',
  operations: [collections, documents, query, transfer, changes, forms],
  events: [events],
  reconcilers: [purgeChanges],
  state: [collectionsSection],
  guides: [
    {
      page: 'forms',
      group: 'Websites and data',
      title: 'Forms',
      card: { title: 'Forms', text: 'A form on a website, step by step.' },
    },
    {
      page: 'import',
      group: 'Websites and data',
      title: 'Import a file',
      card: { title: 'Import', text: 'CSV, Excel or NDJSON into a collection.' },
    },
    {
      page: 'filters',
      group: 'Websites and data',
      title: 'Filter, sort, search',
      card: { title: 'Filters', text: 'Find documents in a collection.' },
    },
  ],
})
