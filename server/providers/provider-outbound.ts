/**
 * The guarded way out to one provider. Its own public address passes the usual rules; an address
 * that the operator configured may be anywhere, their own network included, because they named it.
 */
import type { Config } from '../kernel/config/config-types.ts'
import { createOutbound, type Outbound } from '../kernel/outbound/outbound.ts'

/** Where a provider is; `is_own` says that the operator configured the address. */
export interface ProviderAddress {
  url: string
  is_own: boolean
}

const everywhere = ['0.0.0.0/0', '::/0']

export function outboundTo(config: Config, is_own: boolean): Outbound {
  return createOutbound({
    allow_private: false,
    allow_plain: is_own,
    allow_cidrs: is_own ? everywhere : config.egress_allow,
    proxy_url: config.egress_proxy_url || null,
  })
}
