/** Requests of the home page that belong to no other area. */
import { queryOptions } from '@tanstack/react-query'
import { api, inProject, read, type Scope } from '../../api/client.ts'
import { pollEvery } from '../../api/live.ts'

const CALLS_SHOWN = 20

export function callsQuery(scope: Scope) {
  const params = { ...inProject(scope), query: { limit: CALLS_SHOWN } }
  return queryOptions({
    queryKey: ['calls', scope.project_id, scope.mode, 'latest'],
    queryFn: async ({ signal }) =>
      (await read(api.GET('/projects/{project_id}/calls', { params, signal }))).data,
    refetchInterval: pollEvery(20_000),
  })
}

/** The sites that the operator took offline. */
export function offlineSitesQuery(scope: Scope) {
  return queryOptions({
    queryKey: ['sites', scope.project_id, 'offline'],
    queryFn: async ({ signal }) => {
      const asked = { params: inProject(scope), signal }
      return (await read(api.GET('/projects/{project_id}/offline-sites', asked))).data
    },
  })
}

export function numbersKey({ project_id, mode }: Scope) {
  return ['numbers', project_id, mode] as const
}

/** The phone numbers of the current mode. */
export function numbersQuery(scope: Scope) {
  return queryOptions({
    queryKey: numbersKey(scope),
    queryFn: async ({ signal }) => {
      const asked = { params: inProject(scope), signal }
      const { data } = await read(api.GET('/projects/{project_id}/numbers', asked))
      return data.filter(({ test }) => test === (scope.mode === 'test'))
    },
  })
}
