/**
 * Hands messages to the mail servers of the recipient's domain (RFC 5321, section 5): its MX records by
 * preference, or its address without any. Only public addresses are connected to, because the domain
 * chooses them.
 */
import { LRUCache } from 'lru-cache'
import { addressRules, describeAddressFault } from '../../../kernel/outbound/outbound-address.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { dnsRecordsOf, type MailExchange } from '../../../providers/dns-records/dns-records.ts'
import { domainOf } from '../addresses/parse-address.ts'
import type { Outcome } from './outcome.ts'
import { createSmtpClient, handOverDeadline, within, type Transport } from './smtp-client.ts'

/** Addresses that one attempt tries. */
const ADDRESSES_MAX = 3
/** MX hosts whose addresses are looked up. */
const HOSTS_MAX = 5
const CLIENTS_MAX = 500

interface Place {
  host: string
  address: string
}

export function createDirect(runtime: Runtime): Transport {
  const { email } = runtime.config
  const clients = new LRUCache<string, Transport>({ max: CLIENTS_MAX })
  const clientOf = ({ host, address }: Place) => {
    const key = `${address} ${host}`
    const target = { host: address, port: email.mx_port, name: host, greeting: email.host }
    const known =
      clients.get(key) ?? createSmtpClient({ ...target, credentials: null, tls: 'offered' })
    clients.set(key, known)
    return known
  }
  return {
    async handOver(parcel, signal = handOverDeadline()) {
      let outcome: Outcome = { kind: 'unreachable', remote_mta: null }
      const looking = within(signal, findPlaces(runtime, domainOf(parcel.to)))
      const places = await looking.catch((error: unknown) => {
        if (signal.aborted) return outcome
        throw error
      })
      if ('kind' in places) return places
      for (const place of places) {
        outcome = await clientOf(place).handOver(parcel, signal)
        // Any other result concerns this message, so that another server would not change it.
        if (outcome.kind !== 'unreachable' || signal.aborted) break
      }
      return outcome
    },
  }
}

/** The addresses that accept mail for a domain, in the order in which they are tried. */
async function findPlaces(runtime: Runtime, domain: string): Promise<Place[] | Outcome> {
  const dns = dnsRecordsOf(runtime)
  const found = await dns.mx(domain)
  if (found === 'no_answer') return { kind: 'unreachable', remote_mta: null }
  if (found.length === 1 && ['', '.'].includes(found[0]?.exchange ?? ''))
    return refuse(domain, '556 5.1.10 Null MX.')
  const hosts = found.length === 0 ? [domain] : sort(found).slice(0, HOSTS_MAX)
  const rules = addressRules({
    allow_private: runtime.config.egress_allow_private,
    allow_cidrs: runtime.config.egress_allow,
  })
  const places: Place[] = []
  let is_open = false
  let is_known = false
  for (const host of hosts) {
    const addresses = await dns.addresses(host)
    if (addresses === 'no_answer') is_open = true
    else {
      is_known ||= addresses.length > 0
      const allowed = addresses.filter((one) => describeAddressFault(one, rules) === null)
      places.push(...allowed.map((address) => ({ host, address })))
    }
    if (places.length >= ADDRESSES_MAX) break
  }
  if (places.length > 0) return places.slice(0, ADDRESSES_MAX)
  if (is_open) return { kind: 'unreachable', remote_mta: null }
  const reason = is_known ? '550 5.4.4 No public address.' : '550 5.4.4 No mail server.'
  return refuse(domain, reason)
}

/** Servers of the same preference share the load. */
function sort(found: readonly MailExchange[]): string[] {
  return found
    .map((one) => ({ ...one, tie: Math.random() }))
    .toSorted((one, other) => one.priority - other.priority || one.tie - other.tie)
    .map(({ exchange }) => exchange.toLowerCase().replace(/\.$/, ''))
}

function refuse(remote_mta: string, text: string): Outcome {
  return { kind: 'refused', code: Number(text.slice(0, 3)), text, remote_mta }
}
