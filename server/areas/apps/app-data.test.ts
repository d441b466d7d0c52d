/** Tests of what the code of an app has: its own database, collections, and sign-in. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  findBackendsOf,
  lockTable,
  takeAllTurns,
} from '../../../test/fixtures/apps/app-database.ts'
import { newApp, type NewApp } from '../../../test/fixtures/apps/new-app.ts'
import { slugOf } from '../../../test/fixtures/data/data.ts'
import { longTest } from '../../../test/fixtures/depth.ts'
import { eventually } from '../../../test/fixtures/eventually.ts'
import { newTeam } from '../../../test/fixtures/portal/sessions.ts'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import { newSiteOwner } from '../../../test/fixtures/sites/site-owner.ts'
import { sha256 } from '../../kernel/secrets/crypto.ts'

const runtime = await openTestRuntime()

/** Runs the SQL of a request, and replies with the result or the error. */
const sqlApp = `export default {
  async fetch(request, env) {
    const { statements } = await request.json()
    try {
      return Response.json(await env.DB.batch(statements))
    } catch (error) {
      return Response.json({ name: error.name, message: error.message }, { status: 422 })
    }
  },
}`

async function withTable(): Promise<
  NewApp & { run(...statements: [string, unknown[]?][]): Promise<any> }
> {
  const made = await newApp(runtime, sqlApp)
  const { owner, app, ask } = made
  const sql = 'create table entries (id bigserial primary key, text text not null unique)'
  const migrated = await owner.call(`POST /apps/${app.id}/migrations`, {
    migrations: [{ name: '0001-entries', sql }],
  })
  assert.equal(migrated.status, 200, migrated.text)
  assert.deepEqual([migrated.body.applied, migrated.body.skipped], [['0001-entries'], []])
  return {
    ...made,
    async run(...statements) {
      const body = JSON.stringify({
        statements: statements.map(([sql, parameters = []]) => ({ sql, parameters })),
      })
      return JSON.parse((await ask('POST /api/', { body })).text)
    },
  }
}

