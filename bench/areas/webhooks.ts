/**
 * `npm run bench -- webhooks`: the cost of deliveries with all steps (claim, payload, signatures,
 * guarded fetch, recording), alternating with the limit: the same POSTs by undici in a loop without
 * a database. The database is the embedded one with default durability.
 */
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { Pool } from 'undici'
import { eventSources } from '../../server/app.ts'
import { createClaimer } from '../../server/areas/webhooks/queue/claim.ts'
import { SLOTS_MAX, startDeliveries } from '../../server/areas/webhooks/queue/runner.ts'
import { emit } from '../../server/areas/webhooks/service.ts'
import { createWebhookSecret, SECRET_PURPOSE } from '../../server/areas/webhooks/attempt/sign.ts'
import { readConfig } from '../../server/kernel/config/config.ts'
import { afterCommit } from '../../server/kernel/database/database.ts'
import { openRuntime } from '../../server/kernel/open-runtime.ts'
import { readOptions } from '../support/options.ts'
import { begin, type ResultTable } from '../support/result.ts'
import { percentile, ratios, rounded, spread } from '../support/spread.ts'

const options = readOptions()
const finish = begin('webhooks', options)
const PROJECTS = 50
const EVENTS = 6_000
const HANDS = 64
const PER_SECOND = 100
const LATENCY_S = 10
const PENDING = 1_000_000
const CLAIMS = 400
/** Unit in which Linux counts processor time. */
const TICK_MS = 10

const folder = mkdtempSync(join(tmpdir(), 'homeport-bench-'))
const receiver = fork(join(import.meta.dirname, '..', 'support', 'webhook-receiver.ts'))
const [{ port }] = (await once(receiver, 'message')) as [{ port: number }]
const receiver_url = `http://127.0.0.1:${port}/hooks`

const opened = await openRuntime(
  readConfig(
    {
      HOMEPORT_DATA_DIR: folder,
      HOMEPORT_WEBHOOKS_ALLOW_PRIVATE: '1',
      HOMEPORT_LOG_LEVEL: 'error',
    },
    folder,
  ),
)
const { runtime } = opened
const client = new pg.Client(opened.connection)
await client.connect()

let statements = 0
const plain_query = pg.Client.prototype.query
pg.Client.prototype.query = function counted(this: pg.Client, ...args: unknown[]) {
  statements += 1
  return Reflect.apply(plain_query, this, args)
} as typeof plain_query

/** Projects with a number and an endpoint each, and calls as subjects of events. */
async function furnish(): Promise<string[]> {
  const { rows } = await client.query(
    `insert into projects (id, name, shape, plan, rails, created_at)
     select gen_random_uuid(), 'bench', 'single', 'reachable', '{}', now() from generate_series(1, $1::int)
     returning id`,
    [PROJECTS],
  )
  const projects = rows.map(({ id }) => String(id))
  await client.query(
    `insert into numbers (project_id, id, e164, type, status, test, from_stock, created_at)
     select id, gen_random_uuid(), '+447700900000', 'national', 'active', true, false, now()
     from unnest($1::uuid[]) as p (id)`,
    [projects],
  )
  await client.query(
    `insert into webhook_endpoints (project_id, id, url, events, sealed_secret, secret_prefix, created_at)
     select id, gen_random_uuid(), $2, '{call.completed}', $3, 'whsec_bench', now()
     from unnest($1::uuid[]) as p (id)`,
    [projects, receiver_url, runtime.seal.seal(createWebhookSecret(), SECRET_PURPOSE)],
  )
  return projects
}

/** Inserts calls, round robin by project, and returns their ids. */
async function addCalls(count: number): Promise<{ id: string; project_id: string }[]> {
  const { rows } = await client.query(
    `insert into calls (project_id, id, number_id, direction, from_number, to_number, status,
       hangup_cause, hangup_by, language, created_at, started_at, answered_at, ended_at, path,
       transcript, wants_summary, test)
     select n.project_id, gen_random_uuid(), n.id, 'inbound', '+447700900123', n.e164, 'ai_handled',
       'normal_clearing', 'caller', 'en', now(), now(), now(), now(), '{}', $2, false, true
     from (select *, row_number() over () as place from numbers) as n
     join generate_series(1, $1::int) as c on c % $3::int + 1 = n.place
     returning id, project_id`,
    [count, JSON.stringify(transcript), PROJECTS],
  )
  return rows
}

