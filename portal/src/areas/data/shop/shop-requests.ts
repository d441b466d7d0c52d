/** Requests for the products of a collection, and for a public token that can order them. */
import { infiniteQueryOptions } from '@tanstack/react-query'
import { api, inProject, read, type Schemas, type Scope } from '../../../api/client.ts'
import { pollEvery } from '../../../api/live.ts'
import type { Collection } from '../queries.ts'

export type Product = Schemas['Product']

const PAGE_SIZE = 50
const REFRESH_MS = 5_000

function productsKey({ project_id, mode }: Scope, name: string) {
  return ['products', project_id, mode, name] as const
}

/** Polls, because orders of visitors change the stock. */
export function productsQuery(scope: Scope, collection: string) {
  return infiniteQueryOptions({
    queryKey: productsKey(scope, collection),
    queryFn: ({ pageParam, signal }) => {
      const query = {
        collection,
        limit: PAGE_SIZE,
        ...(pageParam !== '' && { cursor: pageParam }),
      }
      const params = { ...inProject(scope), query }
      return read(api.GET('/projects/{project_id}/products', { params, signal }))
    },
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
    refetchInterval: pollEvery(REFRESH_MS),
  })
}

export function createShopToken(scope: Scope, { title }: Collection, origin: string) {
  const params = inProject(scope)
  const body = { name: title.slice(0, 100), allowed_origins: [origin] }
  return read(api.POST('/projects/{project_id}/chat-tokens', { params, body }))
}
