/** Strapi on PostgreSQL: a content type with public routes, without admin pages. */
import { cpSync, mkdirSync, mkdtempSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { Requests } from '../support/load.ts'
import { findPeer, freePort, startPeer, stopPeer } from './peer.ts'
import { COUNTS, DOCUMENTS, PAGE, listBounds, sample, shuffled, createBodies } from './target.ts'
import type { TargetFixture, Target } from './target.ts'

const writing = { 'content-type': 'application/json' }

/** Ids in its format: 24 lowercase letters and digits. */
const idOf = (n: number) => `bench${String(n).padStart(19, '0')}`

export async function startStrapi(fixture: TargetFixture): Promise<Target> {
  const { folder: installed, version } = findPeer('strapi', '@strapi/strapi')
  const { url, connection } = await fixture.newDatabase('strapi')
  const port = await freePort()
  const folder = mkdtempSync(join(fixture.folder, 'strapi-'))
  cpSync(join(installed, 'app'), folder, { recursive: true })
  cpSync(join(installed, 'package.json'), join(folder, 'package.json'))
  mkdirSync(join(folder, 'public', 'uploads'), { recursive: true })
  symlinkSync(join(installed, 'node_modules'), join(folder, 'node_modules'))
  const root = `http://127.0.0.1:${port}/api/documents`
  const child = await startPeer({
    command: ['start.js'],
    cwd: folder,
    env: { DATABASE_URL: url, PORT: String(port), STRAPI_TELEMETRY_DISABLED: 'true', HOME: folder },
    url: root,
    headers: {},
  })
  const client = new pg.Client(connection)
  await client.connect()
  const all = JSON.stringify(
    Array.from({ length: DOCUMENTS }, (_, n) => ({ ...sample(n), document_id: idOf(n) })),
  )
  await client.query(
    `insert into documents (document_id, name, n, email, text, created_at, updated_at, published_at)
     select document_id, name, n, email, text, now(), now(), now()
     from jsonb_to_recordset($1) as d (document_id text, name text, n integer, email text, text text)`,
    [all],
  )
  await client.query('create index on documents (n)')
  await client.query('vacuum (analyze)')
  await client.end()
  const reading = { port, methods: ['GET'], headers: [{}] }
  const page = `pagination[start]=0&pagination[limit]=${PAGE}&pagination[withCount]=false`
  const requests: Record<'get' | 'list' | 'create', Requests> = {
    get: {
      ...reading,
      count: COUNTS.get,
      paths: shuffled(Array.from({ length: DOCUMENTS }, (_, n) => `/api/documents/${idOf(n)}`)),
    },
    list: {
      ...reading,
      count: COUNTS.list,
      paths: listBounds.map((n) =>
        encodeURI(`/api/documents?filters[n][$lte]=${n}&sort=n:desc&${page}`),
      ),
    },
    create: {
      port,
      methods: ['POST'],
      headers: [writing],
      count: COUNTS.create,
      paths: ['/api/documents'],
      bodies: createBodies.map((data) => JSON.stringify({ data })),
    },
  }
  return {
    name: 'strapi',
    version,
    about: 'A content type, its routes without any check of a key. It has no batch over REST.',
    pid: child.pid!,
    requests: async (task) => (task === 'batch' ? null : requests[task]),
    stop: () => stopPeer(child),
  }
}
