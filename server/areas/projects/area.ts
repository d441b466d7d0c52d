/** Projects: company details, verification levels and modes. */
import { defineArea } from '../../contract/area.ts'
import { pickFields } from '../../contract/manifest/state-section.ts'
import * as operations from './operations.ts'
import { recheckVatNumber } from './jobs.ts'

export const projects = defineArea({
  name: 'projects',
  operations: [operations],
  jobs: [recheckVatNumber],
  state: [
    {
      name: 'project',
      about: 'mode and rails',
      operation: 'project.get',
      show: (reply) => pickFields(reply, ['id', 'name', 'mode', 'rails', 'access']),
    },
  ],
  exported: [{ table: 'companies' }],
})
