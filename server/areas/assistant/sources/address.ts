/** The address that the crawler requests for a website, and the check of a new one. */
import { OutboundError } from '../../../kernel/outbound/outbound.ts'
import type { Runtime } from '../../../kernel/runtime.ts'

/** Replaces http by https. `plain` keeps http, for development. */
export function crawlAddress(address: string, plain: boolean): string {
  const url = URL.parse(address)
  if (url === null || plain || url.protocol !== 'http:') return address
  url.protocol = 'https:'
  return url.href
}

/**
 * Returns why an address would never be requested; null if it may be. Accepts a host that does not
 * resolve at the moment, because the address is checked again at each request.
 */
export async function findAddressFault(
  { outbound, config }: Runtime,
  address: string,
): Promise<string | null> {
  try {
    await outbound.check(crawlAddress(address, config.egress_allow_private))
    return null
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    if (error.fault !== 'invalid_url' && error.fault !== 'not_public_host') return null
    return `cannot be used: ${error.message.replace(/\.$/, '')}`
  }
}
