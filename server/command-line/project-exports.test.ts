/** Tests of the export of a whole project, and of its import into another installation. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { pack } from 'tar-stream'
import { longTest } from '../../test/fixtures/depth.ts'
import { filesFromTexts } from '../../test/fixtures/sites/site-owner.ts'
import { eventually } from '../../test/fixtures/eventually.ts'
import { newFixtures } from '../../test/fixtures/path-ids.ts'
import { createOwnedProject } from '../../test/fixtures/portal/portal.ts'
import { newSession } from '../../test/fixtures/portal/sessions.ts'
import { openTestRuntime, type TestRuntime } from '../../test/fixtures/runtime.ts'
import { movableClock } from '../kernel/clock.ts'
import { hostOf, visit } from '../../test/fixtures/sites/site-visitor.ts'
import { exportedTables, sealedColumns } from '../app.ts'
import { fileNameOf, tablesLeftOut } from '../areas/project-exports/service.ts'
import { databaseUrl, runInProcess, temporaryFolder } from '../../test/fixtures/command-line.ts'

const SECRET = 'a master key for tests that is long enough'
const here = await openTestRuntime({ clock: movableClock() })
const there = await openTestRuntime({ clock: movableClock(), work: false })
const folder = temporaryFolder()
const { ids, team } = await newFixtures(here)
const { project_id, owner } = team
const key = await here.newKey({ project_id })

const settingsOf = (fixture: TestRuntime) => ({
  DATABASE_URL: databaseUrl(fixture.connection),
  HOMEPORT_SECRET: SECRET,
  HOMEPORT_DATA_DIR: fixture.runtime.config.data_dir,
  HOMEPORT_PUBLIC_URL: fixture.url,
})

const importInto = (fixture: TestRuntime, file: string) =>
  runInProcess(
    ['projects', 'import', '--from', file, '--owner-email', 'new@bakery.example', '--json'],
    settingsOf(fixture),
  )

/** The rows of a project as an export contains them, in any order. */
async function rowsOf({ runtime }: TestRuntime, table: string): Promise<string[]> {
  const declared = exportedTables.find((one) => one.table === table)
  const { emptied = [], without = [], filled = {}, replaced = {} } = declared ?? {}
  const hidden = [...emptied, ...without, ...Object.keys({ ...filled, ...replaced })]
  const { rows } = await sql<{ row: string }>`
    select (to_jsonb(t) - ${sql.val(hidden)}::text[])::text as row
    from ${sql.table(table)} t where project_id = ${project_id} order by 1`.execute(runtime.db)
  return rows.map(({ row }) => row)
}

async function download(): Promise<Buffer> {
  const session = await newSession(here, owner.email)
  const { status, body } = await session.call(`POST /projects/${project_id}/export`)
  assert.equal(status, 200)
  const answer = await fetch(body.url)
  assert.equal(answer.status, 200)
  return Buffer.from(await answer.arrayBuffer())
}

function inFile(bytes: Uint8Array, name: string): string {
  const file = join(folder, name)
  writeFileSync(file, bytes)
  return file
}

/** A project whose export is larger than the buffers of a connection. */
async function newLargeProject(email: string) {
  const large_id = await createOwnedProject(here, email)
  const large_key = await here.newKey({ project_id: large_id })
  await here.call('POST /collections', { key: large_key, body: { name: 'notes' } })
  const note = { data: { text: randomBytes(20_000_000).toString('base64') } }
  await sql`insert into documents (project_id, collection_id, id, data, version, source, bytes, test,
      created_at, updated_at)
    select project_id, id, uuidv7(), ${JSON.stringify(note)}::jsonb, 1, 'api', 500, true, now(), now()
    from collections where project_id = ${large_id}`.execute(here.runtime.db)
  return { project_id: large_id, session: await newSession(here, email) }
}

/** An export whose app has a setting without its defaults. */
function withAuth(file: string): Buffer {
  const plain = gunzipSync(readFileSync(file)).toString('latin1')
  // A tar entry has a fixed size.
  return gzipSync(Buffer.from(plain.replace('"auth":false', '"auth":{}   '), 'latin1'))
}

/** The header of an export, and one entry that no export has. */
async function withEntry(plain: Buffer, name: string): Promise<Buffer> {
  const end = plain.indexOf(0, 512)
  const archive = pack()
  archive.entry({ name: 'project.json', size: end - 512 }).end(plain.subarray(512, end))
  archive.entry({ name, size: 2 }).end('{}')
  archive.finalize()
  return gzipSync(Buffer.concat(await Array.fromAsync(archive)))
}

