/** The use of a project beside the limits of its plan. */
import { defineArea } from '../../contract/area.ts'
import * as operations from './operations.ts'
import * as peopleOperations from './people-operations.ts'

export const usage = defineArea({
  name: 'usage',
  operations: [operations],
  peopleOperations: [peopleOperations],
})
