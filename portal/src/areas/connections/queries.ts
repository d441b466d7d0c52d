/** Requests about the connections of a project: assistants and programs with access to it. */
import { queryOptions } from '@tanstack/react-query'
import { api, inProject, read, type Schemas, type Scope } from '../../api/client.ts'
import { pollEvery } from '../../api/live.ts'

export type Connection = Schemas['ConnectionsChangeReply']

export function connectionsKey({ project_id }: Scope) {
  return ['connections', project_id] as const
}

export function connectionsQuery(scope: Scope) {
  return queryOptions({
    queryKey: connectionsKey(scope),
    queryFn: async ({ signal }) => {
      const asked = { params: inProject(scope), signal }
      return (await read(api.GET('/projects/{project_id}/connections', asked))).data
    },
    refetchInterval: pollEvery(20_000),
  })
}

export function changeConnection(scope: Scope, id: string, body: Schemas['ConnectionsChangeBody']) {
  const params = inProject(scope, { id })
  return read(api.PATCH('/projects/{project_id}/connections/{id}', { params, body }))
}

export function endConnection(scope: Scope, id: string) {
  const params = inProject(scope, { id })
  return read(api.DELETE('/projects/{project_id}/connections/{id}', { params }))
}
