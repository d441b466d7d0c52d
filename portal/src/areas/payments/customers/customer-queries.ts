/** The customers of the project. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, inProject, read, type Schemas, type Scope } from '../../../api/client.ts'
import { pollEvery } from '../../../api/live.ts'
import { paymentsKey } from '../queries.ts'

export type Customer = Schemas['Customer']

/** Test orders and real orders of one address are two customers. */
export interface CustomerKey {
  email: string
  test: boolean
}

const PAGE_SIZE = 50
const REFRESH_MS = 15_000

/** `q` is a part of the address; empty for all. */
export function customersQuery(scope: Scope, q: string) {
  return infiniteQueryOptions({
    queryKey: [...paymentsKey(scope), 'customers', q],
    queryFn: ({ pageParam, signal }) => {
      const query = {
        limit: PAGE_SIZE,
        ...(q !== '' && { q }),
        ...(scope.mode === 'test' && { test: true }),
        ...(pageParam !== '' && { cursor: pageParam }),
      }
      const params = { ...inProject(scope), query }
      return read(api.GET('/projects/{project_id}/customers', { params, signal }))
    },
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
    placeholderData: keepPreviousData,
    refetchInterval: pollEvery(REFRESH_MS),
  })
}

/** Null if no order has the address any more. */
export function customerQuery(scope: Scope, key: CustomerKey) {
  const params = { ...inProject(scope), query: { limit: 1, ...key } }
  return queryOptions({
    queryKey: [...paymentsKey(scope), 'customer', key],
    queryFn: async ({ signal }) =>
      (await read(api.GET('/projects/{project_id}/customers', { params, signal }))).data[0] ?? null,
    refetchInterval: pollEvery(REFRESH_MS),
  })
}
