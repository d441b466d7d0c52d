/**
 * Tests of backup and restore end to end: from a running server into new data folders and other
 * databases of the same cluster.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { copyFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import pg from 'pg'
import { fillDataFolder } from '../../../test/fixtures/cluster.ts'
import { longTest } from '../../../test/fixtures/depth.ts'
import * as billing from '../../areas/billing/service.ts'
import * as stored from '../../areas/files/service.ts'
import * as keys from '../../areas/keys/service.ts'
import * as projects from '../../areas/projects/service.ts'
import { readConfig } from '../../kernel/config/config.ts'
import { newId } from '../../kernel/values/ids.ts'
import { createLog } from '../../kernel/log.ts'
import { createMigrations, MIGRATIONS } from '../../kernel/backup/app-sections.ts'
import { createAppSchema, openAppPool, placeOf } from '../../kernel/database/app-schemas.ts'
import { migrate, readMigrations } from '../../kernel/database/migrations.ts'
import { openRuntime, type OpenRuntime } from '../../kernel/open-runtime.ts'
import { writeBackup, type BackupHeader } from '../../kernel/backup/backup-format.ts'
import { listUnsupportedObjects, listSavedTables } from '../../kernel/backup/store.ts'
import {
  compileCache,
  databaseUrl,
  mainFile,
  runInProcess,
  runProcess,
  temporaryFolder,
  type TestSettings,
} from '../../../test/fixtures/command-line.ts'

const data_dir = temporaryFolder()
const settings = { HOMEPORT_DATA_DIR: data_dir }
const files = temporaryFolder()
const backupFile = join(files, 'homeport.backup.gz')
const oddNames = ['tab\t line\n back\\slash \\. \\N ünïcode 🎈', '\\.', '\\N']
const oddPlan = '{ "b": 1,\n  "a": [ {"z": "\\u00e9"} ] }'
let open: OpenRuntime
let key: string
let project_id: string

before(async () => {
  fillDataFolder(data_dir)
  open = await openRuntime(readConfig(settings, data_dir), { log: createLog('silent') })
  const { runtime } = open
  for (const name of oddNames) await newProject(name)
  await projects.create(runtime, {
    name: 'Pair',
    shape: 'pair',
    plan: 'online',
    owner_email: 'a@b.nl',
  })
  project_id = await newProject('Bakery')
  ;({ key } = await keys.create(runtime, {
    project_id,
    mode: 'test',
    name: 'Key',
    scopes: keys.allScopes,
    access: null,
  }))
  await topUp('first')
  const at = runtime.clock.now()
  await runtime.db.transact(async (tx) => {
    const plan = {
      project_id,
      number_id: null,
      version: 1,
      plan: oddPlan,
      created_at: at,
      updated_at: at,
    }
    await tx.insertInto('call_plans').values(plan).execute()
    const endpoint = {
      project_id,
      id: newId(runtime.clock),
      url: 'https://example.com/hook',
      events: ['call.completed', 'a,b "c"'],
      secret_prefix: 'whsec_ab',
      sealed_secret: runtime.seal.seal('whsec_abcdef', 'test'),
      created_at: at,
    }
    await tx.insertInto('webhook_endpoints').values(endpoint).execute()
  })
  await storePage()
  await fillApp()
})
after(() => open.close())

const page = Buffer.from('Opening hours and prices. '.repeat(100))
let page_id: string

/** Stores a referenced file with a compressed variant and an unrelated file next to it. */
async function storePage(): Promise<void> {
  const { runtime } = open
  const project = await projects.find(runtime.db, project_id)
  assert.ok(project)
  ;({ id: page_id } = await stored.storeFile(runtime, project, page))
  await stored.encodeFiles(runtime, project_id, [page_id])
  await stored.storeDerived(runtime, { project_id, id: page_id, suffix: '9.webp' }, randomBytes(9))
  await runtime.db.transact((tx) => stored.adoptFiles(tx, project_id, [page_id]))
  await runtime.blobs.remove([`${project_id}/${page_id}.zst`, `${project_id}/${page_id}.gz`])
  await storeDocument()
}

