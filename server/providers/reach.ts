/**
 * Checks whether the configured providers are reachable: a request without credentials to each, or
 * an authenticated mail session. Nothing is bought, sent or read.
 */
import type { Runtime } from '../kernel/runtime.ts'
import { OutboundError } from '../kernel/outbound/outbound.ts'
import { carrierAddress } from './carrier/carrier.ts'
import { MailError } from './mail/mail-contract.ts'
import { smtpMail } from './mail/smtp.ts'
import { modelAddress } from './model/model.ts'
import { paymentsAddress } from './payments/stripe-request.ts'
import { openProviderOutbound, type ProviderAddress } from './provider-outbound.ts'

type Reach = 'operational' | 'degraded' | 'down'

const DEADLINE_MS = 3000

/**
 * The reachability of each provider. Null if the provider is not configured. A built-in substitute
 * always counts as reachable.
 */
interface ProvidersReach {
  phone: Reach | null
  ai: Reach
  mail: Reach | null
  payments: Reach | null
}

export async function probeProviders(runtime: Runtime): Promise<ProvidersReach> {
  const { carrier, payments } = runtime.config
  const [phone, ai, mail, paid] = await Promise.all([
    carrier.provider === 'none' ? null : reachAddress(runtime, carrierAddress(runtime.config)),
    reachAddress(runtime, modelAddress(runtime.config)),
    reachMail(runtime),
    payments.provider === 'none' ? null : reachAddress(runtime, paymentsAddress(runtime.config)),
  ])
  return { phone, ai, mail, payments: paid }
}

/** Any response below 500 counts as reachable; without credentials it is usually 401 or 404. */
async function reachAddress(runtime: Runtime, address: ProviderAddress | null): Promise<Reach> {
  if (address === null) return 'operational'
  const outbound = openProviderOutbound(runtime.config, address.is_own)
  try {
    const { status } = await outbound.request({ url: address.url, deadline_ms: DEADLINE_MS })
    return status < 500 ? 'operational' : 'degraded'
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return error.fault === 'response_too_large' ? 'operational' : 'down'
  } finally {
    await outbound.close()
  }
}

async function reachMail({ config }: Runtime): Promise<Reach | null> {
  const { provider, url, from } = config.mail
  if (provider === 'none') return null
  if (provider === 'log') return 'operational'
  try {
    await smtpMail({ url, from, deadline_ms: DEADLINE_MS }).verify()
    return 'operational'
  } catch (error) {
    if (!(error instanceof MailError)) throw error
    return 'down'
  }
}
