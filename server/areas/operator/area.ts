/** The console of the people who operate the installation. */
import { defineArea } from '../../contract/area.ts'
import * as operations from './people-operations.ts'
import { sampleWork } from './work-history.ts'

export const operator = defineArea({
  name: 'operator',
  operatorOperations: [operations],
  reconcilers: [sampleWork],
  guides: [
    {
      page: 'operating',
      group: 'Basics',
      title: 'Operating',
      card: { title: 'Operating', text: 'Alerts, backups, the master key and the audit log.' },
    },
  ],
})
