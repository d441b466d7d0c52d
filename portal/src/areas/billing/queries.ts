/** Requests about the balance, spending and top-ups of a project. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, inProject, read, type Schemas, type Scope } from '../../api/client.ts'
import { listQuery } from '../../api/list-query.ts'

export type Balance = Schemas['Balance']
export type Transaction = Schemas['Transaction']
export type Month = Schemas['BalanceMonthsReply']['data'][number]
export type AutoReloadInput = Omit<Schemas['AutoReloadPutBody'], 'card'>

export type Day = Schemas['BalanceDaysReply']['data'][number]

const MONTHS_SHOWN = 6
const PAGE_SIZE_MAX = 100

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

/** An open payment is looked at this often. */
const OPEN_MS = 3_000

export function topUpQuery(scope: Scope, top_up_id: string) {
  const params = inProject(scope, { top_up_id })
  const route = '/projects/{project_id}/top-ups/{top_up_id}'
  return queryOptions({
    queryKey: ['top_up', scope.project_id, top_up_id],
    queryFn: ({ signal }) => read(api.GET(route, { params, signal })),
    refetchInterval: ({ state }) => (state.data?.state === 'open' ? OPEN_MS : false),
  })
}

export function saveCap(scope: Scope, spend_cap_eur: number | null) {
  const given = { params: inProject(scope), body: { spend_cap_eur } }
  return read(api.PUT('/projects/{project_id}/spending-cap', given))
}

export function saveAutoReload(scope: Scope, body: AutoReloadInput) {
  return read(api.PUT('/projects/{project_id}/auto-reload', { params: inProject(scope), body }))
}

export interface TransactionFilter {
  /** A month like `2026-11`. */
  month: string
  type: '' | Transaction['type']
  /** The category; empty for all. */
  source: string
}

export function transactionsQuery(scope: Scope, filter: TransactionFilter) {
  return listQuery({
    key: [...billingKey(scope), 'transactions', filter],
    read: (page) => readTransactions(scope, filter, page),
  })
}

function readTransactions(
  scope: Scope,
  { month, type, source }: TransactionFilter,
  { cursor = '', limit }: { cursor?: string; limit: number },
) {
  const query = {
    month,
    limit,
    ...(type !== '' && { type }),
    ...(source !== '' && { source }),
    ...(cursor !== '' && { cursor }),
  }
  const params = { ...inProject(scope), query }
  return read(api.GET('/projects/{project_id}/balance/transactions', { params }))
}

/** Every transaction of a month, oldest first. */
export async function readMonth(scope: Scope, month: string): Promise<Transaction[]> {
  const rows: Transaction[] = []
  const filter: TransactionFilter = { month, type: '', source: '' }
  let cursor: string | null = ''
  while (cursor !== null) {
    const page: Schemas['BalanceTransactionsReply'] = await readTransactions(scope, filter, {
      cursor,
      limit: PAGE_SIZE_MAX,
    })
    rows.push(...page.data)
    cursor = page.next_cursor
  }
  return rows.toReversed()
}

export function daysQuery(scope: Scope, month: string) {
  const params = { ...inProject(scope), query: { month } }
  return queryOptions({
    queryKey: [...billingKey(scope), 'days', month],
    queryFn: async ({ signal }) =>
      (await read(api.GET('/projects/{project_id}/balance/days', { params, signal }))).data,
    placeholderData: keepPreviousData,
  })
}
