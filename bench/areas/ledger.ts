/**
 * `npm run bench -- ledger`: charges per second of the ledger, over many projects and on one, with
 * the database of a server (embedded, every commit synced). The loads alternate within each round
 * with the minimal SQL of a charge, so that ratios hold on a shared machine. Prints tables and
 * writes bench/results/ledger.json.
 */
import assert from 'node:assert/strict'
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import * as billing from '../../server/areas/billing/service.ts'
import * as projects from '../../server/areas/projects/service.ts'
import { movableClock } from '../../server/kernel/clock.ts'
import { startEmbedded } from '../../server/kernel/database/embedded-postgres.ts'
import type { Runtime } from '../../server/kernel/runtime.ts'
import { newId } from '../../server/kernel/values/ids.ts'
import { createLog } from '../../server/kernel/log.ts'
import { migrate } from '../../server/kernel/database/migrations.ts'
import { openBareRuntime } from '../../test/fixtures/bare-runtime.ts'
import { readOptions } from '../support/options.ts'
import { begin, type ResultTable } from '../support/result.ts'
import { percentile, ratios, rounded, spread } from '../support/spread.ts'

const options = readOptions()
const finish = begin('ledger', options)
const ROUND_MS = options.seconds * 1000
const WARM_UP_MS = 1000
const PROJECTS = 200
const EARLIER_ENTRIES = 100_000
const FLUSHES = 200
const CHARGE_MICRO = 84_000n
const TOP_UP_MICRO = 1_000_000_000_000n
/** Connections of the pool; null means the default of the server. */
const POOLS = [null, 4, 20]
const STANDARD_CONNECTIONS = 10

interface Load {
  name: string
  /** Number of concurrent writers, each of which charges sequentially. */
  writers: number
  /** One charge in its own transaction. */
  charge(number: number): Promise<void>
}

interface Figures {
  per_second: number[]
  latency_ms: number[]
}

const clock = movableClock()

async function newProjects(runtime: Runtime, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let number = 0; number < count; number++) {
    const facts = { name: 'Bench', shape: 'single', plan: 'business', owner_email: null } as const
    const made = await projects.create(runtime, facts)
    assert('project_id' in made)
    await runtime.db.transact((tx) =>
      billing.topUp(tx, runtime, {
        project_id: made.project_id,
        amount_micro: TOP_UP_MICRO,
        source: 'payment',
        description: 'Top-up',
        reference: 'payment:1',
      }),
    )
    ids.push(made.project_id)
  }
  return ids
}

/** Number of charges through the ledger, for the audit. */
let charged = 0

/** Charges as areas make them, round robin by project. */
function ledgerLoad(runtime: Runtime, project_ids: readonly string[]): Load['charge'] {
  return async (number) => {
    const reference_id = newId(runtime.clock)
    await runtime.db.transact((tx) =>
      billing.charge(tx, runtime, {
        project_id: project_ids[number % project_ids.length]!,
        amount_micro: CHARGE_MICRO,
        source: 'sms',
        description: 'Text message to +31612345678',
        quantity: 1,
        unit: 'segment',
        reference_id,
        reference: `sms:${reference_id}`,
      }),
    )
    charged += 1
  }
}

/** The minimum: deduct from a sufficient balance and insert a line. */
function bareLoad(pool: pg.Pool, project_ids: readonly string[]): Load['charge'] {
  const take = {
    name: 'take',
    text: `update bare.accounts set balance_micro = balance_micro - $2
      where project_id = $1 and balance_micro >= $2 returning balance_micro`,
  }
  const keep = {
    name: 'keep',
    text: `insert into bare.entries (project_id, id, amount_micro, balance_after_micro,
      description, reference, created_at) values ($1, $2, $3, $4, $5, $6, $7)`,
  }
  return async (number) => {
    const project_id = project_ids[number % project_ids.length]!
    const id = newId(clock)
    const client = await pool.connect()
    try {
      await client.query('begin')
      const { rows } = await client.query({ ...take, values: [project_id, CHARGE_MICRO] })
      const facts = ['Text message to +31612345678', `sms:${id}`, clock.now()]
      const values = [project_id, id, CHARGE_MICRO, rows[0].balance_micro, ...facts]
      await client.query({ ...keep, values })
      await client.query('commit')
    } finally {
      client.release()
    }
  }
}

async function createBareTables(client: pg.Pool, project_ids: readonly string[]): Promise<void> {
  await client.query(`
    create schema bare;
    create table bare.accounts (project_id uuid primary key, balance_micro bigint not null)
      with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01);
    create table bare.entries (project_id uuid not null, id uuid not null,
      amount_micro bigint not null, balance_after_micro bigint not null, description text not null,
      reference text not null, created_at timestamptz not null,
      primary key (project_id, id), unique (project_id, reference))`)
  await client.query('insert into bare.accounts select unnest($1::uuid[]), $2', [
    project_ids,
    TOP_UP_MICRO,
  ])
}

