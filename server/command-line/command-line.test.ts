/**
 * Tests of the command line with a running server: a test server holds the data folder, and and
 * commands run in this process, or as processes of their own.
 */
import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { fillDataFolder } from '../../test/fixtures/cluster.ts'
import { longTest } from '../../test/fixtures/depth.ts'
import * as keys from '../areas/keys/service.ts'
import * as projects from '../areas/projects/service.ts'
import { readConfig } from '../kernel/config/config.ts'
import { newId } from '../kernel/values/ids.ts'
import { migrate, readMigrations } from '../kernel/database/migrations.ts'
import { openRuntime, type OpenRuntime } from '../kernel/open-runtime.ts'
import { createLog } from '../kernel/log.ts'
import { createSeal } from '../kernel/secrets/crypto.ts'
import { checkMigrations, clockCheck } from './doctor/doctor-database.ts'
import { checkAppIsolation, checkNode } from './doctor/doctor-machine.ts'
import {
  databaseUrl,
  runInProcess,
  runProcess,
  temporaryFolder,
} from '../../test/fixtures/command-line.ts'

const NOBODY = '019ab3f0-5e1c-7a42-9d30-6f1e2c3b4a59'
const data_dir = temporaryFolder()
const settings = { HOMEPORT_DATA_DIR: data_dir }
let open: OpenRuntime
/** A single project and a pair, created by commands. */
let single: string
let pair: { live_project_id: string; test_project_id: string }

/** Runs a command in this process, expects success and returns its JSON. */
async function answer(...argv: string[]) {
  const { code, json, said } = await runInProcess([...argv, '--json'], settings)
  assert.equal(said, '')
  assert.equal(code, 0)
  return json
}

async function refusal(...argv: string[]): Promise<string> {
  const { code, said } = await runInProcess(argv, settings)
  assert.equal(code, 1)
  return said
}

before(async () => {
  fillDataFolder(data_dir)
  open = await openRuntime(readConfig(settings, data_dir), { log: createLog('silent') })
})
after(() => open.close())

