/** Going live: the tasks before a project can perform real actions. */
import { defineArea } from '../../contract/area.ts'
import * as peopleOperations from './people-operations.ts'

export const goLive = defineArea({
  name: 'go-live',
  peopleOperations: [peopleOperations],
})
