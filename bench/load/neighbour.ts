/**
 * `npm run bench -- neighbour`: the effect of one project with 100,000 pending deliveries on
 * others. Ten projects have 100 events per second delivered, alternating without the noisy project
 * and with it: first with a receiver that never responds, then with a refused connection. Measures
 * the time from commit to POST; reports the ratio of medians over the rounds of one run.
 */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import * as projects from '../../server/areas/projects/service.ts'
import { startDeliveries } from '../../server/areas/webhooks/queue/runner.ts'
import { emit } from '../../server/areas/webhooks/service.ts'
import { insertEndpoint } from '../../server/areas/webhooks/store.ts'
import { startEmbedded } from '../../server/kernel/database/embedded-postgres.ts'
import { newId } from '../../server/kernel/values/ids.ts'
import { createLog } from '../../server/kernel/log.ts'
import { migrate } from '../../server/kernel/database/migrations.ts'
import {
  documentCreated,
  openDeliveringRuntime,
} from '../../test/fixtures/processes/delivery-worker.ts'
import { readOptions } from '../support/options.ts'
import { begin, type Cell } from '../support/result.ts'
import { ratios, spread } from '../support/spread.ts'

const options = readOptions()
const finish = begin('neighbour', options)
const SECONDS = Math.max(options.seconds, 3)
const EVENTS_PER_S = 100
const OTHERS = 10
const PENDING = 100_000
const ARRIVAL_MS_MAX = 30_000

const folder = mkdtempSync(join(tmpdir(), 'homeport-bench-'))
const postgres = await startEmbedded({ data_dir: folder, log: createLog('silent') })
const { connection } = postgres
await migrate(connection)
const runtime = openDeliveringRuntime({ connection, offset_s: 0, runs: true })
const arrivals = new Map<string, number>()

const receiver = createServer({ keepAliveTimeout: 60_000 }, async (request, response) => {
  const arrived_ms = performance.now()
  // The receiver of the noisy project accepts requests and never responds.
  if (request.url === '/silent') return
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const { data } = JSON.parse(Buffer.concat(chunks).toString())
  arrivals.set(data.document_id, arrived_ms)
  response.writeHead(204).end()
})
await once(receiver.listen(0, '127.0.0.1'), 'listening')
const address = receiver.address()
const origin = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
const nobody = 'http://127.0.0.1:9/'

async function newProject(): Promise<string> {
  const facts = { name: 'Bench', shape: 'single', plan: 'free', owner_email: null } as const
  const made = await projects.create(runtime, facts)
  return 'project_id' in made ? made.project_id : made.live_project_id
}

async function addEndpoint(project_id: string, url: string): Promise<void> {
  await runtime.db.transact((tx) =>
    insertEndpoint(tx, {
      project_id,
      id: newId(runtime.clock),
      url,
      events: ['document.created'],
      sealed_secret: runtime.seal.seal('whsec_x', 'webhook-secret'),
      secret_prefix: 'whsec_x',
      created_at: runtime.clock.now(),
    }),
  )
}

/** Inserts events and deliveries in one statement. */
async function flood(project_id: string): Promise<void> {
  await runtime.db.transact(async (tx) => {
    await sql`set local statement_timeout = '5min'`.execute(tx)
    await sql`with made as (
        insert into events (project_id, id, type, subject, created_at)
        select ${project_id}, 'evt_' || replace(gen_random_uuid()::text, '-', ''),
          'document.created', jsonb_build_object('document_id', n::text), ${runtime.clock.now()}
        from generate_series(1, ${PENDING}::int) as n returning project_id, id, subject
      )
      insert into webhook_deliveries (project_id, id, endpoint_id, event_id, type, subject_key,
        next_attempt_at, created_at)
      select made.project_id, gen_random_uuid(), e.id, made.id, 'document.created',
        made.subject::text, ${runtime.clock.now()}, ${runtime.clock.now()}
      from made join webhook_endpoints as e on e.project_id = made.project_id`.execute(tx)
  })
}

