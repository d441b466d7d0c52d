/** Calls, newest first, with their transcripts. */
import { queryOptions } from '@tanstack/react-query'
import type { paths } from 'portal-api'
import { api, inProject, read, type Schemas, type Scope } from '../../api/client.ts'
import { listQuery } from '../../api/list-query.ts'
import { pollEvery } from '../../api/live.ts'

export type Call = Schemas['ListedCall']
export type CallDetail = Schemas['CallDetail']

/** The number of the person on the other side. */
export function personOf({ direction, from, to }: Pick<Call, 'direction' | 'from' | 'to'>): string {
  return direction === 'inbound' ? from : to
}

/** Which calls are shown. */
export type CallFilter = Omit<
  NonNullable<paths['/projects/{project_id}/calls']['get']['parameters']['query']>,
  'limit' | 'cursor'
>

const REFRESH_MS = 20_000
/** A running call is read so often without the stream of changes. */
const RUNNING_MS = 2_000

export function callsKey({ project_id, mode }: Scope) {
  return ['calls', project_id, mode] as const
}

export function callsQuery(scope: Scope, filter: CallFilter) {
  return listQuery({
    key: [...callsKey(scope), 'all', filter],
    refresh_ms: REFRESH_MS,
    read: (page, signal) => {
      const params = { ...inProject(scope), query: { ...filter, ...page } }
      return read(api.GET('/projects/{project_id}/calls', { params, signal }))
    },
  })
}

export function deleteCall(scope: Scope, id: string) {
  const params = inProject(scope, { id })
  return read(api.DELETE('/projects/{project_id}/calls/{id}', { params }))
}

export function deleteCallSummary(scope: Scope, id: string) {
  const params = inProject(scope, { id })
  return read(api.DELETE('/projects/{project_id}/calls/{id}/summary', { params }))
}

export function callQuery(scope: Scope, id: string) {
  const params = inProject(scope, { id })
  return queryOptions({
    queryKey: ['calls', scope.project_id, scope.mode, 'one', id],
    queryFn: ({ signal }) => read(api.GET('/projects/{project_id}/calls/{id}', { params, signal })),
    refetchInterval: ({ state }) =>
      state.data !== undefined && state.data.ended_at === null && pollEvery(RUNNING_MS)(),
  })
}
