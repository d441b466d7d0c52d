/**
 * Which URLs and which addresses an outside call may go to, as pure rules. A URL is read once, by
 * the WHATWG parser that the connection uses too, so that no second reading can disagree about its
 * host: every odd spelling of an IP address has become a plain one by then. An address is let
 * through because it is known to be public, never because no list of bad ones names it.
 */
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

export interface AddressPolicy {
  /** Development: loopback counts as public, and `allow_plain` holds as well. */
  allow_private: boolean
  /**
   * For a service that the operator named: http, a port, an IP address or a local name may stand
   * in the URL. Where it leads is judged all the same.
   */
  allow_plain?: boolean
  /** The operator's own networks (CIDR) that count as public, whatever else is in them. */
  allow_cidrs: readonly string[]
}

type Address = ipaddr.IPv4 | ipaddr.IPv6

export interface AddressRules {
  plain: boolean
  loopback: boolean
  networks: readonly [Address, number][]
}

/** A URL that passed the rules; the addresses of its name are still to be judged. */
export interface Destination {
  url: URL
  /** The host without brackets and without the dot that may close a domain name. */
  host: string
  is_address: boolean
}

export interface Refusal {
  fault: 'invalid_url' | 'not_public_host'
  /** One sentence for a person. */
  reason: string
}

const url_characters_max = 2048
const domain_characters_max = 253
const label = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/
const local_name = /(^|\.)(localhost|local|internal|home\.arpa)$/
const metadata_name = /^metadata(\.|$)/
/** Answers to the machines of one large cloud alone, though its range is public. */
const cloud_host = '168.63.129.16'

/** Reads the operator's networks once; one that is no CIDR throws, so that a start stops there. */
export function addressRules(policy: AddressPolicy): AddressRules {
  return {
    plain: policy.allow_private || policy.allow_plain === true,
    loopback: policy.allow_private,
    networks: policy.allow_cidrs.map(readNetwork),
  }
}

/** Judges a URL as far as that goes without a look-up; it throws nothing. */
export function readDestination(original: string, rules: AddressRules): Destination | Refusal {
  const url = readUrl(original)
  if (typeof url === 'string') return { fault: 'invalid_url', reason: url }
  const shape = describeShapeFault(url, rules.plain)
  if (shape !== null) return { fault: 'invalid_url', reason: shape }

  const bracketless = url.hostname.replace(/^\[|\]$/g, '')
  const host = bracketless.endsWith('.') ? bracketless.slice(0, -1) : bracketless
  if (isIP(host) !== 0) return readAddress(url, host, rules)

  const refusal = judgeName(host, rules.plain)
  if (refusal !== null) return refusal
  // With the closing dot gone, Host header and certificate name are those of the plain domain.
  url.hostname = host
  return { url, host, is_address: false }
}

/** Says why an address may not be called; null when it may. Anything but an IP is refused. */
export function describeAddressFault(address: string, rules: AddressRules): string | null {
  if (isIP(address) === 0) return `${address} is not an IP address.`
  const parsed = ipaddr.parse(address)
  if (rules.networks.some((network) => isInside(parsed, network))) return null
  if (rules.loopback && parsed.range() === 'loopback') return null
  if (isPublic(parsed)) return null
  return `The address ${address} is not a public one.`
}

function readUrl(original: string): URL | string {
  // Counted as people count, by code points; more units than twice the limit are never spread.
  if (original.length > 2 * url_characters_max || [...original].length > url_characters_max) {
    return `The URL may have at most ${url_characters_max} characters.`
  }
  // The parser would quietly drop these, and what is shown would not be what is called.
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

function readAddress(url: URL, host: string, rules: AddressRules): Destination | Refusal {
  if (!rules.plain) {
    return { fault: 'invalid_url', reason: 'The URL must name a domain, not an IP address.' }
  }
  const reason = describeAddressFault(host, rules)
  return reason === null ? { url, host, is_address: true } : { fault: 'not_public_host', reason }
}

function judgeName(host: string, plain: boolean): Refusal | null {
  const labels = host.split('.')
  if (host.length > domain_characters_max || !labels.every((part) => label.test(part))) {
    return { fault: 'invalid_url', reason: 'The host in the URL is not a valid domain name.' }
  }
  // Behind a proxy nobody here sees the address, so this name is refused even to operators.
  const is_local = labels.length < 2 || local_name.test(host)
  if (metadata_name.test(host) || (is_local && !plain)) {
    const reason = `The host ${host} is a local name, not one of the public internet.`
    return { fault: 'not_public_host', reason }
  }
  return null
}

/**
 * In IPv6 only 2000::/3 is handed out to the public internet. That alone leaves out the prefixes
 * that wrap an IPv4 address (mapped, compatible, NAT64), unique local, link-local and the rest;
 * the range names then take out what is reserved inside of it, 6to4 and Teredo included.
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
  // ipaddr.js reads octal and shortened forms as well; a network is written in full or refused.
  const base = cidr.split('/')[0] ?? ''
  if (isIP(base) === 0 || !ipaddr.isValidCIDR(cidr)) {
    throw new Error(`"${cidr}" is not a network; write one as in 10.0.0.0/8 or fd00::/8.`)
  }
  return ipaddr.parseCIDR(cidr)
}
