/** The portal operation that exports a whole project. */
import { peopleOperation } from '../../contract/people.ts'
import { ProjectExport } from './schema.ts'
import { createLink } from './service.ts'

export const create = peopleOperation({
  name: 'projects.export',
  route: 'POST /projects/{project_id}/export',
  about:
    'Returns a link that downloads the whole project as one file for 15 minutes: data, files, ' +
    'sites, call plans, conversations, calls, messages, emails and the ledger, without secrets. The operator of ' +
    'another installation imports it.',
  keywords: 'download everything, move to another server, migrate, backup, take my data',
  access: 'owner',
  fresh: true,
  effect: 'write',
  status: 200,
  reply: ProjectExport,
  errors: [],
  run: (_input, caller) => createLink(caller),
})
