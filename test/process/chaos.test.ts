/**
 * Combines all failures: two producers write business rows with their events, three workers deliver
 * them, workers are killed with SIGKILL at random, and PostgreSQL crashes. At the end every
 * acknowledged row exists with exactly one event, every event has one delivery per endpoint, and at
 * most 1% of the requests were repeated. HOMEPORT_CHAOS_S sets the duration (10 s; 60 s in `npm run test:long`).
 * HOMEPORT_CHAOS_SEED repeats the random choices of an earlier run. The test prints the seed and
 * the figures.
 */
import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { randomInt, randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { fillDataFolder } from '../fixtures/cluster.ts'
import { depth } from '../fixtures/depth.ts'
import * as projects from '../../server/areas/projects/service.ts'
import { emit } from '../../server/areas/webhooks/service.ts'
import { insertEndpoint } from '../../server/areas/webhooks/store.ts'
import { startEmbedded } from '../../server/kernel/database/embedded-postgres.ts'
import { newId } from '../../server/kernel/values/ids.ts'
import { createLog } from '../../server/kernel/log.ts'
import { migrate } from '../../server/kernel/database/migrations.ts'
import { openDeliveringRuntime, type WorkerTask } from '../fixtures/processes/delivery-worker.ts'

const SECONDS = Number(process.env['HOMEPORT_CHAOS_S'] ?? depth(10, 60))
const SEED = Number(process.env['HOMEPORT_CHAOS_SEED'] ?? randomInt(2 ** 31))
const WORKERS = 3
const PRODUCERS = 2
const PROJECTS = 6
const ENDPOINTS = 2
/** Rows that a producer writes in parallel before it waits for their deliveries. */
const AT_ONCE = 3
/** Deliveries claimed by a killed worker arrive only after their lease has ended. */
const ARRIVAL_MS_MAX = 3000
/**
 * Failures are triggered by request counts and not by time, because each kill strands the requests
 * in flight; their share must not depend on the speed of the machine.
 */
const KILL_EVERY = [3000, 4500] as const
const CRASH_EVERY = [8000, 11_000] as const
const KILLS_MIN = 2
const CRASHES_MIN = 1
/** Longer than every lease of a killed process. */
const LATER_S = 60
const DRAIN_MS_MAX = 60_000
/**
 * Share of all requests that may be repeated because a process died between sending and recording.
 */
const SENT_AGAIN_MAX = 0.01

/** Random numbers from a seed (mulberry32); equal seeds give equal sequences. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const random = randomFrom(SEED)
const between = ([least, most]: readonly [number, number]) => least + random() * (most - least)

async function startReceiver() {
  const counts = new Map<string, number>()
  const arrivals = new EventEmitter().setMaxListeners(0)
  let sends = 0
  const server = createServer({ keepAliveTimeout: 60_000 }, async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { id, data } = JSON.parse(Buffer.concat(chunks).toString())
    const key = `${request.url} ${id}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
    sends += 1
    response.writeHead(204).end()
    arrivals.emit(data.document_id)
  })
  // A killed worker can leave an incomplete request.
  server.on('clientError', (_, socket) => socket.destroy())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return { server, counts, arrivals, sends: () => sends, url: `http://127.0.0.1:${port}` }
}

test(
  `no row, event or delivery is lost in ${SECONDS} s of kills and crashes`,
  { timeout: 6 * SECONDS * 1000 + 120_000 },
  async (context) => {
    const data_dir = mkdtempSync(join(tmpdir(), 'homeport-chaos-'))
    // Default durability except fsync: the test does not crash the disk.
    const settings = { fsync: 'off', max_connections: '100' }
    fillDataFolder(data_dir)
    const postgres = await startEmbedded({ data_dir, log: createLog('silent'), settings })
    const { connection } = postgres
    await migrate(connection)
    const runtime = openDeliveringRuntime({ connection, offset_s: 0, runs: true })
    const receiver = await startReceiver()
    const workers: (ChildProcess | null)[] = []
    let going = true
    context.after(async () => {
      going = false
      for (const worker of workers) worker?.kill('SIGKILL')
      receiver.server.closeAllConnections()
      receiver.server.close()
      await runtime.outbound.close()
      await runtime.close()
      await postgres.stop()
      rmSync(data_dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    })

    await runtime.db.transact((tx) =>
      sql`create table chaos_orders (id uuid not null, project_id uuid not null)`.execute(tx),
    )
    const project_ids = await Promise.all(Array.from({ length: PROJECTS }, newProject))

    async function newProject(): Promise<string> {
      const facts = { name: 'Chaos', shape: 'single', plan: 'free', owner_email: null } as const
      const made = await projects.create(runtime, facts)
      assert('project_id' in made)
      await runtime.db.transact(async (tx) => {
        for (let n = 0; n < ENDPOINTS; n += 1) {
          const id = newId(runtime.clock)
          await insertEndpoint(tx, {
            project_id: made.project_id,
            id,
            url: `${receiver.url}/${id}`,
            events: ['document.created'],
            sealed_secret: runtime.seal.seal('whsec_x', 'webhook-secret'),
            secret_prefix: 'whsec_x',
            created_at: runtime.clock.now(),
          })
        }
      })
      return made.project_id
    }

    const acknowledged = new Set<string>()
    const tally = { kills: 0, crashes: 0, unknown: 0 }

    /**
     * Writes one business transaction after another. An unacknowledged transaction may or may not
     * be stored.
     */
    async function produce(): Promise<void> {
      while (going) {
        const id = randomUUID()
        const project_id = project_ids[Math.floor(random() * PROJECTS)]!
        const arrived = once(receiver.arrivals, id, { signal: AbortSignal.timeout(ARRIVAL_MS_MAX) })
        arrived.catch(() => {})
        try {
          await runtime.db.transact(async (tx) => {
            await sql`insert into chaos_orders values (${id}, ${project_id})`.execute(tx)
            const subject = { document_id: id }
            await emit(tx, runtime, { project_id, type: 'document.created', subject })
          })
          acknowledged.add(id)
        } catch {
          tally.unknown += 1
        }
        await arrived.catch(() => {})
      }
    }

    function startWorker(place: number, offset_s: number): void {
      const task: WorkerTask = { connection, offset_s, runs: true, crash: null }
      const file = join(import.meta.dirname, '..', 'fixtures', 'processes', 'delivery-worker.ts')
      const worker = spawn(process.execPath, [file, JSON.stringify(task)], { stdio: 'ignore' })
      workers[place] = worker
      worker.once('exit', () => {
        if (going && workers[place] === worker) startWorker(place, offset_s)
      })
    }

    /** Calls `make` each time another random number of requests has arrived. */
    async function trouble(every: readonly [number, number], make: () => void): Promise<void> {
      let due = receiver.sends() + between(every)
      while (going) {
        await delay(5)
        if (!going || receiver.sends() < due) continue
        make()
        due = receiver.sends() + between(every)
      }
    }

    function killWorker(): void {
      if (workers[Math.floor(random() * WORKERS)]?.kill('SIGKILL')) tally.kills += 1
    }

    /** Equals `pg_ctl stop -m immediate`; the embedded PostgreSQL restarts by itself. */
    function crashPostgres(): void {
      const file = join(data_dir, 'postgres', 'postmaster.pid')
      process.kill(Number(readFileSync(file, 'utf8').split('\n')[0]), 'SIGQUIT')
      tally.crashes += 1
    }

    for (let place = 0; place < WORKERS; place += 1) startWorker(place, 0)
    const producers = Array.from({ length: PRODUCERS * AT_ONCE }, produce)
    const troubles = [trouble(KILL_EVERY, killWorker), trouble(CRASH_EVERY, crashPostgres)]
    const begun_ms = performance.now()
    const passed_s = () => (performance.now() - begun_ms) / 1000
    const enough = () => tally.kills >= KILLS_MIN && tally.crashes >= CRASHES_MIN
    while (passed_s() < SECONDS || (!enough() && passed_s() < 6 * SECONDS)) await delay(100)
    going = false
    for (const worker of workers) worker?.kill('SIGKILL')
    await Promise.all([...producers, ...troubles])

    going = true
    for (let place = 0; place < WORKERS; place += 1) startWorker(place, LATER_S)
    const deadline_ms = performance.now() + DRAIN_MS_MAX
    let left = -1
    while (left !== 0) {
      await delay(100)
      const found = await sql<{ count: bigint }>`
      select count(*) as count from webhook_deliveries where state = 'pending'`
        .execute(runtime.db)
        .catch(() => null)
      left = Number(found?.rows[0]?.count ?? -1n)
      assert.ok(performance.now() < deadline_ms, `${left} are still pending. Seed ${SEED}.`)
    }
    going = false

    const { rows } = await sql<{
      id: string
      copies: number
      events: number
      ids: string[] | null
    }>`
    select o.id, o.copies, count(distinct v.id)::int as events,
      array_agg(d.endpoint_id || ' ' || d.event_id || ' ' || d.state) as ids
    from (select id, count(*)::int as copies from chaos_orders group by id) as o
    left join events as v on v.subject ->> 'document_id' = o.id::text
    left join webhook_deliveries as d on d.project_id = v.project_id and d.event_id = v.id
    group by o.id, o.copies`.execute(runtime.db)
    const kept = new Map(rows.map((row) => [row.id, row]))
    const count = async (table: string) =>
      (
        await sql<{ count: bigint }>`select count(*) as count from ${sql.table(table)}`.execute(
          runtime.db,
        )
      ).rows[0]?.count
    const duplicates = receiver.sends() - receiver.counts.size
    const deliveries = rows.length * ENDPOINTS
    context.diagnostic(
      `seed ${SEED}: ${tally.kills} kills, ${tally.crashes} crashes of PostgreSQL, ` +
        `${acknowledged.size} acknowledged, ${rows.length} kept, ${tally.unknown} unknown or refused, ` +
        `${deliveries} deliveries, ${duplicates} sent again ` +
        `(${((100 * duplicates) / deliveries).toFixed(2)} %)`,
    )

    if (!enough()) context.diagnostic('less trouble than was meant: the machine is slow')
    const lost = [...acknowledged].filter((id) => !kept.has(id))
    assert.deepEqual(lost, [], 'acknowledged and not there')
    for (const { id, copies, events, ids } of rows) {
      assert.deepEqual([copies, events, ids?.length], [1, 1, ENDPOINTS], id)
      for (const one of ids ?? []) {
        const [endpoint_id, event_id, state] = one.split(' ')
        assert.equal(state, 'delivered', one)
        assert.ok(receiver.counts.has(`/${endpoint_id} ${event_id}`), `${one} did not arrive`)
      }
    }
    // The joins above miss orphans: events without a row, deliveries without an event.
    assert.deepEqual(
      [await count('events'), await count('webhook_deliveries'), receiver.counts.size],
      [BigInt(rows.length), BigInt(deliveries), deliveries],
    )
    const failing = await sql`select from webhook_endpoints
    where not active or consecutive_failures > 0`.execute(runtime.db)
    assert.equal(failing.rows.length, 0)
    const share = duplicates / deliveries
    assert.ok(share < SENT_AGAIN_MAX, `${duplicates} of ${deliveries} sent again. Seed ${SEED}.`)
  },
)
