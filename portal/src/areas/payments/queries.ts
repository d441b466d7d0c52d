/** Orders, refunds and the payment account. */
import { queryOptions } from '@tanstack/react-query'
import { api, inProject, read, type Schemas, type Scope } from '../../api/client.ts'
import { listQuery } from '../../api/list-query.ts'
import { pollEvery } from '../../api/live.ts'

export type Order = Schemas['Order']
export type OrderDetail = Schemas['OrderDetail']
export type PaymentAccount = Schemas['PaymentAccount']
export type OrderRefusal = Schemas['OrderRefusal']
export type OrderStatus = Order['status']

const REFRESH_MS = 8_000
const REVENUE_REFRESH_MS = 60_000
const EXPORT_PAGE_SIZE = 100
const EXPORTED_MAX = 20_000

export function paymentsKey({ project_id, mode }: Scope) {
  return ['payments', project_id, mode] as const
}

export function accountQuery(scope: Scope) {
  return queryOptions({
    queryKey: [...paymentsKey(scope), 'account'],
    queryFn: ({ signal }) =>
      read(
        api.GET('/projects/{project_id}/payments/account', { params: inProject(scope), signal }),
      ),
  })
}

export interface WantedAccount {
  provider: PaymentAccount['provider']
  key?: string
}

export function connectAccount(scope: Scope, body: WantedAccount) {
  const params = inProject(scope)
  return read(api.PUT('/projects/{project_id}/payments/account', { params, body }))
}

export function revenueQuery(scope: Scope) {
  const params = { ...inProject(scope), query: { test: scope.mode === 'test' } }
  return queryOptions({
    queryKey: [...paymentsKey(scope), 'revenue'],
    queryFn: async ({ signal }) =>
      (await read(api.GET('/projects/{project_id}/payments/revenue', { params, signal }))).data,
    refetchInterval: pollEvery(REVENUE_REFRESH_MS),
  })
}

export function invoicesQuery(scope: Scope, order_id: string) {
  const params = { ...inProject(scope), query: { order_id } }
  return queryOptions({
    queryKey: [...paymentsKey(scope), 'invoices', order_id],
    queryFn: async ({ signal }) =>
      (await read(api.GET('/projects/{project_id}/invoices', { params, signal }))).data,
    refetchInterval: pollEvery(REFRESH_MS),
  })
}

/** Every order, for a file; newest first. */
export async function readAllOrders(scope: Scope): Promise<Order[]> {
  const orders: Order[] = []
  let cursor: string | null = ''
  while (cursor !== null && orders.length < EXPORTED_MAX) {
    const query = { limit: EXPORT_PAGE_SIZE, ...(cursor !== '' && { cursor }) }
    const params = { ...inProject(scope), query }
    const page: { data: Order[]; next_cursor: string | null } = await read(
      api.GET('/projects/{project_id}/orders', { params }),
    )
    orders.push(...page.data)
    cursor = page.next_cursor
  }
  return orders
}

export interface OrderFilter {
  status?: OrderStatus
  customer_email?: string
  subscription_id?: string
  test?: boolean
}

export function ordersQuery(scope: Scope, filter: OrderFilter) {
  return listQuery({
    key: [...paymentsKey(scope), 'orders', filter],
    refresh_ms: REFRESH_MS,
    read: (page, signal) => {
      const params = { ...inProject(scope), query: { ...filter, ...page } }
      return read(api.GET('/projects/{project_id}/orders', { params, signal }))
    },
  })
}

export function orderQuery(scope: Scope, id: string) {
  const params = inProject(scope, { id })
  return queryOptions({
    queryKey: [...paymentsKey(scope), 'order', id],
    queryFn: ({ signal }) =>
      read(api.GET('/projects/{project_id}/orders/{id}', { params, signal })),
    refetchInterval: pollEvery(REFRESH_MS),
  })
}

const REFUSALS_SHOWN = 20

export function refusalsQuery(scope: Scope) {
  const params = { ...inProject(scope), query: { limit: REFUSALS_SHOWN } }
  return queryOptions({
    queryKey: [...paymentsKey(scope), 'refusals'],
    queryFn: async ({ signal }) =>
      (await read(api.GET('/projects/{project_id}/order-refusals', { params, signal }))).data,
    refetchInterval: pollEvery(REFRESH_MS),
  })
}

export type NewOrder = Schemas['OrdersCreateBody']

/** Creates an order of one piece. */
export function createOrder(scope: Scope, { items }: NewOrder) {
  const params = inProject(scope)
  const body = { items: items.map((item) => ({ ...item, quantity: 1 })) }
  return read(api.POST('/projects/{project_id}/orders', { params, body }))
}

export interface AskedRefund {
  id: string
  /** Null for everything that is left. */
  amount_eur: number | null
  reason: string
  /** The same for every attempt, so that a retry never refunds twice. */
  key: string
}

export function refundOrder(scope: Scope, { id, amount_eur, reason, key }: AskedRefund) {
  const { path, header } = inProject(scope)
  const params = { path: { ...path, id }, header: { ...header, 'Idempotency-Key': key } }
  const body = { ...(amount_eur !== null && { amount_eur }), ...(reason !== '' && { reason }) }
  return read(api.POST('/projects/{project_id}/orders/{id}/refunds', { params, body }))
}
