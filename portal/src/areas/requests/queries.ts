/** The request log, newest first. */
import { infiniteQueryOptions } from '@tanstack/react-query'
import { api, inProject, read, type Schemas, type Scope } from '../../api/client.ts'
import { pollEvery } from '../../api/live.ts'

export type LoggedRequest = Schemas['LoggedRequest']
export type EntryPoint = LoggedRequest['entry_point']

const PAGE_SIZE = 50
const poll = pollEvery(5_000)

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
  return infiniteQueryOptions({
    queryKey: [...requestsKey(scope), filter],
    queryFn: ({ pageParam, signal }) => {
      const cursor = pageParam === '' ? {} : { cursor: pageParam }
      const query = { ...filter, mode: scope.mode, limit: PAGE_SIZE, ...cursor }
      const params = { ...inProject(scope), query }
      return read(api.GET('/projects/{project_id}/requests', { params, signal }))
    },
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
    meta: { paused: !tail },
    refetchInterval: ({ state }) => tail && (state.data?.pages.length ?? 0) <= 1 && poll(),
  })
}
