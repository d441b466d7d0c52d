/**
 * Parses email addresses: `ada@bakery.example`, or `Ada <ada@bakery.example>`. Only one address, no
 * comments and no quoted local parts, so that no address can become two or a header, and no name that shows
 * another address.
 */
import { domainToASCII } from 'node:url'

export interface Mailbox {
  name: string | null
  /** As written, with the domain in lower-case ASCII. */
  address: string
}

const ADDRESS_CHARACTERS_MAX = 254
const LOCAL_CHARACTERS_MAX = 64
const NAME_CHARACTERS_MAX = 200
const local = /^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u
const host = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9-]{2,63}$/
const withName = /^(.{0,400}?)<([^<>]{1,300})>$/su

/** Returns null if the text is no single address. */
export function parseMailbox(text: string): Mailbox | null {
  const trimmed = text.trim()
  const [, name = '', inner = trimmed] = withName.exec(trimmed) ?? []
  const address = parseAddress(inner)
  if (address === null || /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u.test(name)) return null
  const plain = name.trim().replace(/^"(.*)"$/s, '$1')
  if (plain.length > NAME_CHARACTERS_MAX || showsOther(plain, address)) return null
  return { name: plain === '' ? null : plain, address }
}

/** Whether a name looks like another address, which many mail programs would show instead. */
function showsOther(name: string, address: string): boolean {
  const shown = name.match(/[^\s<>"'(),;:[\]]{1,200}@[^\s<>"'(),;:[\]]{1,200}/g) ?? []
  const isOther = (one: string) => {
    const parsed = parseAddress(one)
    return parsed !== null && parsed.includes('.') && toKey(parsed) !== toKey(address)
  }
  return /[<>]/.test(name) || shown.some(isOther)
}

/** Returns the address with its domain in lower-case ASCII; null if it is not valid. */
export function parseAddress(text: string): string | null {
  const trimmed = text.trim()
  const at = trimmed.lastIndexOf('@')
  if (at < 1 || trimmed.length > ADDRESS_CHARACTERS_MAX) return null
  const before = trimmed.slice(0, at).normalize('NFC')
  const domain = parseDomain(trimmed.slice(at + 1))
  if (domain === null || before.length > LOCAL_CHARACTERS_MAX || !local.test(before)) return null
  return `${before}@${domain}`
}

/** Returns a host name in lower-case ASCII (IDNA); null if it is not valid. */
export function parseDomain(text: string): string | null {
  const ascii = domainToASCII(text.trim().replace(/\.$/, ''))
  return host.test(ascii) ? ascii : null
}

/** The form in which addresses are compared and stored. */
export function toKey(address: string): string {
  return address.toLowerCase()
}

export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1)
}
