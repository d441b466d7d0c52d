/**
 * The meaning of a Host header. Sites have separate hosts below one domain, so a site shares no
 * cookie, key or origin with the API.
 */
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { Config } from '../../kernel/config/config-types.ts'

export type HostKind =
  | { kind: 'site'; label: string }
  /** The sites domain itself, or a host below it that cannot be a site. */
  | { kind: 'nowhere' }
  | { kind: 'service' }
  | { kind: 'malformed' }

const hostPattern = /^(?:[a-z0-9](?:[a-z0-9_.-]*[a-z0-9])?\.?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i
const labelPattern = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
const HOST_CHARACTERS_MAX = 262

type Places = Pick<Config, 'public_url' | 'sites_domain'>

export function readHost(host: string, { public_url, sites_domain }: Places): HostKind {
  if (host.length > HOST_CHARACTERS_MAX || !hostPattern.test(host) || host.includes('..'))
    return { kind: 'malformed' }
  const name = nameOf(host)
  const domain = nameOf(sites_domain)
  if (isIP(name) > 0 || !`.${name}`.endsWith(`.${domain}`)) return { kind: 'service' }
  if (name === nameOf(URL.parse(public_url)?.host ?? '')) return { kind: 'service' }
  if (name === domain) return { kind: 'nowhere' }
  const label = name.slice(0, -domain.length - 1)
  return labelPattern.test(label) ? { kind: 'site', label } : { kind: 'nowhere' }
}

/** Returns the host in lower case, without port and trailing dot. */
function nameOf(host: string): string {
  return host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '')
}

/** Returns the only Host header; null if there are several, because the target is ambiguous. */
export function onlyHost({ rawHeaders, headers }: IncomingMessage): string | null {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1
  }
  return count > 1 ? null : (headers.host ?? '')
}
