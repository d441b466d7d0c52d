/** The operations of the status. */
import { publicOperation } from '../../contract/operation.ts'
import { Status } from './schema.ts'
import * as status from './service.ts'

export const get = publicOperation({
  name: 'status.get',
  route: 'GET /status',
  about:
    'Reports whether each component works, with reported unresolved problems. A ' +
    "blocked upload or a network error in the caller's environment is not an outage.",
  keywords:
    'outage, everything down, broken, health check, incident, is it just me, nothing loads, ' +
    'degraded, unreachable, uptime, service, your end, slow, maintenance, was it down, cannot ' +
    'get through, problem on your side',
  effect: 'read',
  status: 200,
  reply: Status,
  errors: [],
  run: (_input, visitor) => status.showStatus(visitor),
})
