/** Who changed what, newest first. */
import { infiniteQueryOptions } from '@tanstack/react-query'
import { api, inProject, read, type Schemas, type Scope } from '../../api/client.ts'
import { pollEvery } from '../../api/live.ts'

export type ActivityEntry = Schemas['ActivityEntry']
export type EntryPoint = ActivityEntry['entry_point']

const PAGE_SIZE = 50
const poll = pollEvery(10_000)

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
  return infiniteQueryOptions({
    queryKey: ['activity', scope.project_id, scope.mode, filter],
    queryFn: ({ pageParam, signal }) => {
      const cursor = pageParam === '' ? {} : { cursor: pageParam }
      const query = { ...filter, mode: scope.mode, limit: PAGE_SIZE, ...cursor }
      const params = { ...inProject(scope), query }
      return read(api.GET('/projects/{project_id}/activity', { params, signal }))
    },
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
    meta: { paused: !tail },
    refetchInterval: ({ state }) => tail && (state.data?.pages.length ?? 0) <= 1 && poll(),
  })
}
