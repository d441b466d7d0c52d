/**
 * One request to the provider of a project's account, through the guarded fetch. Throws CheckoutUnknown
 * if the reply does not determine the outcome: no reply, 5xx, too many requests, or no JSON; and
 * CheckoutRefused if the key is not accepted.
 */
import type { Static, TSchema } from 'typebox'
import { schemaChecks } from '../../kernel/values/typebox.ts'
import { OutboundError, type Outbound } from '../../kernel/outbound/outbound.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { openProviderOutbound } from '../provider-outbound.ts'
import { CheckoutRefused, CheckoutUnknown, type CheckoutAccount } from './checkout-contract.ts'

const usual = { stripe: 'https://api.stripe.com', mollie: 'https://api.mollie.com' } as const
const REPLY_BYTES_MAX = 1_048_576

export interface AccountRequest {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  headers?: Record<string, string>
  body?: string
  idempotency_key?: string
}

export interface AccountReply {
  status: number
  json: unknown
}

const outbounds = new WeakMap<Runtime, Outbound>()

/** Development has simulators, so that trying it out needs no account at a provider. */
function baseUrl({ config }: Runtime, provider: CheckoutAccount['provider']): string {
  if (config.production) return usual[provider]
  return `${config.simulators_url}/${provider === 'stripe' ? 'stripe-accounts' : 'mollie'}`
}

function outboundOf(runtime: Runtime): Outbound {
  const known = outbounds.get(runtime)
  const outbound = known ?? openProviderOutbound(runtime.config, !runtime.config.production)
  outbounds.set(runtime, outbound)
  return outbound
}

export async function askAccount(
  runtime: Runtime,
  { provider, key }: Pick<CheckoutAccount, 'provider' | 'key'>,
  { path, idempotency_key, headers, ...rest }: AccountRequest,
): Promise<AccountReply> {
  const { status, body } = await outboundOf(runtime)
    .request({
      ...rest,
      url: baseUrl(runtime, provider) + path,
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${key}`,
        ...headers,
        ...(idempotency_key !== undefined && { 'idempotency-key': idempotency_key }),
      },
      deadline_ms: runtime.config.payments.timeout_ms,
      response_bytes_max: REPLY_BYTES_MAX,
    })
    .catch((error: unknown) => {
      if (!(error instanceof OutboundError)) throw error
      throw new CheckoutUnknown(`${provider}: ${error.message}`, { cause: error })
    })
  if (status === 401 || status === 403) {
    throw new CheckoutRefused(`${provider} does not accept the key of the account.`)
  }
  if (status < 200 || status >= 500 || [408, 409, 425, 429].includes(status)) {
    throw new CheckoutUnknown(`${provider} answered ${status}.`)
  }
  return { status, json: parse(new TextDecoder().decode(body)) }
}

/** The reply in the schema that the provider documents. */
export function readReply<S extends TSchema>(schema: S, { status, json }: AccountReply): Static<S> {
  if (status < 300 && schemaChecks().Check(schema, json)) return json
  throw new CheckoutUnknown(`The provider answered ${status} with something unexpected.`)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
