/** @supabase/lite on PostgreSQL: a table with a column for each field, with its secret key. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { findPeer, freePort, postJson, startPeer, stopPeer } from './peer.ts'
import {
  COUNTS,
  DOCUMENTS,
  PAGE,
  listBounds,
  batchBodies,
  sample,
  shuffled,
  createBodies,
} from './target.ts'
import type { Requests } from '../support/load.ts'
import type { TargetFixture, Target, LoadTask } from './target.ts'

const key = 'sb_secret_bench_bench_bench_bench_bench'
const reading = { apikey: key, authorization: `Bearer ${key}` }
const writing = {
  ...reading,
  'content-type': 'application/json',
  prefer: 'return=representation',
}

const columns = `id uuid primary key default gen_random_uuid(), name text not null,
  n integer not null, email text not null, text text not null,
  created_at timestamptz not null default now(), updated_at timestamptz not null default now()`
const schema = `create table public.documents (${columns});
create table public.written (${columns});
create index documents_n on public.documents (n);
create index written_n on public.written (n);
`

function settings(port: number, url: string): string {
  return `[api]
port = ${port}
[db]
driver = "postgres"
url = "${url}"
[db.migrations]
schema_paths = [ "./schemas/schema.sql" ]
[auth]
enabled = true
jwt_secret = "a-secret-of-the-bench-that-is-long-enough"
publishable_key = "sb_publishable_bench"
secret_key = "${key}"
`
}

export async function startSupabaseLite(fixture: TargetFixture): Promise<Target> {
  const { folder: installed, version } = findPeer('supabase-lite', '@supabase/lite')
  const { url, connection } = await fixture.newDatabase('supabase_lite')
  const client = new pg.Client(connection)
  await client.connect()
  await client.query(schema)
  const port = await freePort()
  const folder = mkdtempSync(join(fixture.folder, 'supabase-lite-'))
  mkdirSync(join(folder, 'supabase', 'schemas'), { recursive: true })
  writeFileSync(join(folder, 'supabase', 'config.toml'), settings(port, url))
  writeFileSync(join(folder, 'supabase', 'schemas', 'schema.sql'), schema)
  const root = `http://127.0.0.1:${port}/rest/v1`
  const child = await startPeer({
    command: [
      join(installed, 'node_modules', '@supabase', 'lite', 'dist', 'cli', 'index.js'),
      '--no-telemetry',
      'dev',
      '--no-admin',
    ],
    cwd: folder,
    env: { LITE_TELEMETRY: '0', HOME: folder },
    url: `${root}/documents?limit=1`,
    headers: reading,
  })
  const ids: string[] = []
  for (let n = 0; n < DOCUMENTS; n += 500) {
    const rows = Array.from({ length: 500 }, (_, at) => sample(n + at))
    const made = await postJson(`${root}/documents?select=id`, writing, rows)
    if (Array.isArray(made)) for (const { id } of made) ids.push(id)
  }
  await client.query('vacuum (analyze)')
  await client.end()
  const path = '/rest/v1'
  const requests: Record<LoadTask, Omit<Requests, 'port' | 'count' | 'methods' | 'headers'>> = {
    get: { paths: shuffled(ids).map((id) => `${path}/documents?id=eq.${id}`) },
    list: {
      paths: listBounds.map((n) => `${path}/documents?n=lte.${n}&order=n.desc&limit=${PAGE}`),
    },
    create: { paths: [`${path}/written`], bodies: createBodies.map((one) => JSON.stringify(one)) },
    batch: {
      paths: [`${path}/written?select=id`],
      bodies: batchBodies.map((all) => JSON.stringify(all)),
    },
  }
  return {
    name: 'supabase-lite',
    version,
    about:
      'PostgREST over a table with typed columns: a secret key, no schema beyond column types.',
    pid: child.pid!,
    async requests(task) {
      const { bodies } = requests[task]
      const how = bodies ? { methods: ['POST'], headers: [writing] } : null
      const read = { methods: ['GET'], headers: [reading] }
      return { port, count: COUNTS[task], ...requests[task], ...(how ?? read) }
    },
    stop: () => stopPeer(child),
  }
}