describe('projects commands', () => {
  it('create a single project on the plan Free', async () => {
    const { json } = await runProcess(
      ['projects', 'create', '--name', 'Bakery De Molen', '--json'],
      settings,
    )
    assert.deepEqual(Object.keys(json), ['project_id'])
    single = json.project_id
    const row = await projects.find(open.runtime.db, single)
    assert.deepEqual(
      [row?.name, row?.shape, row?.plan, row?.owner_email],
      ['Bakery De Molen', 'single', 'free', null],
    )
  })

  it('create a pair that refer to each other, with plan and owner', async () => {
    const options = ['--shape', 'pair', '--plan', 'business', '--owner-email', 'owner@example.com']
    pair = await answer('projects', 'create', '--name', 'Pair', ...options)
    assert.deepEqual(Object.keys(pair), ['live_project_id', 'test_project_id'])
    const live = await projects.find(open.runtime.db, pair.live_project_id)
    assert.deepEqual(
      [live?.shape, live?.pair_id, live?.plan],
      ['live', pair.test_project_id, 'business'],
    )
    assert.equal(live?.owner_email, 'owner@example.com')
  })

  it('list projects, oldest first', async () => {
    const json = await answer('projects', 'list')
    const ids = json.map(({ id }: { id: string }) => id)
    assert.deepEqual(ids, [single, pair.live_project_id, pair.test_project_id])
    assert.equal(json[1].pair_id, pair.test_project_id)
  })

  it('print projects as a table', async () => {
    const { stdout } = await runInProcess(['projects', 'list'], settings)
    const [head, first] = stdout.split('\n')
    assert.match(head!, /^ID +NAME +SHAPE +PLAN +ENABLED +NUMBERS +CREATED$/)
    assert.match(first!, new RegExp(`^${single}  Bakery De Molen  single  free`))
  })

  it('approve a verification level and withdraw the approval', async () => {
    const argv = ['projects', 'verify', '--project', single, '--level', 'company', '--status']
    assert.deepEqual(await answer(...argv, 'approved'), {
      level: 'company',
      status: 'approved',
      reason: null,
      missing: [],
      unlocks: ['live_keys', 'national_numbers', 'inbound_calls'],
    })
    const back = await answer(...argv, 'not_started')
    assert.equal(back.status, 'not_started')
    assert.deepEqual(back.missing, [
      'payment_mandate',
      'payment_authentication',
      'phone_verification',
    ])
  })

  it('switch one rail to live and back', async () => {
    const argv = ['projects', 'go-live', '--project', single, '--rail', 'sms']
    const test = {
      phone: 'test',
      outbound: 'test',
      sms: 'test',
      email: 'test',
      payments: 'test',
      domains: 'test',
    }
    assert.deepEqual(await answer(...argv), { ...test, sms: 'live' })
    assert.deepEqual(await answer(...argv, '--undo'), test)
  })

  it('keep a rail in test mode in production if no provider can serve it', async () => {
    const production = {
      ...settings,
      HOMEPORT_ENV: 'production',
      HOMEPORT_PUBLIC_URL: 'https://api.example.com',
      HOMEPORT_SECRET: readFileSync(join(data_dir, 'secret'), 'utf8').trim(),
      HOMEPORT_CARRIER: 'none',
      HOMEPORT_MAIL: 'none',
      HOMEPORT_PAYMENTS: 'none',
      HOMEPORT_VAT: 'vies',
    }
    const rows = () => projects.find(open.runtime.db, single)
    const before_it = await rows()
    for (const rail of projects.railNames) {
      const argv = ['projects', 'go-live', '--project', single, '--rail', rail]
      const { code, said } = await runInProcess(argv, production)
      assert.equal(code, 1)
      const refused = `This installation has no provider for ${rail}: it stays in test mode.`
      assert.equal(said, refused)
    }
    assert.deepEqual(await rows(), before_it)
  })

  it('keep the test project of a pair in test mode', async () => {
    const said = await refusal(
      'projects',
      'go-live',
      '--project',
      pair.test_project_id,
      '--rail',
      'sms',
    )
    assert.match(
      said,
      new RegExp(
        `makes no real calls or payments: its live project is ${pair.live_project_id}\\.$`,
      ),
    )
  })

  it('set the cap, the plan, the card and the phone, and print the project', async () => {
    const options = [
      '--spending-limit-eur',
      '99.5',
      '--plan',
      'online',
      '--card',
      'yes',
      '--phone-verified',
      'yes',
    ]
    const json = await answer('projects', 'set', '--project', single, ...options)
    const row = await projects.find(open.runtime.db, single)
    assert.deepEqual(json, JSON.parse(JSON.stringify(projects.present(row!, 'live'))))
    assert.equal(json.spending_limit_eur, 99.5)
    assert.deepEqual(
      [row?.plan, row?.card, row?.payment_authenticated, row?.phone_verified],
      ['online', true, true, true],
    )
  })

  it('remove the cap with 0, and keep facts without an option', async () => {
    const json = await answer('projects', 'set', '--project', single, '--spending-limit-eur', '0')
    assert.equal(json.spending_limit_eur, null)
    assert.equal((await projects.find(open.runtime.db, single))?.plan, 'online')
  })

  it('disable and enable a project, its card and its phone', async () => {
    const options = ['--enabled', 'false', '--card', 'no', '--phone-verified', 'no']
    await answer('projects', 'set', '--project', single, ...options)
    const row = await projects.find(open.runtime.db, single)
    assert.deepEqual([row?.enabled, row?.card, row?.phone_verified], [false, false, false])
    await answer('projects', 'set', '--project', single, '--enabled', 'true')
    assert.equal((await projects.find(open.runtime.db, single))?.enabled, true)
  })

  it('print a test project in its mode', async () => {
    assert.equal(
      (await answer('projects', 'set', '--project', pair.test_project_id, '--card', 'yes')).mode,
      'test',
    )
  })

  it('refuse a cap above 500 euro without the level full', async () => {
    const set = ['projects', 'set', '--project', single, '--spending-limit-eur']
    assert.equal((await answer(...set, '500')).spending_limit_eur, 500)
    assert.match(await refusal(...set, '500.000001'), /above 500 needs the verification level full/)
    await answer(
      'projects',
      'verify',
      '--project',
      single,
      '--level',
      'full',
      '--status',
      'approved',
    )
    assert.equal((await answer(...set, '500.000001')).spending_limit_eur, 500.000001)
  })

  it('refuse an unknown project', async () => {
    const { code, said } = await runInProcess(
      ['keys', 'list', '--project', NOBODY, '--json'],
      settings,
    )
    assert.equal(code, 1)
    assert.equal(said, `There is no project ${NOBODY}. "projects list" lists them.`)
    for (const argv of [
      ['projects', 'delete'],
      ['projects', 'verify', '--level', 'full', '--status', 'approved'],
      ['projects', 'go-live', '--rail', 'sms'],
      ['projects', 'set', '--plan', 'free'],
      ['keys', 'create', '--mode', 'test'],
      ['balance', 'top-up', '--amount-eur', '1'],
      ['balance', 'auto-reload', '--enabled', 'yes'],
    ]) {
      assert.match(await refusal(...argv, '--project', NOBODY), /^There is no project /)
    }
  })
})

