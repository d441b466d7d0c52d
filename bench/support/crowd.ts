/**
 * An installation of a given size: projects with people, keys, documents, sites and deliveries,
 * copied in SQL from one project that was filled through the API.
 */
import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { startServer } from '../../test/fixtures/server-process.ts'
import { addKeys } from './keys.ts'
import type { BenchStage } from './stage.ts'

/** Row counts of an installation of size 1; openCrowd multiplies them by `times`. */
/** The master key of the servers of crowds, which the bench opens too. */
export const CROWD_SECRET = 'a master key of the bench that is long enough'

export const BASE = {
  projects: 200,
  people: 20,
  keys: 3_000,
  documents: 5_000,
  documents_of_one_collection: 100,
  sites: 2_000,
  deliveries: 5_000,
} as const

/** Number of sites that are requested, the same at every size. */
const ASKED_SITES = 2_000

export interface Crowd {
  times: number
  url: string
  port: number
  pid: number
  connection: pg.PoolConfig
  project_id: string
  person_id: string
  keys: string[]
  document_ids: string[]
  site_hosts: string[]
  stop(): Promise<void>
}

export async function openCrowd(stage: BenchStage, times: number): Promise<Crowd> {
  const { connection, url } = await stage.newDatabase(`crowd_${times}`)
  const data_dir = mkdtempSync(join(stage.folder, 'crowd-'))
  const server = await startServer(data_dir, {
    DATABASE_URL: url,
    HOMEPORT_SECRET: CROWD_SECRET,
    HOMEPORT_LOG_LEVEL: 'error',
    // Only the bench claims deliveries.
    HOMEPORT_ROLES: 'web',
  })
  const { base_url = '', sites: domain = '', project_id = '' } = server.banner
  const client = new pg.Client(connection)
  await client.connect()
  await client.query(`update projects set plan = 'business', phone_verified = true where id = $1`, [
    project_id,
  ])
  const keys = await addKeys(client, project_id, BASE.keys)
  const ask = askerOf(base_url, keys[0]!)
  const document_ids = await addDocuments(ask, BASE.documents_of_one_collection * times)
  await ask('/sites', { slug: 'first', files: [{ path: 'index.html', content: page }] })
  await multiply(client, { project_id, times })
  const { rows } = await client.query(
    'select person_id from members where project_id <> $1 limit 1',
    [project_id],
  )
  const { rows: hosts } = await client.query(
    `select slug from sites where slug <> 'first' order by md5(slug) limit $1`,
    [ASKED_SITES],
  )
  await client.query('vacuum (analyze)')
  await client.query('checkpoint')
  await client.end()
  return {
    times,
    url,
    port: Number(new URL(base_url).port),
    pid: server.child.pid ?? 0,
    connection,
    project_id,
    person_id: rows[0].person_id,
    keys,
    document_ids,
    site_hosts: hosts.map(({ slug }) => `${slug}.${domain}`),
    stop: async () => void (await server.stop()),
  }
}

const page = `<!doctype html>\n<title>Bakery</title>\n${'<p>Bread.</p>\n'.repeat(110)}`

function askerOf(base_url: string, key: string) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return async (path: string, body: unknown) => {
    const init = { method: 'POST', headers, body: JSON.stringify(body) }
    const answer = await fetch(base_url + path, init)
    const text = await answer.text()
    assert(answer.ok, text)
    return JSON.parse(text)
  }
}

async function addDocuments(ask: ReturnType<typeof askerOf>, count: number): Promise<string[]> {
  const properties = { n: { type: 'integer' }, name: { type: 'string' } }
  const schema = { type: 'object', properties }
  await ask('/collections', { name: 'documents', schema, indexes: ['n'] })
  await ask('/collections', { name: 'written', schema, indexes: ['n'] })
  const ids: string[] = []
  for (let n = 0; n < count; n += 500) {
    const all = Array.from({ length: Math.min(500, count - n) }, (_, at) => n + at)
    const operations = all.map((n) => ({ op: 'create', data: { n, name: `Customer ${n}` } }))
    const { results } = await ask('/collections/documents/documents/batch', { operations })
    for (const { id } of results) ids.push(id)
  }
  return ids
}