const transcript = Array.from({ length: 6 }, (_, n) => ({
  role: n % 2 ? 'caller' : 'assistant',
  text: 'A sentence as people say them on the telephone, neither long nor short.',
  at: '2026-11-02T09:00:00.000Z',
  node_id: null,
}))

/** Inserts an event and a due delivery for each call, without a wake-up. */
async function queueEvents(calls: { id: string; project_id: string }[]): Promise<void> {
  const values = [calls.map(({ id }) => id), calls.map(({ project_id }) => project_id)]
  await client.query(
    `insert into events (project_id, id, type, subject, created_at)
     select project_id, 'evt_' || replace(id::text, '-', ''), 'call.completed',
       jsonb_build_object('call_id', id), now()
     from unnest($1::uuid[], $2::uuid[]) as c (id, project_id)`,
    values,
  )
  await client.query(
    `insert into webhook_deliveries (project_id, id, endpoint_id, event_id, type, subject_key,
       call_id, next_attempt_at, created_at)
     select c.project_id, uuidv7(), e.id, 'evt_' || replace(c.id::text, '-', ''),
       'call.completed', c.id::text, c.id, now(), now()
     from unnest($1::uuid[], $2::uuid[]) as c (id, project_id)
     join webhook_endpoints as e on e.project_id = c.project_id`,
    values,
  )
}

type Arrivals = { name: string; at_ns: string }[]

async function report(): Promise<Arrivals> {
  receiver.send('report')
  const [{ arrivals }] = (await once(receiver, 'message')) as [{ arrivals: Arrivals }]
  return arrivals
}

async function attempts(): Promise<number> {
  const { values } = await runtime.metrics.deliveries.get()
  return values.reduce((sum, { value }) => sum + value, 0)
}

/** Waits for this number of recorded attempts; queries the database only afterwards. */
async function untilAttempted(count: number): Promise<void> {
  while ((await attempts()) < count) await delay(5)
  for (;;) {
    const { rows } = await client.query(
      "select error from webhook_deliveries where state = 'pending' limit 1",
    )
    if (rows.length === 0) return
    assert.equal(rows[0].error, null, 'An attempt failed, which here none may.')
    await delay(5)
  }
}

/** Processor time so far of this process and of all PostgreSQL processes. */
function processorMs(): { node: number; postgres: number } {
  const { user, system } = process.cpuUsage()
  const postmaster = readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]
  const own = readdirSync('/proc').flatMap((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
      return stat[1] === postmaster ? [Number(stat[11]) + Number(stat[12])] : []
    } catch {
      // Not a process, or already ended.
      return []
    }
  })
  const ticks = own.reduce((sum, one) => sum + one, 0)
  return { node: (user + system) / 1000, postgres: ticks * TICK_MS }
}

interface Round {
  per_second: number
  node_ms: number
  postgres_ms: number
  arrived: number
  statements_per_delivery: number
}

async function deliverAll(): Promise<Round> {
  await queueEvents(await addCalls(EVENTS))
  await client.query('vacuum (analyze) webhook_deliveries, events, calls')
  const goal = (await attempts()) + EVENTS
  statements = 0
  const before = processorMs()
  const begun_ms = performance.now()
  const pool = startDeliveries(runtime, { sources: eventSources })
  await untilAttempted(goal)
  const took_s = (performance.now() - begun_ms) / 1000
  const after = processorMs()
  const statements_per_delivery = statements / EVENTS
  await pool.stop()
  const arrived = new Set((await report()).map(({ name }) => name)).size
  return {
    per_second: EVENTS / took_s,
    node_ms: (after.node - before.node) / EVENTS,
    postgres_ms: (after.postgres - before.postgres) / EVENTS,
    arrived,
    statements_per_delivery,
  }
}

const bare = new Pool(`http://127.0.0.1:${port}`)
const bare_request = {
  path: '/hooks',
  method: 'POST',
  headers: {
    'Content-Type': 'application/json',
    'User-Agent': 'Service-Webhooks/1',
    'Service-Event': 'call.completed',
    'Service-Delivery': randomUUID(),
    'Service-Signature': `t=1700000000,v1=${'0'.repeat(64)}`,
  },
} as const

async function post(name: string): Promise<void> {
  const data = { call: { id: name, ...bare_call } }
  const body = JSON.stringify({ id: `evt_${name}`, type: 'call.completed', data })
  const reply = await bare.request({ ...bare_request, body })
  await reply.body.dump()
}