/** Stores a document of a verification, which is in no list of files. */
async function storeDocument(): Promise<void> {
  const { runtime } = open
  const id = newId(runtime.clock)
  const now = runtime.clock.now()
  await runtime.blobs.put(`${project_id}/verification/${id}`, randomBytes(20))
  const document = {
    project_id,
    id,
    kind: 'identity',
    round: 0,
    filename: 'scan.pdf',
    bytes: 20,
    content_type: 'application/pdf',
    token_hash: randomBytes(32),
    created_at: now,
    expires_at: now,
    received_at: now,
  } as const
  await runtime.db.transact((tx) =>
    tx.insertInto('verification_documents').values(document).execute(),
  )
}

const app_id = '019cb211-3c80-72d7-a4df-c9bf02b38e13'
const inApp = `app_${app_id.replaceAll('-', '')}`

/** Apps could once read whole catalogs, which have texts of other apps. */
const oldIdiom = `
  do $$ begin
    if not exists (select * from pg_constraint where conname = 'whole') then
      alter table notes add constraint whole check (text <> '');
    end if;
  end $$`

/** The database of an app, with a table that references itself, a trigger and a seeded row. */
async function fillApp(): Promise<void> {
  const role = { app_id, password: 'of the app' }
  await createAppSchema(open.connection, role)
  const pool = openAppPool(open.connection, {
    ...role,
    project_id: app_id,
    log: open.runtime.log,
  })
  const sql = `create table notes (id bigserial primary key, text text, parent bigint references notes);
    create function shout() returns trigger language plpgsql as
      $$ begin new.text := new.text || '!'; return new; end $$;
    create trigger shouts before insert on notes for each row execute function shout();
    insert into notes (text) values ('seed')`
  await pool.connections.query(createMigrations)
  await pool.connections.query(sql)
  await pool.connections.query(
    `insert into ${MIGRATIONS} values ('1', '', '2026-11-20T10:00:00Z', $1)`,
    [`${sql};${oldIdiom}`],
  )
  await pool.connections.query(`delete from notes; insert into notes (text, parent) values
    ('tab\t', null), ('\\.', 2)`)
  await pool.end()
}

/** The rows of the app, and the next number of its sequence. */
function contentsOfApp(connection: pg.PoolConfig): Promise<unknown> {
  return inDatabase(placeOf(connection), async (client) => {
    const notes = await client.query(`select id, text, parent from ${inApp}.notes order by id`)
    const next = await client.query(`select last_value from ${inApp}.notes_id_seq`)
    const names = await client.query(`select name, applied_at from ${inApp}.${MIGRATIONS}`)
    const triggers = await client.query(
      `select tgenabled from pg_trigger where tgrelid = '${inApp}.notes'::regclass and not tgisinternal`,
    )
    return [notes.rows, next.rows, names.rows, triggers.rows]
  })
}

async function newProject(name: string): Promise<string> {
  const made = await projects.create(open.runtime, {
    name,
    shape: 'single',
    plan: 'free',
    owner_email: null,
  })
  assert.ok('project_id' in made)
  return made.project_id
}

function topUp(reference: string): Promise<void> {
  const order = {
    project_id,
    amount_micro: 1_000_001n,
    source: 'payment',
    description: 'Test',
    reference,
  } as const
  return open.runtime.db.transact((tx) => billing.topUp(tx, open.runtime, order))
}

async function refusal(argv: readonly string[], settings: TestSettings): Promise<string> {
  const { code, said } = await runInProcess(argv, settings)
  assert.equal(code, 1)
  return said
}

