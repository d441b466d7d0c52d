/** Tests of the commands for invitations to create an account. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newVisitor } from '../../../test/fixtures/portal/portal.ts'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import { databaseUrl, runInProcess } from '../../../test/fixtures/command-line.ts'

const HOMEPORT_SIGNUP = 'invite'
const database = await openTestRuntime({ work: false, settings: { HOMEPORT_SIGNUP } })
const settings = {
  DATABASE_URL: databaseUrl(database.connection),
  HOMEPORT_SECRET: 'a master key for tests that is long enough',
  HOMEPORT_PUBLIC_URL: database.url,
  HOMEPORT_SIGNUP,
}
const run = (...argv: string[]) => runInProcess([...argv, '--json'], settings)

test('`sign-ups invite` prints a link that creates an account, until it is withdrawn', async () => {
  const first = await run('sign-ups', 'invite', '--email', 'Guest@bakery.example')
  assert.equal(first.json.email, 'guest@bakery.example')
  const path = first.json.url.slice(database.url.length)
  const page = await newVisitor(database).post(path, { terms: 'accepted' })
  assert.equal(page.to, '/portal/sign-up/method')
  const again = await run('sign-ups', 'invite', '--email', 'guest@bakery.example')
  assert.equal(again.code, 1)
  assert.match(again.said, /has an account already/)
  const any = await run('sign-ups', 'invite')
  assert.deepEqual([any.json.email, any.json.mailed], [null, false])
  const { json } = await run('sign-ups', 'list')
  assert.deepEqual(
    json.map(({ id }: { id: string }) => id),
    [any.json.id],
  )
  await run('sign-ups', 'withdraw', '--invitation', any.json.id)
  const link = any.json.url.slice(database.url.length)
  assert.equal((await newVisitor(database).get(link)).status, 404)
  assert.equal((await run('sign-ups', 'withdraw', '--invitation', any.json.id)).code, 1)
})

test('`sign-ups invite` explains that sign-up is closed', async () => {
  const closed = { ...settings, HOMEPORT_SIGNUP: 'closed' }
  const { code, said } = await runInProcess(['sign-ups', 'invite'], closed)
  assert.equal(code, 1)
  assert.match(said, /HOMEPORT_SIGNUP/)
})
