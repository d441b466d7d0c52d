/** Which rails have a provider in this installation. */
import type { Config } from '../../kernel/config/config-types.ts'
import type { RailName } from '../projects/service.ts'

/**
 * In production only the phone rail can have a provider: no adapter makes outbound calls, sends SMS
 * or email to customers, takes payments of visitors, or registers domains. In development the
 * simulators and built-in substitutes count, so that an integration can be tested completely.
 */
export function listRailProviders(config: Config): Readonly<Record<RailName, boolean>> {
  const { production, carrier, mail, payments } = config
  if (production) {
    const phone = carrier.provider === 'telnyx' || carrier.provider === 'twilio'
    return { phone, outbound: false, sms: false, email: false, payments: false, domains: false }
  }
  const phone = carrier.provider !== 'none'
  return {
    phone,
    outbound: phone,
    sms: phone,
    email: mail.provider !== 'none',
    payments: payments.provider !== 'none',
    domains: true,
  }
}
