/** Homeport as its users start it, with everything on, asked with thousands of keys in turn. */
import pg from 'pg'
import { newKeyText, startOf } from '../../server/areas/keys/text.ts'
import { scopeNames } from '../../server/contract/scopes.ts'
import { systemClock } from '../../server/kernel/clock.ts'
import { sha256 } from '../../server/kernel/crypto.ts'
import { newId } from '../../server/kernel/ids.ts'
import { startServer } from '../../test/ground/server-process.ts'
import { postJson } from './peer.ts'
import {
  BATCH,
  COUNTS,
  DOCUMENTS,
  PAGE,
  bounds,
  hundreds,
  sample,
  shuffled,
  singles,
} from './target.ts'
import type { Ground, Requests, Target, Task } from './target.ts'

/** A key may ask 120 times a minute. */
const KEYS = 12_000

const settings = {
  indexes: ['n'],
  schema: {
    type: 'object',
    required: ['name', 'n', 'email', 'text'],
    properties: {
      name: { type: 'string', maxLength: 200 },
      n: { type: 'integer', minimum: 0 },
      email: { type: 'string', format: 'email' },
      text: { type: 'string', maxLength: 2000 },
    },
    additionalProperties: false,
  },
}

export interface Homeport extends Target {
  /** A list, asked with other parameters than the one that is compared. */
  listing(query: string): Requests
}

export async function startHomeport(ground: Ground): Promise<Homeport> {
  const { connection, url } = await ground.newDatabase('homeport_bench')
  const server = await startServer(ground.folder, {
    DATABASE_URL: url,
    HOMEPORT_LOG_LEVEL: 'error',
  })
  const port = Number(new URL(server.banner['base_url']!).port)
  const client = new pg.Client(connection)
  await client.connect()
  const keys = await addKeys(client, server.banner['project_id']!)
  const authorizations = keys.map((key) => ({ authorization: `Bearer ${key}` }))
  const posting = authorizations.map((one) => ({ ...one, 'content-type': 'application/json' }))
  const root = '/api/v1/collections'
  let asked = 0
  const post = (path: string, body: unknown) =>
    postJson(`http://127.0.0.1:${port}${path}`, posting[(asked += 1) % KEYS]!, body)
  const ids: string[] = []
  await post(root, { name: 'documents', ...settings })
  for (let n = 0; n < DOCUMENTS; n += 500) {
    const all = Array.from({ length: 500 }, (_, at) => sample(n + at))
    const operations = all.map((data) => ({ op: 'create', data }))
    const made = Object(await post(`${root}/documents/documents/batch`, { operations }))
    for (const { id } of made.results) ids.push(id)
  }
  await client.query('vacuum (analyze)')
  await client.end()

  const reading = (paths: readonly string[]): Requests => ({
    port,
    count: KEYS,
    method: 'GET',
    headers: authorizations,
    paths,
  })
  const listing = (query: string) => reading([`${root}/documents/documents?limit=${PAGE}${query}`])
  const paths = {
    get: shuffled(ids).map((id) => `${root}/documents/documents/${id}`),
    list: bounds.map((n) => {
      const query = `filter=${encodeURIComponent(`n <= ${n}`)}&sort=-n&limit=${PAGE}`
      return `${root}/documents/documents?${query}`
    }),
  }
  const bodies = {
    create: singles.map((one) => JSON.stringify(one)),
    batch: hundreds.map((all) =>
      JSON.stringify({ operations: all.map((data) => ({ op: 'create', data })) }),
    ),
  }
  let written = 0
  /** A collection takes ten thousand documents, so several are written one after the other. */
  async function writing(task: 'create' | 'batch'): Promise<Requests> {
    const size = task === 'create' ? 1 : BATCH
    const each = DOCUMENTS / size
    const paths: string[] = []
    while (paths.length < COUNTS[task]) {
      const name = `written-${(written += 1)}`
      await post(root, { name, ...settings })
      const path = `${root}/${name}/documents${task === 'batch' ? '/batch' : ''}`
      for (let n = 0; n < each; n += 1) paths.push(path)
    }
    const count = COUNTS[task]
    return { port, count, method: 'POST', headers: posting, paths, bodies: bodies[task] }
  }
  return {
    name: 'homeport',
    version: '0.1.0',
    pid: server.child.pid!,
    listing,
    requests: async (task: Task) =>
      task === 'get' || task === 'list' ? reading(paths[task]) : await writing(task),
    stop: async () => void (await server.stop()),
  }
}

async function addKeys(client: pg.Client, project_id: string): Promise<string[]> {
  const keys = Array.from({ length: KEYS }, () => newKeyText('test'))
  await client.query(
    `insert into api_keys (id, project_id, hash, start, name, mode, scopes, created_at)
     select id, $1, hash, start, 'bench', 'test', $2, now()
     from unnest($3::uuid[], $4::bytea[], $5::text[]) as k(id, hash, start)`,
    [
      project_id,
      scopeNames,
      keys.map(() => newId(systemClock)),
      keys.map(sha256),
      keys.map(startOf),
    ],
  )
  await client.query(`update projects set plan = 'business' where id = $1`, [project_id])
  return keys
}
