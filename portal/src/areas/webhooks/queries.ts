/** The webhook endpoints of a project and their deliveries. */
import { queryOptions } from '@tanstack/react-query'
import type { operations } from 'portal-api'
import { api, inProject, read, type Schemas, type Scope } from '../../api/client.ts'
import { pollEvery } from '../../api/live.ts'

export type Endpoint = Schemas['Webhook']
export type NewEndpoint = Schemas['NewWebhook']
export type Delivery = Schemas['Delivery']
export type DeliveryDetail = Schemas['DeliveryDetail']
type DeliveryQuery = NonNullable<operations['webhooks.list_deliveries']['parameters']['query']>
export type DeliveryStatus = Delivery['status']
export type EventType = Exclude<NonNullable<DeliveryQuery['type']>, 'webhook.test'>

const PAGE_SIZE = 50
const REFRESH_MS = 8_000

export function webhooksKey({ project_id, mode }: Scope) {
  return ['webhooks', project_id, mode] as const
}

export function endpointsQuery(scope: Scope) {
  const params = { ...inProject(scope), query: { limit: PAGE_SIZE } }
  return queryOptions({
    queryKey: [...webhooksKey(scope), 'endpoints'],
    queryFn: async ({ signal }) =>
      (await read(api.GET('/projects/{project_id}/webhooks', { params, signal }))).data,
  })
}

/** Deliveries of an endpoint, newest first; read again while they are shown. */
export function deliveriesQuery(scope: Scope, id: string, status: DeliveryStatus | 'all') {
  const { path, header } = inProject(scope)
  const query = { limit: PAGE_SIZE, ...(status !== 'all' && { status }) }
  const params = { path: { ...path, id }, header, query }
  return queryOptions({
    queryKey: [...webhooksKey(scope), 'deliveries', id, status],
    queryFn: async ({ signal }) =>
      (await read(api.GET('/projects/{project_id}/webhooks/{id}/deliveries', { params, signal })))
        .data,
    refetchInterval: pollEvery(REFRESH_MS),
  })
}

export function deliveryQuery(scope: Scope, { endpoint_id, id }: Delivery) {
  const params = inProject(scope, { id: endpoint_id, delivery_id: id })
  const route = '/projects/{project_id}/webhooks/{id}/deliveries/{delivery_id}'
  return queryOptions({
    queryKey: [...webhooksKey(scope), 'delivery', id],
    queryFn: ({ signal }) => read(api.GET(route, { params, signal })),
  })
}

export type WantedEndpoint = Schemas['WebhooksCreateBody']

export function createEndpoint(scope: Scope, body: WantedEndpoint) {
  const params = inProject(scope)
  return read<NewEndpoint>(api.POST('/projects/{project_id}/webhooks', { params, body }))
}

export function deleteEndpoint(scope: Scope, id: string) {
  const params = inProject(scope, { id })
  return read(api.DELETE('/projects/{project_id}/webhooks/{id}', { params }))
}

export function enableEndpoint(scope: Scope, id: string) {
  const params = inProject(scope, { id })
  return read(api.POST('/projects/{project_id}/webhooks/{id}/enable', { params }))
}

export function testEndpoint(scope: Scope, id: string) {
  const params = inProject(scope, { id })
  return read(api.POST('/projects/{project_id}/webhooks/{id}/test', { params }))
}

export function rotateSecret(scope: Scope, id: string) {
  const params = inProject(scope, { id })
  return read(api.POST('/projects/{project_id}/webhooks/{id}/rotate-secret', { params }))
}

export function redeliver(scope: Scope, id: string) {
  const params = inProject(scope, { id })
  return read(api.POST('/projects/{project_id}/deliveries/{id}/redeliver', { params }))
}