async function multiply(
  client: pg.Client,
  { project_id, times }: { project_id: string; times: number },
): Promise<void> {
  const run = (text: string, ...values: unknown[]) => client.query(text, values)
  await run('set synchronous_commit = off')
  await run('set work_mem = 200000')
  await run(
    `insert into projects (id, name, shape, plan, rails, created_at)
     select gen_random_uuid(), 'bench', 'single', 'reachable', rails, now()
     from projects, generate_series(1, $2::int) where id = $1`,
    project_id,
    BASE.projects * times,
  )
  await run(
    `insert into people (id, realm, email, created_at)
     select gen_random_uuid(), 'portal', 'person-' || n || '@example.com', now()
     from generate_series(0, $1::int) as n`,
    BASE.people * times - 1,
  )
  await run(
    `insert into members (project_id, person_id, role, created_at)
     select p.id, q.id, 'owner', now()
     from (select id, row_number() over () as n from projects where id <> $1) as p
     join (select id, row_number() over () - 1 as n from people where email like 'person-%') as q
       on q.n = p.n % $2::int`,
    project_id,
    BASE.people * times,
  )
  await run(
    `insert into api_keys (id, project_id, hash, start, name, mode, scopes, created_at)
     select gen_random_uuid(), p.id, sha256((p.id::text || n)::bytea), 'hm_test_', 'bench', 'test',
       '{data:read}', now()
     from projects as p, generate_series(1, $2::int) as n where p.id <> $1`,
    project_id,
    Math.round(BASE.keys / BASE.projects),
  )
  await multiplyDocuments(run, project_id)
  await multiplySites(run, times)
  await multiplyDeliveries(run, times)
}

type Run = (text: string, ...values: unknown[]) => Promise<pg.QueryResult>

async function multiplyDocuments(run: Run, project_id: string): Promise<void> {
  await run(
    `insert into collections
     select (jsonb_populate_record(c, jsonb_build_object('project_id', p.id, 'id', gen_random_uuid()))).*
     from collections as c, projects as p
     where c.project_id = $1 and c.name = 'documents' and p.id <> $1`,
    project_id,
  )
  const each = Math.round(BASE.documents / BASE.projects)
  await run(
    `insert into documents (project_id, collection_id, id, data, version, source, bytes, test,
       created_at, updated_at)
     select c.project_id, c.id, gen_random_uuid(), jsonb_build_object('n', n, 'name', 'Customer ' || n),
       1, 'api', 30, true, now(), now()
     from collections as c, generate_series(1, $2::int) as n
     where c.project_id <> $1`,
    project_id,
    each,
  )
  await run(
    `insert into document_keys (project_id, collection_id, document_id, field, key)
     select project_id, collection_id, id, 'n', sha256(data::text::bytea)
     from documents where project_id <> $1`,
    project_id,
  )
}

async function multiplySites(run: Run, times: number): Promise<void> {
  await run(
    `insert into sites (project_id, id, slug, label, title, status, visibility, spa, live_version,
       last_version, test, created_at, updated_at, deployed_at)
     select project_id, gen_random_uuid(), 'site-' || n, 'site-' || n, title, status, visibility,
       spa, 1, 1, test, created_at, updated_at, deployed_at
     from sites, generate_series(1, $1::int) as n where slug = 'first'`,
    BASE.sites * times,
  )
  await run(
    `insert into site_versions (project_id, site_id, number, preview_label, files, rules,
       files_count, bytes, collections, warnings, test, created_at)
     select s.project_id, s.id, 1, s.slug || '--preview', v.files, v.rules, v.files_count, v.bytes,
       v.collections, v.warnings, v.test, v.created_at
     from site_versions as v join sites as s on s.project_id = v.project_id and s.id <> v.site_id`,
  )
}

/** Half of them are due, half wait for a retry. */
async function multiplyDeliveries(run: Run, times: number): Promise<void> {
  await run(
    `insert into webhook_endpoints (project_id, id, url, events, sealed_secret, secret_prefix, created_at)
     select id, gen_random_uuid(), 'http://127.0.0.1:9/', '{document.created}', '', 'whsec_bench', now()
     from projects`,
  )
  await run(
    `insert into webhook_deliveries (project_id, id, endpoint_id, event_id, type, subject_key,
       stage, attempt, next_attempt_at, created_at)
     select e.project_id, uuidv7(), e.id, 'evt_' || lpad(n::text, 32, '0'), 'document.created',
       n::text, case when n % 2 = 0 then 'ready' else 'waiting' end, n % 2,
       now() + n % 2 * interval '1 day', now()
     from generate_series(1, $1::int) as n
     join (select *, row_number() over () - 1 as place from webhook_endpoints) as e
       on e.place = n / 2 % (select count(*) from webhook_endpoints)`,
    BASE.deliveries * times,
  )
  await run(
    `insert into events (project_id, id, type, subject, created_at)
     select project_id, event_id, type, '{}', created_at from webhook_deliveries`,
  )
}
