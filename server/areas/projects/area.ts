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
      show: ({ rails, ...reply }) => ({
        ...pickFields(reply, ['id', 'name', 'mode', 'access']),
        rails: withoutDomains(rails),
      }),
    },
  ],
  exported: [{ table: 'companies' }],
})

/** The rail of domains has nothing behind it yet. */
function withoutDomains(rails: unknown): object {
  const { domains: _, ...others } = Object(rails)
  return others
}