describe('keys commands', () => {
  it('create a key with every scope and print it once', async () => {
    const { json } = await runInProcess(
      ['keys', 'create', '--project', single, '--mode', 'test', '--json'],
      settings,
    )
    assert.deepEqual(Object.keys(json), ['id', 'key'])
    const holder = await keys.authenticateKey(open.runtime, `Bearer ${json.key}`)
    assert.deepEqual([holder.key_id, holder.mode, holder.access], [json.id, 'test', null])
    assert.deepEqual([...holder.scopes], [...keys.allScopes])
    const { stdout } = await runInProcess(['keys', 'list', '--project', single], settings)
    assert.ok(!stdout.includes(json.key))
  })

  it('tell people that the key is shown only once', async () => {
    const { stdout } = await runInProcess(
      ['keys', 'create', '--project', single, '--mode', 'live'],
      settings,
    )
    assert.match(stdout, /key +hm_live_\w{32}\n\nThe key is shown only once/)
  })

  it('create a key with some scopes, some sites and a name', async () => {
    const sites = [NOBODY, single]
    const options = [
      '--scopes',
      'calls:read,data:write,calls:read',
      '--limit-sites',
      sites.join(','),
      '--name',
      'Site key',
    ]
    const { id, key } = await answer(
      'keys',
      'create',
      '--project',
      single,
      '--mode',
      'live',
      ...options,
    )
    const holder = await keys.authenticateKey(open.runtime, `Bearer ${key}`)
    assert.deepEqual([...holder.scopes], ['calls:read', 'data:write'])
    assert.deepEqual(holder.access, { sites, apps: [], collections: [], limited_by: 'api_key' })
    const [newest] = await answer('keys', 'list', '--project', single)
    assert.deepEqual(
      [newest.id, newest.name, newest.start, newest.revoked_at],
      [id, 'Site key', key.slice(0, 12), null],
    )
  })

  it('accept "all" for every scope', async () => {
    const { key } = await answer(
      'keys',
      'create',
      '--project',
      single,
      '--mode',
      'test',
      '--scopes',
      'all',
    )
    const { scopes } = await keys.authenticateKey(open.runtime, `Bearer ${key}`)
    assert.deepEqual([...scopes].toSorted(), [...keys.allScopes].toSorted())
  })

  it('refuse a key in the wrong mode for a project of a pair', async () => {
    const create = ['keys', 'create', '--mode']
    const live = await refusal(...create, 'live', '--project', pair.test_project_id)
    assert.match(
      live,
      new RegExp(
        `a live key does not work: create it for the live project, ${pair.live_project_id}\\.$`,
      ),
    )
    assert.match(
      await refusal(...create, 'test', '--project', pair.live_project_id),
      /a test key does not work/,
    )
    await answer(...create, 'test', '--project', pair.test_project_id)
    await answer(...create, 'live', '--project', pair.live_project_id)
  })

  it('print keys as a table', async () => {
    const { stdout } = await runInProcess(['keys', 'list', '--project', single], settings)
    assert.match(stdout, /^ID +NAME +KEY +MODE +SCOPES +SITES +CREATED +EXPIRES +REVOKED\n/)
    assert.match(stdout, /Site key +hm_live_\w{4}… +live +calls:read, data:write +2 +20/)
  })

  it('revoke a key, also repeatedly', async () => {
    const { id, key } = await answer('keys', 'create', '--project', single, '--mode', 'test')
    const revoked = await answer('keys', 'revoke', '--id', id)
    assert.equal(revoked.id, id)
    assert.match(revoked.revoked_at, /^\d{4}-.*Z$/)
    await assert.rejects(keys.authenticateKey(open.runtime, `Bearer ${key}`), /was revoked/)
    assert.equal((await answer('keys', 'revoke', '--id', id)).revoked_at, revoked.revoked_at)
  })

  it('refuse an unknown key', async () => {
    assert.match(await refusal('keys', 'revoke', '--id', NOBODY), /^There is no key /)
  })
})

