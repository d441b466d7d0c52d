/** API keys, which people create in the portal. */
import { defineArea } from '../../contract/area.ts'
import * as peopleOperations from './people-operations.ts'

export const keys = defineArea({
  name: 'keys',
  peopleOperations: [peopleOperations],
})
