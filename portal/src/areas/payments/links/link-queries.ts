/** Payment links. */
import { api, inProject, read, type Schemas, type Scope } from '../../../api/client.ts'
import { listQuery } from '../../../api/list-query.ts'
import { paymentsKey } from '../queries.ts'

export type PaymentLink = Schemas['PaymentLink']

const REFRESH_MS = 15_000

export function linksQuery(scope: Scope) {
  return listQuery({
    key: [...paymentsKey(scope), 'links'],
    refresh_ms: REFRESH_MS,
    read: (page, signal) => {
      const params = { ...inProject(scope), query: page }
      return read(api.GET('/projects/{project_id}/payment-links', { params, signal }))
    },
  })
}

export type LinkInput = Schemas['PaymentLinksCreateBody']

export function createLink(scope: Scope, body: LinkInput) {
  return read(api.POST('/projects/{project_id}/payment-links', { params: inProject(scope), body }))
}

export function switchLink(scope: Scope, id: string, active: boolean) {
  const params = inProject(scope, { id })
  return read(api.PATCH('/projects/{project_id}/payment-links/{id}', { params, body: { active } }))
}
