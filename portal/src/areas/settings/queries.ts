/** The use of the plan, and the end of a project or of a membership. */
import { queryOptions } from '@tanstack/react-query'
import { api, inProject, read, type Schemas, type Scope } from '../../api/client.ts'

export type Usage = Schemas['UsageGetReply']
export type UsageLimit = Usage['limits'][number]

export function usageQuery(scope: Scope) {
  const params = inProject(scope)
  return queryOptions({
    queryKey: ['usage', scope.project_id],
    queryFn: ({ signal }) => read(api.GET('/projects/{project_id}/plan-usage', { params, signal })),
  })
}

export function exportProject({ project_id }: Scope) {
  const params = { path: { project_id } }
  return read(api.POST('/projects/{project_id}/export', { params }))
}

/** `confirm` is the name of the project. */
export function deleteProject({ project_id }: Scope, confirm: string) {
  const params = { path: { project_id }, query: { confirm } }
  return read(api.DELETE('/projects/{project_id}', { params }))
}
