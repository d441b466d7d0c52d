/**
 * One request to Stripe or its simulator: form fields in, JSON out. Throws PaymentUnknown if the
 * reply does not determine the outcome: no reply, 5xx, a refused key, too many requests, or a body
 * that is not JSON.
 */
import type { Static, TSchema } from 'typebox'
import { schemaChecks } from '../../kernel/values/typebox.ts'
import type { Config } from '../../kernel/config/config-types.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { OutboundError, type Outbound } from '../../kernel/outbound/outbound.ts'
import { notingErrors } from '../provider-errors.ts'
import { openProviderOutbound, type ProviderAddress } from '../provider-outbound.ts'
import { PaymentUnknown } from './payment-contract.ts'

/** The pinned API version, so that upgrades of Stripe change nothing here. */
const API_VERSION = '2026-10-28.endive'
const API_URL = 'https://api.stripe.com'
/** A placeholder for the simulator, which never gets the configured key. */
const SIMULATED_KEY = 'sk_test_simulated'
const REPLY_BYTES_MAX = 2_097_152

export interface StripeRequest {
  method: 'GET' | 'POST'
  path: string
  /** Sent as a form by POST and as a query by GET. */
  fields?: Record<string, string>
  idempotency_key?: string
}

export interface StripeReply {
  status: number
  json: unknown
}

const runtimeOutbound = new WeakMap<Runtime, Outbound>()

export async function askStripe(runtime: Runtime, request: StripeRequest): Promise<StripeReply> {
  const { method, path, fields = {}, idempotency_key } = request
  const form = new URLSearchParams(fields).toString()
  const is_form = method === 'POST'
  const { status, text } = await exchange(runtime, {
    url: baseUrl(runtime) + path + (is_form || form === '' ? '' : `?${form}`),
    method,
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${keyOf(runtime)}`,
      'stripe-version': API_VERSION,
      ...(is_form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
      ...(idempotency_key === undefined ? {} : { 'idempotency-key': idempotency_key }),
    },
    ...(is_form ? { body: form } : {}),
  })
  const says_nothing = [401, 403, 408, 409, 425, 429].includes(status)
  if (says_nothing || status < 200 || status >= 500) {
    throw new PaymentUnknown(`Stripe answered ${status}.`)
  }
  return { status, json: parse(text) }
}

interface Exchange {
  url: string
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body?: string
}

async function exchange(
  runtime: Runtime,
  request: Exchange,
): Promise<{ status: number; text: string }> {
  const { timeout_ms } = runtime.config.payments
  try {
    const { status, body } = await outboundOf(runtime).request({
      ...request,
      deadline_ms: timeout_ms,
      response_bytes_max: REPLY_BYTES_MAX,
    })
    return { status, text: new TextDecoder().decode(body) }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    throw new PaymentUnknown(`Stripe: ${error.message}`, { cause: error })
  }
}

/** Validates a reply against Stripe's documented schema. */
export function readReply<S extends TSchema>(schema: S, { status, json }: StripeReply): Static<S> {
  if (schemaChecks().Check(schema, json)) return json
  throw new PaymentUnknown(`Stripe answered ${status} with something that cannot be read.`)
}

/** Null if no external payment provider is configured. */
export function paymentsAddress({ payments: { provider, url } }: Config): ProviderAddress | null {
  return provider === 'stripe' ? { url: url || API_URL, is_own: url !== '' } : null
}

function outboundOf(runtime: Runtime): Outbound {
  const known = runtimeOutbound.get(runtime)
  if (known !== undefined) return known
  const { provider, url } = runtime.config.payments
  const guarded = openProviderOutbound(runtime.config, provider === 'builtin' || url !== '')
  const outbound = notingErrors(runtime, 'payments', guarded)
  runtimeOutbound.set(runtime, outbound)
  return outbound
}

/**
 * Read at each request, because the port of the simulator is known only after the server listens.
 */
function baseUrl({ config }: Runtime): string {
  if (config.payments.provider === 'builtin') return `${config.simulators_url}/stripe`
  return (config.payments.url || API_URL).replace(/\/+$/, '')
}

function keyOf({ config }: Runtime): string {
  return config.payments.provider === 'builtin' ? SIMULATED_KEY : config.payments.key
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