describe('balance commands', () => {
  it('top up and print the balance', async () => {
    const json = await answer('balance', 'top-up', '--project', single, '--amount-eur', '25.000001')
    assert.deepEqual([json.balance_eur, json.currency, json.test], [25.000001, 'EUR', false])
    const [top_up] = json.transactions
    assert.deepEqual(
      [top_up.type, top_up.source, top_up.amount_eur],
      ['top_up', 'payment', 25.000001],
    )
  })

  it('add to the balance each time', async () => {
    assert.equal(
      (await answer('balance', 'top-up', '--project', single, '--amount-eur', '0.5')).balance_eur,
      25.500001,
    )
  })

  it('top up the live project of a pair for either id', async () => {
    const topUp = (project: string) =>
      answer('balance', 'top-up', '--project', project, '--amount-eur', '10')
    assert.deepEqual(
      [(await topUp(pair.test_project_id)).test, (await topUp(pair.live_project_id)).balance_eur],
      [true, 20],
    )
  })

  it('refuse invalid amounts', async () => {
    for (const amount of ['0', '-5', '1.0000001', 'ten', '']) {
      const said = await refusal('balance', 'top-up', '--project', single, '--amount-eur', amount)
      assert.match(said, /^--amount-eur must be an amount of euro .*: more than 0, /)
    }
  })
})

describe('deleting a project', () => {
  it('disables its keys and keeps the other project of the pair', async () => {
    const { key } = await answer(
      'keys',
      'create',
      '--project',
      pair.test_project_id,
      '--mode',
      'test',
    )
    const { stdout } = await runInProcess(
      ['projects', 'delete', '--project', pair.test_project_id],
      settings,
    )
    assert.match(stdout, new RegExp(`is deleted .* ${pair.live_project_id}, stays\\.`))
    await assert.rejects(keys.authenticateKey(open.runtime, `Bearer ${key}`), /was deleted/)
    assert.match(
      await refusal('projects', 'delete', '--project', pair.test_project_id),
      /There is no project/,
    )
    assert.deepEqual(await answer('projects', 'delete', '--project', pair.live_project_id), {
      project_id: pair.live_project_id,
      deleted: true,
    })
  })
})

describe('commands without a running server', () => {
  longTest('start the database for each command, and run one command at a time', async () => {
    const alone = { HOMEPORT_DATA_DIR: join(temporaryFolder(), 'data') }
    await runInProcess(['migrate'], alone)
    const both = await Promise.all(
      ['One', 'Two'].map((name) =>
        runProcess(['projects', 'create', '--name', name, '--json'], alone),
      ),
    )
    const made = both.map(({ json }) => json.project_id)
    const { json } = await runInProcess(['projects', 'list', '--json'], alone)
    assert.deepEqual(json.map(({ id }: { id: string }) => id).toSorted(), made.toSorted())
    assert.ok(!existsSync(join(alone.HOMEPORT_DATA_DIR, 'postgres', 'postmaster.pid')))
  })
})

describe('the migrate command', () => {
  it('applies and prints missing migrations, then none', async () => {
    const connection = await newDatabase('to_migrate')
    const elsewhere = { ...settings, DATABASE_URL: databaseUrl(connection) }
    const names = readMigrations().map(({ name }) => name)
    await migrate(connection, 2)
    const { json } = await runInProcess(['migrate', '--json'], elsewhere)
    const migration = readMigrations().at(-1)?.number
    assert.deepEqual(json, { applied: names.slice(2), migration })
    assert.deepEqual((await runInProcess(['migrate', '--json'], elsewhere)).json, {
      applied: [],
      migration,
    })
    const { stdout } = await runInProcess(['migrate'], elsewhere)
    assert.equal(stdout, `The database is at migration ${migration}: no migration was pending.\n`)
  })

  it('reports an unreachable database in one line without its password', async () => {
    const elsewhere = { ...settings, DATABASE_URL: 'postgresql://user:hush@127.0.0.1:1/none' }
    const { code, said } = await runInProcess(['migrate'], elsewhere)
    assert.equal(code, 1)
    assert.match(
      said,
      /^The database cannot be reached \(.*ECONNREFUSED.*\)\. Run "doctor" for details\.$/,
    )
    assert.doesNotMatch(said, /hush/)
  })
})

