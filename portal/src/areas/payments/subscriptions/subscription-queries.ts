/** Subscriptions of customers. */
import { queryOptions } from '@tanstack/react-query'
import { api, inProject, read, type Schemas, type Scope } from '../../../api/client.ts'
import { listQuery } from '../../../api/list-query.ts'
import { pollEvery } from '../../../api/live.ts'
import type { Tone } from '../../../ui/display/badge.tsx'
import { paymentsKey } from '../queries.ts'

export type Subscription = Schemas['PaymentSubscription']

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
  return listQuery({
    key: [...paymentsKey(scope), 'subscriptions', filter],
    refresh_ms: REFRESH_MS,
    read: (page, signal) => {
      const params = { ...inProject(scope), query: { ...filter, ...page } }
      return read(api.GET('/projects/{project_id}/payment-subscriptions', { params, signal }))
    },
  })
}

export function subscriptionQuery(scope: Scope, id: string) {
  const params = inProject(scope, { id })
  return queryOptions({
    queryKey: [...paymentsKey(scope), 'subscription', id],
    queryFn: ({ signal }) =>
      read(api.GET('/projects/{project_id}/payment-subscriptions/{id}', { params, signal })),
    refetchInterval: pollEvery(REFRESH_MS),
  })
}

export type NewSubscription = Schemas['PaymentSubscriptionsCreateBody']

/** `key` is the same for every attempt, so that a retry creates nothing twice. */
export function createSubscription(scope: Scope, body: NewSubscription, key: string) {
  const { path, header } = inProject(scope)
  const params = { path, header: { ...header, 'Idempotency-Key': key } }
  return read(api.POST('/projects/{project_id}/payment-subscriptions', { params, body }))
}

export function cancelSubscription(scope: Scope, id: string) {
  const params = inProject(scope, { id })
  return read(api.POST('/projects/{project_id}/payment-subscriptions/{id}/cancel', { params }))
}