/**
 * Adds old entries with postings to a project and updates its running balances. Statistics are not
 * updated, as in the first minutes of a busy project.
 */
async function addEarlierEntries(client: pg.Pool, project_id: string): Promise<void> {
  const ids = Array.from({ length: EARLIER_ENTRIES }, () => newId(clock))
  await client.query(
    `with earlier as (select id, number from unnest($2::uuid[]) with ordinality as e (id, number)),
    entry as (
      insert into ledger_entries (project_id, id, kind, source, amount_micro, balance_after_micro,
        description, quantity, unit, reference_id, reference, month, created_at)
      select $1, id, 'charge', 'sms', $3, $4 - number * $3, 'Text message to +31612345678', 1,
        'segment', id, 'sms:' || id, a.month, $5
      from earlier, ledger_accounts a where a.project_id = $1 and a.kind = 'prepaid'
    ), posting as (
      insert into ledger_postings (project_id, entry_id, from_account, to_account, amount_micro)
      select $1, id, 'prepaid', 'revenue', $3 from earlier
    )
    update ledger_accounts set balance_micro = balance_micro + side * $3 * $6,
      month_micro = month_micro + side * $3 * $6
    from (values ('prepaid', -1), ('revenue', 1)) as s (kind, side)
    where project_id = $1 and ledger_accounts.kind = s.kind`,
    [project_id, ids, CHARGE_MICRO, TOP_UP_MICRO, clock.now(), EARLIER_ENTRIES],
  )
}

/** Runs the writers for this time. */
async function run({ writers, charge }: Load, lasts_ms: number) {
  const latency_ms: number[] = []
  let next = 0
  const begun_ms = performance.now()
  const end_ms = begun_ms + lasts_ms
  const write = async () => {
    for (let from_ms = begun_ms; from_ms < end_ms;) {
      await charge(next++)
      const now_ms = performance.now()
      latency_ms.push(now_ms - from_ms)
      from_ms = now_ms
    }
  }
  await Promise.all(Array.from({ length: writers }, write))
  const took_s = (performance.now() - begun_ms) / 1000
  return { per_second: latency_ms.length / took_s, latency_ms }
}

async function takeTurns(loads: readonly Load[]): Promise<Map<string, Figures>> {
  const figures = new Map<string, Figures>()
  for (const load of loads) {
    await run(load, WARM_UP_MS)
    figures.set(load.name, { per_second: [], latency_ms: [] })
  }
  for (let round = 0; round < options.rounds; round++) {
    for (const load of loads) {
      const measured = await run(load, ROUND_MS)
      const kept = figures.get(load.name)!
      kept.per_second.push(measured.per_second)
      kept.latency_ms.push(...measured.latency_ms)
    }
  }
  return figures
}

function latency(values: readonly number[]) {
  return {
    p50_ms: rounded(percentile(values, 0.5)),
    p99_ms: rounded(percentile(values, 0.99)),
  }
}

/** The ratio of two loads in the same round. */
function ratio(ours: Figures, theirs: Figures) {
  return ratios(ours.per_second, theirs.per_second)
}

/** Measures the time to sync a page to disk, which every commit needs. */
function measureFlush(folder: string) {
  const file = openSync(join(folder, 'flush'), 'w')
  const page = Buffer.alloc(8192)
  const took_ms = Array.from({ length: FLUSHES }, () => {
    writeSync(file, page)
    const begun_ms = performance.now()
    fdatasyncSync(file)
    return performance.now() - begun_ms
  })
  closeSync(file)
  return spread(took_ms)
}

/** Asserts that every balance is the sum of its postings, and that the counts are right. */
async function audit(client: pg.Pool, charges: number): Promise<void> {
  const { rows } = await client.query<{ wrong: number; entries: number }>(`
    with replayed as (
      select project_id, account, sum(micro) as micro from ledger_postings, lateral (
        values (to_account, amount_micro), (from_account, -amount_micro)) as s (account, micro)
      group by project_id, account)
    select count(*) filter (where a.balance_micro <> coalesce(r.micro, 0))::int as wrong,
      (select count(*) from ledger_entries where kind = 'charge')::int as entries
    from ledger_accounts a left join replayed r on r.project_id = a.project_id
      and r.account = a.kind`)
  assert.deepEqual(rows[0], { wrong: 0, entries: charges })
}

