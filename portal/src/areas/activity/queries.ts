/** Who changed what, newest first. */
import { api, inProject, read, type Schemas, type Scope } from '../../api/client.ts'
import { listQuery } from '../../api/list-query.ts'

export type ActivityEntry = Schemas['ActivityEntry']
export type EntryPoint = ActivityEntry['entry_point']

const REFRESH_MS = 10_000

export interface ActivityFilter {
  entry_point?: EntryPoint
  actor_kind?: ActivityEntry['actor']['kind']
  /** Id of a key, a connection or a person. */
  actor_id?: string
  operation?: string
  resource_type?: string
  resource_id?: string
  request_id?: string
  from?: string
}

/** Follows new entries while only the newest page is shown and `tail` is true. */
export function activityQuery(scope: Scope, filter: ActivityFilter, tail: boolean) {
  return listQuery({
    refresh_ms: REFRESH_MS,
    tail,
    key: ['activity', scope.project_id, scope.mode, filter],
    read: (page, signal) => {
      const params = { ...inProject(scope), query: { ...filter, mode: scope.mode, ...page } }
      return read(api.GET('/projects/{project_id}/activity', { params, signal }))
    },
  })
}