describe('the doctor command', () => {
  const checksOf = (json: any) =>
    new Map<string, any>(json.checks.map((check: any) => [check.name, check]))

  it('finds no problem in a healthy installation', async () => {
    const { json } = await runInProcess(['doctor', '--json'], settings)
    assert.equal(json.ok, true)
    const names = [
      'node',
      'settings',
      'data_folder',
      'disk_space',
      'master_key',
      'app_isolation',
      'files',
      'mail',
      'database',
      'clock',
      'migrations',
      'sealed_values',
      'jobs',
      'webhooks',
    ]
    assert.deepEqual([...checksOf(json).keys()], names)
    for (const check of json.checks) {
      assert.deepEqual(Object.keys(check), ['name', 'status', 'detail', 'next_step'])
      assert.equal(check.next_step === null, check.status === 'ok')
    }
    assert.match(
      checksOf(json).get('database').detail,
      new RegExp(`beside the running Homeport \\(process ${process.pid}\\)`),
    )
  })

  it('warns where the kernel keeps no app off the network', () => {
    const { status, detail, next_step } = checkAppIsolation(false)
    assert.equal(status, 'warn')
    assert.match(`${detail} ${next_step}`, /no network namespaces.*unprivileged user namespaces/)
    assert.equal(checkAppIsolation(true).status, 'ok')
  })

  it('warns of development settings and of a key file that others can read', async () => {
    chmodSync(join(data_dir, 'secret'), 0o644)
    const { code, json } = await runInProcess(['doctor', '--json'], {
      ...settings,
      HOMEPORT_TEST_CLOCK: '1',
    })
    chmodSync(join(data_dir, 'secret'), 0o600)
    assert.equal(code, 0)
    assert.match(checksOf(json).get('settings').next_step, /^Remove HOMEPORT_TEST_CLOCK/)
    assert.match(checksOf(json).get('master_key').next_step, /^Run: chmod 600 /)
  })

  it('fails on each invalid setting and lists it in one line', async () => {
    const faulty = { ...settings, HOMEPORT_PORT: 'x', HOMEPORT_ROLES: 'cook' }
    const { code, json, said } = await runInProcess(['doctor', '--json'], faulty)
    assert.deepEqual([code, json.ok], [1, false])
    assert.deepEqual(
      json.checks.map(({ status }: any) => status),
      ['ok', 'fail', 'fail'],
    )
    assert.equal(said, '2 checks of 3 failed: settings, settings.')
  })

  it('fails on a mail server that refuses mail, without printing its password', async () => {
    const faulty = {
      ...settings,
      HOMEPORT_MAIL: 'smtp',
      HOMEPORT_MAIL_URL: 'smtps://house:hush@127.0.0.1:1',
      HOMEPORT_MAIL_FROM: 'house@home.example',
    }
    const { json, stdout } = await runInProcess(['doctor', '--json'], faulty)
    const { status, detail } = checksOf(json).get('mail')
    assert.deepEqual([status, detail], ['fail', '127.0.0.1 could not be reached.'])
    assert.doesNotMatch(stdout, /hush/)
  })

  it('creates nothing in a folder without an installation', async () => {
    const fresh = join(temporaryFolder(), 'data')
    const { json } = await runInProcess(['doctor', '--json'], { HOMEPORT_DATA_DIR: fresh })
    assert.equal(json.ok, true)
    assert.match(checksOf(json).get('database').detail, /There is no/)
    assert.ok(!existsSync(fresh))
  })

  it('fails on a data folder without write permission', async () => {
    const file = join(temporaryFolder(), 'file')
    writeFileSync(file, '')
    const { json, said } = await runInProcess(['doctor', '--json'], { HOMEPORT_DATA_DIR: file })
    assert.equal(checksOf(json).get('data_folder').status, 'fail')
    assert.match(said, /failed: data_folder/)
  })

  it('fails on an unreachable database', async () => {
    const away = { ...settings, DATABASE_URL: 'postgresql://user:hush@127.0.0.1:1/none' }
    const { json, stdout } = await runInProcess(['doctor', '--json'], away)
    assert.match(checksOf(json).get('database').next_step, /^Check DATABASE_URL/)
    assert.doesNotMatch(stdout, /hush/)
  })

  it('warns of pending migrations, and applies none', async () => {
    const elsewhere = { ...settings, DATABASE_URL: databaseUrl(await newDatabase('unmigrated')) }
    for (let look = 0; look < 2; look++) {
      const { code, json } = await runInProcess(['doctor', '--json'], elsewhere)
      assert.equal(code, 0)
      assert.match(checksOf(json).get('migrations').detail, /to apply: 0001-kernel\.sql, /)
    }
  })

  it('warns of dead jobs and disabled endpoints, and fails on secrets of another key', async () => {
    const { runtime } = open
    const at = runtime.clock.now()
    await runtime.db.transact(async (tx) => {
      const job = {
        id: newId(runtime.clock),
        kind: 'calls.summarise',
        payload: '{}',
        run_at: at,
        created_at: at,
      }
      await tx
        .insertInto('jobs')
        .values({ ...job, state: 'dead', dead_at: at, last_error: 'No model.' })
        .execute()
      const endpoint = {
        project_id: single,
        id: newId(runtime.clock),
        url: 'https://example.com/hook',
        events: ['call.completed'],
        secret_prefix: 'whsec_ab',
        sealed_secret: createSeal('another master key').seal('whsec_abcdef', 'webhook'),
        active: false,
        created_at: at,
      }
      await tx.insertInto('webhook_endpoints').values(endpoint).execute()
    })
    const { json, said } = await runInProcess(['doctor', '--json'], settings)
    const checks = checksOf(json)
    assert.match(
      checks.get('jobs').detail,
      /^1 job given up; the newest is calls\.summarise: No model\.$/,
    )
    assert.match(checks.get('webhooks').detail, /^1 endpoint disabled/)
    assert.match(
      checks.get('sealed_values').detail,
      /^1 secret in the database cannot be decrypted/,
    )
    assert.match(said, /^1 check of 14 failed: sealed_values\.$/)
    const { stdout } = await runInProcess(['doctor'], settings)
    assert.match(stdout, /^fail +sealed_values +1 secret .* Set HOMEPORT_SECRET/m)
  })

  it('checks the clock, the Node.js version and unknown migrations', () => {
    assert.deepEqual(
      [0, 1999, 2001, 60_001].map((ms) => clockCheck(ms).status),
      ['ok', 'ok', 'warn', 'fail'],
    )
    assert.deepEqual(
      ['26.1.0', '20.19.0'].map((version) => checkNode(version).status),
      ['ok', 'fail'],
    )
    const [first] = readMigrations()
    assert.equal(checkMigrations([{ ...first!, hash: 'changed' }]).status, 'fail')
    assert.equal(
      checkMigrations([...readMigrations(), { number: 9999, name: '9999-later.sql', hash: '' }])
        .status,
      'fail',
    )
  })
})

