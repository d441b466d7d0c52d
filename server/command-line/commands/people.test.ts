/** Tests of the commands for people, and of sign-in with their output. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import { movableClock } from '../../kernel/clock.ts'
import { addPasskey } from '../../../test/fixtures/portal/passkeys.ts'
import { newSession } from '../../../test/fixtures/portal/sessions.ts'
import { newVisitor, signIn, turnOnTotp } from '../../../test/fixtures/portal/portal.ts'
import { databaseUrl, runInProcess } from '../../../test/fixtures/command-line.ts'

const database = await openTestRuntime({ clock: movableClock(), work: false })
const settings = {
  DATABASE_URL: databaseUrl(database.connection),
  HOMEPORT_SECRET: 'a master key for tests that is long enough',
  HOMEPORT_PUBLIC_URL: database.url,
  HOMEPORT_TEST_CLOCK: '1',
}
const run = (...argv: string[]) => runInProcess([...argv, '--json'], settings)

async function newProject(owner: string): Promise<string> {
  const made = await run(
    'projects',
    'create',
    '--name',
    'P',
    '--plan',
    'online',
    '--owner-email',
    owner,
  )
  return made.json.project_id
}

test('`people sign-in-link` prints a link that signs the owner of a project in, once', async () => {
  const project_id = await newProject('Owner@bakery.example')
  const { json } = await run('people', 'sign-in-link', '--email', 'owner@bakery.example')
  const path = json.sign_in_url.slice(database.url.length)
  const visitor = newVisitor(database)
  assert.equal((await visitor.get(path)).to, '/portal')
  assert.match((await visitor.get('/portal/api/v1/projects')).text, new RegExp(project_id))
  assert.equal((await newVisitor(database).get(path)).status, 404)
})

test("a project that is created later is added to its owner's account at once", async () => {
  await newProject('early@bakery.example')
  const visitor = await signIn(database, 'early@bakery.example')
  const later = await newProject('early@bakery.example')
  assert.equal((await visitor.get(`/portal/api/v1/projects/${later}`)).status, 200)
})

test('`people sign-in-link` refuses an address without a project', async () => {
  const { code, said } = await run('people', 'sign-in-link', '--email', 'nobody@bakery.example')
  assert.equal(code, 1)
  assert.match(said, /The address nobody@bakery\.example/)
})

test('`people invite` invites a person, who becomes a member after acceptance', async () => {
  const project_id = await newProject('boss@bakery.example')
  await signIn(database, 'boss@bakery.example')
  const options = ['--project', project_id, '--email', 'New@bakery.example']
  const made = await run('people', 'invite', ...options, '--role', 'member')
  assert.equal(made.json.email, 'new@bakery.example')
  const before = (await run('people', 'list', '--project', project_id)).json
  assert.deepEqual(before, [
    { email: 'boss@bakery.example', role: 'owner', access: null, state: 'member' },
    { email: 'new@bakery.example', role: 'member', access: null, state: 'invited' },
  ])
  const session = await newSession(database, 'new@bakery.example')
  assert.equal((await session.call(`POST /invitations/${made.json.id}/accept`)).status, 200)
  const [, row] = (await run('people', 'list', '--project', project_id)).json
  assert.deepEqual([row.email, row.state], ['new@bakery.example', 'member'])
})

test('`people reset-second-factor` removes a lost second factor, and ends every session', async () => {
  const email = 'lost@bakery.example'
  await newProject(email)
  const visitor = await signIn(database, email)
  await addPasskey(visitor, 'On the lost phone')
  const password = 'correct horse battery staple'
  await visitor.call('PUT /me/password', { password })
  await turnOnTotp(database, visitor)
  const thief = newVisitor(database)
  await thief.post('/portal/sign-in', { email })
  const half = await thief.post('/portal/sign-in/password', { password })
  assert.equal(half.to, '/portal/sign-in/second')
  const { json } = await run('people', 'reset-second-factor', '--email', 'Lost@bakery.example')
  assert.deepEqual(json, { email, authenticator_app: true, passkeys: 1, sessions: 1 })
  assert.equal((await visitor.get('/portal')).to, '/portal/sign-in')
  assert.equal((await thief.get('/portal/sign-in/second')).to, '/portal/sign-in')
  const { rows: codes } = await sql`select from recovery_codes`.execute(database.runtime.db)
  assert.equal(codes.length, 0)
  const back = newVisitor(database)
  await back.post('/portal/sign-in', { email })
  assert.equal((await back.post('/portal/sign-in/password', { password })).to, '/portal')
  const again = await run('people', 'reset-second-factor', '--email', email)
  assert.deepEqual(again.json, { email, authenticator_app: false, passkeys: 0, sessions: 1 })
  const { rows: told } = await sql<{ what: string }>`select payload ->> 'what' as what from jobs
    where kind = 'people.send_notice' and payload ->> 'email' = ${email}`.execute(
    database.runtime.db,
  )
  assert.equal(told.filter(({ what }) => what === 'second_factor_reset').length, 2)
})

test('`people reset-second-factor` refuses an address without an account', async () => {
  const { code, said } = await run('people', 'reset-second-factor', '--email', 'x@bakery.example')
  assert.equal(code, 1)
  assert.match(said, /There is no account with the address x@bakery\.example/)
})

test('`people invite` refuses existing members, a full plan and an unknown project', async () => {
  const project_id = await newProject('full@bakery.example')
  await signIn(database, 'full@bakery.example')
  const invite = (email: string, project = project_id) =>
    run('people', 'invite', '--project', project, '--email', email, '--role', 'viewer')
  assert.match((await invite('full@bakery.example')).said, /already in the team/)
  await invite('a@bakery.example')
  await invite('b@bakery.example')
  assert.match((await invite('c@bakery.example')).said, /The plan Online has 3 members/)
  assert.match(
    (await invite('c@bakery.example', '019ab3f0-5e1c-7a42-9d30-6f1e2c3b4a59')).said,
    /no project/,
  )
})
