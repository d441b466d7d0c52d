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

/** In percent; they add up to 100. */
const kinds: readonly (readonly [percent: number, (tenant: Tenant, at: number) => Asked])[] = [
  [50, ({ document_ids }, at) => ({ method: 'GET', path: documentPath(document_ids, at) })],
  [10, () => ({ method: 'GET', path: '/api/v1/project' })],
  [
    15,
    (_, at) => {
      const filter = encodeURIComponent(`n <= ${PAGE + (at % PAGE)}`)
      return { method: 'GET', path: `${collection}?filter=${filter}&sort=-n&limit=${PAGE}` }
    },
  ],
  [10, () => ({ method: 'GET', path: `${collection}?limit=${PAGE}` })],
  [6, (_, at) => ({ method: 'POST', path: collection, body: sample(at) })],
  [
    4,
    ({ document_ids }, at) => ({
      method: 'PATCH',
      path: documentPath(document_ids, at),
      body: { text: `Changed for the ${at}th time.` },
    }),
  ],
  [5, (_, at) => ({ method: 'POST', path: `${collection}/batch`, body: batchBody(at) })],
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

export function mixedRequests(port: number, tenants: readonly Tenant[]): Requests {
  const random = randomNumbers()
  const all = Array.from({ length: COUNT }, () => {
    const tenant = tenants[random(tenants.length)]!
    const asked = kindAt(random(100))(tenant, random(1000))
    return { ...asked, header: tenant.headers[random(tenant.headers.length)]! }
  })
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

function kindAt(percent: number) {
  let sum = 0
  const found = kinds.find(([share]) => (sum += share) > percent)
  if (!found) throw new Error('The shares of the mix add up to 100.')
  return found[1]
}

/** The generator MINSTD of Lehmer; returns integers below `limit`. */
function randomNumbers(): (limit: number) => number {
  let state = 1
  return (limit) => {
    state = (state * 48_271) % (2 ** 31 - 1)
    return Math.floor((state / (2 ** 31 - 1)) * limit)
  }
}
