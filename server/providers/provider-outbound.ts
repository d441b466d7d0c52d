/**
 * Guarded outbound requests to one provider. The provider's own address passes the usual rules; one
 * that the operator configured may be in any network.
 */
import type { Config } from '../kernel/config/config-types.ts'
import { createOutbound, type Outbound } from '../kernel/outbound/outbound.ts'

/** The URL of a provider; `is_own` means that the operator configured it. */
export interface ProviderAddress {
  url: string
  is_own: boolean
}

const everywhere = ['0.0.0.0/0', '::/0']

export function openProviderOutbound(config: Config, is_own: boolean): Outbound {
  return createOutbound({
    allow_private: false,
    allow_plain: is_own,
    allow_cidrs: is_own ? everywhere : config.egress_allow,
    proxy_url: config.egress_proxy_url || null,
  })
}
