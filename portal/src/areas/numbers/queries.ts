/** Phone numbers: their overview, what an order needs, orders and releases. */
import { queryOptions } from '@tanstack/react-query'
import { api, inProject, read, type Schemas, type Scope } from '../../api/client.ts'

export type NumberDetails = Schemas['NumberDetails']
export type NumbersOverview = Schemas['NumbersOverview']
export type OrderBlocker = Schemas['NumberOrderBlocker']
export type NumberType = NumberDetails['type']
export type AvailableNumber = Schemas['AvailableNumber']

/** While a number or an order is pending. */
const PENDING_MS = 10_000
const REFRESH_MS = 60_000

/** The key of everything about numbers, in either mode. */
export function numbersKey({ project_id }: Scope) {
  return ['numbers', project_id] as const
}

/** The keys of every list with numbers, without those of one number, which may be released. */
export function numberLists(scope: Scope) {
  return ['overview', 'terms', 'test', 'live'].map((part) => [...numbersKey(scope), part])
}

export function overviewQuery(scope: Scope) {
  const params = inProject(scope)
  return queryOptions({
    queryKey: [...numbersKey(scope), 'overview'],
    queryFn: ({ signal }) =>
      read(api.GET('/projects/{project_id}/numbers/overview', { params, signal })),
    refetchInterval: ({ state: { data } }) => (isPending(data) ? PENDING_MS : REFRESH_MS),
  })
}

function isPending(overview: NumbersOverview | undefined): boolean {
  if (overview === undefined) return false
  return overview.open_orders.length > 0 || overview.data.some(({ status }) => status === 'pending')
}

/** Prices of real numbers, and what prevents their order. */
export function termsQuery(scope: Scope) {
  const params = inProject(scope)
  return queryOptions({
    queryKey: [...numbersKey(scope), 'terms'],
    queryFn: ({ signal }) =>
      read(api.GET('/projects/{project_id}/numbers/terms', { params, signal })),
  })
}

/** Numbers that can be ordered; a search reserves them for ten minutes. */
export function availableQuery(scope: Scope, area: string | null) {
  const { path, header } = inProject(scope)
  const query = area === null ? {} : { area }
  return queryOptions({
    queryKey: [...numbersKey(scope), 'available', area],
    queryFn: async ({ signal }) => {
      const asked = { params: { path, header, query }, signal }
      return (await read(api.GET('/projects/{project_id}/numbers/available', asked))).data
    },
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  })
}

/** Orders a number: `e164` of a search, or any number of the test range in test mode. */
export function orderNumber(scope: Scope, order: { e164?: string; idempotency_key: string }) {
  const { path, header } = inProject(scope)
  const { idempotency_key, ...body } = order
  const params = { path, header: { ...header, 'Idempotency-Key': idempotency_key } }
  return read(api.POST('/projects/{project_id}/numbers', { params, body }))
}

/** Releases a test number. Real numbers are given up by the operator. */
export function releaseNumber(scope: Scope, id: string) {
  const { path, header } = inProject({ ...scope, mode: 'test' })
  const params = { path: { ...path, id }, header }
  return read(api.DELETE('/projects/{project_id}/numbers/{id}', { params }))
}
