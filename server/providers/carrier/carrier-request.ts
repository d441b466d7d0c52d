/**
 * One request to a carrier, and the classification of its failure: certainly without effect, or
 * perhaps with effect. Only a connection that was never established proves that nothing was sent.
 */
import { Type, type Static, type TSchema } from 'typebox'
import { schemaChecks } from '../../kernel/values/typebox.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import {
  OutboundError,
  type Outbound,
  type OutboundRequest,
} from '../../kernel/outbound/outbound.ts'
import { notingErrors } from '../provider-errors.ts'
import { openProviderOutbound } from '../provider-outbound.ts'
import { CarrierError } from './carrier-contract.ts'

const REPLY_BYTES_MAX = 1_048_576
const REASON_CHARACTERS_MAX = 200

export interface CarrierAddress {
  base_url(): string
  key: string
  /** Whether the operator configured the address, which may then be in a private network. */
  is_own: boolean
  /** Empty if no verification codes are sent. */
  code_sender?: string
  /** Verifies callbacks of Telnyx; absent or empty refuses them. */
  public_key?: () => string
}

/** The API of a carrier: its address, its credentials and its error format. */
export interface CarrierApi {
  name: string
  runtime: Runtime
  outbound: Outbound
  address: CarrierAddress
  authorization: string
  /** Reads the carrier's error code and sentence from an error body. */
  reasonIn(json: unknown): { code: string; detail: string } | null
}

export function carrierApi(
  runtime: Runtime,
  parts: Omit<CarrierApi, 'runtime' | 'outbound'>,
): CarrierApi {
  const outbound = openProviderOutbound(runtime.config, parts.address.is_own)
  return { ...parts, runtime, outbound: notingErrors(runtime, 'phone', outbound) }
}

export interface CarrierRequest {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  query?: Record<string, string>
  /** URLSearchParams are sent as a form, other objects as JSON. */
  body?: URLSearchParams | object
}

/** A success, or a refusal (4xx), which the adapter interprets. */
export interface CarrierReply {
  status: number
  /** Null for an empty body. */
  json: unknown
}

export async function askCarrier(api: CarrierApi, request: CarrierRequest): Promise<CarrierReply> {
  const { status, text } = await send(api, request)
  if (status === 401 || status === 403 || status === 429) {
    const why = status === 429 ? 'it is asked too often' : 'it does not accept the key'
    throw new CarrierError('unavailable', `${api.name} answered ${status}: ${why}.`)
  }
  const is_success = status >= 200 && status < 300
  const is_refusal = status >= 400 && status < 500 && status !== 408
  if (!is_success && !is_refusal) {
    throw new CarrierError(
      'unknown',
      `${api.name} answered ${status}, so the outcome is not known.`,
    )
  }
  const json = parse(text)
  if (is_success && json === undefined) throw unreadable(api)
  return { status, json: json ?? null }
}

/** Schema of a member that carriers may omit or send as null. */
export const optionalOrNull = <S extends TSchema>(schema: S) =>
  Type.Optional(Type.Union([schema, Type.Null()]))

/** Validates a reply against the expected schema. */
export function readReply<S extends TSchema>(
  api: CarrierApi,
  schema: S,
  { json }: CarrierReply,
): Static<S> {
  if (!schemaChecks().Check(schema, json)) throw unreadable(api)
  return json
}

export function refusalError(api: CarrierApi, { status, json }: CarrierReply): CarrierError {
  const { code, detail } = api.reasonIn(json) ?? { code: '', detail: 'it gave no reason' }
  const label = [status, code].filter(Boolean).join(', ')
  return new CarrierError('refused', `${api.name} refused (${label}): ${quoted(api, detail)}.`)
}

function unreadable(api: CarrierApi): CarrierError {
  return new CarrierError('unknown', `${api.name} sent a reply that cannot be read.`)
}

/** Shortens the carrier's message for the log and removes credentials. */
function quoted({ address, authorization }: CarrierApi, detail: string): string {
  const secrets = [address.key, authorization.split(' ').at(-1) ?? '']
  return secrets
    .filter(Boolean)
    .reduce((text, secret) => text.replaceAll(secret, '…'), detail)
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, REASON_CHARACTERS_MAX)
    .replace(/\.+$/, '')
}

async function send(api: CarrierApi, { method, path, query, body }: CarrierRequest) {
  const base = api.address.base_url().replace(/\/+$/, '')
  const search = query === undefined ? '' : `?${new URLSearchParams(query)}`
  const request: OutboundRequest = {
    url: `${base}${path}${search}`,
    method,
    headers: {
      accept: 'application/json',
      authorization: api.authorization,
      ...(body === undefined ? {} : { 'content-type': contentType(body) }),
    },
    ...(body === undefined ? {} : { body: encode(body) }),
    deadline_ms: api.runtime.config.carrier.timeout_ms,
    response_bytes_max: REPLY_BYTES_MAX,
  }
  try {
    const { status, body: bytes } = await api.outbound.request(request)
    return { status, text: Buffer.from(bytes).toString() }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    const fault = wasNeverSent(error) ? 'unavailable' : 'unknown'
    throw new CarrierError(fault, `${api.name}: ${error.message}`, error)
  }
}

function contentType(body: URLSearchParams | object): string {
  return body instanceof URLSearchParams ? 'application/x-www-form-urlencoded' : 'application/json'
}

function encode(body: URLSearchParams | object): string {
  return body instanceof URLSearchParams ? body.toString() : JSON.stringify(body)
}

/** Undefined if the text is not JSON; null if it is empty. */
function parse(text: string): unknown {
  if (text === '') return null
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Whether certainly no byte of the request was sent: the address was forbidden, the name has no
 * address, or no connection was established. The system call in the error distinguishes this from
 * errors on an open connection; all others, such as a failed TLS handshake, count as sent.
 */
function wasNeverSent({ fault, cause }: OutboundError): boolean {
  if (fault === 'invalid_url' || fault === 'not_public_host') return true
  if (fault === 'connection_failed' && cause === undefined) return true
  return endedBeforeConnecting(cause)
}

function endedBeforeConnecting(error: unknown): boolean {
  // One error per address.
  if (error instanceof AggregateError) {
    return error.errors.length > 0 && error.errors.every(endedBeforeConnecting)
  }
  if (!(error instanceof Error)) return false
  if ('code' in error && error.code === 'UND_ERR_CONNECT_TIMEOUT') return true
  return 'syscall' in error && (error.syscall === 'connect' || error.syscall === 'getaddrinfo')
}
