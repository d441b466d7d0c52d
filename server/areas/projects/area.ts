/** Projects: company details, verification levels and modes. */
import { defineArea } from '../../contract/area.ts'
import * as operations from './operations.ts'
import { checkVatNumber } from './jobs.ts'

export const projects = defineArea({
  name: 'projects',
  operations: [operations],
  jobs: [checkVatNumber],
})
