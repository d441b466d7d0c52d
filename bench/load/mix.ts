/**
 * `npm run bench -- mix`: the requests of a busy day from 2,000 and from 20,000 projects, measured
 * by the processor time of a request. With `--against FOLDER`, the server of another checkout takes
 * turns with this one, on the same PostgreSQL and with the same data. The area `mechanisms` runs the
 * same with a label.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { startServer } from '../../test/fixtures/server-process.ts'
import { generatorText, measure, type Requests } from '../support/load.ts'
import { mixedRequests } from '../support/mix.ts'
import { readOptions } from '../support/options.ts'
import { begin, readResult, results_folder, type ResultTable } from '../support/result.ts'
import { openStage } from '../support/stage.ts'
import { addTenants } from '../support/tenants.ts'
import { costOf, costRatioOf, figureOf, takeTurns, type Turns } from '../support/turns.ts'

const CONNECTIONS = 32
const SIZES = [2_000, 20_000] as const
const LABELLED_SIZES = [2_000] as const
const OURS = 'this checkout'
const OTHER = 'the other checkout'

const options = readOptions()
const finish = begin(options.label === '' ? 'mix' : 'mechanisms', options)
// Commits are not synced, because the speed of the disk is not measured here.
const stage = await openStage({ synchronous_commit: 'off' })

interface Service {
  requests: Requests
  pid: number
  stop(): Promise<unknown>
}

async function startService(start: typeof startServer, projects: number): Promise<Service> {
  const { connection, url } = await stage.newDatabase(`mix_${(services += 1)}`)
  const server = await start(stage.folder, { DATABASE_URL: url, HOMEPORT_LOG_LEVEL: 'error' })
  const { base_url = '', project_id: demo_id = '' } = server.banner
  const client = new pg.Client(connection)
  await client.connect()
  const tenants = await addTenants({ client, base_url, demo_id, projects })
  await client.end()
  const requests = mixedRequests(Number(new URL(base_url).port), tenants, options.wantsKind)
  return { requests, pid: server.child.pid ?? 0, stop: () => server.stop() }
}

let services = 0

async function turnsOf(projects: number): Promise<Turns> {
  const running = new Map([[OURS, await startService(startServer, projects)]])
  if (options.against !== '') {
    const file = join(options.against, 'test', 'fixtures', 'server-process.ts')
    const { startServer: start } = await import(file)
    running.set(OTHER, await startService(start, projects))
  }
  const turns = await takeTurns([...running.keys()], options.rounds, (name) => {
    const { requests, pid: service_pid } = running.get(name)!
    const { folder, postgres_pid } = stage
    const { seconds } = options
    return measure({
      requests,
      connections: CONNECTIONS,
      seconds,
      folder,
      service_pid,
      postgres_pid,
    })
  })
  for (const { stop } of running.values()) await stop()
  return turns
}

function tableOf(projects: number, turns: Turns): ResultTable {
  return {
    title: `The mix of ${projects.toLocaleString('en')} projects`,
    about:
      'Processor time of one request of the mix, in µs: 60 % reads, 25 % lists, 10 % writes and ' +
      '5 % batches of 10.',
    columns: [
      'checkout',
      'service',
      'PostgreSQL',
      'together',
      'to the other',
      'requests/s',
      'p99 ms',
    ],
    rows: [...turns.keys()].map((name) => [
      name,
      figureOf(turns, name, 'service_us'),
      figureOf(turns, name, 'postgres_us'),
      costOf(turns, name),
      name === OURS && turns.has(OTHER) ? costRatioOf(turns, OURS, OTHER) : null,
      figureOf(turns, name, 'per_second'),
      figureOf(turns, name, 'p99_ms'),
    ]),
  }
}

/** The rows of earlier runs with the row of this run. */
function mechanismsTable(turns: Turns): ResultTable {
  const file = join(results_folder, 'mechanisms.json')
  const kept = existsSync(file) ? (readResult(file).tables[0]?.rows ?? []) : []
  const row = [options.label, costOf(turns, OURS), costOf(turns, OTHER)]
  const ratio = costRatioOf(turns, OURS, OTHER)
  return {
    title: 'Processor time of the mix with and without a mechanism',
    about:
      'Each row is a run of two checkouts in turn that differ in one mechanism: processor time of one ' +
      'request of the mix of 2,000 projects, in µs. A mechanism stays if it saves at least 15 %. ' +
      '`npm run bench -- mechanisms --against FOLDER --label TEXT` adds a row.',
    columns: ['mechanism', 'this checkout', 'the other checkout', 'ratio'],
    rows: [...kept.filter(([label]) => label !== options.label), [...row, ratio]],
  }
}

const tables: ResultTable[] = []
for (const projects of options.label === '' ? SIZES : LABELLED_SIZES) {
  if (!options.wants(String(projects))) continue
  const turns = await turnsOf(projects)
  tables.push(options.label === '' ? tableOf(projects, turns) : mechanismsTable(turns))
}
finish({
  generator: generatorText(CONNECTIONS),
  versions: { postgres: stage.postgres_version },
  tables,
})
await stage.close()
