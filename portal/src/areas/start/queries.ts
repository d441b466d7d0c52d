/** The first request of an assistant or a program, as soon as the request log has it. */
import { queryOptions } from '@tanstack/react-query'
import { api, inProject, read, type Schemas, type Scope } from '../../api/client.ts'

export type LoggedRequest = Schemas['LoggedRequest']

const WATCH_MS = 2_000
const SHOWN = 20

/**
 * The first request by a key or connection; null until there is one. Requests of the portal do not
 * count. Polls until there is one.
 */
export function firstRequestQuery(scope: Scope) {
  const params = { ...inProject(scope), query: { limit: SHOWN } }
  return queryOptions({
    queryKey: ['requests', scope.project_id, 'first'],
    queryFn: async ({ signal }): Promise<LoggedRequest | null> => {
      const asked = api.GET('/projects/{project_id}/requests', { params, signal })
      const { data } = await read(asked)
      return data.findLast(({ entry_point }) => entry_point !== 'portal') ?? null
    },
    refetchInterval: ({ state }) => !state.data && WATCH_MS,
  })
}
