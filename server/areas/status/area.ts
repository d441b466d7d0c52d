/** The public status of the service. */
import { defineArea } from '../../contract/area.ts'
import * as operations from './operations.ts'

export const status = defineArea({
  name: 'status',
  operations: [operations],
  tools: { 'status.get': 'get_status' },
})
