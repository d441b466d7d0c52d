/** Tests of public tokens: storage, authentication and listing. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { Problem } from '../../contract/errors.ts'
import { sha256 } from '../../kernel/secrets/crypto.ts'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import * as publicTokens from './service.ts'

const { runtime, project_id, newProject, clock } = await openTestRuntime({ work: false })
const site = { name: 'Site', allowed_origins: ['https://a.example', 'https://b.example'] }

async function refusal(text: string | undefined): Promise<[number, string]> {
  try {
    await publicTokens.authenticateToken(runtime, text)
  } catch (error) {
    if (error instanceof Problem) return [error.status, error.slug]
    throw error
  }
  throw new Error('It was recognised.')
}

test('consist of hm_pub_ and 32 letters and digits, and only their hash and first characters are stored', async () => {
  const { token, start } = await publicTokens.create(runtime, { project_id, ...site })
  assert.match(token, /^hm_pub_[0-9A-Za-z]{32}$/)
  assert.equal(start, token.slice(0, 12))
  const rows = await runtime.db.selectFrom('public_tokens').selectAll().execute()
  assert.deepEqual(rows[0]?.hash, sha256(token))
  assert.ok(!inspect(rows).includes(token.slice(12)))
})

test('the service of public tokens authenticates a token with its project and origins', async () => {
  const { token, id } = await publicTokens.create(runtime, { project_id, ...site })
  const holder = await publicTokens.authenticateToken(runtime, token)
  assert.deepEqual(
    [holder.token_id, holder.project.id, holder.allowed_origins],
    [id, project_id, site.allowed_origins],
  )
})

test('the service of public tokens updates last_used_at once a day', async () => {
  const { token, id } = await publicTokens.create(runtime, { project_id, ...site })
  const lastUse = async () =>
    (await publicTokens.list(runtime, project_id)).find((one) => one.id === id)?.last_used_at
  assert.equal(await lastUse(), null)
  await publicTokens.authenticateToken(runtime, token)
  const first = await lastUse()
  clock.advance(3600)
  await publicTokens.authenticateToken(runtime, token)
  assert.equal(await lastUse(), first)
  clock.advance(86_400)
  await publicTokens.authenticateToken(runtime, token)
  assert.notEqual(await lastUse(), first)
})

test('the service of public tokens distinguishes a revoked token from an unknown one, and keeps the first revocation time', async () => {
  const { token, id } = await publicTokens.create(runtime, { project_id, ...site })
  const revoked = await publicTokens.revoke(runtime, id)
  clock.advance(60)
  assert.equal((await publicTokens.revoke(runtime, id))?.revoked_at, revoked?.revoked_at)
  assert.deepEqual(await refusal(token), [401, 'chat_token_revoked'])
  const other = token.slice(0, -1) + (token.endsWith('x') ? 'y' : 'x')
  assert.deepEqual(await refusal(other), [401, 'invalid_chat_token'])
  assert.deepEqual(await refusal(undefined), [401, 'invalid_chat_token'])
  assert.deepEqual(await refusal(''), [401, 'invalid_chat_token'])
})

test('the service of public tokens refuses tokens of deleted projects and of projects that are not enabled', async () => {
  const other = await newProject()
  const { token } = await publicTokens.create(runtime, { ...site, project_id: other.project_id })
  const change = (changes: { enabled?: boolean; deleted_at?: Date }) =>
    runtime.db.transact((tx) =>
      tx.updateTable('projects').set(changes).where('id', '=', other.project_id).execute(),
    )
  await change({ enabled: false })
  assert.deepEqual(await refusal(token), [403, 'project_not_enabled'])
  await change({ enabled: true, deleted_at: clock.now() })
  assert.deepEqual(await refusal(token), [401, 'invalid_chat_token'])
})

test('the service of public tokens lists the tokens of one project, newest first', async () => {
  const other = await newProject()
  const make = () => publicTokens.create(runtime, { ...site, project_id: other.project_id })
  const [first, second] = [await make(), await make()]
  const ids = (await publicTokens.list(runtime, other.project_id)).map(({ id }) => id)
  assert.deepEqual(ids, [second.id, first.id])
})

test('the service of public tokens allows an origin while any active token has it', async () => {
  const { id } = await publicTokens.create(runtime, {
    project_id,
    name: 'Only',
    allowed_origins: ['https://only.example'],
  })
  assert.equal(await publicTokens.isOriginAllowed(runtime, 'https://only.example'), true)
  assert.equal(await publicTokens.isOriginAllowed(runtime, 'https://onl_.example'), false)
  await publicTokens.revoke(runtime, id)
  assert.equal(await publicTokens.isOriginAllowed(runtime, 'https://only.example'), false)
})
