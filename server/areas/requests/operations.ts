/** The operations of the request log. */
import { operation } from '../../contract/operation.ts'
import { LoggedRequest, LoggedRequestId, RequestPage, RequestQuery } from './schema.ts'
import * as requests from './service.ts'

export const list = operation({
  name: 'requests.list',
  route: 'GET /requests',
  about:
    'The requests of the project over the API, MCP and the portal of the last 7 days, newest ' +
    'first, without bodies. A caller that is limited to some sites or apps sees its own.',
  keywords:
    'API log, errors, 403, recent calls, debug, endpoint, what did the agent do, robot, ' +
    'failure reason, last hour, look up by request id, slow, rate, 422, failing integration, ' +
    'filter by key, gives an error, latest requests',
  scope: 'project:read',
  reach: 'selection',
  effect: 'read',
  query: RequestQuery,
  status: 200,
  reply: RequestPage,
  errors: ['invalid_parameter'],
  run: ({ query }, caller) => requests.list(caller, query),
})

export const get = operation({
  name: 'requests.get',
  route: 'GET /requests/{id}',
  about: 'One entry of the request log. To find a request by its request id, list with request_id.',
  keywords: 'trace id, request id, debug, failed publish, 500 error',
  scope: 'project:read',
  reach: 'selection',
  effect: 'read',
  params: LoggedRequestId,
  status: 200,
  reply: LoggedRequest,
  errors: ['not_found'],
  run: ({ params }, caller) => requests.find(caller, params.id),
})