async function clear(project_id: string): Promise<void> {
  await runtime.db.transact(async (tx) => {
    await sql`set local statement_timeout = '5min'`.execute(tx)
    await sql`delete from webhook_endpoints where project_id = ${project_id}`.execute(tx)
    await sql`delete from events where project_id = ${project_id}`.execute(tx)
  })
}

interface Phase {
  p50_ms: number
  p99_ms: number
  missing: number
}

/** Emits events at a constant rate and measures each from commit to POST. */
async function measure(project_ids: readonly string[]): Promise<Phase> {
  const committed = new Map<string, number>()
  const writing: Promise<void>[] = []
  const begun_ms = performance.now()
  for (let n = 0; n < SECONDS * EVENTS_PER_S; n += 1) {
    await delay(Math.max(0, begun_ms + (n * 1000) / EVENTS_PER_S - performance.now()))
    const document_id = randomUUID()
    const project_id = project_ids[n % project_ids.length]!
    const subject = { document_id }
    const written = runtime.db
      .transact((tx) => emit(tx, runtime, { project_id, type: 'document.created', subject }))
      .then(() => void committed.set(document_id, performance.now()))
    writing.push(written)
  }
  await Promise.all(writing)
  const deadline_ms = performance.now() + ARRIVAL_MS_MAX
  const isMissing = (id: string) => !arrivals.has(id)
  while ([...committed.keys()].some(isMissing) && performance.now() < deadline_ms) await delay(20)
  const times = [...committed]
    .flatMap(([id, at_ms]) => (isMissing(id) ? [] : [Math.max(0, arrivals.get(id)! - at_ms)]))
    .toSorted((one, other) => one - other)
  const at = (share: number) => times[Math.floor(times.length * share)] ?? Infinity
  return { p50_ms: at(0.5), p99_ms: at(0.99), missing: committed.size - times.length }
}

const deliveries = startDeliveries(runtime, { sources: [documentCreated] })
const others = await Promise.all(Array.from({ length: OTHERS }, newProject))
for (const project_id of others) await addEndpoint(project_id, `${origin}/`)
await measure(others)

const rows: Cell[][] = []
for (const [name, url] of [
  ['never answers', `${origin}/silent`],
  ['is not there', nobody],
] as const) {
  const quiet: Phase[] = []
  const noisy: Phase[] = []
  for (let n = 0; n < options.rounds; n += 1) {
    quiet.push(await measure(others))
    const neighbour = await newProject()
    await addEndpoint(neighbour, url)
    await flood(neighbour)
    noisy.push(await measure(others))
    await clear(neighbour)
  }
  const of = (phases: Phase[], figure: keyof Phase) => phases.map((phase) => phase[figure])
  const missing = [...quiet, ...noisy].reduce((sum, phase) => sum + phase.missing, 0)
  rows.push([
    name,
    spread(of(quiet, 'p50_ms')),
    spread(of(noisy, 'p50_ms')),
    spread(of(quiet, 'p99_ms')),
    spread(of(noisy, 'p99_ms')),
    ratios(of(noisy, 'p99_ms'), of(quiet, 'p99_ms')),
    missing,
  ])
  console.error(`a receiver that ${name}: done`)
}

finish({
  generator: `${EVENTS_PER_S} events a second for ${SECONDS} s, each in a transaction of its own`,
  tables: [
    {
      title: `Ten projects beside one with ${PENDING.toLocaleString('en')} pending deliveries`,
      about:
        'From the commit of an event to its POST, in turn without the noisy project and with it.',
      columns: [
        'its receiver',
        'p50 ms without',
        'p50 ms beside',
        'p99 ms without',
        'p99 ms beside',
        'p99: beside to without',
        'missing',
      ],
      rows,
    },
  ],
})
receiver.closeAllConnections()
receiver.close()
await deliveries.stop()
await runtime.outbound.close()
await runtime.close()
await postgres.stop()
rmSync(folder, { recursive: true, force: true })
