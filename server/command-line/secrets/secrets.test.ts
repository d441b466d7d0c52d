/**
 * Tests of the rotation of the master key through the command line, with real processes: sealed
 * values of every declared column, a rotation killed half-way, and rows that are in use meanwhile.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { longTest } from '../../../test/fixtures/depth.ts'
import { eventually } from '../../../test/fixtures/eventually.ts'
import { createTestDatabase, dropTestDatabase } from '../../../test/fixtures/cluster.ts'
import {
  spawnServer,
  startServer,
  type ServerProcess,
} from '../../../test/fixtures/server-process.ts'
import { sealedColumns } from '../../app.ts'
import { createSeal, keyIdOf } from '../../kernel/secrets/crypto.ts'
import { secretFile } from '../../kernel/secrets/master-secrets.ts'
import { systemClock } from '../../kernel/clock.ts'
import { newId } from '../../kernel/values/ids.ts'
import {
  compileCache,
  databaseUrl,
  mainFile,
  runInProcess,
  runProcess,
  temporaryFolder,
} from '../../../test/fixtures/command-line.ts'

const OLD = 'the old master key, which is long enough'
const NEW = 'the new master key, which is long enough'
const LOST = 'a master key that nobody has any more'
const ENDPOINTS = 450
const data_dir = temporaryFolder()
mkdirSync(join(data_dir, 'portal'))
const oldSeal = createSeal(OLD)
const newSeal = createSeal(NEW)
let connection: pg.PoolConfig
let client: pg.Client
let shared: Record<string, string>

before(async () => {
  connection = await createTestDatabase()
  client = new pg.Client(connection)
  await client.connect()
  shared = { HOMEPORT_DATA_DIR: data_dir, DATABASE_URL: databaseUrl(connection) }
})
after(async () => {
  await client.end()
  await dropTestDatabase(connection)
})

const withOld = () => ({ ...shared, HOMEPORT_SECRET: OLD })
const withBoth = () => ({ ...shared, HOMEPORT_SECRET: NEW, HOMEPORT_SECRET_PREVIOUS: OLD })
const withNew = () => ({ ...shared, HOMEPORT_SECRET: NEW })

async function command(settings: Record<string, string>, ...argv: string[]) {
  return runInProcess([...argv, '--json'], settings)
}

/** The number of values by key id, over all columns. */
async function countByKey(settings: Record<string, string>): Promise<Record<string, number>> {
  const { json } = await command(settings, 'secrets', 'status')
  const counts: Record<string, number> = {}
  for (const { key_id, values } of json.values) counts[key_id] = (counts[key_id] ?? 0) + values
  return counts
}

/** Inserts values of every declared column, sealed with the old key. */
async function insertValues(project_id: string): Promise<void> {
  const now = systemClock.now()
  for (let count = 0; count < ENDPOINTS; count += 1) {
    const secret = oldSeal.seal(`whsec_${count}`, 'webhook-secret')
    await client.query(
      `insert into webhook_endpoints (project_id, id, url, events, secret_prefix, sealed_secret,
        previous_sealed_secret, previous_secret_until, created_at)
       values ($1, $2, 'https://example.com', '{call.completed}', 'whsec_', $3, $4, $5, $6)`,
      [
        project_id,
        newId(systemClock),
        secret,
        ...(count === 0 ? [secret, now] : [null, null]),
        now,
      ],
    )
  }
  const person = newId(systemClock)
  await client.query(
    `insert into people (id, realm, email, sealed_totp_secret, totp_since, created_at)
     values ($1, 'portal', 'ada@example.com', $2, $3, $3)`,
    [person, oldSeal.seal('JBSWY3DPEHPK3PXP', `people.totp ${person}`), now],
  )
  await client.query(
    `insert into oauth_records (hash, kind, sealed, expires_at) values ('\\x01', 'interaction', $1, $2)`,
    [oldSeal.seal('{"a":1}', 'oauth:interaction'), now],
  )
  await insertEvidence(project_id, now)
  await insertSendingDomain(project_id, now)
  await insertApp(project_id, now)
  await insertPaymentAccount(project_id, now)
  const sealed_url = oldSeal.seal('https://invitation', 'people.sign_up_invitation')
  await client.query(
    `insert into jobs (id, kind, payload, run_at, state, created_at)
     values ($1, 'people.send_sign_up_invitation', $2, $3, 'waiting', $3)`,
    [newId(systemClock), { sealed_url: sealed_url.toString('base64'), email: 'a@b.c' }, now],
  )
}

