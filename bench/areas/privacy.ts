/**
 * `npm run bench -- privacy`: finding, exporting and erasing one person in a project of 100,000
 * documents, of which 200 are theirs. Requests to /healthz run meanwhile, and show how long the event
 * loop is blocked.
 */
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { startServer } from '../../test/fixtures/server-process.ts'
import { readOptions } from '../support/options.ts'
import { begin, type ResultTable } from '../support/result.ts'
import { percentile, rounded, spread } from '../support/spread.ts'
import { openStage } from '../support/stage.ts'

const DOCUMENTS = 100_000
const OWN = 200
const READ_PAUSE_MS = 20
const PERSON = { email: 'anna@example.com', phone: '+447700900123' }

const options = readOptions()
const finish = begin('privacy', options)
const stage = await openStage()
const { connection, url } = await stage.newDatabase('privacy')
const server = await startServer(stage.folder, { DATABASE_URL: url })
const { base_url = '', project_id = '', test_key = '' } = server.banner
const client = new pg.Client(connection)
await client.connect()

async function send(method: string, route: string, body?: object): Promise<Response> {
  const response = await fetch(base_url + route, {
    method,
    headers: { authorization: `Bearer ${test_key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${route}: ${await response.text()}`)
  return response
}

/** Documents of about 500 bytes; every 500th is about the person. */
async function addDocuments(): Promise<void> {
  await client.query(
    `insert into documents (project_id, collection_id, id, data, version, source, bytes, test,
       created_at, updated_at)
     select c.project_id, c.id, uuidv7(), jsonb_build_object(
         'name', 'Guest ' || n, 'phone', '+3161' || lpad(n::text, 7, '0'),
         'email', case when n % $2 = 0 then $3 else 'guest' || n || '@example.com' end,
         'note', repeat('A table by the window, please. ', 13)),
       1, 'api', 500, false, now(), now()
     from collections as c, generate_series(1, $1) as n where c.name = 'guests'
       and not exists (select from documents as d where d.collection_id = c.id
         and d.data ->> 'name' = 'Guest ' || n)`,
    [DOCUMENTS, DOCUMENTS / OWN, PERSON.email],
  )
  await client.query(
    `update collections set document_count = $1, bytes = $1 * 500 where name = 'guests'`,
    [DOCUMENTS],
  )
  await client.query(`update data_usage set bytes = $1::bigint * 500`, [DOCUMENTS])
  await client.query('analyze documents')
}

/** Returns the time of the work, and the times of reads meanwhile, in ms. */
async function measure(work: () => Promise<unknown>): Promise<{ ms: number; reads: number[] }> {
  const reads: number[] = []
  let is_over = false
  const reading = (async () => {
    while (!is_over) {
      const begun = performance.now()
      await fetch(new URL('/healthz', base_url))
      reads.push(performance.now() - begun)
      await delay(READ_PAUSE_MS)
    }
  })()
  const begun = performance.now()
  await work()
  const ms = performance.now() - begun
  is_over = true
  await reading
  return { ms, reads }
}

const works = {
  find: async () => void (await (await send('POST', '/personal-data/query', PERSON)).json()),
  async export() {
    const { url: link } = await (await send('POST', '/personal-data/exports', PERSON)).json()
    await (await fetch(link)).arrayBuffer()
  },
  async erase() {
    const report = await (await send('POST', '/personal-data/erase', PERSON)).json()
    const documents = report.kinds.find(({ kind }: { kind: string }) => kind === 'documents')
    if (documents.erased !== OWN) throw new Error(`erased ${documents.erased} documents`)
  },
}

await client.query(`update projects set plan = 'enterprise' where id = $1`, [project_id])
await send('POST', '/collections', { name: 'guests', schema: { type: 'object' } })
await send('POST', '/collections/guests/documents', { name: 'first' })
const times = Object.keys(works).map((name) => ({
  name,
  ms: [] as number[],
  reads: [] as number[],
}))
for (let round = 0; round < options.rounds; round += 1) {
  await addDocuments()
  for (const time of times) {
    const { ms, reads } = await measure(works[time.name as keyof typeof works])
    time.ms.push(ms)
    time.reads.push(...reads)
  }
}
const table: ResultTable = {
  title: `One person among ${DOCUMENTS.toLocaleString('en')} documents`,
  about: `${OWN} documents are theirs. Time in ms, and times of GET /healthz meanwhile.`,
  columns: ['work', 'ms', 'other request, p50', 'p99', 'longest'],
  rows: times.map(({ name, ms, reads }) => [
    name,
    spread(ms),
    rounded(percentile(reads, 0.5)),
    rounded(percentile(reads, 0.99)),
    rounded(Math.max(...reads)),
  ]),
}
finish({ generator: 'fetch', tables: [table] })
await client.end()
await server.stop()
await stage.close()
