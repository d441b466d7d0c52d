/** Export of a whole project as one file, and its import into another installation. */
import { defineArea } from '../../contract/area.ts'
import * as peopleOperations from './people-operations.ts'

export const projectExports = defineArea({
  name: 'project-exports',
  peopleOperations: [peopleOperations],
})