async function measurePool(connection: pg.PoolConfig, size: number | null, ids: string[]) {
  const writers = size ?? STANDARD_CONNECTIONS
  const runtime = openBareRuntime(size === null ? connection : { ...connection, max: size }, clock)
  const bare = new pg.Pool({ ...connection, max: writers })
  const one = ids.slice(0, 1)
  const loads = {
    spread: { name: 'spread', writers, charge: ledgerLoad(runtime, ids) },
    spread_bare: { name: 'spread_bare', writers, charge: bareLoad(bare, ids) },
    one_project: { name: 'one_project', writers, charge: ledgerLoad(runtime, one) },
    one_project_bare: { name: 'one_project_bare', writers, charge: bareLoad(bare, one) },
  }
  const figures = await takeTurns(Object.values(loads))
  await runtime.close()
  await bare.end()
  const kind = (name: 'spread' | 'one_project') => {
    const [ours, least] = [figures.get(name)!, figures.get(`${name}_bare`)!]
    return {
      per_second: spread(ours.per_second),
      ...latency(ours.latency_ms),
      bare_per_second: spread(least.per_second),
      bare_ratio: ratio(ours, least),
    }
  }
  return { connections: writers, spread: kind('spread'), one_project: kind('one_project') }
}

async function measureGrowth(connection: pg.PoolConfig, client: pg.Pool) {
  const runtime = openBareRuntime(connection, clock)
  const [young, old] = await newProjects(runtime, 2)
  await runtime.close()
  await addEarlierEntries(client, old!)
  // New connections without cached plans.
  const later = openBareRuntime(connection, clock)
  const figures = await takeTurns([
    { name: 'young', writers: STANDARD_CONNECTIONS, charge: ledgerLoad(later, [young!]) },
    { name: 'old', writers: STANDARD_CONNECTIONS, charge: ledgerLoad(later, [old!]) },
  ])
  await later.close()
  const [from, after] = [figures.get('young')!, figures.get('old')!]
  return {
    earlier_entries: EARLIER_ENTRIES,
    new_project_per_second: spread(from.per_second),
    old_project_per_second: spread(after.per_second),
    ratio: ratio(after, from),
  }
}

type Pool = Awaited<ReturnType<typeof measurePool>>

function poolTable(kind: 'spread' | 'one_project', pools: readonly Pool[]): ResultTable {
  return {
    title: kind === 'spread' ? `Charges on ${PROJECTS} projects in turn` : 'Charges on one project',
    columns: ['connections', 'charges/s', 'to bare SQL', 'p50 ms', 'p99 ms', 'bare SQL/s'],
    rows: pools.map(({ connections, [kind]: measured }) => [
      connections,
      measured.per_second,
      measured.bare_ratio,
      measured.p50_ms,
      measured.p99_ms,
      measured.bare_per_second,
    ]),
  }
}

async function measure(connection: pg.PoolConfig, client: pg.Pool) {
  const runtime = openBareRuntime(connection, clock)
  const ids = await newProjects(runtime, PROJECTS)
  await runtime.close()
  await createBareTables(client, ids)
  // The statistics are those of a new installation, with one top-up per project.
  await client.query('vacuum analyze')
  const pools: Pool[] = []
  for (const size of POOLS) pools.push(await measurePool(connection, size, ids))
  const growth = await measureGrowth(connection, client)
  await audit(client, charged + EARLIER_ENTRIES)
  return { pools, growth }
}

const folder = mkdtempSync(join(tmpdir(), 'homeport-bench-'))
const postgres = await startEmbedded({ data_dir: folder, log: createLog('warn') })
const client = new pg.Pool({ ...postgres.connection, max: 1 })
try {
  await migrate(postgres.connection)
  const { rows } = await client.query('show server_version')
  const flush_ms = measureFlush(folder)
  const measured = await measure(postgres.connection, client)
  const { pools, growth } = measured
  finish({
    generator: `one writer for each connection, ${options.seconds} s a round`,
    versions: { postgres: rows[0].server_version },
    notes: [
      `Every balance was compared with its postings afterwards, ${charged} charges in all. The disk ` +
        `takes ${flush_ms.median} ms (median) to keep a page, which every commit waits for.`,
    ],
    tables: [
      poolTable('spread', pools),
      poolTable('one_project', pools),
      {
        title: `A project with ${EARLIER_ENTRIES.toLocaleString('en')} earlier entries`,
        columns: ['project', 'charges/s', 'to the new one'],
        rows: [
          ['new', growth.new_project_per_second, null],
          ['old', growth.old_project_per_second, growth.ratio],
        ],
      },
    ],
  })
} finally {
  await client.end()
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
