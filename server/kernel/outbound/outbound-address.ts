/**
 * Rules for the URLs and addresses of outbound requests. Pure. A URL is parsed once, by the WHATWG
 * parser that the connection uses too: two parsers could disagree about the host. That parser also
 * normalizes every unusual spelling of an IP address. Addresses are allowed because they are
 * public; there is no list of forbidden ones.
 */
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

export interface AddressPolicy {
  /** For development: allows loopback addresses and everything that `allow_plain` allows. */
  allow_private: boolean
  /**
   * For services that the operator configured: allows http, ports, IP addresses and local names in
   * the URL. The address is checked all the same.
   */
  allow_plain?: boolean
  /** CIDR networks of the operator that count as public. */
  allow_cidrs: readonly string[]
}

type Address = ipaddr.IPv4 | ipaddr.IPv6

export interface AddressRules {
  plain: boolean
  loopback: boolean
  networks: readonly [Address, number][]
}

/** A URL that passed the rules. The addresses of its name are not checked yet. */
export interface Destination {
  url: URL
  /** The host without brackets and without the final dot of a domain name. */
  host: string
  is_address: boolean
}

export interface DestinationRefusal {
  fault: 'invalid_url' | 'not_public_host'
  /** One sentence for users. */
  reason: string
}

const url_characters_max = 2048
const domain_characters_max = 253
const label = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/
const local_name = /(^|\.)(localhost|local|internal|home\.arpa)$/
const metadata_name = /^metadata(\.|$)/
/**
 * A metadata service of a large cloud, reachable only from its machines although its range is
 * public.
 */
const cloud_host = '168.63.129.16'

/** Parses the networks of the operator. Throws if one is not a CIDR, which stops the start. */
export function addressRules(policy: AddressPolicy): AddressRules {
  return {
    plain: policy.allow_private || policy.allow_plain === true,
    loopback: policy.allow_private,
    networks: policy.allow_cidrs.map(readNetwork),
  }
}

/** Checks a URL without a DNS look-up. Never throws. */
export function readDestination(
  original: string,
  rules: AddressRules,
): Destination | DestinationRefusal {
  const url = readUrl(original)
  if (typeof url === 'string') return { fault: 'invalid_url', reason: url }
  const shape = describeShapeFault(url, rules.plain)
  if (shape !== null) return { fault: 'invalid_url', reason: shape }

  const bracketless = url.hostname.replace(/^\[|\]$/g, '')
  const host = bracketless.endsWith('.') ? bracketless.slice(0, -1) : bracketless
  if (isIP(host) !== 0) return readAddress(url, host, rules)

  const refusal = judgeName(host, rules.plain)
  if (refusal !== null) return refusal
  // Without the final dot, the Host header and the certificate check use the same name.
  url.hostname = host
  return { url, host, is_address: false }
}

/**
 * Returns why an address is forbidden; null if it is allowed. Refuses texts that are not IP
 * addresses.
 */
export function describeAddressFault(address: string, rules: AddressRules): string | null {
  if (isIP(address) === 0) return `${address} is not an IP address.`
  const parsed = ipaddr.parse(address)
  if (rules.networks.some((network) => isInside(parsed, network))) return null
  if (rules.loopback && parsed.range() === 'loopback') return null
  if (isPublic(parsed)) return null
  return `The address ${address} is not a public one.`
}

function readUrl(original: string): URL | string {
  // The limit counts code points. The first check bounds the cost of spreading the text.
  if (original.length > 2 * url_characters_max || [...original].length > url_characters_max) {
    return `The URL may have at most ${url_characters_max} characters.`
  }
  // The parser would remove these, so the displayed URL would differ from the requested one.
  if (/[\s\p{Cc}]/u.test(original)) return 'The URL must not contain spaces or control characters.'
  return URL.parse(original) ?? 'The URL must be complete, for example https://example.com/hooks.'
}

function describeShapeFault(url: URL, plain: boolean): string | null {
  if (url.protocol !== 'https:' && !(plain && url.protocol === 'http:')) {
    return `The URL must begin with https://${plain ? ' or http://' : ''}.`
  }
  if (url.username !== '' || url.password !== '') {
    return 'The URL must not contain a user name or a password.'
  }
  if (url.port !== '' && !plain) return 'The URL must not name a port; the default port is used.'
  return null
}

function readAddress(
  url: URL,
  host: string,
  rules: AddressRules,
): Destination | DestinationRefusal {
  if (!rules.plain) {
    return { fault: 'invalid_url', reason: 'The URL must name a domain, not an IP address.' }
  }
  const reason = describeAddressFault(host, rules)
  return reason === null ? { url, host, is_address: true } : { fault: 'not_public_host', reason }
}

function judgeName(host: string, plain: boolean): DestinationRefusal | null {
  const labels = host.split('.')
  if (host.length > domain_characters_max || !labels.every((part) => label.test(part))) {
    return { fault: 'invalid_url', reason: 'The host in the URL is not a valid domain name.' }
  }
  // With a proxy this process does not see the address, so metadata names are always refused.
  const is_local = labels.length < 2 || local_name.test(host)
  if (metadata_name.test(host) || (is_local && !plain)) {
    const reason = `The host ${host} is a local name, not one of the public internet.`
    return { fault: 'not_public_host', reason }
  }
  return null
}

/**
 * Of IPv6 only 2000::/3 is allocated to the public internet. This excludes prefixes that embed IPv4
 * addresses (mapped, compatible, NAT64), unique local, link-local and others; the range names
 * exclude reserved ranges within it, including 6to4 and Teredo.
 */
function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false
  if (address instanceof ipaddr.IPv4) return address.toString() !== cloud_host
  return ((address.parts[0] ?? 0) & 0xe000) === 0x2000
}

function isInside(address: Address, [network, prefix_bits]: [Address, number]): boolean {
  return address.kind() === network.kind() && address.match(network, prefix_bits)
}

function readNetwork(cidr: string): [Address, number] {
  // ipaddr.js also accepts octal and shortened forms, which are refused as likely mistakes.
  const base = cidr.split('/')[0] ?? ''
  if (isIP(base) === 0 || !ipaddr.isValidCIDR(cidr)) {
    throw new Error(`"${cidr}" is not a network; write one as in 10.0.0.0/8 or fd00::/8.`)
  }
  return ipaddr.parseCIDR(cidr)
}
