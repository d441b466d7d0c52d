/** The request log, newest first. */
import { api, inProject, read, type Schemas, type Scope } from '../../api/client.ts'
import { listQuery } from '../../api/list-query.ts'

export type LoggedRequest = Schemas['LoggedRequest']
export type EntryPoint = LoggedRequest['entry_point']

const REFRESH_MS = 5_000

export interface RequestFilter {
  status?: '2xx' | '4xx' | '5xx' | 'error'
  entry_point?: EntryPoint
  /** Id of a key, a connection or a person. */
  actor_id?: string
  operation?: string
  request_id?: string
}

function requestsKey({ project_id, mode }: Scope) {
  return ['requests', project_id, mode] as const
}

/** Follows new requests while only the newest page is shown and `tail` is true. */
export function requestsQuery(scope: Scope, filter: RequestFilter, tail: boolean) {
  return listQuery({
    refresh_ms: REFRESH_MS,
    tail,
    key: [...requestsKey(scope), filter],
    read: (page, signal) => {
      const params = { ...inProject(scope), query: { ...filter, mode: scope.mode, ...page } }
      return read(api.GET('/projects/{project_id}/requests', { params, signal }))
    },
  })
}
