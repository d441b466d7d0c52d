/** Homeport as its users start it, with everything on, asked with thousands of keys in turn. */
import type { ChildProcess } from 'node:child_process'
import pg from 'pg'
import { startServer } from '../../test/fixtures/server-process.ts'
import { addKeys, bearers } from '../support/keys.ts'
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
import type { Requests } from '../support/load.ts'
import type { Fixture, Target, Task } from './target.ts'

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
  origin: string
  child: ChildProcess
  /** Asks for something once, with one of the keys. */
  post(path: string, body: unknown): Promise<unknown>
  /** Deletes what was written by requests to create. */
  removeWritten(): Promise<void>
}

/** `environment`: more than every server is started with. */
export async function startHomeport(
  fixture: Fixture,
  environment: Record<string, string> = {},
): Promise<Homeport> {
  const { connection, url } = await fixture.newDatabase('homeport_bench')
  const server = await startServer(fixture.folder, {
    DATABASE_URL: url,
    HOMEPORT_LOG_LEVEL: 'error',
    ...environment,
  })
  const port = Number(new URL(server.banner['base_url']!).port)
  const client = new pg.Client(connection)
  await client.connect()
  const project_id = server.banner['project_id']!
  await client.query(`update projects set plan = 'enterprise' where id = $1`, [project_id])
  const authorizations = bearers(await addKeys(client, project_id, KEYS))
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
    methods: ['GET'],
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
  let removed = 0
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
    return { port, count, methods: ['POST'], headers: posting, paths, bodies: bodies[task] }
  }
  return {
    name: 'homeport',
    version: '0.1.0',
    about:
      'Key, scope, reach and rate of every request, JSON Schema of every document, counts and bytes ' +
      'against limits, a number for every change.',
    pid: server.child.pid!,
    child: server.child,
    post,
    listing,
    origin: `http://127.0.0.1:${port}`,
    async removeWritten() {
      for (; removed < written; removed += 1) {
        const name = `written-${removed + 1}`
        const headers = authorizations[(asked += 1) % KEYS]!
        const url = `http://127.0.0.1:${port}${root}/${name}?confirm=${name}`
        const answer = await fetch(url, { method: 'DELETE', headers })
        if (!answer.ok) throw new Error(`${name} was not deleted: ${await answer.text()}`)
      }
    },
    requests: async (task: Task) =>
      task === 'get' || task === 'list' ? reading(paths[task]) : await writing(task),
    stop: async () => void (await server.stop()),
  }
}