async function inDatabase<T>(
  connection: pg.PoolConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Returns every row of every table as text, and the migrations. */
function contents(connection: pg.PoolConfig): Promise<Record<string, string[]>> {
  return inDatabase(connection, async (client) => {
    const tables: Record<string, string[]> = {}
    for (const { name } of await listSavedTables(client)) {
      const { rows } = await client.query<{ row: string }>(
        `select t::text as row from "${name}" t order by 1`,
      )
      tables[name] = rows.map(({ row }) => row)
    }
    const { rows } = await client.query<{ hash: string }>(
      'select hash from migrations order by number',
    )
    return { ...tables, migrations: rows.map(({ hash }) => hash) }
  })
}

/** Creates an empty database in the server's cluster. Returns settings that use it. */
async function elsewhere(database: string) {
  await inDatabase(open.connection, (client) =>
    client.query(`create database ${database} template template0`),
  )
  const connection = { ...open.connection, database }
  const secret = readFileSync(join(data_dir, 'secret'), 'utf8').trim()
  const settings = {
    HOMEPORT_DATA_DIR: files,
    HOMEPORT_SECRET: secret,
    DATABASE_URL: databaseUrl(connection),
  }
  return { connection, settings }
}

async function keysIn({ runtime }: OpenRuntime): Promise<string[]> {
  return (await Array.fromAsync(runtime.blobs.list(''))).map(({ key }) => key).toSorted()
}

describe('the backup command', () => {
  it('writes one file with mode 0600, and names the master key that has to be kept separately', async () => {
    writeFileSync(`${backupFile}.part`, 'left by a command that was killed')
    const { json } = await runProcess(['backup', '--to', backupFile, '--json'], settings)
    assert.equal(statSync(backupFile).mode & 0o777, 0o600)
    assert.ok(!existsSync(`${backupFile}.part`))
    assert.equal(json.file, backupFile)
    assert.equal(json.bytes, statSync(backupFile).size)
    assert.equal(json.migration, readMigrations().at(-1)?.number)
    assert.equal(json.seal_key_id, open.runtime.seal.key_id)
    assert.equal(json.sealed_values, true)
    assert.equal(json.keep, `the file ${join(data_dir, 'secret')}`)
    const counts = new Map(json.tables.map((count: any) => [count.table, count.rows]))
    assert.deepEqual(
      [counts.get('projects'), counts.get('api_keys'), counts.get('numbers')],
      [6, 1, 0],
    )
  })

  it('contains neither the master key nor the text of an API key', async () => {
    const text = gunzipSync(readFileSync(backupFile)).toString()
    assert.ok(text.includes('Bakery'))
    assert.ok(!text.includes(readFileSync(join(data_dir, 'secret'), 'utf8').trim()))
    assert.ok(!text.includes(key))
  })

  it('prints the same facts as text for people', async () => {
    const { stdout } = await runInProcess(['backup', '--to', join(files, 'said.gz')], settings)
    assert.match(
      stdout,
      /^Wrote \d+ rows of \d+ tables and 4 files to \S+said\.gz \(\d+ bytes\)\.\n/,
    )
    assert.match(
      stdout,
      /It does not contain the master key: keep the file \S+secret in another place\.\n$/,
    )
  })

  it('reports missing files and continues', async () => {
    const { runtime } = open
    const key = `${project_id}/${page_id}`
    await runtime.blobs.remove([key])
    const said = await runInProcess(['backup', '--to', join(files, 'lost.gz')], settings)
    assert.match(said.stdout, /\nThe bytes of 1 file are missing\.\n/)
    await runtime.blobs.put(key, page)
  })

  it('omits files in a bucket, and reports it', async () => {
    const bucket = {
      HOMEPORT_BLOBS: 's3://bucket?endpoint=http://127.0.0.1:9',
      AWS_ACCESS_KEY_ID: 'a',
      AWS_SECRET_ACCESS_KEY: 'b',
    }
    const argv = ['backup', '--to', join(files, 'bucket.gz')]
    const { stdout } = await runInProcess(argv, { ...settings, ...bucket })
    assert.match(stdout, / and 0 files to /)
    assert.match(stdout, /It does not contain the files of projects, which stay in the bucket/)
  })

  it('replaces an older backup only with --overwrite, and no other file', async () => {
    const said = join(files, 'said.gz')
    const before = readFileSync(said)
    assert.match(
      await refusal(['backup', '--to', said], settings),
      /is a backup already: name another file, or replace it with --overwrite\.$/,
    )
    assert.deepEqual(readFileSync(said), before)
    const { code } = await runInProcess(['backup', '--to', said, '--overwrite'], settings)
    assert.equal(code, 0)
    const other = join(files, 'precious.txt')
    writeFileSync(other, 'precious')
    assert.match(
      await refusal(['backup', '--to', other, '--overwrite'], settings),
      /exists and is no Homeport backup: name another file\.$/,
    )
    assert.match(
      await refusal(['backup', '--to', files], settings),
      /exists and is no Homeport backup/,
    )
    assert.equal(readFileSync(other, 'utf8'), 'precious')
  })

  it('refuses a missing folder, and an empty installation', async () => {
    assert.match(
      await refusal(['backup', '--to', join(files, 'none', 'b.gz')], settings),
      /^There is no folder /,
    )
    const fresh = join(temporaryFolder(), 'data')
    assert.match(
      await refusal(['backup', '--to', join(files, 'b.gz')], { HOMEPORT_DATA_DIR: fresh }),
      /has no database yet/,
    )
    assert.ok(!existsSync(fresh))
    const empty = await elsewhere('nothing_here')
    assert.match(
      await refusal(['backup', '--to', join(files, 'b.gz')], empty.settings),
      /Homeport has never used this database/,
    )
    assert.ok(!existsSync(join(files, 'b.gz')) && !existsSync(join(files, 'b.gz.part')))
  })

  longTest('removes its partial file and prints one line when it is stopped', async () => {
    const target = join(files, 'stopped.gz')
    await inDatabase(open.connection, async (client) => {
      await client.query('begin; lock table projects in access exclusive mode')
      const child = spawn(process.execPath, [mainFile, 'backup', '--to', target], {
        env: { ...compileCache, ...settings },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const ended = new Promise((done) => child.once('exit', done))
      const said = text(child.stderr)
      let waits = 0
      while (waits === 0) {
        const { rows } = await client.query('select from pg_locks where not granted')
        waits = rows.length
      }
      child.kill('SIGTERM')
      assert.equal(await ended, 1)
      assert.equal(await said, 'Stopped before the end.\n')
    })
    assert.ok(!existsSync(target) && !existsSync(`${target}.part`))
  })

  it('covers everything: the database has no objects besides rows of tables', async () => {
    // These objects would need support in backup and restore: sequences, materialized views,
    // triggers and partitions.
    assert.deepEqual(await inDatabase(open.connection, listUnsupportedObjects), [])
  })
})

describe('restore into a new data folder', () => {
  const fresh = join(temporaryFolder(), 'data')
  const target = { HOMEPORT_DATA_DIR: fresh }

  it('refuses without the master key of the sealed secrets, and creates nothing', async () => {
    const said = await refusal(['restore', '--from', backupFile], target)
    assert.match(
      said,
      new RegExp(
        `encrypted with the master key ${open.runtime.seal.key_id}, and this installation has none yet: `,
      ),
    )
    assert.match(said, new RegExp(`or copy the old file "secret" to ${fresh}/secret\\.$`))
    assert.ok(!existsSync(fresh))
  })

  it('refuses with another master key', async () => {
    const said = await refusal(['restore', '--from', backupFile], {
      ...target,
      HOMEPORT_SECRET: 'another key',
    })
    assert.match(
      said,
      /and this installation has the key [0-9a-f]{8}: set HOMEPORT_SECRET to the old key/,
    )
    assert.ok(!existsSync(fresh))
  })

  it('restores every row unchanged', async () => {
    const before = await contents(open.connection)
    const folder = temporaryFolder()
    copyFileSync(join(data_dir, 'secret'), join(folder, 'secret'))
    const { json } = await runProcess(['restore', '--from', backupFile, '--json'], {
      HOMEPORT_DATA_DIR: folder,
    })
    assert.deepEqual(json.applied, [])
    assert.equal(json.tables.find(({ table }: any) => table === 'projects').rows, 6)
    const restored = await openRuntime(readConfig({ HOMEPORT_DATA_DIR: folder }, folder), {
      log: createLog('silent'),
    })
    try {
      assert.deepEqual(await contents(restored.connection), before)
      assert.deepEqual(
        await contentsOfApp(restored.connection),
        await contentsOfApp(open.connection),
      )
      const { db, seal } = restored.runtime
      assert.deepEqual(
        (await projects.list(db)).map(({ name }) => name),
        [...oddNames, 'Pair', 'Pair', 'Bakery'],
      )
      assert.equal(
        (await keys.authenticateKey(restored.runtime, `Bearer ${key}`)).project.id,
        project_id,
      )
      const plan = await db.selectFrom('call_plans').select('plan').executeTakeFirstOrThrow()
      assert.equal(plan.plan, oddPlan)
      const { sealed_secret } = await db
        .selectFrom('webhook_endpoints')
        .select('sealed_secret')
        .executeTakeFirstOrThrow()
      assert.equal(seal.open(sealed_secret, 'test'), 'whsec_abcdef')
      const bytes = await stored.readFile(restored.runtime, project_id, { id: page_id })
      assert.deepEqual(bytes, page)
      assert.deepEqual(await keysIn(restored), await keysIn(open))
    } finally {
      await restored.close()
    }
    assert.match(
      await refusal(['restore', '--from', backupFile], { HOMEPORT_DATA_DIR: folder }),
      /has 6 projects, and nothing is overwritten/,
    )
  })

  it('refuses while a server uses the data folder', async () => {
    const said = await refusal(['restore', '--from', backupFile], settings)
    assert.equal(
      said,
      `A Homeport server (process ${process.pid}) runs on ${data_dir}: stop it before restoring.`,
    )
  })
})

describe('restore into another database', () => {
  longTest('refuses while other connections are open', async () => {
    const { connection, settings } = await elsewhere('in_use')
    const said = await inDatabase(connection, () =>
      refusal(['restore', '--from', backupFile], settings),
    )
    assert.equal(
      said,
      'The database is in use by 1 other connection: stop the Homeport server that uses it first.',
    )
    assert.equal((await runInProcess(['restore', '--from', backupFile], settings)).code, 0)
  })

  it('refuses a database with a project, deleted or not, and changes nothing', async () => {
    const { connection, settings } = await elsewhere('with_project')
    const { json } = await runInProcess(
      ['projects', 'create', '--name', 'Mine', '--json'],
      settings,
    )
    await runInProcess(['projects', 'delete', '--project', json.project_id], settings)
    const before = await contents(connection)
    assert.match(
      await refusal(['restore', '--from', backupFile], settings),
      /has 1 project, and nothing is overwritten/,
    )
    assert.deepEqual(await contents(connection), before)
  })

  longTest('replaces the rows of an installation without projects', async () => {
    const { connection, settings } = await elsewhere('started_once')
    await migrate(connection)
    await inDatabase(connection, (client) =>
      client.query("insert into settings values ('clock_offset_ms', '5')"),
    )
    assert.equal((await runInProcess(['restore', '--from', backupFile], settings)).code, 0)
    assert.deepEqual(await contents(connection), await contents(open.connection))
  })

  longTest('migrates a backup of an older version', async () => {
    const old = await elsewhere('older')
    await migrate(old.connection, 2)
    const insert = `insert into projects (id, name, shape, rails, created_at) values ($1, 'Old', 'single', '{}', now())`
    const id = newId(open.runtime.clock)
    await inDatabase(old.connection, (client) => client.query(insert, [id]))
    const file = join(files, 'old.gz')
    const { json: kept } = await runInProcess(['backup', '--to', file, '--json'], old.settings)
    assert.equal(kept.migration, 2)
    const migrations = await inDatabase(old.connection, (client) =>
      client.query('select from migrations'),
    )
    assert.equal(migrations.rowCount, 2, 'a backup applies no migration')

    const target = await elsewhere('newer')
    const { json } = await runInProcess(['restore', '--from', file, '--json'], target.settings)
    assert.deepEqual(
      json.applied,
      readMigrations()
        .slice(2)
        .map(({ name }) => name),
    )
    const { json: list } = await runInProcess(['projects', 'list', '--json'], target.settings)
    assert.equal(list[0].id, id)

    const ahead = await elsewhere('ahead')
    await migrate(ahead.connection)
    assert.match(
      await refusal(['restore', '--from', file], ahead.settings),
      /is already at migration \d+, and the backup is at migration 2:/,
    )
  })

  longTest('rolls back completely if a row cannot be inserted', async () => {
    const { connection, settings } = await elsewhere('half_way')
    const whole = gunzipSync(readFileSync(backupFile)).toString()
    const migration: number = JSON.parse(whole.slice(0, whole.indexOf('\n'))).migration
    const header: BackupHeader = {
      homeport_backup: 1,
      version: '0.1.0',
      migration,
      created_at: '',
      seal_key_id: null,
      sealed_values: false,
    }
    const settingRow = { table: 'settings', columns: ['name', 'value'], row: 'kept\tno\n' }
    const faults = [
      [
        {
          table: 'ledger_accounts',
          columns: ['project_id', 'kind', 'month'],
          row: `${project_id}\theld\t2026-11-01\n`,
        },
        /the table ledger_accounts differs/,
      ],
      [{ table: 'no_such_table', columns: ['x'], row: 'x\n' }, /the table no_such_table differs/],
      [
        { table: 'settings', columns: ['name', 'value; drop table projects'], row: 'a\tb\n' },
        /the table settings differs/,
      ],
      [{ ...settingRow }, /^The command failed: duplicate key value/],
      [{ ...settingRow, row: 'a\n' }, /^The command failed: missing data for column "value"/],
    ] as const
    const file = join(files, 'crafted.gz')
    for (const [fault, expected] of faults) {
      writeFileSync(file, gzipSync(await crafted(header, [settingRow, fault])))
      assert.match(await refusal(['restore', '--from', file], settings), expected)
      const { rowCount } = await inDatabase(connection, (client) =>
        client.query('select from settings'),
      )
      assert.equal(rowCount, 0)
    }
    assert.equal((await runInProcess(['restore', '--from', backupFile], settings)).code, 0)
    assert.deepEqual(await contents(connection), await contents(open.connection))
  })

  it('refuses a damaged, newer or missing backup before it opens a database', async () => {
    const away = { HOMEPORT_DATA_DIR: files, DATABASE_URL: 'postgresql://127.0.0.1:1/none' }
    const restore = (file: string) => refusal(['restore', '--from', file], away)
    const file = join(files, 'damaged.gz')
    const whole = readFileSync(backupFile)
    writeFileSync(file, whole.subarray(0, whole.length - 9))
    assert.match(await restore(file), /damaged\.gz is damaged: it is cut short or was changed\.$/)
    const plain = gunzipSync(whole).toString()
    writeFileSync(file, gzipSync(plain.replace('Bakery', 'Bekery')))
    assert.match(await restore(file), /the rows of projects do not fit their checksum/)
    writeFileSync(
      file,
      gzipSync(
        await crafted({ ...JSON.parse(plain.slice(0, plain.indexOf('\n'))), migration: 9999 }, []),
      ),
    )
    assert.match(
      await restore(file),
      /^The backup is at migration 9999, which this version of Homeport does not have/,
    )
    assert.match(await restore(join(files, 'none.gz')), /^There is no file /)
    assert.match(await restore(join(files, 'precious.txt')), /is not a Homeport backup\.$/)
  })
})

describe('a backup during writes', () => {
  longTest('is a consistent snapshot: pairs are complete and ledgers balance', async () => {
    const { runtime } = open
    const writing = new AbortController()
    let written = 0
    async function write(): Promise<void> {
      while (!writing.signal.aborted) {
        await projects.create(runtime, {
          name: 'Pair',
          shape: 'pair',
          plan: 'free',
          owner_email: null,
        })
        await topUp(newId(runtime.clock))
        written += 1
      }
    }
    const file = join(files, 'busy.gz')
    const writers = [write(), write(), write()]
    const { json } = await runInProcess(['backup', '--to', file, '--json'], settings)
    writing.abort()
    await Promise.all(writers)
    assert.ok(written > 3)

    const target = await elsewhere('busy')
    assert.equal((await runInProcess(['restore', '--from', file], target.settings)).code, 0)
    await inDatabase(target.connection, async (client) => {
      const count = async (what: string) =>
        Number((await client.query(`select count(*) from ${what}`)).rows[0].count)
      const counted = new Map(json.tables.map((one: any) => [one.table, one.rows]))
      assert.equal(await count('projects'), counted.get('projects'))
      assert.equal(
        await count(
          'projects p where pair_id is not null and not exists (select from projects q where q.id = p.pair_id and q.pair_id = p.id)',
        ),
        0,
      )
      assert.equal(await count('ledger_entries'), await count('ledger_postings'))
      assert.equal(await count('ledger_entries'), await count('events'))
      const prepaid = "balance_micro from ledger_accounts where kind = 'prepaid'"
      const { rows } = await client.query(
        `select sum(amount_micro)::text as booked, (select ${prepaid})::text as shown from ledger_postings`,
      )
      assert.equal(rows[0].booked, rows[0].shown)
    })
  })
})

/** Writes a valid backup with these rows. */
async function crafted(
  header: BackupHeader,
  tables: readonly { table: string; columns: readonly string[]; row: string }[],
) {
  async function* bytes(row: string) {
    yield Buffer.from(row)
  }
  async function* sections() {
    for (const { table, columns, row } of tables)
      yield { table, columns: [...columns], rows: bytes(row) }
  }
  const chunks: Buffer[] = []
  for await (const chunk of writeBackup(header, sections(), () => {})) chunks.push(chunk)
  return Buffer.concat(chunks)
}
