/** Payment links. */
import { infiniteQueryOptions } from '@tanstack/react-query'
import { api, inProject, read, type Schemas, type Scope } from '../../../api/client.ts'
import { pollEvery } from '../../../api/live.ts'
import { paymentsKey } from '../queries.ts'

export type PaymentLink = Schemas['PaymentLink']

const PAGE_SIZE = 50
const REFRESH_MS = 15_000

export function linksQuery(scope: Scope) {
  return infiniteQueryOptions({
    queryKey: [...paymentsKey(scope), 'links'],
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: PAGE_SIZE, ...(pageParam !== '' && { cursor: pageParam }) }
      const params = { ...inProject(scope), query }
      return read(api.GET('/projects/{project_id}/payment-links', { params, signal }))
    },
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
    refetchInterval: pollEvery(REFRESH_MS),
  })
}

export interface NewLink {
  description: string
  /** Null: the customer chooses. */
  amount_eur: number | null
  vat_percent: number
  reusable: boolean
  /** Null for no end. */
  expires_at: string | null
}

export function createLink(scope: Scope, { amount_eur, expires_at, ...link }: NewLink) {
  const params = inProject(scope)
  const price = amount_eur === null ? { customer_decides: true } : { amount_eur }
  const body = { ...link, ...price, ...(expires_at !== null && { expires_at }) }
  return read(api.POST('/projects/{project_id}/payment-links', { params, body }))
}

export function switchLink(scope: Scope, id: string, active: boolean) {
  const { path, header } = inProject(scope)
  const params = { path: { ...path, id }, header }
  return read(api.PATCH('/projects/{project_id}/payment-links/{id}', { params, body: { active } }))
}
