/** Looks up DNS records. A failed look-up is `no_answer`, which is different from no records. */
import { promises as dns } from 'node:dns'
import type { Runtime } from '../../kernel/runtime.ts'

export type Found<Value> = readonly Value[] | 'no_answer'

export interface MailExchange {
  /** Empty in the record that says that a domain takes no mail (RFC 7505). */
  exchange: string
  priority: number
}

export interface DnsRecords {
  txt(name: string): Promise<Found<string>>
  cname(name: string): Promise<Found<string>>
  mx(name: string): Promise<Found<MailExchange>>
  /** IPv4 and IPv6 addresses. */
  addresses(name: string): Promise<Found<string>>
}

const TIMEOUT_MS = 2_500
const TRIES = 2
/** Codes of c-ares for names and types that do not exist. */
const ABSENT = new Set(['ENOTFOUND', 'ENODATA'])

const resolvers = new WeakMap<object, dns.Resolver>()

export function dnsRecordsOf({ config }: Pick<Runtime, 'config'>): DnsRecords {
  const resolver = resolvers.get(config.email) ?? createResolver(config.email.dns)
  resolvers.set(config.email, resolver)
  return {
    txt: (name) =>
      find(async () => (await resolver.resolveTxt(name)).map((parts) => parts.join(''))),
    cname: (name) => find(() => resolver.resolveCname(name)),
    mx: (name) => find(() => resolver.resolveMx(name)),
    async addresses(name) {
      const four = await find(() => resolver.resolve4(name))
      if (four !== 'no_answer' && four.length > 0) return four
      const six = await find(() => resolver.resolve6(name))
      return six !== 'no_answer' && six.length > 0 ? six : four === 'no_answer' ? four : six
    },
  }
}

function createResolver(servers: readonly string[]): dns.Resolver {
  const resolver = new dns.Resolver({ timeout: TIMEOUT_MS, tries: TRIES })
  if (servers.length > 0) resolver.setServers([...servers])
  return resolver
}

async function find<Value>(look: () => Promise<Value[]>): Promise<Found<Value>> {
  try {
    return await look()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    return ABSENT.has(code) ? [] : 'no_answer'
  }
}
