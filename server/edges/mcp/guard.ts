/**
 * Keeps pages of other sites out. A name that somebody else controls can be made to lead to a
 * machine inside (DNS rebinding), so a request must name this server as it is known: by its public
 * address, as localhost, or by a number. A browser also says where its page is from.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import { Problem } from '../../contract/errors.ts'
import type { House } from '../../kernel/house.ts'

export function requireKnownHost({ config }: House, headers: IncomingHttpHeaders): void {
  const own = hostOf(config.public_url)
  const { host = '', origin } = headers
  if (!isKnown(hostOf(`http://${host}`), own)) {
    throw refusal('The Host header does not name this server. Use the address it is known by.')
  }
  if (origin !== undefined && !isKnown(hostOf(origin), own)) {
    throw refusal('Pages of other sites may not connect to this server.')
  }
}

function refusal(detail: string): Problem {
  return new Problem('forbidden', detail, {
    user_message: 'This connection came from a place that is not allowed.',
  })
}

function hostOf(address: string): string | null {
  return URL.canParse(address) ? new URL(address).hostname : null
}

function isKnown(host: string | null, own: string | null): boolean {
  if (host === null || host === '') return false
  return host === own || host === 'localhost' || isIP(host.replaceAll(/[[\]]/g, '')) > 0
}
