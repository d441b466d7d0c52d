/** The operation of usage, for people only. */
import { peopleOperation } from '../../contract/people.ts'
import { Usage } from './schema.ts'
import { showUsage } from './service.ts'

export const get = peopleOperation({
  name: 'usage.get',
  route: 'GET /projects/{project_id}/plan-usage',
  about: 'How much of its plan the project uses: sites, collections, bytes, members, endpoints.',
  keywords:
    'storage quota, limits, remaining, disk space, how many sites can I have, close to the ' +
    'limit, how full, gigabytes, maximum, near the limit, consumption',
  access: 'viewer',
  effect: 'read',
  status: 200,
  reply: Usage,
  errors: [],
  run: (_input, caller) => showUsage(caller),
})
