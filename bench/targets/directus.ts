/** Directus on PostgreSQL: a collection without activity log, with the admin's token. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import type { Requests } from '../support/load.ts'
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
import type { TargetFixture, Target, LoadTask } from './target.ts'

const token = 'bench-admin-token'
const reading = { authorization: `Bearer ${token}` }
const writing = { ...reading, 'content-type': 'application/json' }

const fields = [
  { field: 'id', type: 'uuid', schema: { is_primary_key: true }, meta: { special: ['uuid'] } },
  { field: 'name', type: 'string', schema: { is_nullable: false } },
  { field: 'n', type: 'integer', schema: { is_nullable: false } },
  { field: 'email', type: 'string', schema: { is_nullable: false } },
  { field: 'text', type: 'text', schema: { is_nullable: false } },
  { field: 'created_at', type: 'timestamp', meta: { special: ['date-created'] } },
  { field: 'updated_at', type: 'timestamp', meta: { special: ['date-updated'] } },
]

export async function startDirectus(fixture: TargetFixture): Promise<Target> {
  const { folder: installed, version } = findPeer('directus', 'directus')
  const { url, connection } = await fixture.newDatabase('directus')
  const port = await freePort()
  const root = `http://127.0.0.1:${port}`
  const env = {
    DB_CLIENT: 'pg',
    DB_CONNECTION_STRING: url,
    SECRET: 'a-secret-of-the-bench-that-is-long-enough',
    ADMIN_EMAIL: 'bench@example.com',
    ADMIN_PASSWORD: 'bench-password',
    ADMIN_TOKEN: token,
    HOST: '127.0.0.1',
    PORT: String(port),
    PUBLIC_URL: root,
    LOG_LEVEL: 'error',
    TELEMETRY: 'false',
    // Prevents refusals under load.
    PRESSURE_LIMITER_ENABLED: 'false',
    HOME: fixture.folder,
  }
  const program = [
    '--import',
    join(installed, 'no-isolated-vm.mjs'),
    join(installed, 'node_modules', 'directus', 'cli.js'),
  ]
  const { PATH } = process.env
  await promisify(execFile)(process.execPath, [...program, 'bootstrap'], {
    cwd: fixture.folder,
    env: { PATH, NODE_ENV: 'production', ...env },
  })
  const child = await startPeer({
    command: [...program, 'start'],
    cwd: fixture.folder,
    env,
    url: `${root}/server/ping`,
    headers: {},
  })
  for (const collection of ['documents', 'written']) {
    const meta = { accountability: null }
    await postJson(`${root}/collections`, writing, { collection, schema: {}, meta, fields })
  }
  const client = new pg.Client(connection)
  await client.connect()
  const all = JSON.stringify(Array.from({ length: DOCUMENTS }, (_, n) => sample(n)))
  const { rows } = await client.query(
    `insert into documents (id, name, n, email, text, created_at)
     select gen_random_uuid(), name, n, email, text, now()
     from jsonb_to_recordset($1) as d (name text, n integer, email text, text text) returning id`,
    [all],
  )
  await client.query('create index on documents (n)')
  await client.query('create index on written (n)')
  await client.query('vacuum (analyze)')
  await client.end()
  const get = { port, methods: ['GET'], headers: [reading] }
  const post = { port, methods: ['POST'], headers: [writing] }
  const requests: Record<LoadTask, Requests> = {
    get: {
      ...get,
      count: COUNTS.get,
      paths: shuffled(rows.map(({ id }) => `/items/documents/${id}`)),
    },
    list: {
      ...get,
      count: COUNTS.list,
      paths: listBounds.map((n) =>
        encodeURI(`/items/documents?filter[n][_lte]=${n}&sort=-n&limit=${PAGE}`),
      ),
    },
    create: {
      ...post,
      count: COUNTS.create,
      paths: ['/items/written'],
      bodies: createBodies.map((one) => JSON.stringify(one)),
    },
    batch: {
      ...post,
      count: COUNTS.batch,
      paths: ['/items/written?fields=id'],
      bodies: batchBodies.map((some) => JSON.stringify(some)),
    },
  }
  return {
    name: 'directus',
    version,
    about: "Columns with types, the admin's token, no permissions, no log of activity.",
    pid: child.pid!,
    requests: async (task) => requests[task],
    stop: () => stopPeer(child),
  }
}
