/** The API keys of a project. */
import { queryOptions } from '@tanstack/react-query'
import { api, inProject, read, type Schemas, type Scope } from '../../api/client.ts'

export type Key = Schemas['KeysChangeReply']
export type NewKey = Schemas['KeysCreateReply']
export type KeyScope = Key['scopes'][number]
export type KeyInput = Schemas['KeysCreateBody']

export function keysKey({ project_id }: Scope) {
  return ['keys', project_id] as const
}

export function keysQuery(scope: Scope) {
  return queryOptions({
    queryKey: keysKey(scope),
    queryFn: async ({ signal }) => {
      const asked = { params: inProject(scope), signal }
      return (await read(api.GET('/projects/{project_id}/keys', asked))).data
    },
  })
}

export function createKey(scope: Scope, body: KeyInput) {
  return read<NewKey>(api.POST('/projects/{project_id}/keys', { params: inProject(scope), body }))
}

export function changeKey(scope: Scope, key_id: string, body: Schemas['KeysChangeBody']) {
  const params = inProject(scope, { key_id })
  return read(api.PATCH('/projects/{project_id}/keys/{key_id}', { params, body }))
}

export function revokeKey(scope: Scope, key_id: string) {
  const params = inProject(scope, { key_id })
  return read(api.DELETE('/projects/{project_id}/keys/{key_id}', { params }))
}