async function insertPaymentAccount(project_id: string, now: Date): Promise<void> {
  await client.query(
    `insert into payment_accounts (project_id, test, id, provider, connected_at, sealed_key,
       sealed_callback_secret)
     values ($1, false, $2, 'stripe', $3, $4, $5)`,
    [
      project_id,
      newId(systemClock),
      now,
      oldSeal.seal('sk_live_key', 'payment-account-key'),
      oldSeal.seal('whsec_key', 'payment-account-callback'),
    ],
  )
}

/** A document and a declaration of the verification of a project. */
async function insertEvidence(project_id: string, now: Date): Promise<void> {
  await client.query(
    `insert into verification_documents (project_id, id, kind, round, filename, bytes, token_hash,
       sealed_key, created_at, expires_at, received_at)
     values ($1, $2, 'identity', 0, 'scan.pdf', 1, '\\x02', $3, $4, $4, $4)`,
    [project_id, newId(systemClock), oldSeal.seal('a key', 'verification.document_key'), now],
  )
  await client.query(
    `insert into verification_declarations (project_id, round, sealed_content, created_at)
     values ($1, 0, $2, $3)`,
    [project_id, oldSeal.seal('{}', 'verification.declaration'), now],
  )
}

/** A domain for email, with its key and the next one. */
async function insertSendingDomain(project_id: string, now: Date): Promise<void> {
  await client.query(
    `insert into sending_domains (project_id, id, domain, status, return_path_host, dkim_selector,
       dkim_public_key, sealed_dkim_key, next_dkim_selector, next_dkim_public_key,
       next_sealed_dkim_key, results, created_at, test)
     values ($1, $2, 'bakery.example', 'pending', 'bounce', 'one', 'a', $3, 'two', 'b', $3, '[]', $4, true)`,
    [project_id, newId(systemClock), oldSeal.seal('a key', 'email-dkim-key'), now],
  )
}

/** An app with a database and a secret, on a site. */
async function insertApp(project_id: string, now: Date): Promise<void> {
  const [site_id, id] = [newId(systemClock), newId(systemClock)]
  await client.query(
    `insert into sites (project_id, id, slug, label, title, status, visibility, spa, live_version,
       last_version, test, created_at, updated_at, deployed_at)
     values ($1, $2, 'bakery', 'bakery', 'Bakery', 'live', 'public', false, 1, 1, true, $3, $3, $3)`,
    [project_id, site_id, now],
  )
  await client.query(
    `insert into apps (project_id, id, site_id, name, live_version, last_version, test,
       sealed_database_password, created_at, updated_at, deployed_at)
     values ($1, $2, $3, 'App', 1, 1, true, $4, $5, $5, $5)`,
    [project_id, id, site_id, oldSeal.seal('a password', 'app-database-password'), now],
  )
  await client.query(
    `insert into app_secrets (project_id, app_id, name, sealed_value, updated_at)
     values ($1, $2, 'KEY', $3, $4)`,
    [project_id, id, oldSeal.seal('a secret', 'app-secret'), now],
  )
}

