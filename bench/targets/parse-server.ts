/** Parse Server on PostgreSQL: a class of documents, with its master key. */
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
import type { TargetFixture, Sample, Target, LoadTask } from './target.ts'

const reading = { 'x-parse-application-id': 'bench', 'x-parse-master-key': 'bench-master' }
const writing = { ...reading, 'content-type': 'application/json' }

const creating = (name: string, all: readonly Sample[]) => ({
  requests: all.map((body) => ({ method: 'POST', path: `/parse/classes/${name}`, body })),
})

export async function startParseServer(fixture: TargetFixture): Promise<Target> {
  const { folder: installed, version } = findPeer('parse-server', 'parse-server')
  const { url, connection } = await fixture.newDatabase('parse_server')
  const port = await freePort()
  const root = `http://127.0.0.1:${port}/parse`
  const child = await startPeer({
    command: [join(installed, 'start.mjs'), String(port), url],
    cwd: fixture.folder,
    env: {},
    url: `${root}/health`,
    headers: reading,
  })
  const ids: string[] = []
  await postJson(`${root}/classes/written`, writing, sample(0))
  for (let n = 0; n < DOCUMENTS; n += 50) {
    // The first document creates the class, so it is inserted alone.
    if (n === 0) await postJson(`${root}/classes/documents`, writing, sample(DOCUMENTS))
    const all = Array.from({ length: 50 }, (_, at) => sample(n + at))
    const made = await postJson(`${root}/batch`, writing, creating('documents', all))
    if (Array.isArray(made)) for (const { success } of made) ids.push(success.objectId)
  }
  const client = new pg.Client(connection)
  await client.connect()
  await client.query('create index on documents (n)')
  await client.query('create index on written (n)')
  await client.query('vacuum (analyze)')
  await client.end()
  const list = (n: number) => encodeURIComponent(JSON.stringify({ n: { $lte: n } }))
  const requests: Record<LoadTask, Omit<Requests, 'port' | 'count' | 'methods' | 'headers'>> = {
    get: { paths: shuffled(ids).map((id) => `/parse/classes/documents/${id}`) },
    list: {
      paths: listBounds.map(
        (n) => `/parse/classes/documents?where=${list(n)}&order=-n&limit=${PAGE}`,
      ),
    },
    create: {
      paths: ['/parse/classes/written'],
      bodies: createBodies.map((one) => JSON.stringify(one)),
    },
    batch: {
      paths: ['/parse/batch'],
      bodies: batchBodies.map((all) => JSON.stringify(creating('written', all))),
    },
  }
  return {
    name: 'parse-server',
    version,
    about: 'A class with typed fields, asked with the master key: no permissions, no JSON Schema.',
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
