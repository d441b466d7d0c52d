/**
 * Tests of imports of files that were changed, so that they harm neither the installation nor another
 * project of it.
 */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { extract, pack } from 'tar-stream'
import { newFixtures } from '../../test/fixtures/path-ids.ts'
import { openTestRuntime } from '../../test/fixtures/runtime.ts'
import { movableClock } from '../kernel/clock.ts'
import { findKnown } from '../areas/email/addresses/find-known.ts'
import { sweepFiles } from '../areas/files/service.ts'
import * as projects from '../areas/projects/service.ts'
import { newId } from '../kernel/values/ids.ts'
import { databaseUrl, runInProcess, temporaryFolder } from '../../test/fixtures/command-line.ts'

const fixture = await openTestRuntime({ clock: movableClock(), work: false })
const { runtime } = fixture
const folder = temporaryFolder()
const { team } = await newFixtures(fixture)

const settings = {
  DATABASE_URL: databaseUrl(fixture.connection),
  HOMEPORT_SECRET: 'a master key for tests that is long enough',
  HOMEPORT_DATA_DIR: runtime.config.data_dir,
  HOMEPORT_PUBLIC_URL: fixture.url,
}
const run = (argv: readonly string[]) => runInProcess(argv, settings)
const anId = () => newId(runtime.clock)

type Entry = [name: string, bytes: Buffer]
type Row = Record<string, any>

/** An export whose parts a test changes before it is imported. */
interface ChangedExport {
  header: Row
  end: Row
  rows: Record<string, Row[]>
  files: Entry[]
}

const original = await readEntries()

async function readEntries(): Promise<Entry[]> {
  const file = join(folder, 'original.tar.gz')
  await run(['projects', 'export', '--project', team.project_id, '--to', file])
  const unpacked = extract()
  unpacked.end(gunzipSync(readFileSync(file)))
  const entries: Entry[] = []
  for await (const entry of unpacked) {
    const chunks: Uint8Array[] = await Array.fromAsync(entry as AsyncIterable<Uint8Array>)
    entries.push([entry.header.name, Buffer.concat(chunks)])
  }
  return entries
}

/** The original with the id of a new project, and with the rows of these tables only. */
function exportOf(...tables: string[]): ChangedExport {
  const jsonOf = (wanted: string) => {
    const [, bytes] = original.find(([name]) => name === wanted) ?? []
    return JSON.parse(String(bytes))
  }
  const rows: ChangedExport['rows'] = {}
  for (const [name, bytes] of original) {
    const [, table = ''] = /^data\/([a-z_]+)\//.exec(name) ?? []
    if (!tables.includes(table)) continue
    const lines = bytes.toString().trimEnd().split('\n')
    rows[table] = lines.map((line) => JSON.parse(line))
  }
  const header = jsonOf('project.json')
  header.project.id = anId()
  return { header, end: jsonOf('end.json'), rows, files: [] }
}

