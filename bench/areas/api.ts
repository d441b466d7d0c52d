/**
 * `npm run bench -- api`: GET /project with a key, alternating with a bare Fastify route with the
 * same query on the same database, and with a Node server with a constant reply, which shows the
 * limit of the load generator. Uses two load generators.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { startServer } from '../../test/fixtures/server-process.ts'
import { addKeys, bearers } from '../support/keys.ts'
import {
  generatorText,
  measure,
  usualGenerator,
  type Generator,
  type Requests,
} from '../support/load.ts'
import { readOptions } from '../support/options.ts'
import { begin } from '../support/result.ts'
import { openStage } from '../support/stage.ts'
import { figureOf, ratioOf, takeTurns, type Turns } from '../support/turns.ts'

const CONNECTIONS = 32
const KEYS = 12_000
const bare_folder = join(import.meta.dirname, '..', 'bare')

async function startBare(script: string, argument = '') {
  const child = spawn(process.execPath, [join(bare_folder, script), argument])
  child.stderr.pipe(process.stderr)
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  return { child, port: Number(line), pid: child.pid ?? 0 }
}

const options = readOptions()
const finish = begin('api', options)
const stage = await openStage()
const { connection, url } = await stage.newDatabase('homeport_bench')
const server = await startServer(stage.folder, {
  DATABASE_URL: url,
  HOMEPORT_LOG_LEVEL: 'error',
})
const client = new pg.Client(connection)
await client.connect()
const headers = bearers(await addKeys(client, server.banner['project_id']!, KEYS))
await client.query('vacuum (analyze)')
await client.end()
const bare = await startBare('project.ts', JSON.stringify(connection))
const nothing = await startBare('nothing.ts')

const paths = ['/api/v1/project']
const requests = (port: number): Requests => ({
  port,
  count: KEYS,
  methods: ['GET'],
  paths,
  headers,
})
const services = {
  homeport: { port: Number(new URL(server.banner['base_url']!).port), pid: server.child.pid ?? 0 },
  'bare Fastify + pg': bare,
  'no work at all': nothing,
}
const names = Object.keys(services)
const isService = (name: string): name is keyof typeof services => name in services

async function turnsBy(generator: Generator, rounds: number): Promise<Turns> {
  return takeTurns(names, rounds, (name) => {
    if (!isService(name)) throw new Error(name)
    const { port, pid: service_pid } = services[name]
    const { folder, postgres_pid } = stage
    const { seconds } = options
    const load = { requests: requests(port), connections: CONNECTIONS, seconds, generator }
    return measure({ ...load, folder, service_pid, postgres_pid })
  })
}

const usual = usualGenerator()
const turns = await turnsBy(usual, options.rounds)
const other: Generator = usual === 'wrk' ? 'autocannon' : 'wrk'
const missing: Record<string, string> = {}
const others = await turnsBy(other, options.rounds).catch((error: unknown) => {
  missing[`the same by ${other}`] = String(error)
  return null
})

const rowOf = (generator: Generator, by: Turns) => [
  generator,
  ratioOf(by, 'homeport', 'bare Fastify + pg'),
  ...names.map((name) => figureOf(by, name, 'per_second')),
  figureOf(by, 'homeport', 'generator_share'),
]

finish({
  generator: generatorText(CONNECTIONS),
  versions: { homeport: '0.1.0', postgres: stage.postgres_version },
  missing,
  tables: [
    {
      title: 'GET /project with a key',
      about:
        'Homeport checks key, scope, mode, reach and rate; the bare route runs one query for each ' +
        'request and sends the row. In Homeport concurrent requests share a statement. ' +
        '`generator` is the share of one ' +
        'core that the generator used: below 1, it ' +
        'was not what held anybody back, as “no work at all” shows too.',
      columns: [
        'service',
        'requests/s',
        'p50 ms',
        'p99 ms',
        'processor µs',
        'PostgreSQL µs',
        'generator',
      ],
      rows: names.map((name) => [
        name,
        figureOf(turns, name, 'per_second'),
        figureOf(turns, name, 'p50_ms'),
        figureOf(turns, name, 'p99_ms'),
        figureOf(turns, name, 'service_us'),
        figureOf(turns, name, 'postgres_us'),
        figureOf(turns, name, 'generator_share'),
      ]),
    },
    {
      title: 'Homeport to the bare route, in the same round',
      about: 'Where the generator uses a whole core, it is what is measured.',
      columns: ['generator', 'ratio', 'homeport/s', 'bare/s', 'no work/s', 'generator: core used'],
      rows: [rowOf(usual, turns), ...(others ? [rowOf(other, others)] : [])],
    },
  ],
})
bare.child.kill()
nothing.child.kill()
await server.stop()
await stage.close()
