/** Who changed what in a project, and through which entry point. */
import { defineArea } from '../../contract/area.ts'
import { purgeActivity } from './jobs.ts'
import * as operations from './operations.ts'

export const activity = defineArea({
  name: 'activity',
  operations: [operations],
  reconcilers: [purgeActivity],
  exported: [{ table: 'activity', for_reading: true }],
})
