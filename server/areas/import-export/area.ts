/** Imports and exports of documents as files. */
import { defineArea } from '../../contract/area.ts'
import * as operations from './operations.ts'

export const importExport = defineArea({
  name: 'import-export',
  operations: [operations],
  guides: [
    {
      page: 'import',
      group: 'Websites and data',
      title: 'Import a file',
      card: { title: 'Import', text: 'CSV, Excel or NDJSON into a collection.' },
    },
  ],
})
