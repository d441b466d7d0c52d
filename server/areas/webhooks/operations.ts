/** The operations of webhook endpoints. */
import { operation } from '../../contract/operation.ts'
import { PageQuery } from '../../contract/schema/pages.ts'
import {
  DeliveryDetail,
  DeliveryId,
  DeliveryList,
  DeliveryOfWebhook,
  DeliveryQuery,
  ReplayInput,
  ReplayResult,
} from './log/delivery-schema.ts'
import {
  NewWebhook,
  Webhook,
  WebhookChange,
  WebhookId,
  WebhookInput,
  WebhookList,
  WebhookTest,
} from './schema.ts'
import * as webhooks from './service.ts'

export const list = operation({
  name: 'webhooks.list',
  route: 'GET /webhooks',
  about: 'The webhook endpoints of the project, newest first, without their secrets.',
  keywords:
    'callbacks, hooks, subscriptions, endpoints, integrations, pings, which systems are told, CRM',
  scope: 'webhooks:write',
  reach: 'project',
  effect: 'read',
  query: PageQuery,
  status: 200,
  reply: WebhookList,
  errors: ['invalid_parameter'],
  run: ({ query }, caller) => webhooks.list(caller, query),
})

export const create = operation({
  name: 'webhooks.create',
  route: 'POST /webhooks',
  about:
    'Creates an endpoint: events of the chosen types are sent to its https URL, signed ' +
    'with the secret, which is only in this reply.',
  keywords:
    'callback, subscribe, notify, ping our software, let our system know, Zapier, push, event ' +
    'hook, whenever an order comes in, form filled in, after a call, tell our system, CRM, ' +
    'ERP, till, n8n, trigger, signal automatically, new submission, booking server, endpoint',
  consent: {
    about: 'Sends the chosen events of this project to an address on the internet, from now on.',
  },
  scope: 'webhooks:write',
  reach: 'project',
  effect: 'outside',
  body: WebhookInput,
  status: 201,
  reply: NewWebhook,
  errors: ['invalid_webhook_endpoint', 'webhook_limit_reached'],
  run: ({ body }, caller) => webhooks.create(caller, body),
})

export const find = operation({
  name: 'webhooks.get',
  route: 'GET /webhooks/{id}',
  about: 'One webhook endpoint, without its secret.',
  keywords: 'callback, endpoint details, is it disabled, failures, which events',
  scope: 'webhooks:write',
  reach: 'project',
  effect: 'read',
  params: WebhookId,
  status: 200,
  reply: Webhook,
  errors: ['not_found'],
  run: ({ params }, caller) => webhooks.find(caller, params.id),
})

export const change = operation({
  name: 'webhooks.update',
  route: 'PATCH /webhooks/{id}',
  about:
    'Changes the URL or event types of an endpoint, with the same validation as at ' +
    'creation. Pending deliveries go to the new URL.',
  keywords:
    'new URL, other address, pings, callback, moved servers, subscribe to more events, change ' +
    'event types, stop notifying, switch off, pause, mute, suspend, send to another system, ' +
    'server address',
  consent: {
    about:
      'Changes where the events of this project are sent, or which. Pending events go to the ' +
      'new address.',
  },
  scope: 'webhooks:write',
  reach: 'project',
  effect: 'outside',
  params: WebhookId,
  body: WebhookChange,
  status: 200,
  reply: Webhook,
  errors: ['not_found', 'invalid_webhook_endpoint'],
  run: ({ params, body }, caller) => webhooks.change(caller, params.id, body),
})

export const rotateSecret = operation({
  name: 'webhooks.rotate_secret',
  route: 'POST /webhooks/{id}/rotate-secret',
  about:
    'Creates a new secret for an endpoint, which is only in this reply. For 24 hours ' +
    'requests are signed with the old secret too; another rotation within that time ' +
    'drops the oldest one at once.',
  keywords: 'signing secret, signature, leaked, replace, HMAC, renew, regenerate, roll, invalidate',
  scope: 'webhooks:write',
  reach: 'project',
  effect: 'write',
  params: WebhookId,
  status: 200,
  reply: NewWebhook,
  errors: ['not_found'],
  run: ({ params }, caller) => webhooks.rotateSecret(caller, params.id),
})

export const remove = operation({
  name: 'webhooks.delete',
  route: 'DELETE /webhooks/{id}',
  about: 'Deletes an endpoint and its pending deliveries.',
  keywords:
    'unsubscribe, stop notifying, remove callback, stop telling old system, disconnect, no ' +
    'longer send events, old program',
  consent: { about: 'Deletes a receiver of events. Its pending events are never sent.' },
  scope: 'webhooks:write',
  reach: 'project',
  effect: 'write',
  params: WebhookId,
  status: 204,
  errors: ['not_found'],
  run: ({ params }, caller) => webhooks.remove(caller, params.id),
})

