/** Shapes of webhooks (specification: Webhook endpoint, Delivery error codes). */
import { Type, type Static } from 'typebox'
import { eventTypeNames } from '../../contract/event-types.ts'
import { limits } from '../../contract/limits.ts'
import { PageReply } from '../../contract/schema/pages.ts'
import { markShownOnce } from '../../contract/schema/shown-once.ts'
import { nameSchema } from '../../contract/schema/named.ts'
import {
  withDescription,
  orNull,
  withExample,
  Timestamp,
  Uuid,
} from '../../contract/schema/shapes.ts'

const exampleUrl = 'https://example.com/hooks'

/** Errors of failed attempts and dropped deliveries, with their meanings. */
export const errorMeanings = {
  timeout: `no response within ${limits.webhook_response_timeout_s} seconds`,
  connection_failed: 'DNS, TLS or refused connection',
  non_2xx_status: 'response not 2xx (redirects too); response_status carries the code',
  not_public_host: 'URL now resolves to a non-public address',
  invalid_url: 'not a valid https URL',
  response_too_large: 'response body too large',
  endpoint_disabled: 'endpoint switched off before delivery',
  call_deleted: 'call deleted before delivery; not counted as failure',
  summary_deleted: 'summary deleted before delivery; not counted as failure',
  document_deleted: 'document deleted before delivery; not counted as failure',
  message_deleted: 'message deleted before delivery; not counted as failure',
  email_deleted: 'email deleted before delivery; not counted as failure',
  order_deleted: 'order deleted before delivery; not counted as failure',
  secret_unreadable: "a problem on the service's side",
  delivery_failed: 'any other failure',
} as const

export type DeliveryError = keyof typeof errorMeanings

const deliveryErrors: DeliveryError[] = Object.keys(errorMeanings).filter(
  (word): word is DeliveryError => word in errorMeanings,
)

export const DeliveryErrorCode = Type.Enum(deliveryErrors)

const errorTable = Object.entries(errorMeanings)
  .map(([code, meaning]) => `${code}: ${meaning}`)
  .join('. ')

// The error codes as plain strings, because rows store them as text.
const errorWords: string[] = deliveryErrors
export const ErrorOfDelivery = Type.Union([Type.Enum(errorWords), Type.Null()], {
  description: errorTable,
  examples: [null],
})

export const EventId = Type.String({
  pattern: '^evt_[0-9a-f]{32}$',
  description: 'Id of the event, the same in every delivery of it.',
  examples: ['evt_019aafe27c3a7d419f523b8e6a1c4d20'],
})

export const WebhookId = Type.Object({
  id: Type.String({ format: 'uuid', description: 'Id of the webhook endpoint.' }),
})

// The schema checks only types: unusable URLs and events are refused with 400
// invalid_webhook_endpoint.
export const WebhookInput = Type.Object(
  {
    url: Type.String({
      description:
        'URL events are sent to: https, a domain name on the default port, no user ' +
        `name or password, at most ${limits.webhook_url_characters_max} characters, a ` +
        'public address.',
    }),
    events: Type.Array(Type.String(), {
      description: `Event types to send. At least one of ${eventTypeNames.join(', ')}.`,
    }),
    app_id: Type.Optional(
      Type.String({
        format: 'uuid',
        description:
          'Only the email events of this app; events may then contain email events only.',
      }),
    ),
  },
  {
    additionalProperties: false,
    examples: [{ url: exampleUrl, events: ['call.completed', 'call.summary.ready'] }],
  },
)
export type WebhookInput = Static<typeof WebhookInput>

export const WebhookChange = Type.Object(
  {
    url: Type.Optional(WebhookInput.properties.url),
    events: Type.Optional(WebhookInput.properties.events),
  },
  {
    additionalProperties: false,
    minProperties: 1,
    examples: [{ url: exampleUrl }],
  },
)
export type WebhookChange = Static<typeof WebhookChange>

const Warning = Type.Object(
  {
    failures: Type.Integer({ description: 'Number of consecutive failed attempts so far.' }),
    disabled_at_failures: Type.Integer({
      description: 'Number of consecutive failed attempts at which the endpoint is disabled.',
      examples: [limits.webhook_failures_in_a_row_max],
    }),
  },
  { additionalProperties: false },
)

