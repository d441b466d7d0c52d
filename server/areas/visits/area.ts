/** Page views of sites. */
import { defineArea } from '../../contract/area.ts'
import { deleteOldVisits } from './jobs.ts'
import * as operations from './operations.ts'

export const visits = defineArea({
  name: 'visits',
  operations: [operations],
  reconcilers: [deleteOldVisits],
  exported: [{ table: 'site_visits' }],
})
