/** Which rails have a provider in this installation. */
import type { Config } from '../../kernel/config/config-types.ts'
import type { RailName } from '../projects/service.ts'

/**
 * In production the rails of payments and domains cannot have a provider: no adapter takes payments of
 * visitors, or registers domains. Telnyx needs the key that verifies its callbacks, without which no
 * message is confirmed and no call goes on. In development the simulators and built-in substitutes count,
 * so that an integration can be tested completely.
 */
export function listRailProviders(config: Config): Readonly<Record<RailName, boolean>> {
  const { production, carrier, payments } = config
  if (production) {
    const phone = carrier.provider === 'telnyx' || carrier.provider === 'twilio'
    // What the carrier reports counts only with a signature.
    const signed = carrier.provider === 'twilio' || (phone && carrier.public_key !== '')
    const email = ['smarthost', 'direct'].includes(config.email.mode)
    return { phone, outbound: signed, sms: signed, email, payments: false, domains: false }
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
