/**
 * `npm run bench -- project-exports`: exports a small and a large project with `projects export`, and
 * imports the files into an empty installation. Peak memory shows whether it grows with the size.
 */
import { randomBytes } from 'node:crypto'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { openBlobs } from '../../server/kernel/blobs/blobs.ts'
import { startServer } from '../../test/fixtures/server-process.ts'
import { readOptions } from '../support/options.ts'
import { begin, type ResultTable } from '../support/result.ts'
import { rounded, spread } from '../support/spread.ts'
import { openStage } from '../support/stage.ts'

const MB = 1_048_576
const FILE_BYTES = 2 * MB
const SAMPLE_MS = 20
const sizes = [
  { name: 'small', documents: 20_000, files: 20 },
  { name: 'large', documents: 200_000, files: 200 },
]
const main = join(import.meta.dirname, '..', '..', 'server', 'command-line', 'main.ts')

const options = readOptions()
const finish = begin('project-exports', options)
const stage = await openStage()

interface Installation {
  settings: Record<string, string>
  client: pg.Client
  /** A project of the first start. */
  project_id: string
}

/** Starts a server once, which creates the tables, a project and a collection. */
async function newInstallation(name: string): Promise<Installation> {
  const { connection, url } = await stage.newDatabase(name)
  const data_dir = join(stage.folder, name)
  mkdirSync(data_dir)
  const server = await startServer(data_dir, { DATABASE_URL: url })
  const { project_id = '', base_url = '', test_key = '' } = server.banner
  const made = await fetch(`${base_url}/collections`, {
    method: 'POST',
    headers: { authorization: `Bearer ${test_key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'guests', schema: { type: 'object' } }),
  })
  if (!made.ok) throw new Error(await made.text())
  await server.stop()
  const client = new pg.Client(connection)
  await client.connect()
  const settings = { DATABASE_URL: url, HOMEPORT_DATA_DIR: data_dir }
  return { settings, client, project_id }
}

/** Documents of about 500 bytes, and files of random bytes, as compressed pictures are. */
async function fill(
  { client, project_id, settings }: Installation,
  { documents, files }: { documents: number; files: number },
): Promise<void> {
  await client.query(
    `insert into documents (project_id, collection_id, id, data, version, source, bytes, test,
       created_at, updated_at)
     select project_id, id, uuidv7(), jsonb_build_object('name', 'Guest ' || n,
         'email', 'guest' || n || '@example.com', 'note', md5(n::text) || repeat(' by the window', 28)),
       1, 'api', 500, false, now(), now()
     from collections, generate_series(1, $1) as n where name = 'guests'`,
    [documents],
  )
  const blobs = openBlobs({
    data_dir: settings['HOMEPORT_DATA_DIR'] ?? '',
    blobs: { address: 'disk' } as Parameters<typeof openBlobs>[0]['blobs'],
  })
  for (let count = 0; count < files; count += 1) {
    const bytes = randomBytes(FILE_BYTES)
    const { rows } = await client.query(
      `insert into files (project_id, id, sha256, bytes, stored_at, encodings, beside, uses, created_at)
       values ($1, uuidv7(), sha256($2), $3, now(), '{}', '{}', 1, now()) returning id`,
      [project_id, bytes.subarray(0, 64), bytes.length],
    )
    await blobs.put(`${project_id}/${rows[0].id}`, bytes)
  }
  await blobs.close()
}

/** Runs a command and returns its time and its peak memory. */
async function run(
  args: readonly string[],
  settings: Record<string, string>,
): Promise<{ ms: number; peak_mb: number }> {
  const begun = performance.now()
  const child = spawn(process.execPath, [main, ...args], {
    env: { PATH: process.env['PATH'], ...settings },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  let peak_kb = 0
  const sampling = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
      peak_kb = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? peak_kb)
    } catch {
      // The command has ended.
    }
  }, SAMPLE_MS)
  const [code] = await once(child, 'exit')
  clearInterval(sampling)
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`)
  return { ms: performance.now() - begun, peak_mb: peak_kb / 1024 }
}

const rows: (string | number)[][] = []
for (const size of sizes) {
  const from = await newInstallation(`${size.name}_from`)
  await fill(from, size)
  const content_mb = (size.documents * 500) / MB + (size.files * FILE_BYTES) / MB
  const works: Record<'export' | 'import', { ms: number; peak_mb: number }[]> = {
    export: [],
    import: [],
  }
  let file_mb = 0
  for (let round = 0; round < options.rounds; round += 1) {
    const file = join(stage.folder, `${size.name}-${round}.tar.gz`)
    const to_file = ['projects', 'export', '--project', from.project_id, '--to', file]
    works.export.push(await run(to_file, from.settings))
    file_mb = statSync(file).size / MB
    const to = await newInstallation(`${size.name}_to_${round}`)
    const owner = ['--owner-email', 'ada@bakery.example']
    works.import.push(await run(['projects', 'import', '--from', file, ...owner], to.settings))
    rmSync(file)
    await to.client.end()
  }
  for (const [work, measured] of Object.entries(works))
    rows.push([
      `${work}, ${size.documents.toLocaleString('en')} documents and ${size.files} files`,
      rounded(content_mb),
      rounded(file_mb),
      spread(measured.map(({ ms }) => ms)),
      spread(measured.map(({ ms }) => (content_mb / ms) * 1000)),
      spread(measured.map(({ peak_mb }) => peak_mb)),
    ])
  await from.client.end()
}
const table: ResultTable = {
  title: 'A whole project as one file',
  about: 'The start of the command is included. MB are of documents and files before compression.',
  columns: ['work', 'MB', 'MB of the file', 'ms', 'MB/s', 'peak memory in MB'],
  rows,
}
finish({ generator: 'the command line', tables: [table] })
await stage.close()