// An object with the members of a call, so that both targets send bodies of the same size.
const bare_call = {
  direction: 'inbound',
  from: '+447700900123',
  to: '+447700900000',
  status: 'ai_handled',
  created_at: '2026-11-02T09:00:00.000Z',
  started_at: '2026-11-02T09:00:00.000Z',
  answered_at: '2026-11-02T09:00:00.000Z',
  ended_at: '2026-11-02T09:00:00.000Z',
  duration_sec: 0,
  hangup_cause: 'normal_clearing',
  hangup_by: 'caller',
  has_summary: false,
  summary_ready_at: null,
  test: true,
}

async function postAll(): Promise<Pick<Round, 'per_second' | 'node_ms'>> {
  const before = processorMs()
  const begun_ms = performance.now()
  let left = EVENTS
  const worker = async () => {
    while (left > 0) {
      left -= 1
      await post('bare')
    }
  }
  await Promise.all(Array.from({ length: HANDS }, worker))
  const took_s = (performance.now() - begun_ms) / 1000
  const node_ms = (processorMs().node - before.node) / EVENTS
  await report()
  return { per_second: EVENTS / took_s, node_ms }
}

/** Runs an action at a constant rate without waiting for earlier ones. */
async function steadily(times: number, act: (n: number) => Promise<void>): Promise<void> {
  const begun_ms = performance.now()
  const acts: Promise<void>[] = []
  for (let n = 0; n < times; n += 1) {
    const wait_ms = begun_ms + (n * 1000) / PER_SECOND - performance.now()
    if (wait_ms > 0) await delay(wait_ms)
    acts.push(act(n))
  }
  await Promise.all(acts)
}

/** The times until arrival, in milliseconds. */
async function waits(sent_ns: Map<string, bigint>): Promise<number[]> {
  const arrivals = await report()
  return arrivals.flatMap(({ name, at_ns }) => {
    const from_ns = sent_ns.get(name)
    sent_ns.delete(name)
    return from_ns === undefined ? [] : [Number(BigInt(at_ns) - from_ns) / 1e6]
  })
}

async function measureLatency() {
  const times = PER_SECOND * LATENCY_S
  const calls = await addCalls(times)
  const goal = (await attempts()) + times
  const ours_ns = new Map<string, bigint>()
  const pool = startDeliveries(runtime, { sources: eventSources })
  await steadily(times, async (n) => {
    const { id: call_id, project_id } = calls[n]!
    await runtime.db.transact(async (tx) => {
      afterCommit(tx, () => void ours_ns.set(call_id, process.hrtime.bigint()))
      await emit(tx, runtime, { project_id, type: 'call.completed', subject: { call_id } })
    })
  })
  await untilAttempted(goal)
  await pool.stop()
  const ours_ms = await waits(ours_ns)
  const bare_ns = new Map<string, bigint>()
  await steadily(times, async () => {
    const name = randomUUID()
    bare_ns.set(name, process.hrtime.bigint())
    await post(name)
  })
  return { missing: ours_ns.size, ours_ms, bare_ms: await waits(bare_ns) }
}

/** Inserts deliveries: half are due, half wait for a retry; half belong to one project. */
async function fillPending(): Promise<void> {
  await client.query(
    `insert into webhook_deliveries (project_id, id, endpoint_id, event_id, type, subject_key,
       stage, attempt, next_attempt_at, created_at)
     select e.project_id, uuidv7(), e.id, 'evt_' || lpad(n::text, 32, '0'),
       'document.created', n::text, case when n % 2 = 0 then 'ready' else 'waiting' end, n % 2,
       now() + n % 2 * interval '1 day', now()
     from (select *, row_number() over () as place from webhook_endpoints) as e
     join generate_series(1, $1::int) as n
       on e.place = case when n % 4 < 2 then 1 else n / 4 % $2::int + 1 end`,
    [PENDING, PROJECTS],
  )
  await client.query(
    `insert into events (project_id, id, type, subject, created_at)
     select project_id, event_id, type, '{}', created_at from webhook_deliveries
     where state = 'pending'`,
  )
  await client.query('vacuum (analyze) webhook_deliveries, events')
  // The writes of the setup must not slow down the claims.
  await client.query('checkpoint')
}

