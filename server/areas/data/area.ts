/** Data: collections, documents, queries, change feeds and public forms. */
import { defineArea } from '../../contract/area.ts'
import { purgeChanges } from './changes/change-jobs.ts'
import * as events from './events.ts'
import * as changes from './operations/changes.ts'
import * as collections from './operations/collections.ts'
import * as documents from './operations/documents.ts'
import * as forms from './operations/public.ts'
import * as query from './operations/query.ts'
import { collectionsSection } from './state-section.ts'

export const data = defineArea({
  name: 'data',
  operations: [collections, documents, query, changes, forms],
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
      page: 'filters',
      group: 'Websites and data',
      title: 'Filter, sort, search',
      card: { title: 'Filters', text: 'Find documents in a collection.' },
    },
  ],
})