describe('a rotation of the master key', () => {
  let project_id: string
  let key: string
  let cursor: string

  async function listEndpoints({ banner }: ServerProcess, after: string) {
    const query = after === '' ? '' : `&cursor=${after}`
    const headers = { authorization: `Bearer ${key}` }
    const response = await fetch(`${banner['base_url']}/webhooks?limit=1${query}`, { headers })
    const body: { next_cursor: string } = JSON.parse(await response.text())
    return { status: response.status, body }
  }

  it('counts the values of every declared column, all under the present key', async () => {
    const { json } = await command(withOld(), 'projects', 'create', '--name', 'Bakery')
    project_id = json.project_id
    const given = ['--project', project_id, '--mode', 'test', '--scopes', 'all']
    key = (await command(withOld(), 'keys', 'create', ...given)).json.key
    await insertValues(project_id)
    const { json: status } = await command(withOld(), 'secrets', 'status')
    const columns = new Set(
      status.values.map((row: { table: string; column: string }) => `${row.table}.${row.column}`),
    )
    assert.deepEqual(
      columns,
      new Set(
        sealedColumns.map((one) => `${one.table}.${one.column}${one.field ? `.${one.field}` : ''}`),
      ),
    )
    assert.deepEqual(Object.keys(await countByKey(withOld())), [oldSeal.key_id])
  })

  it('prints a new key for a key from the settings, and stores nothing', async () => {
    const { json } = await command(withOld(), 'secrets', 'new-key')
    assert.match(json.secret, /^[0-9a-f]{64}$/)
    assert.equal(json.key_id, createSeal(json.secret).key_id)
    assert.equal(json.file, null)
    assert.ok(!existsSync(secretFile(data_dir)))
  })

  longTest('stops the start of a server that has the new key only, with the way out', async () => {
    const { child, errors } = spawnServer(data_dir, { settings: withNew() })
    const [code] = await once(child, 'exit')
    assert.equal(code, 1)
    assert.match(
      errors(),
      new RegExp(`encrypted with the master key ${oldSeal.key_id}, which this server does not`),
    )
    assert.match(errors(), /set HOMEPORT_SECRET_PREVIOUS to it and run "secrets rotate"/)
  })

  longTest('refuses to run while a server has the old key only', async () => {
    const server = await startServer(data_dir, withOld())
    try {
      cursor = (await listEndpoints(server, '')).body.next_cursor
      const { code, said } = await runProcess(['secrets', 'rotate'], withBoth())
      assert.equal(code, 1)
      assert.match(said, new RegExp(`still uses the master key ${oldSeal.key_id}: restart every`))
    } finally {
      await server.stop()
    }
  })

  longTest('lets a server with both keys accept cursors of the old key', async () => {
    const server = await startServer(data_dir, withBoth())
    try {
      assert.equal((await listEndpoints(server, cursor)).status, 200)
    } finally {
      await server.stop()
    }
  })

  it('is killed half-way with SIGKILL, leaves each value readable, and continues', async () => {
    const holder = new pg.Client(connection)
    await holder.connect()
    await holder.query('begin')
    await holder.query('select from webhook_endpoints order by id limit 1 for update')
    const env = { ...compileCache, ...withBoth() }
    const child = spawn(process.execPath, [mainFile, 'secrets', 'rotate'], { env, stdio: 'ignore' })
    await eventually(async () => ((await countByKey(withBoth()))[oldSeal.key_id] ?? 0) <= 2)
    child.kill('SIGKILL')
    await once(child, 'exit')
    const counts = await countByKey(withBoth())
    assert.ok(counts[oldSeal.key_id]! > 0 && counts[newSeal.key_id]! > ENDPOINTS - 2)
    const both = createSeal(NEW, { previous: OLD })
    const { rows } = await client.query('select sealed_secret from webhook_endpoints')
    for (const row of rows) assert.match(both.open(row.sealed_secret, 'webhook-secret'), /^whsec_/)
    await holder.query('rollback')
    await holder.end()
    const { json, said } = await command(withBoth(), 'secrets', 'rotate')
    assert.equal(said, '')
    assert.equal(json.rotated, counts[oldSeal.key_id])
    assert.deepEqual(Object.keys(await countByKey(withBoth())), [newSeal.key_id])
  })

  it('keeps the contents, which the new key opens alone', async () => {
    const { rows } = await client.query(
      `select sealed_secret as value from webhook_endpoints where previous_sealed_secret is not null
       union all select previous_sealed_secret from webhook_endpoints
         where previous_sealed_secret is not null`,
    )
    for (const { value } of rows) assert.equal(newSeal.open(value, 'webhook-secret'), 'whsec_0')
    const [job] = (await client.query(`select payload from jobs where payload ? 'sealed_url'`)).rows
    const sealed_url = Buffer.from(job.payload.sealed_url, 'base64')
    assert.equal(newSeal.open(sealed_url, 'people.sign_up_invitation'), 'https://invitation')
    assert.equal(job.payload.email, 'a@b.c')
  })

  it('says that nothing is left when it runs again, and names what may be removed', async () => {
    const { stdout } = await runInProcess(['secrets', 'rotate'], withBoth())
    assert.match(stdout, /All \d+ secrets are encrypted with the key/)
    assert.match(stdout, /remove HOMEPORT_SECRET_PREVIOUS, and restart the server/)
  })

  longTest(
    'lets a server start with the new key alone, with the same MACs of recovery codes',
    async () => {
      const server = await startServer(data_dir, withNew())
      assert.equal((await listEndpoints(server, cursor)).status, 400)
      await server.stop()
      const { rows } = await client.query(
        `select sealed_key from mac_keys where purpose = 'people.code'`,
      )
      const key = newSeal.open(rows[0].sealed_key, 'mac-key people.code')
      const lasting = new Map([['people.code', Buffer.from(key, 'hex')]])
      assert.deepEqual(
        createSeal(NEW, { lasting }).mac('code', 'people.code'),
        oldSeal.mac('code', 'people.code'),
      )
    },
  )

  it('is recorded as an act of the operator, each time that it changes values', async () => {
    const { rows } = await client.query(
      `select actor_kind from activity where operation = 'secrets rotate'`,
    )
    assert.deepEqual(rows, [{ actor_kind: 'operator' }, { actor_kind: 'operator' }])
  })

  it('counts values of a lost key as missing, and does not end as done', async () => {
    const lost = createSeal(LOST).seal('whsec_lost', 'webhook-secret')
    await client.query(
      `update webhook_endpoints set sealed_secret = $1
       where id = (select min(id::text)::uuid from webhook_endpoints)`,
      [lost],
    )
    const { stdout } = await runInProcess(['secrets', 'status'], withBoth())
    assert.match(stdout, new RegExp(`${keyIdOf(lost)} +missing +webhook_endpoints`))
    const { code, said } = await runInProcess(['secrets', 'rotate'], withBoth())
    assert.equal(code, 1)
    assert.match(
      said,
      new RegExp(`1 secret in webhook_endpoints encrypted with the key ${keyIdOf(lost)}`),
    )
  })
})

describe('a generated master key', () => {
  longTest('is replaced in its file, rotated, and refused to be replaced before', async () => {
    const folder = temporaryFolder()
    const settings = { HOMEPORT_DATA_DIR: folder }
    await runInProcess(['migrate'], settings)
    await command(settings, 'projects', 'create', '--name', 'Mill')
    const { json } = await command(settings, 'secrets', 'new-key')
    assert.equal(json.file, join(folder, 'secret'))
    const { code, said } = await runInProcess(['secrets', 'new-key'], settings)
    assert.equal(code, 1)
    assert.match(said, /run "secrets rotate" first/)
    const { json: rotated } = await command(settings, 'secrets', 'rotate')
    assert.equal(rotated.key_id, json.key_id)
    const { stdout } = await runInProcess(['secrets', 'rotate'], settings)
    assert.match(stdout, /remove the file .*secret\.previous/)
  })
})
