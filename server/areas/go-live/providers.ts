/** Which rails have a provider in this installation. */
import type { Config } from '../../kernel/config/config-types.ts'
import type { RailName } from '../projects/service.ts'

/**
 * In production only the rails phone, SMS and email can have a provider: no adapter makes outbound calls,
 * takes payments of visitors, or registers domains. Telnyx needs the key that verifies its callbacks,
 * without which no message is confirmed. In development the simulators and built-in substitutes count,
 * so that an integration can be tested completely.
 */
export function listRailProviders(config: Config): Readonly<Record<RailName, boolean>> {
  const { production, carrier, payments } = config
  if (production) {
    const phone = carrier.provider === 'telnyx' || carrier.provider === 'twilio'
    const sms = carrier.provider === 'twilio' || (phone && carrier.public_key !== '')
    const email = config.email.mode === 'smarthost'
    return { phone, outbound: false, sms, email, payments: false, domains: false }
  }
  const phone = carrier.provider !== 'none'
  return {
    phone,
    outbound: phone,
    sms: phone,
    email: config.email.mode !== 'none',
    payments: payments.provider !== 'none',
    domains: true,
  }
}
