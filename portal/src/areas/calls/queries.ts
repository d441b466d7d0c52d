/** Calls, newest first, with their transcripts. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api, inProject, read, type Schemas, type Scope } from '../../api/client.ts'
import { pollEvery } from '../../api/live.ts'

export type Call = Schemas['Call']
export type CallDetail = Schemas['CallDetail']

const PAGE_SIZE = 50
const REFRESH_MS = 20_000

export function callsQuery(scope: Scope) {
  return infiniteQueryOptions({
    queryKey: ['calls', scope.project_id, scope.mode, 'all'],
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: PAGE_SIZE, ...(pageParam !== '' && { cursor: pageParam }) }
      const params = { ...inProject(scope), query }
      return read(api.GET('/projects/{project_id}/calls', { params, signal }))
    },
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
    refetchInterval: pollEvery(REFRESH_MS),
  })
}

export function callQuery(scope: Scope, id: string) {
  const { path, header } = inProject(scope)
  const params = { path: { ...path, id }, header }
  return queryOptions({
    queryKey: ['calls', scope.project_id, scope.mode, 'one', id],
    queryFn: ({ signal }) => read(api.GET('/projects/{project_id}/calls/{id}', { params, signal })),
  })
}
