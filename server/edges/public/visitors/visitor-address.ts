/**
 * Hashes the address of a visitor for rate limits, with a secret of this process, so that no
 * address is stored. IPv6 addresses count by their /64, which one household or phone has.
 */
import { randomBytes } from 'node:crypto'
import ipaddr from 'ipaddr.js'
import { sha256 } from '../../../kernel/secrets/crypto.ts'

const salt = randomBytes(16).toString('hex')

export function hashAddress(address: string): string {
  return sha256(`${salt} ${findNetwork(address)}`).toString('base64url')
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