// Together more than the 4 MB that a query may return, and one as of an app of the first version.
const large = Array.from({ length: 17 }, (_, index) => {
  return { name: `large-${index}`, sql: `select 1 -- ${'x'.repeat(250_000)}` }
})
const migrations = [
  { name: 'old', sql: 'select 1' },
  { name: '1', sql: "create table t (a text); insert into t values ('of the app')" },
  { name: '2', sql: "update _migrations set sql = '' where name = 'old'" },
]
for (const some of [migrations, large.slice(0, 9), large.slice(9)]) {
  const route = `POST /apps/${ids['/apps/{id}']}/migrations`
  const { status, text } = await here.call(route, { key, body: { migrations: some } })
  assert.equal(status, 200, text)
}
const granted = await here.call(`PUT /apps/${ids['/apps/{id}']}`, {
  key,
  body: { collections: ['things'] },
})
assert.equal(granted.status, 200, granted.text)

await here.call(`PUT /apps/${ids['/apps/{id}']}/secrets`, {
  key,
  body: { secrets: { PAYMENT_KEY: 'sk_of_the_export' } },
})

describe('the export of a project', () => {
  test('declares every table with a project_id once, as exported or with the reason why not', async () => {
    const { rows } = await sql<{ name: string }>`
      select table_name::text as name from information_schema.columns
      where table_schema = current_schema() and column_name = 'project_id'`.execute(here.runtime.db)
    const tables = rows.map(({ name }) => name)
    const declared = [...exportedTables.map(({ table }) => table), ...Object.keys(tablesLeftOut)]
    assert.deepEqual(declared.toSorted(), tables.toSorted())
  })

  test('contains no sealed column', () => {
    for (const { table, column } of sealedColumns) {
      const exported = exportedTables.find((one) => one.table === table)
      assert.ok(!exported || exported.without?.includes(column), `${table}.${column}`)
    }
  })

  test('is a gzipped tar file of JSON lines, with the bytes of every file', async () => {
    const unpacked = gunzipSync(await download())
    const text = unpacked.toString()
    assert.ok(text.startsWith('project.json\0'))
    for (const part of [
      'anna@a.example',
      'We bake at night.',
      'A file of a test.',
      'We sell bread.',
      'a\nof the app\n',
    ])
      assert.ok(text.includes(part), part)
    assert.ok(!text.includes(key))
    assert.ok(!text.includes('sealed_secret'))
  })

  test('is offered to owners with a recent proof of identity only', async () => {
    const route = `POST /projects/${project_id}/export`
    for (const member of [team.admin, team.member, team.viewer])
      assert.equal((await member.call(route)).status, 403)
    here.passes('1 hour')
    const refused = await owner.call(route)
    assert.equal(refused.status, 403)
    assert.match(refused.body.user_message, /confirm/i)
  })

  test('has a link that expires after 15 minutes, and that cannot be altered', async () => {
    const session = await newSession(here, owner.email)
    const { body } = await session.call(`POST /projects/${project_id}/export`)
    assert.ok(body.bytes > 0, JSON.stringify(body))
    const altered = `${body.url.slice(0, -4)}AAAA`
    assert.equal((await fetch(altered)).status, 404)
    here.passes('16 minutes')
    const expired = await fetch(body.url)
    assert.equal(expired.status, 404)
    assert.match(JSON.stringify(await expired.json()), /Export the project again/)
  })

  longTest('is downloaded once at a time, and again after a download was aborted', async () => {
    const large = await newLargeProject('large@bakery.example')
    const { body } = await large.session.call(`POST /projects/${large.project_id}/export`)
    const aborting = new AbortController()
    const first = await fetch(body.url, { signal: aborting.signal })
    assert.equal(first.status, 200)
    const second = await fetch(body.url)
    assert.equal(second.status, 429)
    assert.match(await second.text(), /still working on your other requests/)
    aborting.abort()
    await eventually(async () => {
      const again = await fetch(body.url)
      await again.arrayBuffer()
      return again.status === 200
    })
  })

  test('is not downloaded by a link of a person who is no longer an owner', async () => {
    const project_id = await createOwnedProject(here, 'leaving@bakery.example')
    const session = await newSession(here, 'leaving@bakery.example')
    const { body } = await session.call(`POST /projects/${project_id}/export`)
    await sql`update members set role = 'admin' where project_id = ${project_id}`.execute(
      here.runtime.db,
    )
    assert.equal((await fetch(body.url)).status, 404)
    await sql`delete from members where project_id = ${project_id}`.execute(here.runtime.db)
    assert.equal((await fetch(body.url)).status, 404)
  })

  longTest('is downloaded once at a time by a person with several projects', async () => {
    const first = await newLargeProject('several@bakery.example')
    const second_id = await createOwnedProject(here, 'several@bakery.example')
    const session = await newSession(here, 'several@bakery.example')
    const urls: string[] = []
    for (const id of [first.project_id, second_id])
      urls.push((await session.call(`POST /projects/${id}/export`)).body.url)
    const aborting = new AbortController()
    assert.equal((await fetch(urls[0]!, { signal: aborting.signal })).status, 200)
    assert.equal((await fetch(urls[1]!)).status, 429)
    aborting.abort()
    await eventually(async () => {
      const again = await fetch(urls[1]!)
      await again.arrayBuffer()
      return again.status === 200
    })
  })

  test('is named after the project, in characters that headers allow', () => {
    const now = new Date('2026-11-28T10:00:00Z')
    assert.equal(fileNameOf('Bäckerei "De Molen"\r\n', now), 'backerei-de-molen-2026-11-28.tar.gz')
    assert.equal(fileNameOf('面包店', now), 'project-2026-11-28.tar.gz')
  })
})