async function measureClaims() {
  await fillPending()
  const claim = createClaimer(runtime, new Set())
  const ms: number[] = []
  let postgres_ms = 0
  let claimed = 0
  for (let n = 0; n < CLAIMS; n += 1) {
    const before = processorMs()
    const begun_ms = performance.now()
    const got = await claim(SLOTS_MAX)
    ms.push(performance.now() - begun_ms)
    postgres_ms += processorMs().postgres - before.postgres
    claimed += got.length
    // Releases the claims, because otherwise the caps would soon block every delivery.
    if (n % 4 === 3)
      await client.query(
        `update webhook_deliveries set stage = 'ready', lease_token = null, lease_until = null
         where stage = 'leased'`,
      )
  }
  return {
    ms: ms.slice(CLAIMS / 10),
    per_claim: claimed / CLAIMS,
    postgres_ms: rounded(postgres_ms / CLAIMS),
  }
}

async function throughput(): Promise<ResultTable[]> {
  const ours: Round[] = []
  const limit: Awaited<ReturnType<typeof postAll>>[] = []
  for (let round = -1; round < options.rounds; round += 1) {
    const [homeport, loop] = [await deliverAll(), await postAll()]
    // The first round is the warm-up of both.
    if (round < 0) continue
    ours.push(homeport)
    limit.push(loop)
  }
  const of = (figure: keyof Round) => ours.map((round) => round[figure])
  const rates = limit.map(({ per_second }) => per_second)
  const missing = ours.reduce((sum, { arrived }) => sum + EVENTS - arrived, 0)
  return [
    {
      title: 'Deliveries a second',
      about:
        `A queue of ${EVENTS.toLocaleString('en')} events of ${PROJECTS} projects, worked off with everything on ` +
        '(claim, payload, signature, guarded fetch, record), beside as many hands that make the ' +
        'same POSTs with undici and no database. A delivery counts once it is recorded.',
      columns: [
        'who',
        'a second',
        'to the loop',
        'Node µs',
        'PostgreSQL µs',
        'statements',
        'missing',
      ],
      rows: [
        [
          'homeport',
          spread(of('per_second')),
          ratios(of('per_second'), rates),
          spread(of('node_ms').map((ms) => ms * 1000)),
          spread(of('postgres_ms').map((ms) => ms * 1000)),
          spread(of('statements_per_delivery')),
          missing,
        ],
        [
          'bare undici loop',
          spread(rates),
          null,
          spread(limit.map(({ node_ms }) => node_ms * 1000)),
          null,
          null,
          null,
        ],
      ],
    },
  ]
}

async function latency(): Promise<ResultTable[]> {
  const rounds: Awaited<ReturnType<typeof measureLatency>>[] = []
  for (let round = 0; round < options.rounds; round += 1) rounds.push(await measureLatency())
  const of = (name: 'ours_ms' | 'bare_ms', share: number) =>
    spread(rounds.map((round) => percentile(round[name], share)))
  const missing = rounds.reduce((sum, { missing }) => sum + missing, 0)
  return [
    {
      title: `From the commit to the POST, ${PER_SECOND} events a second`,
      columns: ['who', 'p50 ms', 'p99 ms', 'missing'],
      rows: [
        ['homeport', of('ours_ms', 0.5), of('ours_ms', 0.99), missing],
        ['bare undici loop, from before it sends', of('bare_ms', 0.5), of('bare_ms', 0.99), null],
      ],
    },
  ]
}

async function claims(): Promise<ResultTable[]> {
  const { ms, per_claim, postgres_ms } = await measureClaims()
  const [p50 = 0, p95 = 0, p99 = 0] = [0.5, 0.95, 0.99].map((share) =>
    rounded(percentile(ms, share)),
  )
  return [
    {
      title: `A claim of ${SLOTS_MAX} among ${PENDING.toLocaleString('en')} pending deliveries`,
      columns: ['p50 ms', 'p95 ms', 'p99 ms', 'PostgreSQL ms', 'deliveries a claim'],
      rows: [[p50, p95, p99, postgres_ms, rounded(per_claim)]],
    },
  ]
}

await furnish()
finish({
  generator: 'events written into the database; receiver in a process of its own',
  tables: [
    ...(options.wants('throughput') ? await throughput() : []),
    ...(options.wants('latency') ? await latency() : []),
    ...(options.wants('claim') ? await claims() : []),
  ],
})
receiver.disconnect()
await bare.close()
await client.end()
await opened.close()
rmSync(folder, { recursive: true, force: true })
