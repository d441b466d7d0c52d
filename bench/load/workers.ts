/**
 * `npm run bench -- workers`: GET /project in production, with one process and with one per core,
 * alternating. Also reports the share of the cores that the load generator and PostgreSQL use,
 * which limits the gain.
 */
import { mkdtempSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startServer } from '../../test/fixtures/server-process.ts'
import { addKeys, bearers } from '../support/keys.ts'
import { generatorText, measure } from '../support/load.ts'
import { readOptions } from '../support/options.ts'
import { residentMb } from '../support/processor.ts'
import { begin } from '../support/result.ts'
import { rounded } from '../support/spread.ts'
import { openStage } from '../support/stage.ts'
import { figureOf, ratioOf, takeTurns } from '../support/turns.ts'
import { freePort } from '../targets/peer.ts'

const CONNECTIONS = 64
const KEYS = 12_000

const options = readOptions()
const finish = begin('workers', options)
const stage = await openStage()

async function startWith(workers: number) {
  const { connection, url } = await stage.newDatabase(`workers_${workers}`)
  const port = await freePort()
  const server = await startServer(mkdtempSync(join(stage.folder, 'workers-')), {
    DATABASE_URL: url,
    HOMEPORT_ENV: 'production',
    HOMEPORT_WORKERS: String(workers),
    HOMEPORT_PORT: String(port),
    HOMEPORT_PUBLIC_URL: `http://127.0.0.1:${port}`,
    HOMEPORT_SECRET: 'a master key of the bench that is long enough',
    HOMEPORT_WEBHOOKS_ALLOW_PRIVATE: '',
    HOMEPORT_EGRESS_ALLOW_PRIVATE: '',
    HOMEPORT_CARRIER: 'none',
    HOMEPORT_VAT: 'vies',
    HOMEPORT_PAYMENTS: 'none',
    HOMEPORT_MAIL: 'none',
    HOMEPORT_LOG_LEVEL: 'error',
  })
  const client = new pg.Client(connection)
  await client.connect()
  const { rows } = await client.query(
    `insert into projects (id, name, shape, plan, rails, created_at)
     values (gen_random_uuid(), 'bench', 'single', 'reachable', '{}', now()) returning id`,
  )
  const headers = bearers(await addKeys(client, rows[0].id, KEYS))
  await client.query('vacuum (analyze)')
  await client.end()
  return { server, port, headers, pid: server.child.pid ?? 0 }
}

const counts = [1, Math.max(2, availableParallelism())]
const nameOf = (workers: number) => `HOMEPORT_WORKERS=${workers}`
const running = new Map<string, Awaited<ReturnType<typeof startWith>>>()
for (const workers of counts) running.set(nameOf(workers), await startWith(workers))
const names = [...running.keys()]
const turns = await takeTurns(names, options.rounds, (name) => {
  const { port, headers, pid } = running.get(name)!
  return measure({
    requests: { port, count: KEYS, methods: ['GET'], paths: ['/api/v1/project'], headers },
    connections: CONNECTIONS,
    seconds: options.seconds,
    folder: stage.folder,
    service_pid: pid,
    postgres_pid: stage.postgres_pid,
  })
})
const [alone = ''] = names
finish({
  generator: generatorText(CONNECTIONS),
  versions: { postgres: stage.postgres_version },
  tables: [
    {
      title: 'GET /project with a key, by processes that answer',
      about:
        'With more than one, another process beside them holds the database and works. Load ' +
        'generator and PostgreSQL take their share of the same cores.',
      columns: [
        'setting',
        'requests/s',
        'to one',
        'p99 ms',
        'processor µs',
        'PostgreSQL µs',
        'generator',
        'MB resident',
      ],
      rows: names.map((name) => [
        name,
        figureOf(turns, name, 'per_second'),
        name === alone ? null : ratioOf(turns, name, alone),
        figureOf(turns, name, 'p99_ms'),
        figureOf(turns, name, 'service_us'),
        figureOf(turns, name, 'postgres_us'),
        figureOf(turns, name, 'generator_share'),
        rounded(residentMb(running.get(name)!.pid)),
      ]),
    },
  ],
})
for (const { server } of running.values()) await server.stop()
await stage.close()
