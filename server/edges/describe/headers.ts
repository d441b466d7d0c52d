/**
 * The request and response headers of the API and of webhook requests, with meaning and example,
 * for the OpenAPI document and the pages.
 */
import type { EventType } from '../../contract/event-types.ts'
import { limits } from '../../contract/limits.ts'
import type { Operation } from '../../contract/operation.ts'
import { hasProjectInPath } from '../../contract/people.ts'
import { mediaOf } from '../../contract/operations/streams.ts'
import { checksVersion } from './problems-of.ts'

export interface DocumentedHeader {
  readonly name: string
  readonly about: string
  readonly required: boolean
  readonly schema: Readonly<Record<string, unknown>>
  readonly example: string | number
}

const REQUEST_ID = 'req_7hQ2mZx0Vb4TcK9sLw3N'
const UUID = '019aafe2-8f10-7c55-a1b2-4c5d6e7f8091'
const IDEMPOTENCY_CHARACTERS_MAX = limits.idempotency_key_characters_max
const HOURS_REMEMBERED = limits.idempotency_key_remembered_s / 3_600

export const requestIdHeader: DocumentedHeader = {
  name: 'X-Request-Id',
  about: `An id of your own for this request: 1 to ${limits.request_id_characters_max} letters, digits, - and _. Anything else is replaced.`,
  required: false,
  schema: { type: 'string' },
  example: 'order-4711',
}

const idempotencyKey: DocumentedHeader = {
  name: 'Idempotency-Key',
  about:
    `A new key for every order, the same key for a retry: 1 to ${IDEMPOTENCY_CHARACTERS_MAX} visible ASCII ` +
    `characters without spaces, such as a UUID. It is valid for ${HOURS_REMEMBERED} hours.`,
  required: true,
  schema: {
    type: 'string',
    minLength: 1,
    maxLength: IDEMPOTENCY_CHARACTERS_MAX,
    pattern: '^[!-~]+$',
  },
  example: UUID,
}

const ifMatch: DocumentedHeader = {
  name: 'If-Match',
  about: 'The version from the ETag of your last read. The change is refused if it is outdated.',
  required: false,
  schema: { type: 'string' },
  example: '"3"',
}

const lastEventId: DocumentedHeader = {
  name: 'Last-Event-ID',
  about:
    'The id of the last received event. The stream continues after it; browsers send it automatically.',
  required: false,
  schema: { type: 'string', pattern: '^[0-9]+$' },
  example: '1204',
}

const origin: DocumentedHeader = {
  name: 'Origin',
  about:
    'The origin of the page, sent by browsers. The public token must allow exactly this origin.',
  required: true,
  schema: { type: 'string' },
  example: 'https://www.example.nl',
}

const conversationToken: DocumentedHeader = {
  name: 'X-Conversation-Token',
  about: 'The token from the reply that started the conversation, valid for 6 hours.',
  required: true,
  schema: { type: 'string' },
  example: '019aafe2-7c3a-7d41-9f52-3b8e6a1c4d20.mi5k2o.q3VtT0xJc2Rf',
}

const mode: DocumentedHeader = {
  name: 'Homeport-Mode',
  about: 'The mode of the request, like that of a key; live, except in test projects.',
  required: false,
  schema: { type: 'string', enum: ['live', 'test'] },
  example: 'test',
}

/** Returns the request headers of an operation besides Authorization and Content-Type. */
export function listRequestHeaders(operation: Operation): DocumentedHeader[] {
  return [
    ...(operation.headers?.idempotency_key
      ? [{ ...idempotencyKey, required: operation.headers.idempotency_key === 'required' }]
      : []),
    ...(checksVersion(operation) ? [ifMatch] : []),
    ...(mediaOf(operation)?.endless ? [lastEventId] : []),
    ...(operation.kind === 'guest' ? [origin] : []),
    ...(operation.kind === 'guest' && operation.in_conversation ? [conversationToken] : []),
    ...(operation.for_sessions && hasProjectInPath(operation) ? [mode] : []),
    requestIdHeader,
  ]
}

