/** Requests for the products of a collection, and for a public token that can order them. */
import { api, inProject, read, type Schemas, type Scope } from '../../../api/client.ts'
import { listQuery } from '../../../api/list-query.ts'
import type { Collection } from '../queries.ts'

export type Product = Schemas['Product']

const REFRESH_MS = 5_000

function productsKey({ project_id, mode }: Scope, name: string) {
  return ['products', project_id, mode, name] as const
}

/** Polls, because orders of visitors change the stock. */
export function productsQuery(scope: Scope, collection: string) {
  return listQuery({
    key: productsKey(scope, collection),
    refresh_ms: REFRESH_MS,
    read: (page, signal) => {
      const params = { ...inProject(scope), query: { collection, ...page } }
      return read(api.GET('/projects/{project_id}/products', { params, signal }))
    },
  })
}

export function createShopToken(scope: Scope, { title }: Collection, origin: string) {
  const params = inProject(scope)
  const body = { name: title.slice(0, 100), allowed_origins: [origin] }
  return read(api.POST('/projects/{project_id}/chat-tokens', { params, body }))
}
