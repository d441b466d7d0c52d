/** What the assistant may do in conversations. */
import { queryOptions } from '@tanstack/react-query'
import { api, inProject, read, type Schemas, type Scope } from '../../../api/client.ts'

export type Tools = Schemas['AssistantToolsGetReply']
export type LookUp = Tools['look_ups'][number]

export function toolsKey({ project_id, mode }: Scope) {
  return ['assistant', project_id, mode, 'tools'] as const
}

export function toolsQuery(scope: Scope) {
  const params = inProject(scope)
  return queryOptions({
    queryKey: toolsKey(scope),
    queryFn: ({ signal }) =>
      read(api.GET('/projects/{project_id}/assistant/tools', { params, signal })),
  })
}

export function saveTools(
  scope: Scope,
  { look_ups, messages_collection }: Pick<Tools, 'look_ups' | 'messages_collection'>,
): Promise<Tools> {
  const params = inProject(scope)
  const body = { look_ups, messages_collection }
  return read(api.PUT('/projects/{project_id}/assistant/tools', { params, body }))
}
