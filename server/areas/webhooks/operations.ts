/** The operations of webhook endpoints. */
import { operation } from '../../contract/operation.ts'
import { PageQuery } from '../../contract/pages.ts'
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
  about: 'The webhook endpoints of the project, newest first, never with their secrets.',
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
    'Sends events of the chosen types to an https address, each signed with the secret that is ' +
    'in this reply only.',
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
    'Changes the address or the event types of an endpoint, by the rules of creating it. What is ' +
    'pending goes to the new address.',
  consent: {
    about:
      'Changes where the events of this project are sent, or which. Those that wait go to the new ' +
      'address.',
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
    'Gives an endpoint a new secret, which is in this reply only. For 24 hours requests are ' +
    'signed with the old one too; rotating again within them drops the older one at once.',
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
  consent: { about: 'Deletes a receiver of events. Events that wait for it are never sent.' },
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
    'Switches a disabled endpoint on again and sets consecutive_failures to 0. Events from the ' +
    'time it was off are not sent.',
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
    'Sends a webhook.test event to the endpoint at once, whatever it subscribes to, and says how ' +
    'the first attempt ended.',
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
    'What was sent to an endpoint in the last 30 days and what is on its way, those of the newest ' +
    'events first.',
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
  about: 'One delivery with every attempt: when, how long, and what the receiver answered.',
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
    'Sends a delivery that is over once more, at once, with the same event id and the current ' +
    'secret, and says how that ended. It works for a disabled endpoint too, and counts neither ' +
    'for nor against it.',
  consent: { about: 'Sends one event of this project to its receiver once more.' },
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
    'Sends the events of a time span to an endpoint again, with the same event ids: those that ' +
    'failed, were dropped or were never meant for it, and with include_delivered all of them.',
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
