/**
 * The request and response headers of the API and of webhook requests, with meaning and example,
 * for the OpenAPI document and the pages.
 */
import type { EventType } from '../../../contract/event-types.ts'
import { limits } from '../../../contract/limits.ts'
import type { Operation } from '../../../contract/operation.ts'
import { namesProject } from '../../../contract/people.ts'
import { mediaOf } from '../../../contract/streams.ts'
import { takesVersion } from './problems-of.ts'

export interface Header {
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

export const requestIdSent: Header = {
  name: 'X-Request-Id',
  about: `An id of your own for this request: 1 to ${limits.request_id_characters_max} letters, digits, - and _. Anything else is replaced.`,
  required: false,
  schema: { type: 'string' },
  example: 'order-4711',
}

const idempotencyKey: Header = {
  name: 'Idempotency-Key',
  about:
    `A new key for every order, the same key when you try it again: 1 to ${IDEMPOTENCY_CHARACTERS_MAX} visible ASCII ` +
    `characters without spaces, such as a UUID. It is remembered for ${HOURS_REMEMBERED} hours.`,
  required: true,
  schema: {
    type: 'string',
    minLength: 1,
    maxLength: IDEMPOTENCY_CHARACTERS_MAX,
    pattern: '^[!-~]+$',
  },
  example: UUID,
}

const ifMatch: Header = {
  name: 'If-Match',
  about: 'The version from the ETag of your last read. The change is refused if it is outdated.',
  required: false,
  schema: { type: 'string' },
  example: '"3"',
}

const lastEventId: Header = {
  name: 'Last-Event-ID',
  about: 'The id of the last event you have. The stream goes on after it; browsers send it.',
  required: false,
  schema: { type: 'string', pattern: '^[0-9]+$' },
  example: '1204',
}

const origin: Header = {
  name: 'Origin',
  about: 'Where the page is; browsers send it. The public token must allow exactly this origin.',
  required: true,
  schema: { type: 'string' },
  example: 'https://www.example.nl',
}

const mode: Header = {
  name: 'Homeport-Mode',
  about:
    'Whether it is meant as with a live or a test key; live, unless the project is one for tests.',
  required: false,
  schema: { type: 'string', enum: ['live', 'test'] },
  example: 'test',
}

/** The request headers of an operation besides Authorization and Content-Type. */
export function headersRead(operation: Operation): Header[] {
  return [
    ...(operation.headers?.idempotency_key ? [idempotencyKey] : []),
    ...(takesVersion(operation) ? [ifMatch] : []),
    ...(mediaOf(operation)?.endless ? [lastEventId] : []),
    ...(operation.kind === 'guest' ? [origin] : []),
    ...(operation.for_sessions && namesProject(operation) ? [mode] : []),
    requestIdSent,
  ]
}

export const responseHeaders = {
  request_id: {
    name: 'X-Request-Id',
    about: 'The id of this request, to give to support. A problem has it as request_id.',
    required: true,
    schema: { type: 'string' },
    example: REQUEST_ID,
  },
  etag: {
    name: 'ETag',
    about: 'The version of what was read or written, for If-Match.',
    required: true,
    schema: { type: 'string' },
    example: '"3"',
  },
  replayed: {
    name: 'Idempotent-Replayed',
    about:
      'Present, with the value true, when this is the reply of an earlier request with the same Idempotency-Key.',
    required: false,
    schema: { type: 'string', const: 'true' },
    example: 'true',
  },
  rate: {
    name: 'RateLimit',
    about:
      'How many requests this key or person has left (r), and how many seconds to wait for more (t).',
    required: false,
    schema: { type: 'string' },
    example: `"key";r=${limits.requests_max - 1};t=0`,
  },
  rate_policy: {
    name: 'RateLimit-Policy',
    about: 'How many requests a key or a person may make (q) in how many seconds (w).',
    required: false,
    schema: { type: 'string' },
    example: `"key";q=${limits.requests_max};w=${limits.request_window_s}`,
  },
  location: {
    name: 'Location',
    about: 'Where the browser goes on: the redirect of the form.',
    required: true,
    schema: { type: 'string', format: 'uri' },
    example: 'https://www.example.nl/thanks',
  },
  retry_after: {
    name: 'Retry-After',
    about: 'How many seconds to wait before the same request is worth another try.',
    required: false,
    schema: { type: 'integer', minimum: 0 },
    example: 12,
  },
} as const satisfies Record<string, Header>

export type ResponseHeader = keyof typeof responseHeaders

/** The headers of a successful response. */
export function headersGiven(operation: Operation): ResponseHeader[] {
  return [
    'request_id',
    ...(operation.headers?.etag ? (['etag'] as const) : []),
    ...(operation.headers?.idempotency_key ? (['replayed'] as const) : []),
    ...(isCounted(operation) ? (['rate', 'rate_policy'] as const) : []),
  ]
}

/** Whether requests count towards the rate limit of a key or a person. */
export function isCounted(operation: Operation): boolean {
  return operation.scope !== null || operation.for_sessions === true
}

/** The headers of a webhook request besides Content-Type. */
export function eventHeaders(type: EventType): Header[] {
  const header = (name: string, about: string, example: string): Header => ({
    name,
    about,
    required: true,
    schema: { type: 'string' },
    example,
  })
  return [
    header('User-Agent', 'Who sends this.', 'Service-Webhooks/1'),
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
      'The signature as Standard Webhooks 1.0 has it.',
      'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
    ),
  ]
}
