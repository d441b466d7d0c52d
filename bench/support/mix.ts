/**
 * The requests of a busy day, from all projects in random order: 60 % reads, 25 % lists, 10 % writes
 * and 5 % batches. The random numbers have a fixed seed, so each run sends the same requests.
 */
import { BATCH_OF_MIX, PAGE, sample } from '../targets/target.ts'
import type { Requests } from './load.ts'
import type { Tenant } from './tenants.ts'

const COUNT = 24_000
const collection = '/api/v1/collections/documents/documents'

interface Asked {
  method: string
  path: string
  body?: unknown
}

interface Kind {
  name: string
  /** The share in the mix. */
  percent: number
  ask(tenant: Tenant, at: number): Asked
}

const kinds: readonly Kind[] = [
  {
    name: 'get',
    percent: 50,
    ask: ({ document_ids }, at) => ({ method: 'GET', path: documentPath(document_ids, at) }),
  },
  { name: 'project', percent: 10, ask: () => ({ method: 'GET', path: '/api/v1/project' }) },
  {
    name: 'list',
    percent: 15,
    ask(_, at) {
      const filter = encodeURIComponent(`n <= ${PAGE + (at % PAGE)}`)
      return { method: 'GET', path: `${collection}?filter=${filter}&sort=-n&limit=${PAGE}` }
    },
  },
  {
    name: 'newest',
    percent: 10,
    ask: () => ({ method: 'GET', path: `${collection}?limit=${PAGE}` }),
  },
  {
    name: 'create',
    percent: 6,
    ask: (_, at) => ({ method: 'POST', path: collection, body: sample(at) }),
  },
  {
    name: 'patch',
    percent: 4,
    ask: ({ document_ids }, at) => ({
      method: 'PATCH',
      path: documentPath(document_ids, at),
      body: { text: `Changed for the ${at}th time.` },
    }),
  },
  {
    name: 'batch',
    percent: 5,
    ask: (_, at) => ({ method: 'POST', path: `${collection}/batch`, body: batchBody(at) }),
  },
]

function documentPath(ids: readonly string[], at: number): string {
  return `${collection}/${ids[at % ids.length]}`
}

function batchBody(at: number) {
  const operations = Array.from({ length: BATCH_OF_MIX }, (_, n) => ({
    op: 'create',
    data: sample(at + n),
  }))
  return { operations }
}

interface AskedBy extends Asked {
  kind: string
  header: { authorization: string }
}

/** `wants` selects kinds by name; their shares then grow in proportion. */
export function mixOf(
  tenants: readonly Tenant[],
  count: number,
  wants: (kind: string) => boolean = () => true,
): AskedBy[] {
  const wanted = kinds.filter(({ name }) => wants(name))
  const pool = wanted.flatMap((kind) => Array.from({ length: kind.percent }, () => kind))
  const random = randomNumbers()
  return Array.from({ length: count }, () => {
    const tenant = tenants[random(tenants.length)]!
    const kind = pool[random(pool.length)]!
    const asked = kind.ask(tenant, random(1000))
    return { ...asked, kind: kind.name, header: tenant.headers[random(tenant.headers.length)]! }
  })
}

/** The requests of the mix for a generator that sends them in turn. */
export function mixedRequests(
  port: number,
  tenants: readonly Tenant[],
  wants: (kind: string) => boolean,
): Requests {
  const all = mixOf(tenants, COUNT, wants)
  const json = { 'content-type': 'application/json' }
  return {
    port,
    count: COUNT,
    methods: all.map(({ method }) => method),
    paths: all.map(({ path }) => path),
    headers: all.map(({ header, body }) => (body ? { ...header, ...json } : header)),
    bodies: all.map(({ body }) => (body ? JSON.stringify(body) : null)),
  }
}

/** The generator MINSTD of Lehmer; returns integers below `limit`. */
function randomNumbers(): (limit: number) => number {
  let state = 1
  return (limit) => {
    state = (state * 48_271) % (2 ** 31 - 1)
    return Math.floor((state / (2 ** 31 - 1)) * limit)
  }
}