describe('the import of a project', () => {
  const file = join(folder, 'bakery.tar.gz')

  test('restores every row and file of what is imported', async () => {
    const arguments_ = ['projects', 'export', '--project', project_id, '--to', file, '--json']
    const { json: exported } = await runInProcess(arguments_, settingsOf(here))
    assert.equal(exported.bytes, readFileSync(file).length)
    const { json, said } = await importInto(there, file)
    assert.equal(said, '')
    assert.equal(json.project_id, project_id)
    assert.ok(json.files > 1)
    const [app] = json.apps
    assert.deepEqual([app.missing_secrets, app.fault], [['PAYMENT_KEY'], null])
    assert.deepEqual(app.missing_migrations, ['old'])
    assert.doesNotMatch(gunzipSync(readFileSync(file)).toString(), /sk_of_the_export|argon2id/)
    let compared = 0
    for (const { table, for_reading } of exportedTables) {
      if (for_reading) continue
      const imported = await rowsOf(there, table)
      assert.deepEqual(imported, await rowsOf(here, table), table)
      compared += imported.length > 0 ? 1 : 0
    }
    assert.ok(compared >= 15, `${compared} tables had rows`)
  })

  test('lets the new owner use documents, sites and public tokens', async () => {
    const new_key = await there.newKey({ project_id })
    const { body } = await there.call('GET /collections/things/documents', { key: new_key })
    assert.equal(body.data[0].data.email, 'anna@a.example')
    const again = { email: 'anna@a.example' }
    const taken = await there.call('POST /collections/things/documents', {
      key: new_key,
      body: again,
    })
    assert.equal(taken.status, 422)
    const added = { email: 'bob@a.example' }
    const made = await there.call('POST /collections/things/documents', {
      key: new_key,
      body: added,
    })
    assert.equal(made.status, 201)
    const site = await there.call(`GET /sites/${ids['/sites/{id}']}`, { key: new_key })
    const page = await visit(there, { host: hostOf(site.body.url), route: 'GET /' })
    assert.equal(page.status, 200)
    const media = await there.call(`GET /media/${ids['/media/{id}']}/link`, { key: new_key })
    assert.equal(await (await fetch(media.body.url)).text(), 'A file of a test.')
  })

  test('makes apps that are not deployed until their next deploy, with their migrations', async () => {
    const new_key = await there.newKey({ project_id })
    const call = (route: string, body?: object) =>
      there.call(route, { key: new_key, ...(body && { body }) })
    const [app] = (await call('GET /apps')).body.data
    assert.deepEqual([app.deployed_at, app.secrets], [null, []])
    assert.notEqual(app.id, ids['/apps/{id}'])
    const early = await call(`POST /apps/${app.id}/rollback`, { version: 1 })
    assert.equal(early.status, 409, early.text)
    const query = await call(`POST /apps/${app.id}/query`, { sql: 'select a from t' })
    assert.deepEqual(query.body.rows, [{ a: 'of the app' }], query.text)
    const ran = await call(`POST /apps/${app.id}/query`, {
      sql: "select count(*)::int as large from _migrations where name like 'large-%'",
    })
    assert.deepEqual(ran.body.rows, [{ large: large.length }], ran.text)
    const of_app = await there.newKey({
      project_id,
      access: { sites: [], apps: [app.id], collections: [], limited_by: 'api_key' },
    })
    const things = async () =>
      (await there.call('GET /collections/things/documents', { key: of_app })).status
    assert.equal(await things(), 403, 'the collections of an app that is not deployed')
    const deployed = await call(`PUT /apps/${app.id}`, {})
    assert.deepEqual([deployed.status, deployed.body.version], [200, 2], deployed.text)
    assert.equal(await things(), 200)
    const { data } = (await call(`GET /apps/${app.id}/versions`)).body
    assert.deepEqual(
      data.map(({ version }: any) => version),
      [2],
    )
  })

  test('is in test mode, and records who imported it', async () => {
    const new_key = await there.newKey({ project_id })
    const { body } = await there.call('GET /project', { key: new_key })
    assert.ok(Object.values(body.rails).every((mode) => mode === 'test'))
    const { rows } = await sql<{ operation: string }>`
      select operation from activity where project_id = ${project_id}`.execute(there.runtime.db)
    assert.ok(rows.some(({ operation }) => operation === 'projects import'))
  })

  test('refuses a project that is here already', async () => {
    const { code, said } = await importInto(there, file)
    assert.equal(code, 1)
    assert.match(said, /is here already/)
  })

  test('gives a site another address if its own is taken, and an app the settings of a deploy', async () => {
    const other = await openTestRuntime({ clock: movableClock(), work: false })
    const { slug } = (await here.call(`GET /sites/${ids['/sites/{id}']}`, { key })).body
    const made = await other.call('POST /sites', {
      body: {
        slug,
        visibility: 'unlisted',
        files: filesFromTexts({ 'index.html': '<p>Taken</p>' }),
      },
    })
    assert.equal(made.status, 201, made.text)
    const { json } = await importInto(other, inFile(withAuth(file), 'with-auth.tar.gz'))
    const [changed] = json.sites.filter((one: string) => one.startsWith(`${slug}-`))
    assert.match(changed, /-[0-9a-f]{6}$/)
    const apps = await other.call('GET /apps', { key: await other.newKey({ project_id }) })
    assert.deepEqual(apps.body.data[0].auth, { methods: ['code'], name: null, color: null })
  })

  test('names a file that does not exist, as the export names a folder', async () => {
    const missing = join(folder, 'missing')
    assert.match((await importInto(there, missing)).said, /There is no file .*missing\./)
    const to = join(missing, 'bakery.tar.gz')
    const exporting = ['projects', 'export', '--project', project_id, '--to', to]
    const { said } = await runInProcess(exporting, settingsOf(here))
    assert.match(said, /There is no folder .*missing to write the file to\./)
  })

  test('keeps nothing of a file that is cut short, damaged, changed or of another version', async () => {
    const other = await openTestRuntime({ clock: movableClock(), work: false })
    const whole = readFileSync(file)
    const plain = gunzipSync(whole)
    const flipped = Buffer.from(whole)
    flipped[whole.length >> 1]! ^= 0xff
    const changed = (from: string | RegExp, to: string) =>
      gzipSync(Buffer.from(plain.toString('latin1').replace(from, to), 'latin1'))
    const end = plain.indexOf('end.json\0')
    const files: [string, Uint8Array, RegExp][] = [
      ['short', whole.subarray(0, whole.length - 500), /damaged or cut short/],
      [
        'without-end',
        gzipSync(Buffer.concat([plain.subarray(0, end), Buffer.alloc(1024)])),
        /cut short/,
      ],
      ['flipped', flipped, /damaged|do not fit/],
      ['other', Buffer.from('not an export'), /damaged or cut short/],
      ['empty', gzipSync(Buffer.alloc(1024)), /cut short/],
      ['version', changed(/"migration": \d\d/, '"migration": 11'), /install the same version/],
      ['column', changed('"schema",', '"schemo",'), /There is no column collections\.schemo here/],
      [
        'app',
        changed('"secrets":["PAYMENT_KEY"]', '"secrets":["payment_key"]'),
        /An app of the file is not as an export writes it/,
      ],
      ['rows', changed('anna@a.example', 'anna@a.exam\\u0'), /do not fit/],
      ['path', await withEntry(plain, '../../outside'), /which no export has/],
      ['table', await withEntry(plain, 'data/api_keys/0001.ndjson'), /is not part of exports/],
    ]
    for (const [name, bytes, reason] of files) {
      const { code, said } = await importInto(other, inFile(bytes, `${name}.tar.gz`))
      assert.equal(code, 1, name)
      assert.match(said, reason, name)
      assert.deepEqual(await Array.fromAsync(other.runtime.blobs.list(project_id)), [], name)
    }
    const { rows } = await sql`select from projects where id = ${project_id}`.execute(
      other.runtime.db,
    )
    assert.equal(rows.length, 0)
  })
})