suite('the database of an app', () => {
  test('takes further migrations if an earlier version recorded the first ones', async () => {
    const { run, owner, app } = await withTable()
    await run(['alter table _migrations drop column sql, drop column number'])
    const sql = 'create table notes (text text)'
    const migrated = await owner.call(`POST /apps/${app.id}/migrations`, {
      migrations: [{ name: '0002-notes', sql }],
    })
    assert.deepEqual([migrated.status, migrated.body.applied], [200, ['0002-notes']], migrated.text)
  })

  test('keeps rows, and a batch is one transaction', async () => {
    const { run, owner, app } = await withTable()
    const insert = 'insert into entries (text) values ($1) returning id'
    const [made] = await run([insert, ['one']])
    assert.deepEqual(made, {
      columns: ['id'],
      rows: [{ id: '1' }],
      row_count: 1,
      truncated: false,
    })
    const refused = await run([insert, ['two']], [insert, ['one']])
    assert.equal(refused.name, 'DatabaseError')
    assert.match(refused.message, /duplicate key/)
    const read = await owner.call(`POST /apps/${app.id}/query`, {
      sql: 'select text, now() as at, 1.5::float8 as number, true as yes, $1::text as given from entries',
      parameters: ['x'],
    })
    assert.equal(read.status, 200, read.text)
    const [row] = read.body.rows
    assert.deepEqual(
      { ...row, at: '' },
      { text: 'one', at: '', number: 1.5, yes: true, given: 'x' },
    )
    assert.match(row.at, /^\d{4}-.*Z$/)
  })

  test('a query cannot write, not even by leaving its transaction', async () => {
    const { owner, app } = await withTable()
    for (const sql of [
      "insert into entries (text) values ('x')",
      'drop table entries',
      "commit; insert into entries (text) values ('x')",
      'select 1; select 2',
      'selec 1',
      'select * from missing',
    ]) {
      const answer = await owner.call(`POST /apps/${app.id}/query`, { sql })
      assert.deepEqual([answer.status, slugOf(answer)], [422, 'query_failed'], sql)
    }
    const wrong = await owner.call(`POST /apps/${app.id}/query`, { sql: 'select\n  nothing' })
    assert.match(wrong.body.detail, /column "nothing" does not exist.*line 2, column 3/)
    const count = await owner.call(`POST /apps/${app.id}/query`, { sql: 'select * from entries' })
    assert.deepEqual(count.body.rows, [])
  })

  test('a migration runs once, whole or not at all', async () => {
    const { owner, app } = await withTable()
    const migrate = (name: string, sql: string) =>
      owner.call(`POST /apps/${app.id}/migrations`, { migrations: [{ name, sql }] })
    const half = await migrate('0002', 'create table half (a int); select 1 / 0')
    assert.deepEqual([half.status, slugOf(half)], [422, 'migration_failed'], half.text)
    assert.match(half.body.detail, /division by zero/)
    const gone = await owner.call(`POST /apps/${app.id}/query`, { sql: 'select * from half' })
    assert.equal(gone.status, 422)
    assert.deepEqual((await migrate('0002', 'create table half (a int)')).body.applied, ['0002'])
    assert.deepEqual((await migrate('0002', 'create table half (a int)')).body.skipped, ['0002'])
    const changed = await migrate('0002', 'drop table half')
    assert.deepEqual([changed.status, slugOf(changed)], [422, 'migration_failed'])
    const both = await Promise.all([1, 2].map(() => migrate('0003', 'create table c (a int)')))
    assert.deepEqual(
      both.map(({ status }) => status),
      [200, 200],
    )
    assert.deepEqual(
      both.flatMap(({ body }) => body.applied),
      ['0003'],
    )
  })

  test('a migration may satisfy a deferred constraint at its end', async () => {
    const { owner, app } = await withTable()
    const sql = `create table child (entry_id bigint references entries deferrable initially deferred);
      insert into child values (7); insert into entries values (7, 'parent')`
    const migrate = (name: string, sql: string) =>
      owner.call(`POST /apps/${app.id}/migrations`, { migrations: [{ name, sql }] })
    const made = await migrate('child', sql)
    assert.equal(made.status, 200, made.text)
    const broken = await migrate('orphan', 'insert into child values (8)')
    assert.match(broken.body.detail, /violates foreign key constraint/)
  })

  test('reaches no other app, nothing of Homeport, no file and no program', async () => {
    const one = await withTable()
    const { run } = await withTable()
    const schema = `app_${one.app.id.replaceAll('-', '')}`
    for (const sql of [
      `select * from ${schema}.entries`,
      `create table ${schema}.mine (a int)`,
      'set role homeport',
      `set role ${schema}`,
      'select * from public.projects',
      'select * from pg_authid',
      "copy (select 1) to program 'id'",
      "select pg_read_file('/etc/passwd')",
      'create extension dblink',
      'create role other',
      'create schema other',
      'select pg_advisory_lock(1)',
      `drop schema ${schema}`,
      'create temporary table t (a int)',
      'alter role current_user superuser',
      "select lo_import('/etc/passwd')",
    ]) {
      const answer = await run([sql])
      assert.equal(answer.name, 'DatabaseError', `${sql}: ${JSON.stringify(answer)}`)
    }
    const [databases] = await run(['select current_database() as name'])
    assert.match(databases.rows[0].name, /_apps$/)
  })

  test('sees nothing of what other apps wrote in the catalogs', async () => {
    const { owner, app } = await withTable()
    const sql = `create function hidden() returns text language sql as $$ select 'hidden' $$;
      create view hidden_view as select 'hidden' as text;
      create type hidden_type as enum ('hidden'); create domain hidden_domain as text default 'hidden';
      create table hidden_table (text text default 'hidden' check (text <> 'hidden'));
      comment on table hidden_table is 'hidden';
      create policy hidden_policy on hidden_table using (text = 'hidden');
      alter role current_user set application_name = 'hidden'`
    const made = await owner.call(`POST /apps/${app.id}/migrations`, {
      migrations: [{ name: 'hidden', sql }],
    })
    assert.equal(made.status, 200, made.text)
    const { run } = await withTable()
    for (const sql of [
      'select prosrc from pg_proc',
      'select * from pg_proc',
      'select enumlabel from pg_enum',
      'select typdefault from pg_type',
      'select domain_default from information_schema.domains',
      'select attmissingval from pg_attribute',
      'select relpartbound from pg_class',
      'select partexprs from pg_partitioned_table',
      'select stxexprs from pg_statistic_ext',
      'select pg_get_functiondef(oid) from pg_proc',
      'select definition from pg_views',
      'select pg_get_viewdef(ev_class) from pg_rewrite',
      'select pg_get_expr(adbin, adrelid) from pg_attrdef',
      'select pg_get_constraintdef(oid) from pg_constraint',
      'select description from pg_description',
      'select qual from pg_policies',
      'select rolconfig from pg_roles',
      'select useconfig from pg_user',
      'select setconfig from pg_db_role_setting',
      "select obj_description(oid, 'pg_class') from pg_class",
    ])
      assert.match((await run([sql])).message, /permission denied/, sql)
    const tables =
      'select table_name as name from information_schema.tables where table_schema = current_schema'
    const columns =
      "select column_name as name from information_schema.columns where table_name = 'entries'"
    assert.deepEqual(
      (await run([tables], [columns])).map(({ rows }: any) =>
        rows.map(({ name }: any) => name).toSorted(),
      ),
      [
        ['_migrations', 'entries'],
        ['id', 'text'],
      ],
    )
  })

  test('a migration may look for a constraint in the whole of its catalog', async () => {
    const { owner, app } = await withTable()
    const sql = `do $$ begin
        if not exists (select * from pg_constraint where conname = 'filled') then
          alter table entries add constraint filled check (text <> '');
        end if;
      end $$;
      create table found as select * from pg_constraint`
    const made = await owner.call(`POST /apps/${app.id}/migrations`, {
      migrations: [{ name: 'constraint', sql }],
    })
    assert.equal(made.status, 200, made.text)
    const found = 'select conname from found where conbin is not null'
    const read = await owner.call(`POST /apps/${app.id}/query`, { sql: found })
    assert.deepEqual(read.body.rows, [], read.text)
    const refused = await owner.call(`POST /apps/${app.id}/query`, {
      sql: 'select * from pg_constraint',
    })
    assert.match(refused.body.detail, /select other columns by name/)
  })

  test('its size has what it writes in comments', async () => {
    const { owner, app } = await withTable()
    const sql = `do $$ begin execute format('comment on table entries is %L',
      (select string_agg(md5(n::text), '') from generate_series(1, 10000) as n)); end $$`
    const made = await owner.call(`POST /apps/${app.id}/migrations`, {
      migrations: [{ name: 'comment', sql }],
    })
    assert.ok(made.body.database_bytes > 200_000, made.text)
  })

  test('replies when to try again if too many statements wait, and keeps a migration that ran', async () => {
    const { owner, app } = await withTable()
    const { database_bytes } = (await owner.call(`GET /apps/${app.id}`)).body
    const lock = await lockTable(runtime, app.id, 'entries')
    const sql = 'alter table entries add more text'
    const migrating = owner.call(`POST /apps/${app.id}/migrations`, {
      migrations: [{ name: 'more', sql }],
    })
    await eventually(lock.isAwaited)
    const stop = takeAllTurns(runtime, owner.project_id)
    try {
      await lock.release()
      const migrated = await migrating
      assert.deepEqual(
        [migrated.status, migrated.body.database_bytes],
        [200, database_bytes],
        migrated.text,
      )
      const refused = await owner.call(`POST /apps/${app.id}/query`, { sql: 'select 1' })
      assert.deepEqual([refused.status, slugOf(refused)], [429, 'rate_limited'], refused.text)
      assert.equal(refused.headers.get('retry-after'), '1')
    } finally {
      stop()
    }
  })

  test('limits the memory of a statement', async () => {
    const { run } = await withTable()
    await eventually(async () =>
      /out of memory/.test((await run(["select length(repeat('x', 400000000))"])).message),
    )
    const [after] = await run(['select 1 as n'])
    assert.deepEqual(after.rows, [{ n: 1 }])
  })

  test('queries at the same time wait for each other', async () => {
    const { owner, app } = await withTable()
    const sql = 'select count(*)::int as n from generate_series(1, 200000)'
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => owner.call(`POST /apps/${app.id}/query`, { sql })),
    )
    for (const answer of answers) assert.deepEqual(answer.body.rows, [{ n: 200_000 }], answer.text)
  })

  test('refuses a migration that makes it larger than the plan allows', async () => {
    const owner = await newSiteOwner(runtime, { plan: 'free' })
    const { app } = await newApp(runtime, sqlApp, { owner })
    const migrate = (name: string, sql: string) =>
      owner.call(`POST /apps/${app.id}/migrations`, { migrations: [{ name, sql }] })
    const fill = (rows: number) => `create table filled (text text);
      alter table filled alter text set storage external;
      insert into filled select repeat('x', 100000) from generate_series(1, ${rows})`
    const large = await migrate('fill', fill(200))
    assert.deepEqual([large.status, slugOf(large)], [422, 'migration_failed'], large.text)
    assert.match(large.body.detail, /would have [\d.]+ MB; this plan allows 10 MB/)
    const late = `create function fill() returns trigger language plpgsql as
        $$ begin insert into filled select repeat('x', 100000) from generate_series(1, 200); return null; end $$;
      create constraint trigger late after insert on once deferrable initially deferred
        for each row execute function fill();
      insert into once values (1)`
    const deferred = await migrate('late', `create table once (a int); ${fill(0)}; ${late}`)
    assert.match(deferred.body.detail, /would have [\d.]+ MB; this plan allows 10 MB/)
    const comment = await migrate(
      'comment',
      `create table noted (a int); do $$ begin execute format('comment on table noted is %L',
        (select string_agg(md5(n::text), '') from generate_series(1, 400000) as n)); end $$`,
    )
    assert.match(comment.body.detail, /would have [\d.]+ MB; this plan allows 10 MB/)
    const small = await migrate('fill', fill(2))
    assert.deepEqual(small.body.applied, ['fill'], small.text)
  })

  test('limits rows and bytes of a result', async () => {
    const { run } = await withTable()
    const [many] = await run(['select generate_series(1, 5000) as n'])
    assert.deepEqual([many.rows.length, many.truncated], [1000, true])
    const large = await run(["select repeat('x', 9000000) as text"])
    assert.match(large.message, /over 4 MB/)
    const [after] = await run(['select 1 as n'])
    assert.deepEqual(after.rows, [{ n: 1 }])
  })

  test('a batch cannot end its transaction, and a wide result is refused', async () => {
    const { run } = await withTable()
    const insert = "insert into entries (text) values ('x')"
    for (const end of [
      'commit',
      '/* a /* b */ */ commit and chain',
      '-- x\nROLLBACK and chain',
      'end',
    ])
      assert.match((await run([insert], [end], ['select 1'])).message, /must not end/, end)
    await run(['savepoint one'], [insert], ['rollback to one'])
    const columns = Array.from({ length: 500 }, (_, n) => `${n} as c${n}`).join(', ')
    const wide = await run([`select ${columns} from generate_series(1, 600)`])
    assert.match(wide.message, /too many values/)
  })

  test('listens to nothing after its transaction', async () => {
    const { run } = await withTable()
    await run(['listen other'])
    assert.deepEqual((await run(['select * from pg_listening_channels()']))[0].rows, [])
  })

  longTest('ends a statement that takes too long, whatever it sets', async () => {
    const { run, app } = await withTable()
    const stubborn = `do $$ begin loop begin perform pg_sleep(60);
      exception when query_canceled then null; end; end loop; end $$`
    assert.equal(
      (await run(["select set_config('statement_timeout', '0', true)"], [stubborn])).name,
      'DatabaseError',
    )
    await eventually(async () => (await findBackendsOf(runtime, app.id)) === 0)
  })
})