describe('the command line as a process', () => {
  it('prints a refusal as one line', async () => {
    const { code, said } = await runProcess(['project', 'list'], settings)
    assert.deepEqual(
      [code, said],
      [1, 'There is no command "project list". Did you mean "projects list"?'],
    )
  })

  it('creates no data folder and names the one without an installation', async () => {
    const data_dir = join(temporaryFolder(), 'data')
    const address = { DATABASE_URL: databaseUrl(open.connection) }
    const site = temporaryFolder()
    writeFileSync(join(site, 'index.html'), '<title>Mill</title>')
    for (const argv of [
      ['projects', 'list'],
      ['deploy', site, '--slug', 'mill'],
    ]) {
      for (const more of [{}, address]) {
        const ran = await runInProcess(argv, { HOMEPORT_DATA_DIR: data_dir, ...more })
        assert.equal(ran.code, 1)
        assert.equal(
          ran.said,
          `There is no Homeport in the data folder ${data_dir}: set HOMEPORT_DATA_DIR to the data ` +
            'folder of the server. "npm start" creates a new installation there.',
        )
        assert.ok(!existsSync(data_dir))
      }
    }
  })

  it('refuses a data folder that cannot be created', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'file'), '')
    mkdirSync(join(folder, 'fine'))
    const { code, said } = await runInProcess(['migrate', '--json'], {
      HOMEPORT_DATA_DIR: join(folder, 'file', 'data'),
    })
    assert.equal(code, 1)
    assert.match(said, /^The data folder .* cannot be made \(there is a file of this name/)
  })
})

/** Creates an empty database in the server's cluster. */
async function newDatabase(database: string): Promise<pg.PoolConfig> {
  const client = new pg.Client(open.connection)
  await client.connect()
  await client.query(`create database ${database} template template0`)
  await client.end()
  return { ...open.connection, database }
}
