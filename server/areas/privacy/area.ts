/** Privacy: how long personal data is kept, and the data about one person. */
import { defineArea } from '../../contract/area.ts'
import { deleteOldRecords } from './jobs.ts'
import * as operations from './operations.ts'
import * as personOperations from './person/operations.ts'

export const privacy = defineArea({
  name: 'privacy',
  operations: [operations, personOperations],
  reconcilers: [deleteOldRecords],
  exported: [{ table: 'retention_choices' }],
  guides: [
    {
      page: 'privacy',
      group: 'Basics',
      title: 'Privacy',
      card: { title: 'Privacy', text: 'Retention, and the data about one person.' },
    },
  ],
})
