/** Going live: what a project lacks before it can do real things. */
import { defineArea } from '../../contract/area.ts'
import * as peopleOperations from './people-operations.ts'

export const goLive = defineArea({
  name: 'go-live',
  peopleOperations: [peopleOperations],
})
