/**
 * Hashes the address of a visitor for rate limits, with a secret of this process, so that no
 * address is stored. IPv6 addresses count by their /64, which one household or phone has.
 */
import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'
import { sha256 } from '../../kernel/secrets/crypto.ts'

const salt = randomBytes(16).toString('hex')

export function hashAddress(address: string): string {
  return sha256(`${salt} ${findNetwork(address)}`).toString('base64url')
}

/**
 * The address of a visitor in a request that did not pass Fastify: the last one in X-Forwarded-For that is
 * no trusted proxy, as `request.ip` of Fastify.
 */
export function addressOf(
  { socket, headers }: IncomingMessage,
  trusted: readonly string[],
): string {
  const before = String(headers['x-forwarded-for'] ?? '').split(',')
  const hops = [...before.map((hop) => hop.trim()), socket.remoteAddress ?? '']
  return hops.findLast((hop) => !isTrusted(hop, trusted)) || (hops[0] ?? '')
}

export function isTrusted(address: string, networks: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false
  const read = ipaddr.process(address)
  const range = read.range()
  return networks.some((network) => {
    if (network === 'loopback') return range === 'loopback'
    if (network === 'uniquelocal') return range === 'private' || range === 'uniqueLocal'
    const [base, bits] = ipaddr.parseCIDR(network.includes('/') ? network : wholeOf(network))
    return base.kind() === read.kind() && read.match(base, bits)
  })
}

function wholeOf(address: string): string {
  return `${address}/${ipaddr.parse(address).kind() === 'ipv4' ? 32 : 128}`
}

/**
 * Returns the part of an address that a visitor cannot vary freely: the IPv4 address or the IPv6
 * /64. Many providers assign a /48, of which a visitor can vary the /64.
 */
export function findNetwork(address: string, prefix: 48 | 64 = 64): string {
  if (!ipaddr.isValid(address)) return address
  const read = ipaddr.process(address)
  if (read.kind() === 'ipv4' || !('parts' in read)) return read.toString()
  const parts = read.parts.slice(0, prefix / 16).map((part) => part.toString(16))
  return `${parts.join(':')}::/${prefix}`
}