const SilentSources = Type.Array(Type.String(), {
  description:
    'What does not send the events of this endpoint until a setting is changed, and which. Absent if ' +
    'nothing is, and in lists.',
  examples: [
    [
      'document.created is not sent for these collections, because their webhook_on_insert is false: orders.',
    ],
  ],
})

export const Webhook = nameSchema(
  'Webhook',
  Type.Object({
    id: withDescription(Uuid, 'Id of the webhook endpoint.'),
    url: Type.String({ description: 'URL events are sent to.', examples: [exampleUrl] }),
    events: Type.Array(Type.String({ examples: ['call.completed'] }), {
      description: 'Event types that are sent.',
    }),
    app_id: Type.Union([Uuid, Type.Null()], {
      description: 'App whose email events are sent; null: events of the whole project.',
      examples: [null],
    }),
    active: Type.Boolean({
      description:
        `false after ${limits.webhook_failures_in_a_row_max} failed attempts in a row; ` +
        'POST /webhooks/{id}/enable switches it on again.',
    }),
    secret_prefix: Type.String({
      description: 'The first characters of the secret.',
      examples: ['whsec_Ab3dE9'],
    }),
    created_at: withDescription(Timestamp, 'When the endpoint was created.'),
    last_success_at: orNull(Timestamp, 'Time of the last successful attempt; null if none.'),
    last_failure_at: withExample(
      orNull(Timestamp, 'Time of the last failed attempt; null if none.'),
      null,
    ),
    consecutive_failures: Type.Integer({
      minimum: 0,
      description: 'Consecutive failed attempts since the last success.',
      examples: [0],
    }),
    warning: Type.Union([Warning, Type.Null()], {
      description:
        'Warning before the endpoint is disabled, from ' +
        `${limits.webhook_warning_failures[0]} consecutive failed attempts on; null ` +
        'otherwise. Fix the receiver.',
      examples: [null],
    }),
    disabled_at: Type.Union([Timestamp, Type.Null()], {
      description: 'When the endpoint was disabled; null while it is active.',
      examples: [null],
    }),
    disabled_reason: Type.Union([Type.Enum(['failures']), Type.Null()], {
      description: 'Why the endpoint is disabled. failures: too many consecutive failed attempts.',
      examples: [null],
    }),
    previous_secret_until: Type.Union([Timestamp, Type.Null()], {
      description: 'Until when the previous secret also signs; null if it does not.',
      examples: [null],
    }),
    warnings: Type.Optional(SilentSources),
  }),
)
export type Webhook = Static<typeof Webhook>

export const NewWebhook = nameSchema(
  'NewWebhook',
  Type.Object({
    ...Webhook.properties,
    secret: markShownOnce(
      Type.String({
        description: 'Secret that signs every request to this endpoint. It is only in this reply.',
        examples: ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDZlGMR/VxPqM='],
      }),
      'The secret that signs the requests is not stored with the approval. To get one, rotate it: ' +
        'webhooks.rotate_secret (POST /webhooks/{id}/rotate-secret) replies with a new secret, and ' +
        'the portal shows one under Webhooks.',
    ),
  }),
)
export type NewWebhook = Static<typeof NewWebhook>

export const WebhookList = PageReply(Webhook)
export type WebhookList = Static<typeof WebhookList>

export const WebhookTest = Type.Object({
  delivery_id: withDescription(
    Uuid,
    'Id of the delivery, for GET /webhooks/{id}/deliveries/{delivery_id}.',
  ),
  event_id: EventId,
  status: Type.Enum(['delivered', 'pending', 'failed'], {
    description:
      'delivered, pending or failed. pending: the first attempt failed and is retried on ' +
      'the schedule.',
  }),
  response_status: orNull(
    Type.Integer({ examples: [200] }),
    'HTTP status of the response; null if there was none.',
  ),
  error: ErrorOfDelivery,
  warnings: Type.Optional(SilentSources),
})
export type WebhookTest = Static<typeof WebhookTest>
