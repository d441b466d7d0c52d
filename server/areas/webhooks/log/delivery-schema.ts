/** Shapes of deliveries and their attempts. */
import { Type, type Static } from 'typebox'
import { eventTypeNames } from '../../../contract/event-types.ts'
import { limits } from '../../../contract/limits.ts'
import { markAsOutsiders } from '../../../contract/schema/outsiders.ts'
import { PageQuery, PageReply } from '../../../contract/schema/pages.ts'
import { nameSchema } from '../../../contract/schema/named.ts'
import { withDescription, Timestamp, Uuid } from '../../../contract/schema/shapes.ts'
import { ErrorOfDelivery, EventId, WebhookId } from '../schema.ts'

const states = ['delivered', 'pending', 'failed', 'dropped'] as const
const history_days = limits.webhook_history_s / 86_400

const Sha256 = Type.String({
  pattern: '^[0-9a-f]{64}$',
  examples: ['2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824'],
})

const ResponseStatus = Type.Union([Type.Integer({ examples: [200] }), Type.Null()], {
  description: 'HTTP status of the response; null if there was no response.',
})

export const DeliveryQuery = Type.Object(
  {
    ...PageQuery.properties,
    status: Type.Optional(Type.Enum(states, { description: 'Only deliveries with this status.' })),
    type: Type.Optional(
      Type.Enum(eventTypeNames, { description: 'Only deliveries of events of this type.' }),
    ),
  },
  { additionalProperties: false },
)
export type DeliveryQuery = Static<typeof DeliveryQuery>

export const DeliveryId = Type.Object({
  id: Type.String({ format: 'uuid', description: 'Id of the delivery.' }),
})

export const DeliveryOfWebhook = Type.Object({
  ...WebhookId.properties,
  delivery_id: Type.String({ format: 'uuid', description: 'Id of the delivery.' }),
})
export type DeliveryOfWebhook = Static<typeof DeliveryOfWebhook>

export const Delivery = nameSchema(
  'Delivery',
  Type.Object({
    id: withDescription(Uuid, 'Id of the delivery.'),
    endpoint_id: withDescription(Uuid, 'Id of the webhook endpoint.'),
    event_id: EventId,
    type: Type.String({ description: 'Type of the event.', examples: ['call.completed'] }),
    created_at: Type.String({ ...Timestamp, description: 'When the event happened.' }),
    status: Type.Enum(states, {
      description:
        'pending: the first attempt or a retry is still to come. failed: all attempts ' +
        'failed. dropped: not sent; error gives the reason.',
    }),
    attempt_count: Type.Integer({ minimum: 0, description: 'Number of attempts so far.' }),
    response_status: ResponseStatus,
    error: ErrorOfDelivery,
    next_attempt_at: Type.Union([Timestamp, Type.Null()], {
      description: 'When the next attempt is made; null unless pending.',
      examples: [null],
    }),
    finished_at: Type.Union([Timestamp, Type.Null()], {
      description: 'When the status became final; null while pending.',
    }),
  }),
)
export type Delivery = Static<typeof Delivery>

export const DeliveryList = PageReply(Delivery)
export type DeliveryList = Static<typeof DeliveryList>

export const Attempt = Type.Object({
  number: Type.Integer({ minimum: 1, description: 'Attempt number, counted from 1.' }),
  manual: Type.Boolean({
    description: 'true if requested with POST /deliveries/{id}/redeliver.',
    examples: [false],
  }),
  started_at: withDescription(Timestamp, 'When the attempt was made.'),
  duration_ms: Type.Integer({
    minimum: 0,
    description: 'Duration of the attempt in milliseconds.',
    examples: [184],
  }),
  response_status: ResponseStatus,
  error: ErrorOfDelivery,
  response_text: markAsOutsiders(
    Type.Union([Type.String(), Type.Null()], {
      description:
        `The first ${limits.webhook_answer_bytes_max} bytes of the response as text, ` +
        'with visible replacements for control characters; null if there was no ' +
        'readable response.',
      examples: ['{"received":true}'],
    }),
  ),
  body_sha256: Type.Union([Sha256, Type.Null()], {
    description: 'SHA-256 of the request body; null if nothing was sent.',
  }),
})
export type Attempt = Static<typeof Attempt>

export const DeliveryDetail = nameSchema(
  'DeliveryDetail',
  Type.Object({
    ...Delivery.properties,
    attempts: Type.Array(Attempt, { description: 'All attempts, newest first.' }),
  }),
)
export type DeliveryDetail = Static<typeof DeliveryDetail>

export const ReplayInput = Type.Object(
  {
    from: Type.String({
      ...Timestamp,
      description: `Start of the time span (inclusive), at most ${history_days} days ago.`,
    }),
    to: Type.String({ ...Timestamp, description: 'End of the time span (exclusive).' }),
    types: Type.Optional(
      Type.Array(Type.Enum(eventTypeNames), {
        minItems: 1,
        description: 'Only events of these types; the endpoint must subscribe to all of them.',
      }),
    ),
    include_delivered: Type.Optional(
      Type.Boolean({
        description: 'true: also resends events that were already delivered.',
        default: false,
      }),
    ),
  },
  {
    additionalProperties: false,
    examples: [{ from: '2026-11-21T09:00:00.000Z', to: '2026-11-21T10:00:00.000Z' }],
  },
)
export type ReplayInput = Static<typeof ReplayInput>

export const ReplayResult = Type.Object({
  events: Type.Integer({
    minimum: 0,
    description: 'Number of events queued for delivery.',
    examples: [12],
  }),
  skipped: Type.Integer({
    minimum: 0,
    description: 'Number of events not resent: already delivered or pending.',
    examples: [3],
  }),
})
export type ReplayResult = Static<typeof ReplayResult>
