/** The use of language models by day, area and model. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, inProject, read, type Schemas, type Scope } from '../../api/client.ts'

export type ModelUsage = Schemas['ModelUsageListReply']
export type UsageRow = ModelUsage['data'][number]

const DAY_MS = 86_400_000

/** The latest days up to today. */
export function modelUsageQuery(scope: Scope, days: number) {
  return queryOptions({
    queryKey: ['model_usage', scope.project_id, scope.mode, days],
    queryFn: ({ signal }) => {
      const from = new Date(Date.now() - (days - 1) * DAY_MS).toISOString().slice(0, 10)
      const params = { ...inProject(scope), query: { from } }
      return read(api.GET('/projects/{project_id}/usage', { params, signal }))
    },
    placeholderData: keepPreviousData,
  })
}
