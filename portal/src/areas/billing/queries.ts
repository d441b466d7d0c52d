/** Requests about the balance, spending and top-ups of a project. */
import { queryOptions } from '@tanstack/react-query'
import { api, inProject, read, type Schemas, type Scope } from '../../api/client.ts'

export type Balance = Schemas['Balance']
export type Transaction = Schemas['Transaction']
export type Month = Schemas['BalanceMonthsReply']['data'][number]
export type AutoReloadInput = Omit<Schemas['AutoReloadPutBody'], 'card'>

const MONTHS_SHOWN = 6

export function billingKey({ project_id, mode }: Scope) {
  return ['billing', project_id, mode] as const
}

export function balanceQuery(scope: Scope) {
  return queryOptions({
    queryKey: [...billingKey(scope), 'balance'],
    queryFn: ({ signal }) =>
      read(api.GET('/projects/{project_id}/balance', { params: inProject(scope), signal })),
  })
}

export function monthsQuery(scope: Scope) {
  const params = { ...inProject(scope), query: { months: MONTHS_SHOWN } }
  return queryOptions({
    queryKey: [...billingKey(scope), 'months'],
    queryFn: async ({ signal }) =>
      (await read(api.GET('/projects/{project_id}/balance/months', { params, signal }))).data,
  })
}

export function orderTopUp(scope: Scope, body: Schemas['TopUpsCreateBody']) {
  const params = inProject(scope)
  return read(api.POST('/projects/{project_id}/top-ups', { params, body }))
}

export function saveCap(scope: Scope, spend_cap_eur: number | null) {
  const given = { params: inProject(scope), body: { spend_cap_eur } }
  return read(api.PUT('/projects/{project_id}/spending-cap', given))
}

export function saveAutoReload(scope: Scope, body: AutoReloadInput) {
  return read(api.PUT('/projects/{project_id}/auto-reload', { params: inProject(scope), body }))
}
