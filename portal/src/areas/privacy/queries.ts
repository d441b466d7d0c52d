/** How long personal data is kept. */
import { queryOptions } from '@tanstack/react-query'
import { api, inProject, read, type Schemas, type Scope } from '../../api/client.ts'

export type KeptData = Schemas['KeptData']
export type Recipient = Schemas['Retention']['recipients'][number]
export type RetentionChoices = Schemas['RetentionInput']

export function retentionKey({ project_id, mode }: Scope) {
  return ['retention', project_id, mode] as const
}

export function retentionQuery(scope: Scope) {
  return queryOptions({
    queryKey: retentionKey(scope),
    queryFn: ({ signal }) =>
      read(api.GET('/projects/{project_id}/retention', { params: inProject(scope), signal })),
  })
}

/** Kinds that are left out get their default. */
export function putRetention(scope: Scope, body: RetentionChoices) {
  return read(api.PUT('/projects/{project_id}/retention', { params: inProject(scope), body }))
}
