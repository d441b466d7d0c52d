/** Requests about the rails of a project: which are live, and what the others still need. */
import { queryOptions } from '@tanstack/react-query'
import { api, inProject, read, type Mode, type Schemas, type Scope } from '../../api/client.ts'

export type Rail = Schemas['GoLiveSwitchReply']
export type Task = Rail['missing'][number]

export function railsKey({ project_id }: Scope) {
  return ['rails', project_id] as const
}

/** The rails, and the address of the operator, who completes some of their requirements. */
export function railsQuery(scope: Scope) {
  return queryOptions({
    queryKey: railsKey(scope),
    queryFn: ({ signal }) =>
      read(api.GET('/projects/{project_id}/go-live', { params: inProject(scope), signal })),
  })
}

export function switchRail(scope: Scope, rail: Rail['rail'], mode: Mode) {
  const params = inProject(scope, { rail })
  return read(api.POST('/projects/{project_id}/go-live/{rail}', { params, body: { mode } }))
}
