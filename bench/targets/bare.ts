/** Fills the tables of the bare routes and starts them in a separate process. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import {
  COUNTS,
  DOCUMENTS,
  listBounds,
  batchBodies,
  sample,
  shuffled,
  createBodies,
} from './target.ts'
import type { Requests } from '../support/load.ts'
import type { TargetFixture, Target, LoadTask } from './target.ts'

const json = [{ 'content-type': 'application/json' }]

export async function startBare(fixture: TargetFixture): Promise<Target> {
  const { connection } = await fixture.newDatabase('bare')
  const ids = await fill(connection)
  const child = spawn(process.execPath, [
    join(import.meta.dirname, '..', 'bare', 'documents.ts'),
    JSON.stringify(connection),
  ])
  child.stderr.pipe(process.stderr)
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  const port = Number(line)
  const get = { port, methods: ['GET'], headers: [{}] }
  const post = { port, methods: ['POST'], headers: json }
  const requests: Record<LoadTask, Requests> = {
    get: { ...get, count: COUNTS.get, paths: ids.map((id) => `/documents/${id}`) },
    list: { ...get, count: COUNTS.list, paths: listBounds.map((n) => `/documents?below=${n}`) },
    create: {
      ...post,
      count: COUNTS.create,
      paths: ['/documents'],
      bodies: createBodies.map((one) => JSON.stringify(one)),
    },
    batch: {
      ...post,
      count: COUNTS.batch,
      paths: ['/documents/batch'],
      bodies: batchBodies.map((documents) => JSON.stringify({ documents })),
    },
  }
  return {
    name: 'bare',
    version: '',
    about: 'Fastify and pg: one statement a request. No key, no schema, no counts, no changes.',
    pid: child.pid!,
    requests: async (task) => requests[task],
    async stop() {
      child.kill()
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
  }
}

async function fill(connection: pg.PoolConfig): Promise<string[]> {
  const client = new pg.Client(connection)
  await client.connect()
  const columns = `(id uuid primary key default uuidv7(), data jsonb not null,
    version integer not null default 1, created_at timestamptz not null default now(),
    updated_at timestamptz not null default now())`
  await client.query(`create table documents ${columns}; create table written ${columns};
    create index on documents ((data -> 'n')); create index on written ((data -> 'n'))`)
  const { rows } = await client.query(
    'insert into documents (data) select * from jsonb_array_elements($1) returning id',
    [JSON.stringify(Array.from({ length: DOCUMENTS }, (_, n) => sample(n)))],
  )
  await client.query('vacuum (analyze) documents')
  await client.end()
  return shuffled(rows.map(({ id }) => String(id)))
}