suite('env.DATA', () => {
  const dataApp = `export default {
    async fetch(request, env) {
      const { method, args } = await request.json()
      try {
        return Response.json(await env.DATA[method](...args))
      } catch (error) {
        return Response.json({ name: error.name, message: error.message }, { status: 422 })
      }
    },
  }`

  test('works on the collections of the app, and on no others', async () => {
    const { owner, ask } = await newApp(runtime, dataApp, { collections: ['bookings'] })
    for (const name of ['bookings', 'private']) {
      const made = await owner.call('POST /collections', { name })
      assert.equal(made.status, 201, made.text)
    }
    const call = async (method: string, ...args: unknown[]) =>
      JSON.parse((await ask('POST /api/', { body: JSON.stringify({ method, args }) })).text)
    const made = await call('insert', 'bookings', { guests: 4 })
    assert.deepEqual(made.data, { guests: 4 }, JSON.stringify(made))
    const found = await call('list', 'bookings', { filter: 'guests > 3' })
    assert.deepEqual(
      found.data.map((one: any) => one.id),
      [made.id],
      JSON.stringify(found),
    )
    assert.deepEqual((await call('update', 'bookings', made.id, { guests: 5 })).data, { guests: 5 })
    assert.deepEqual((await call('get', 'bookings', made.id)).data, { guests: 5 })
    assert.equal(await call('delete', 'bookings', made.id), null)
    assert.equal((await call('get', 'bookings', made.id)).name, 'not_found')
    assert.equal((await call('insert', 'private', {})).name, 'Forbidden')
    assert.equal((await call('constructor')).name, 'TypeError')
    assert.equal((await owner.call('GET /collections/private/documents')).body.data.length, 0)
  })
})

