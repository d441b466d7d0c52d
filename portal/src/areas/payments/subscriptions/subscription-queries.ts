/** Subscriptions of customers. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api, inProject, read, type Schemas, type Scope } from '../../../api/client.ts'
import { pollEvery } from '../../../api/live.ts'
import type { Tone } from '../../../ui/display/badge.tsx'
import { paymentsKey } from '../queries.ts'

export type Subscription = Schemas['PaymentSubscription']

const PAGE_SIZE = 50
const REFRESH_MS = 15_000

export const subscriptionTones: Readonly<Record<Subscription['status'], Tone>> = {
  pending: 'neutral',
  active: 'good',
  past_due: 'warn',
  canceled: 'neutral',
  completed: 'info',
}

export interface SubscriptionFilter {
  customer_email?: string
  test?: boolean
}

export function subscriptionsQuery(scope: Scope, filter: SubscriptionFilter) {
  return infiniteQueryOptions({
    queryKey: [...paymentsKey(scope), 'subscriptions', filter],
    queryFn: ({ pageParam, signal }) => {
      const query = {
        limit: PAGE_SIZE,
        ...filter,
        ...(pageParam !== '' && { cursor: pageParam }),
      }
      const params = { ...inProject(scope), query }
      return read(api.GET('/projects/{project_id}/payment-subscriptions', { params, signal }))
    },
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
    refetchInterval: pollEvery(REFRESH_MS),
  })
}

export function subscriptionQuery(scope: Scope, id: string) {
  const { path, header } = inProject(scope)
  const params = { path: { ...path, id }, header }
  return queryOptions({
    queryKey: [...paymentsKey(scope), 'subscription', id],
    queryFn: ({ signal }) =>
      read(api.GET('/projects/{project_id}/payment-subscriptions/{id}', { params, signal })),
    refetchInterval: pollEvery(REFRESH_MS),
  })
}

export interface NewSubscription {
  description: string
  amount_eur: number
  vat_percent: number
  interval: Subscription['interval']
  /** Null for no end. */
  times: number | null
  email: string
  /** Empty if unknown. */
  name: string
  /** The same for every attempt, so that a retry creates nothing twice. */
  key: string
}

export function createSubscription(scope: Scope, wanted: NewSubscription) {
  const { times, email, name, key, ...facts } = wanted
  const { path, header } = inProject(scope)
  const params = { path, header: { ...header, 'Idempotency-Key': key } }
  const customer = { email, ...(name !== '' && { name }) }
  const body = { ...facts, customer, ...(times !== null && { times }) }
  return read(api.POST('/projects/{project_id}/payment-subscriptions', { params, body }))
}

export function cancelSubscription(scope: Scope, id: string) {
  const { path, header } = inProject(scope)
  const params = { path: { ...path, id }, header }
  return read(api.POST('/projects/{project_id}/payment-subscriptions/{id}/cancel', { params }))
}
