/** The customers of the project. */
import { queryOptions } from '@tanstack/react-query'
import { api, inProject, read, type Schemas, type Scope } from '../../../api/client.ts'
import { listQuery } from '../../../api/list-query.ts'
import { pollEvery } from '../../../api/live.ts'
import { paymentsKey } from '../queries.ts'

export type Customer = Schemas['Customer']

/** Test orders and real orders of one address are two customers. */
export interface CustomerKey {
  email: string
  test: boolean
}

const REFRESH_MS = 15_000

/** `q` is a part of the address; empty for all. */
export function customersQuery(scope: Scope, q: string) {
  return listQuery({
    key: [...paymentsKey(scope), 'customers', q],
    refresh_ms: REFRESH_MS,
    read: (page, signal) => {
      const params = {
        ...inProject(scope),
        query: {
          ...(q !== '' && { q }),
          ...(scope.mode === 'test' && { test: true }),
          ...page,
        },
      }
      return read(api.GET('/projects/{project_id}/customers', { params, signal }))
    },
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