suite('env.EMAIL, env.MEDIA and env.CHAT', () => {
  const serviceApp = `export default {
    async fetch(request, env) {
      const { service, method, args } = await request.json()
      try {
        return Response.json(await env[service][method](...args))
      } catch (error) {
        return Response.json({ name: error.name, message: error.message }, { status: 422 })
      }
    },
  }`

  async function withServices(services: string[]) {
    const { project_id, owner: person } = await newTeam(runtime)
    const owner = await newSiteOwner(runtime, { project_id })
    const made = await newApp(runtime, serviceApp, { owner, services })
    assert.deepEqual(made.app.services, services)
    return {
      ...made,
      person,
      async use(service: string, method: string, ...args: unknown[]): Promise<any> {
        const body = JSON.stringify({ service, method, args })
        return JSON.parse((await made.ask('POST /api/', { body })).text)
      },
    }
  }

  test('send email as the app to people whom the project knows', async () => {
    const { owner, app, person, use } = await withServices(['email'])
    const { project_id } = owner
    const mail = { from: 'Bakery <orders@bakery.example>', subject: 'Your table', text: 'See you.' }
    const off = await use('EMAIL', 'send', { ...mail, to: ['anna@example.com'] })
    assert.equal(off.name, 'mail_not_enabled', JSON.stringify(off))
    const module = { body: { enabled: true } }
    await person.call(`PUT /projects/${project_id}/email/module`, module)
    await owner.call('POST /sending-domains', { domain: 'bakery.example' })
    const stranger = await use('EMAIL', 'send', { ...mail, to: ['anna@example.com'] })
    assert.equal(stranger.name, 'recipient_not_allowed', JSON.stringify(stranger))
    const sent = await use('EMAIL', 'send', { ...mail, to: [person.email] })
    assert.equal(sent.app_id, app.id, JSON.stringify(sent))
    const { data } = (await owner.call(`GET /emails?app_id=${app.id}`)).body
    assert.deepEqual(
      data.map((one: any) => one.id),
      [sent.id],
    )
    const events = await eventually(async () => {
      const rows = await runtime.runtime.db
        .selectFrom('events')
        .select(['type', 'app_id'])
        .where('project_id', '=', project_id)
        .where('type', 'like', 'email.%')
        .orderBy('type')
        .execute()
      return rows.length === 2 && rows
    })
    assert.deepEqual(events, [
      { type: 'email.delivered', app_id: app.id },
      { type: 'email.sent', app_id: app.id },
    ])
    assert.equal((await use('MEDIA', 'list')).name, 'Forbidden')
  })

  test('keep files in the library, also by upload links up to max_bytes', async () => {
    const { owner, use } = await withServices(['media'])
    const file = { filename: 'menu.txt', content_type: 'text/plain' }
    const made = await use('MEDIA', 'put', { ...file, content: 'Soup' })
    assert.deepEqual([made.filename, made.bytes, made.kind], ['menu.txt', 4, 'document'])
    const { data } = await use('MEDIA', 'list')
    assert.deepEqual(
      data.map((one: any) => one.id),
      [made.id],
    )
    const { url } = await use('MEDIA', 'link', made.id)
    assert.equal(await (await fetch(url)).text(), 'Soup')
    const bytes = Buffer.from('A photo')
    const announced = { ...file, bytes: bytes.length, sha256: sha256(bytes).toString('hex') }
    const large = await use('MEDIA', 'uploadLink', { ...announced, max_bytes: 6 })
    assert.equal(large.name, 'file_too_large')
    const link = await use('MEDIA', 'uploadLink', { ...announced, max_bytes: 7 })
    const { headers } = link
    const longer = await fetch(link.url, { method: 'PUT', headers, body: 'A longer photo' })
    assert.ok(longer.status >= 400)
    const arrived = await fetch(link.url, { method: 'PUT', headers, body: bytes })
    assert.equal(arrived.status, 200)
    assert.equal((await use('MEDIA', 'complete', link.upload_id)).bytes, 7)
    assert.equal(await use('MEDIA', 'delete', made.id), null)
    assert.equal((await owner.call(`GET /media/${made.id}`)).status, 404)
  })

  test('ask the assistant, and go on with the conversation', async () => {
    const { owner, use } = await withServices(['chat'])
    const facts = [{ question: 'Can I park?', answer: 'Yes, behind the shop.' }]
    await owner.call('PUT /assistant', { name: 'Sam', languages: ['en'], facts })
    const first = await use('CHAT', 'ask', 'Can I park?')
    assert.match(first.reply, /behind the shop/, JSON.stringify(first))
    const { conversation_id } = first
    const second = await use('CHAT', 'ask', 'Thanks', { conversation_id })
    assert.equal(second.conversation_id, conversation_id, JSON.stringify(second))
    assert.equal((await owner.call(`GET /conversations/${conversation_id}`)).status, 200)
  })

  test('are granted by a key with their scopes and without limits', async () => {
    const { owner, app } = await newApp(runtime, serviceApp)
    const refused = async (key: string) => {
      const answer = await owner.call(`PUT /apps/${app.id}`, { services: ['email'] }, { key })
      assert.deepEqual([answer.status, slugOf(answer)], [422, 'validation_failed'], answer.text)
      assert.equal(answer.body.errors[0].path, '/services/0')
    }
    const { project_id } = owner
    await refused(await runtime.newKey({ project_id, scopes: ['sites:write'] }))
    const access = {
      sites: [app.site_id],
      apps: [],
      collections: [],
      limited_by: 'api_key' as const,
    }
    await refused(await runtime.newKey({ project_id, access }))
  })
})
