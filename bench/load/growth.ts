/**
 * `npm run bench -- growth`: the cost of hot paths with 1, 10 and 100 times the rows: projects,
 * people, keys, documents, sites and deliveries. Three installations on one PostgreSQL are measured
 * in turn. The criterion is the processor time of an operation, of service and PostgreSQL together;
 * with logarithmic cost it grows little from size to size.
 */
import pg from 'pg'
import { createClaimer } from '../../server/areas/webhooks/queue/claim.ts'
import { readConfig } from '../../server/kernel/config/config.ts'
import { openRuntime } from '../../server/kernel/open-runtime.ts'
import * as people from '../../server/areas/people/team/team-store.ts'
import { CROWD_SECRET, BASE, openCrowd, type Crowd } from '../support/crowd.ts'
import { bearers } from '../support/keys.ts'
import { generatorText, measure, type Pass, type Requests } from '../support/load.ts'
import { readOptions } from '../support/options.ts'
import { processorMs } from '../support/processor.ts'
import { begin, type Plot, type ResultTable } from '../support/result.ts'
import { median, percentile, rounded, type Spread, spread } from '../support/spread.ts'
import { openStage } from '../support/stage.ts'
import { takeTurns } from '../support/turns.ts'

const SIZES = [1, 10, 100] as const
const CONNECTIONS = 8
const CLAIM_SLOTS = 24
const CLAIMS = 40
const LISTINGS = 2_000
/** Maximum growth from 1 × to 100 ×; more is not logarithmic. */
const GROWTH_MAX = 2

const options = readOptions()
const finish = begin('growth', options)
const stage = await openStage()
const crowds: Crowd[] = []
for (const times of SIZES) {
  crowds.push(await openCrowd(stage, times))
  console.error(`${times} × is there`)
}

const documents = '/api/v1/collections/documents/documents'
const COUNT = 10_000

type Over = (crowd: Crowd) => Omit<Requests, 'port' | 'count'>

const get = (crowd: Crowd) => ({ methods: ['GET'], headers: bearers(crowd.keys) })

/** Paths measured over HTTP. */
const overHttp: Record<string, Over> = {
  'GET /project (key lookup)': (crowd) => ({ ...get(crowd), paths: ['/api/v1/project'] }),
  'document by id': (crowd) => ({
    ...get(crowd),
    paths: crowd.document_ids.map((id) => `${documents}/${id}`),
  }),
  'filtered list of 20': (crowd) => ({
    ...get(crowd),
    paths: Array.from({ length: 80 }, (_, n) => {
      const query = `filter=${encodeURIComponent(`n >= ${n}`)}&sort=n&limit=20`
      return `${documents}?${query}`
    }),
  }),
  'document written': (crowd) => ({
    methods: ['POST'],
    headers: bearers(crowd.keys).map((one) => ({ ...one, 'content-type': 'application/json' })),
    paths: ['/api/v1/collections/written/documents'],
    bodies: Array.from({ length: 100 }, (_, n) => JSON.stringify({ n, name: `Customer ${n}` })),
  }),
  'page of a site': (crowd) => ({
    methods: ['GET'],
    headers: crowd.site_hosts.map((host) => ({ Host: host })),
    paths: ['/'],
  }),
}

/** Deletes written documents, because a collection has a limit of ten thousand. */
async function emptyWritten({ connection, project_id }: Crowd): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  const { rows } = await client.query(
    `update collections set document_count = 0 where project_id = $1 and name = 'written' returning id`,
    [project_id],
  )
  for (const table of ['documents', 'document_keys', 'document_changes']) {
    await client.query(`delete from ${table} where collection_id = $1`, [rows[0].id])
  }
  await client.end()
}

const nameOf = ({ times }: Crowd) => `${times} ×`
const crowdOf = (name: string) => crowds.find((crowd) => nameOf(crowd) === name)!

async function overHttpOf(path: string): Promise<Map<number, Figures>> {
  const turns = await takeTurns(crowds.map(nameOf), options.rounds, async (name) => {
    const crowd = crowdOf(name)
    if (path === 'document written') await emptyWritten(crowd)
    return measure({
      requests: { port: crowd.port, count: COUNT, ...overHttp[path]!(crowd) },
      connections: CONNECTIONS,
      seconds: options.seconds,
      folder: stage.folder,
      service_pid: crowd.pid,
      postgres_pid: stage.postgres_pid,
    })
  })
  return new Map(
    crowds.map((crowd) => {
      const passes = (turns.get(nameOf(crowd)) ?? []).filter((pass): pass is Pass => pass !== null)
      return [
        crowd.times,
        {
          cost_us: passes.map(({ service_us, postgres_us }) => service_us + postgres_us),
          p50_ms: passes.map(({ p50_ms }) => p50_ms),
        },
      ]
    }),
  )
}

interface Figures {
  cost_us: number[]
  p50_ms: number[]
}

/** Runs an operation in this process on one of the databases, and returns its durations. */
type Doing = (crowd: Crowd) => Promise<number[]>