export const enable = operation({
  name: 'webhooks.enable',
  route: 'POST /webhooks/{id}/enable',
  about:
    'Enables a disabled endpoint and resets consecutive_failures to 0. Events from the ' +
    'disabled period are not resent.',
  keywords:
    'turn on again, reactivate, resume, was disabled after failures, unpause, switch back on',
  scope: 'webhooks:write',
  reach: 'project',
  effect: 'write',
  params: WebhookId,
  status: 200,
  reply: Webhook,
  errors: ['not_found'],
  run: ({ params }, caller) => webhooks.enable(caller, params.id),
})

export const test = operation({
  name: 'webhooks.test',
  route: 'POST /webhooks/{id}/test',
  about:
    'Sends a webhook.test event to the endpoint at once, regardless of its event ' +
    'types, and returns the result of the first attempt.',
  keywords:
    'sample payload, fire, trial, ping callback, try endpoint, dummy event, does our server answer',
  consent: { about: 'Sends a test event to a receiver on the internet.' },
  scope: 'webhooks:write',
  reach: 'project',
  effect: 'outside',
  params: WebhookId,
  status: 200,
  reply: WebhookTest,
  errors: ['not_found', 'webhook_endpoint_disabled'],
  run: ({ params }, caller) => webhooks.test(caller, params.id),
})

export const listDeliveries = operation({
  name: 'webhooks.list_deliveries',
  route: 'GET /webhooks/{id}/deliveries',
  about:
    'Lists the deliveries of an endpoint of the last 30 days and the pending ones, ' +
    'newest events first.',
  keywords:
    'failed, log, attempts, response codes, not receiving events, arrives twice, stopped ' +
    'getting, Zapier, inspect notifications, nothing arrives, what was sent, errors come back, ' +
    'integration broken, stock program, CRM',
  scope: 'webhooks:write',
  reach: 'project',
  effect: 'read',
  params: WebhookId,
  query: DeliveryQuery,
  status: 200,
  reply: DeliveryList,
  errors: ['invalid_parameter', 'not_found'],
  run: ({ params, query }, caller) => webhooks.listDeliveries(caller, params.id, query),
})

export const findDelivery = operation({
  name: 'webhooks.get_delivery',
  route: 'GET /webhooks/{id}/deliveries/{delivery_id}',
  about: 'One delivery with all its attempts: time, duration and response.',
  keywords: 'attempt, payload, response, status code, request body, debug callback',
  scope: 'webhooks:write',
  reach: 'project',
  effect: 'read',
  params: DeliveryOfWebhook,
  status: 200,
  reply: DeliveryDetail,
  errors: ['not_found'],
  run: ({ params }, caller) => webhooks.findDelivery(caller, params),
})

export const redeliver = operation({
  name: 'deliveries.redeliver',
  route: 'POST /deliveries/{id}/redeliver',
  about:
    'Sends a finished delivery again at once, with the same event id and the current ' +
    'secret, and returns the result. It also works for a disabled endpoint, and does ' +
    'not count as a success or failure of the endpoint.',
  keywords: 'resend, retry, failed event, again, 500, repeat, did not arrive, try once more',
  consent: { about: 'Sends one event of this project to its receiver again.' },
  scope: 'webhooks:write',
  reach: 'project',
  effect: 'outside',
  params: DeliveryId,
  status: 200,
  reply: DeliveryDetail,
  errors: ['not_found', 'conflict'],
  run: ({ params }, caller) => webhooks.redeliver(caller, params.id),
})

export const replay = operation({
  name: 'webhooks.replay',
  route: 'POST /webhooks/{id}/replay',
  about:
    'Sends the events of a time span to an endpoint again, with the same event ids: ' +
    'failed and dropped ones and those never sent to it; with include_delivered, all.',
  keywords:
    'resend, missed events, did not get, send again, retry all failed, since yesterday, ' +
    'outage, redeliver, downtime, backfill, catch up, missed notifications, weekend',
  consent: { about: 'Sends the events of a time span to their receiver again.' },
  scope: 'webhooks:write',
  reach: 'project',
  effect: 'outside',
  params: WebhookId,
  body: ReplayInput,
  status: 200,
  reply: ReplayResult,
  errors: ['not_found', 'webhook_endpoint_disabled'],
  run: ({ params, body }, caller) => webhooks.replay(caller, params.id, body),
})