async function importFile({ header, end, rows, files }: ChangedExport) {
  const textOf = (lines: Row[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  const counts = Object.entries(rows).map(([table, lines]) => [table, lines.length])
  const entries: [string, string | Buffer][] = [
    ['project.json', JSON.stringify(header)],
    ...Object.entries(rows).map(
      ([table, lines]) => [`data/${table}/0001.ndjson`, textOf(lines)] as [string, string],
    ),
    ...files,
    ['end.json', JSON.stringify({ ...end, rows: Object.fromEntries(counts), files: files.length })],
  ]
  const archive = pack()
  for (const [name, content] of entries) archive.entry({ name }, content)
  archive.finalize()
  const file = join(folder, `${anId()}.tar.gz`)
  writeFileSync(file, gzipSync(Buffer.concat(await Array.fromAsync(archive))))
  return run(['projects', 'import', '--from', file, '--owner-email', 'new@bakery.example'])
}

async function refuses(changed: ChangedExport, reason: RegExp): Promise<void> {
  const { code, said } = await importFile(changed)
  assert.match(said, reason)
  assert.equal(code, 1)
  const { id } = changed.header.project
  if (typeof id !== 'string') return
  const { rows } = await sql`select from projects where id::text = ${id}`.execute(runtime.db)
  assert.equal(rows.length, 0)
  assert.deepEqual(await Array.fromAsync(runtime.blobs.list(id)), [])
}

async function accepts(changed: ChangedExport): Promise<string> {
  const { code, said } = await importFile(changed)
  assert.equal(code, 0, said)
  return changed.header.project.id
}

const columnsIn = ({ header }: ChangedExport, table: string): { columns: string[] } =>
  header.tables.find((one: Row) => one.table === table)

const [file_row] = exportOf('files').rows.files!
const [site_row] = exportOf('sites').rows.sites!
const newFileRow = (change: Row): Row => ({ ...file_row, id: anId(), ...change })

describe('the import of a file', () => {
  test('keeps messages of callers that were mailed to the owner', async () => {
    const project = exportOf('numbers', 'calls')
    const {
      numbers: [number],
      calls: [call],
    } = project.rows as { numbers: [Row]; calls: [Row] }
    number.id = anId()
    call.number_id = number.id
    const left_at = '2026-11-01T00:00:00Z'
    const message = { id: anId(), call_id: call.id, text: 'Please call back.', left_at }
    project.rows.call_messages = [{ ...message, mail_id: anId(), mailed_at: left_at }]
    await accepts(project)
  })
})

describe('the import of a changed file', () => {
  test('keeps numbers released, also if the file names no time of the release', async () => {
    const live = { ...exportOf('numbers').rows.numbers![0], e164: '+31850009999', test: false }
    const omitting = exportOf()
    const named = columnsIn(omitting, 'numbers')
    named.columns = named.columns.filter((column) => column !== 'released_at')
    omitting.rows.numbers = [{ ...live, id: anId() }]
    await refuses(omitting, /columns of numbers are not those of an export/)
    const complete = exportOf()
    complete.rows.numbers = [{ ...live, id: anId() }]
    const key = await fixture.newKey({ project_id: await accepts(complete) })
    assert.deepEqual((await fixture.call('GET /numbers', { key })).body.data, [])
  })

  test('refuses a project with the id under which acts of operators are recorded', async () => {
    const changed = exportOf()
    changed.header.project.id = '00000000-0000-0000-0000-000000000000'
    await refuses(changed, /not a project export that this version of Homeport reads/)
  })

  test('refuses a header of another form, and writes no control characters to the terminal', async () => {
    const headers: [Row, RegExp][] = [
      [{ project: { id: anId(), name: { a: 1 } } }, /not a project export that this version/],
      [{ tables: [null] }, /not a project export that this version/],
      [{ tables: [{ table: 'files', columns: 'id' }] }, /not a project export that this version/],
      [{ tables: [{ table: 'files', columns: [] }] }, /columns of files are not those/],
      [{ tables: [{ table: 'x\u001b[2J', columns: ['\u009b2J'] }] }, /no column x \[2J\. 2J here/],
    ]
    for (const [change, reason] of headers) {
      const changed = exportOf()
      Object.assign(changed.header, change)
      await refuses(changed, reason)
    }
    const named = exportOf()
    named.header.project.name = 'Bakery \u001b[2J'
    assert.doesNotMatch((await importFile(named)).stdout, /[^\P{Cc}\n]/u)
  })

  test('refuses columns with secrets, and a column twice', async () => {
    const sealed = exportOf()
    columnsIn(sealed, 'sending_domains').columns.push('sealed_dkim_key')
    await refuses(sealed, /no column sending_domains\.sealed_dkim_key/)
    const twice = exportOf()
    columnsIn(twice, 'files').columns.push('id')
    await refuses(twice, /columns of files are not those/)
  })

  test('refuses rows that refer to numbers or collections of another project', async () => {
    const calls = exportOf('calls')
    await refuses(calls, /Rows of calls refer to numbers of another project/)
    const documents = exportOf('documents')
    await refuses(documents, /Rows of documents refer to collections of another project/)
    const collections = exportOf('collections')
    await refuses(collections, /Rows of collections refer to collections of another project/)
  })

  test('refuses names of copies that would stop the deletion of unused files', async () => {
    for (const suffix of ['UP', 'a/../../b', null]) {
      const changed = exportOf()
      const doomed_at = '2020-01-01T00:00:00Z'
      changed.rows.files = [newFileRow({ beside: [suffix], doomed_at })]
      await refuses(changed, /copy of a file has a name that no export has/)
    }
    await sweepFiles.run(runtime)
  })

  test('stores only files that a row names, at most as large as it states', async () => {
    const orphan = exportOf()
    orphan.files = [[`files/${anId()}`, Buffer.alloc(100)]]
    await refuses(orphan, /No row of the export names the file/)
    const larger = exportOf()
    const row = newFileRow({ bytes: 10 })
    larger.rows.files = [row]
    larger.files = [[`files/${row.id}`, Buffer.alloc(11)]]
    await refuses(larger, /is larger than its row states/)
    const copy = exportOf()
    copy.rows.files = [row]
    copy.files = [[`files/${row.id}.x`, Buffer.alloc(5)]]
    await refuses(copy, /No row of the export names the file/)
  })

  test('counts the storage of files anew', async () => {
    const changed = exportOf()
    const rows = [
      newFileRow({ bytes: 10 }),
      newFileRow({ bytes: 5, sha256: `\\x${'1'.repeat(64)}` }),
    ]
    Object.assign(changed.rows, { files: rows, file_usage: [{ bytes: 0 }] })
    changed.files = rows.map(({ id, bytes }) => [`files/${id}`, Buffer.alloc(bytes)])
    const project_id = await accepts(changed)
    const { rows: usage } = await sql<{ bytes: string }>`
      select bytes from file_usage where project_id = ${project_id}`.execute(runtime.db)
    assert.equal(Number(usage[0]?.bytes), 15)
  })

  test('counts the storage of documents anew', async () => {
    const changed = exportOf('collections', 'documents')
    const collections = changed.rows.collections!
    const documents: Row[] = changed.rows.documents!.map((row) => ({
      ...row,
      id: anId(),
      bytes: 1,
    }))
    for (const row of collections) Object.assign(row, { bytes: 0, document_count: 0 })
    changed.rows.collections = collections.map((row) => {
      const id = anId()
      for (const one of documents) if (one.collection_id === row.id) one.collection_id = id
      return { ...row, id }
    })
    changed.rows.documents = documents
    changed.rows.data_usage = [{ bytes: 0, versions_bytes: 0, deleted_change_number: 0 }]
    const project_id = await accepts(changed)
    const sum = documents.reduce((all, { data }) => all + JSON.stringify(data).length, 0)
    const { rows } = await sql<{ used: string; counted: string; documents: string }>`
      select bytes as used,
        (select sum(bytes) from collections where project_id = ${project_id}) as counted,
        (select sum(document_count) from collections where project_id = ${project_id}) as documents
      from data_usage where project_id = ${project_id}`.execute(runtime.db)
    assert.deepEqual(
      [Number(rows[0]?.used), Number(rows[0]?.counted), Number(rows[0]?.documents)],
      [sum, sum, documents.length],
    )
  })

  test('refuses files that are larger than what is free on the disk', async () => {
    const changed = exportOf()
    const row = newFileRow({ bytes: 2 ** 50 })
    changed.rows.files = [row]
    changed.files = [[`files/${row.id}`, Buffer.alloc(10)]]
    await refuses(changed, /disk of the data folder is too small/)
  })

  test('asks the owner again to confirm recipients of emails', async () => {
    const changed = exportOf()
    const confirmed_at = '2026-11-01T00:00:00Z'
    const known = { id: anId(), address: 'eve@evil.example', status: 'confirmed', note: null }
    changed.rows.email_known_recipients = [
      { ...known, requested_at: confirmed_at, confirmed_at, confirmed_by: 'owner@bakery.example' },
    ]
    const project_id = await accepts(changed)
    const { rows } = await sql<{ status: string }>`
      select status from email_known_recipients where project_id = ${project_id}`.execute(
      runtime.db,
    )
    assert.deepEqual(rows, [{ status: 'pending_owner' }])
  })

  test('counts people of imported records as new at their first email', async () => {
    const changed = exportOf('collections', 'documents')
    const collection = { ...changed.rows.collections![0]!, id: anId() }
    const document = { ...changed.rows.documents![0]!, collection_id: collection.id, version: 1 }
    const data = { email: 'eve@evil.example' }
    const one = { ...document, id: anId(), source: 'form', data }
    Object.assign(changed.rows, { collections: [collection], documents: [one] })
    const project = await projects.find(runtime.db, await accepts(changed))
    const known = await findKnown({ db: runtime.db, project: project! }, [data.email], false)
    assert.deepEqual([...known.fresh], [data.email])
    const future = exportOf('collections', 'documents')
    const late = { ...collection, id: anId() }
    const created_at = '2100-01-01T00:00:00Z'
    future.rows = {
      collections: [late],
      documents: [{ ...one, collection_id: late.id, id: anId(), created_at }],
    }
    await refuses(future, /documents are of the future/)
  })

  test('refuses numbers of changes after which writes would fail', async () => {
    const changed = exportOf('collections')
    const [collection] = changed.rows.collections!
    const change_number = '9223372036854775807'
    changed.rows.collections = [{ ...collection, id: anId(), change_number }]
    await refuses(changed, /number of changes that no collection reaches/)
  })

  test('refuses an assistant that transfers calls to a text that is no number', async () => {
    const changed = exportOf('assistants')
    changed.rows.assistants![0]!.transfer_phone = 'sip:eve@evil.example'
    await refuses(changed, /no phone number/)
  })

  test('refuses addresses of sites that no deploy creates', async () => {
    const addresses = [
      { slug: 'www', label: 'www' },
      { slug: 'my-bakery', label: 'login' },
      { slug: 'my-bakery', label: 'my-bakery.evil' },
      { slug: 'Upper', label: 'Upper' },
    ]
    for (const address of addresses) {
      const changed = exportOf()
      changed.rows.sites = [{ ...site_row, id: anId(), ...address }]
      await refuses(changed, /which no site can have/)
    }
    const preview = exportOf('site_versions')
    const site = { ...site_row, id: anId(), slug: 'my-bakery', label: 'my-bakery' }
    const [version] = preview.rows.site_versions!
    preview.rows = {
      sites: [site],
      site_versions: [{ ...version, site_id: site.id, preview_label: 'admin' }],
    }
    await refuses(preview, /has the address admin/)
  })

  test('gives a public site another address too if its own is taken', async () => {
    const site = { ...site_row, slug: 'baker', label: 'baker', visibility: 'public' }
    const first = exportOf()
    first.rows.sites = [{ ...site, id: anId() }]
    await accepts(first)
    const second = exportOf()
    second.rows.sites = [{ ...site, id: anId() }]
    const project_id = await accepts(second)
    const { rows } = await sql<{ slug: string; label: string }>`
      select slug, label from sites where project_id = ${project_id}`.execute(runtime.db)
    assert.match(rows[0]!.slug, /^baker-[0-9a-f]{6}$/)
    assert.equal(rows[0]!.label, rows[0]!.slug)
  })

  test('refuses a row that is larger than any of an export', async () => {
    const changed = exportOf('assistants')
    changed.rows.assistants![0]!.greeting = 'x'.repeat(8_400_000)
    await refuses(changed, /A row of assistants is larger than 8 MB/)
  })
})