const runtimes = new Map(
  await Promise.all(
    crowds.map(async (crowd) => {
      const settings = {
        DATABASE_URL: crowd.url,
        HOMEPORT_SECRET: CROWD_SECRET,
        HOMEPORT_LOG_LEVEL: 'error',
      }
      return [crowd.times, await openRuntime(readConfig(settings, stage.folder))] as const
    }),
  ),
)

async function timed(count: number, act: (n: number) => Promise<unknown>): Promise<number[]> {
  const took_ms: number[] = []
  for (let n = 0; n < count; n += 1) {
    const begun = performance.now()
    await act(n)
    took_ms.push(performance.now() - begun)
  }
  return took_ms
}

const inProcess: Record<string, Doing> = {
  async 'claim of 24 deliveries'({ times, connection }) {
    const { runtime } = runtimes.get(times)!
    const claim = createClaimer(runtime, new Set())
    const client = new pg.Client(connection)
    await client.connect()
    const took_ms = await timed(CLAIMS, async (n) => {
      await claim(CLAIM_SLOTS)
      // Releases the claims, because otherwise the caps would soon block every delivery.
      if (n % 4 === 3) {
        await client.query(
          `update webhook_deliveries set stage = 'ready', lease_token = null, lease_until = null
           where stage = 'leased'`,
        )
      }
    })
    await client.end()
    // Excludes the rounds that release claims.
    return took_ms.filter((_, n) => n % 4 !== 3)
  },
  async 'projects of a person'({ times, person_id }) {
    const { runtime } = runtimes.get(times)!
    return timed(LISTINGS, () => people.listMemberships(runtime.db, person_id))
  },
}

async function inProcessOf(path: string): Promise<Map<number, Figures>> {
  const found = new Map<number, Figures>(SIZES.map((size) => [size, { cost_us: [], p50_ms: [] }]))
  for (let round = -1; round < options.rounds; round += 1) {
    for (const crowd of round % 2 === 0 ? crowds : crowds.toReversed()) {
      const [before = 0] = processorMs([stage.postgres_pid])
      const took_ms = await inProcess[path]!(crowd)
      const [after = 0] = processorMs([stage.postgres_pid])
      if (round < 0) continue
      const figures = found.get(crowd.times)!
      figures.cost_us.push(((after - before) * 1000) / took_ms.length)
      figures.p50_ms.push(percentile(took_ms, 0.5))
    }
  }
  return found
}

const found = new Map<string, Map<number, Figures>>()
for (const path of Object.keys(overHttp)) {
  if (options.wants(path)) found.set(path, await overHttpOf(path))
  console.error(`${path}: done`)
}
for (const path of Object.keys(inProcess)) {
  if (options.wants(path)) found.set(path, await inProcessOf(path))
  console.error(`${path}: done`)
}

const cost = (figures: Figures | undefined): Spread | null =>
  figures && figures.cost_us.length > 0 ? spread(figures.cost_us) : null

function growthOf(by_size: ReadonlyMap<number, Figures>): number | null {
  const [small, large] = [by_size.get(1), by_size.get(100)]
  if (!small?.cost_us.length || !large?.cost_us.length) return null
  return rounded(median(large.cost_us) / Math.max(median(small.cost_us), 1))
}

const table: ResultTable = {
  title: 'Processor time of one operation, in µs',
  about:
    'Of service and PostgreSQL together; for claims and listings, which are called directly, of ' +
    `PostgreSQL. At 1 × there are ${Object.entries(BASE)
      .map(([name, count]) => `${count.toLocaleString('en')} ${name.replaceAll('_', ' ')}`)
      .join(', ')}. More than ${GROWTH_MAX} × from 1 × to 100 × would be no logarithm.`,
  columns: ['path', ...SIZES.map((size) => `${size} ×`), '100 × to 1 ×', 'judged'],
  rows: [...found].map(([path, by_size]) => {
    const growth = growthOf(by_size)
    if (growth === null) return [path, ...SIZES.map(() => null), null, 'not measured']
    const judged = growth <= GROWTH_MAX ? 'flat' : 'GROWS'
    return [path, ...SIZES.map((size) => cost(by_size.get(size))), growth, judged]
  }),
}
const waits: ResultTable = {
  title: 'How long one waits (p50, ms)',
  columns: ['path', ...SIZES.map((size) => `${size} ×`)],
  rows: [...found].map(([path, by_size]) => [
    path,
    ...SIZES.map((size) => {
      const values = by_size.get(size)?.p50_ms ?? []
      return values.length > 0 ? spread(values) : null
    }),
  ]),
}
const plot: Plot = {
  name: 'cost',
  title: 'Processor time of one operation, by how many rows there are',
  x: { title: 'times the rows', scale: 'log' },
  y: { title: 'µs', scale: 'log' },
  series: [...found].map(([name, by_size]) => ({
    name,
    points: SIZES.flatMap((size) => {
      const value = cost(by_size.get(size))?.median
      return value ? [[size, value] as const] : []
    }),
  })),
}
finish({
  generator: generatorText(CONNECTIONS),
  versions: { postgres: stage.postgres_version },
  tables: [table, waits],
  plots: [plot],
})
for (const { close } of runtimes.values()) await close()
for (const crowd of crowds) await crowd.stop()
await stage.close()