export const responseHeaders = {
  request_id: {
    name: 'X-Request-Id',
    about: 'The id of this request, for support. In an error it is request_id.',
    required: true,
    schema: { type: 'string' },
    example: REQUEST_ID,
  },
  etag: {
    name: 'ETag',
    about: 'The version of the resource, for If-Match.',
    required: true,
    schema: { type: 'string' },
    example: '"3"',
  },
  replayed: {
    name: 'Idempotent-Replayed',
    about:
      'Present, with the value true, if this is the stored reply of an earlier request with the same Idempotency-Key.',
    required: false,
    schema: { type: 'string', const: 'true' },
    example: 'true',
  },
  key_ignored: {
    name: 'Idempotency-Key-Ignored',
    about:
      'Present, with the value true, if the request had an Idempotency-Key. This operation stores none, so a ' +
      'retry repeats its effect.',
    required: false,
    schema: { type: 'string', const: 'true' },
    example: 'true',
  },
  rate: {
    name: 'RateLimit',
    about:
      'The number of remaining requests of this key or person (r), and the seconds until more are allowed (t).',
    required: false,
    schema: { type: 'string' },
    example: `"key";r=${limits.requests_max - 1};t=0`,
  },
  rate_policy: {
    name: 'RateLimit-Policy',
    about: 'The number of requests allowed for a key or person (q) in a number of seconds (w).',
    required: false,
    schema: { type: 'string' },
    example: `"key";q=${limits.requests_max};w=${limits.request_window_s}`,
  },
  location: {
    name: 'Location',
    about: 'The redirect of the form.',
    required: true,
    schema: { type: 'string', format: 'uri' },
    example: 'https://www.example.nl/thanks',
  },
  retry_after: {
    name: 'Retry-After',
    about: 'The number of seconds to wait before a retry.',
    required: false,
    schema: { type: 'integer', minimum: 0 },
    example: 12,
  },
} as const satisfies Record<string, DocumentedHeader>

export type ResponseHeader = keyof typeof responseHeaders

/** Returns the headers of a successful response. */
export function listResponseHeaders(operation: Operation): ResponseHeader[] {
  return [
    'request_id',
    ...(operation.headers?.etag ? (['etag'] as const) : []),
    ...(operation.headers?.idempotency_key ? (['replayed'] as const) : []),
    ...(ignoresIdempotencyKey(operation) ? (['key_ignored'] as const) : []),
    ...(isCounted(operation) ? (['rate', 'rate_policy'] as const) : []),
  ]
}

/** Whether a retry repeats the effect, although the client may send an Idempotency-Key. */
export function ignoresIdempotencyKey({ method, effect, headers }: Operation): boolean {
  return method === 'POST' && effect !== 'read' && !headers?.idempotency_key
}

/** Whether requests count towards the rate limit of a key or a person. */
export function isCounted(operation: Operation): boolean {
  return operation.scope !== null || operation.for_sessions === true
}

/** Returns the headers of a webhook request besides Content-Type. */
export function listEventHeaders(type: EventType): DocumentedHeader[] {
  const header = (name: string, about: string, example: string): DocumentedHeader => ({
    name,
    about,
    required: true,
    schema: { type: 'string' },
    example,
  })
  return [
    header('User-Agent', 'The sender.', 'Service-Webhooks/1'),
    header('Service-Event', 'The event type, the same as type in the body.', type),
    header(
      'Service-Delivery',
      'The id of the delivery, the same on every retry of this event to this endpoint.',
      UUID,
    ),
    header(
      'Service-Signature',
      't is the time in Unix seconds; each v1 is a signature over t, a dot and the raw body.',
      't=1795426200,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd',
    ),
    header(
      'webhook-id',
      'The id of the event, for libraries of Standard Webhooks.',
      'evt_019aafe27c3a7d419f523b8e6a1c4d20',
    ),
    header('webhook-timestamp', 'The same time as t in Service-Signature.', '1795426200'),
    header(
      'webhook-signature',
      'The signature of Standard Webhooks 1.0.',
      'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
    ),
  ]
}
