/**
 * Checks whether email can arrive at an address: its form, and the mail servers of its domain. It never
 * connects to a mail server to ask for a mailbox, because that harms the reputation of the sender.
 */
import { LRUCache } from 'lru-cache'
import type { Runtime } from '../../../kernel/runtime.ts'
import { findNearestName } from '../../../kernel/values/nearest.ts'
import { dnsRecordsOf } from '../../../providers/dns-records/dns-records.ts'
import { domainOf, parseAddress } from './parse-address.ts'

export type Verdict = 'deliverable' | 'risky' | 'invalid' | 'unknown'

export interface AddressCheck {
  address: string
  verdict: Verdict
  /** Whole sentences. */
  reasons: string[]
  /** A similar address, if the domain looks misspelt; otherwise null. */
  suggestion: string | null
}

/** Domains of addresses that exist for minutes only. */
const disposable = new Set([
  '10minutemail.com',
  'dispostable.com',
  'fakeinbox.com',
  'getnada.com',
  'grr.la',
  'guerrillamail.com',
  'maildrop.cc',
  'mailinator.com',
  'mailnesia.com',
  'mintemail.com',
  'moakt.com',
  'sharklasers.com',
  'spamgourmet.com',
  'temp-mail.org',
  'tempmail.dev',
  'throwawaymail.com',
  'trashmail.com',
  'yopmail.com',
])

const common = [
  'gmail.com',
  'googlemail.com',
  'hotmail.com',
  'hotmail.nl',
  'icloud.com',
  'kpnmail.nl',
  'live.nl',
  'outlook.com',
  'proton.me',
  'protonmail.com',
  'ziggo.nl',
  'yahoo.com',
]

type Reach = 'takes_mail' | 'takes_none' | 'no_domain' | 'unknown'

const REMEMBERED_MS = 600_000
const reaches = new WeakMap<object, LRUCache<string, Reach>>()

export async function checkAddress(runtime: Runtime, given: string): Promise<AddressCheck> {
  const address = parseAddress(given)
  if (address === null) {
    const reasons = ['It is not an email address such as ada@bakery.example.']
    return { address: given.slice(0, 254), verdict: 'invalid', reasons, suggestion: null }
  }
  const domain = domainOf(address)
  const reach = await findReach(runtime, domain)
  const suggestion = suggest(address, domain)
  const reasons = [
    ...(reach === 'no_domain'
      ? [`The domain ${domain} does not exist or has no mail server.`]
      : []),
    ...(reach === 'takes_none' ? [`The domain ${domain} says that it takes no email.`] : []),
    ...(reach === 'unknown' ? [`The mail servers of ${domain} could not be looked up.`] : []),
    ...(disposable.has(domain) ? ['It is an address that is thrown away after minutes.'] : []),
    ...(suggestion === null
      ? []
      : [`The domain looks like a typing mistake of ${domainOf(suggestion)}.`]),
  ]
  return { address, verdict: judge(reach, reasons.length), reasons, suggestion }
}

function judge(reach: Reach, reasons: number): Verdict {
  if (reach === 'no_domain' || reach === 'takes_none') return 'invalid'
  if (reach === 'unknown') return 'unknown'
  return reasons > 0 ? 'risky' : 'deliverable'
}

function suggest(address: string, domain: string): string | null {
  if (common.includes(domain)) return null
  const nearest = findNearestName(domain, common)
  const is_close = nearest !== undefined && Math.abs(nearest.length - domain.length) <= 1
  return is_close && domain.length > 6
    ? address.slice(0, address.lastIndexOf('@') + 1) + nearest
    : null
}

/** Mail goes to the MX records of a domain, and without any to its address (RFC 5321). */
async function findReach(runtime: Runtime, domain: string): Promise<Reach> {
  const known = reaches.get(runtime.config.email) ?? createCache(runtime)
  const found = known.get(domain) ?? (await lookUp(runtime, domain))
  if (found !== 'unknown') known.set(domain, found)
  return found
}

function createCache({ config }: Runtime): LRUCache<string, Reach> {
  const cache = new LRUCache<string, Reach>({ max: 5_000, ttl: REMEMBERED_MS })
  reaches.set(config.email, cache)
  return cache
}

async function lookUp(runtime: Runtime, domain: string): Promise<Reach> {
  const dns = dnsRecordsOf(runtime)
  const servers = await dns.mx(domain)
  if (servers === 'no_answer') return 'unknown'
  if (servers.length === 1 && ['', '.'].includes(servers[0]?.exchange ?? '')) return 'takes_none'
  if (servers.length > 0) return 'takes_mail'
  const addresses = await dns.addresses(domain)
  if (addresses === 'no_answer') return 'unknown'
  return addresses.length > 0 ? 'takes_mail' : 'no_domain'
}

/** Whether a domain takes email. Without an answer of the DNS it is assumed. */
export async function takesMail(runtime: Runtime, domain: string): Promise<boolean> {
  const reach = await findReach(runtime, domain)
  return reach === 'takes_mail' || reach === 'unknown'
}
