/** Tests of the commands for public tokens: validation, output and use of the token. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import { databaseUrl, runInProcess, temporaryFolder } from '../../../test/fixtures/command-line.ts'

const NOBODY = '019ab3f0-5e1c-7a42-9d30-6f1e2c3b4a59'
const runtime = await openTestRuntime({ work: false })
const settings = {
  HOMEPORT_DATA_DIR: temporaryFolder(),
  DATABASE_URL: databaseUrl(runtime.connection),
}

async function answer(...argv: string[]) {
  const { code, json, said } = await runInProcess([...argv, '--json'], settings)
  assert.deepEqual([code, said], [0, ''])
  return json
}

async function refusal(...argv: string[]): Promise<string> {
  const { code, said } = await runInProcess(argv, settings)
  assert.equal(code, 1)
  return said
}

/**
 * Requests a missing collection with the token from a page of the origin and returns the status.
 */
async function statusWith(token: string, origin: string): Promise<number> {
  const { status } = await runtime.call('GET /public/collections/none/form', {
    key: token,
    headers: { origin },
  })
  return status
}

describe('tokens create', () => {
  it('creates a token for the only project, which works on its origins at once', async () => {
    const origins = 'HTTPS://www.Example.nl:443/, http://localhost:3000,https://www.example.nl'
    const made = await answer('tokens', 'create', '--origin', origins, '--name', 'Site')
    const { id: _, token, ...rest } = made
    assert.match(token, /^hm_pub_[0-9A-Za-z]{32}$/)
    assert.deepEqual(rest, {
      project_id: runtime.project_id,
      name: 'Site',
      allowed_origins: ['https://www.example.nl', 'http://localhost:3000'],
    })
    assert.equal(await statusWith(token, 'https://www.example.nl'), 404)
    assert.equal(await statusWith(token, 'https://other.example'), 403)
  })

  it('tells people that the token is shown only once', async () => {
    const { stdout } = await runInProcess(
      ['tokens', 'create', '--origin', 'https://a.example'],
      settings,
    )
    assert.match(stdout, /token +hm_pub_/)
    assert.match(stdout, /name +Public token/)
    assert.match(stdout, /token is shown only once/)
  })

  for (const origin of ['https://a.example/shop', '*', 'http://a.example', 'null', 'a.example']) {
    it(`refuses ${origin}`, async () => {
      assert.match(
        await refusal('tokens', 'create', '--origin', origin),
        /--origin must be the origin of a site, such as https:\/\/www\.example\.nl/,
      )
    })
  }

  it('refuses too many origins, and none', async () => {
    const many = Array.from({ length: 21 }, (_, at) => `https://a${at}.example`).join(',')
    assert.match(await refusal('tokens', 'create', '--origin', many), /at most 20 origins/)
    assert.match(await refusal('tokens', 'create', '--origin', ','), /at least one/)
    assert.match(await refusal('tokens', 'create'), /needs --origin/)
  })

  it('refuses an unknown project', async () => {
    const argv = ['tokens', 'create', '--origin', 'https://a.example', '--project', NOBODY]
    assert.match(await refusal(...argv), /There is no project/)
  })
})

describe('tokens list and revoke', () => {
  it('lists tokens newest first, without their text', async () => {
    const { id, token } = await answer('tokens', 'create', '--origin', 'https://b.example')
    const rows = await answer('tokens', 'list')
    assert.equal(rows[0].id, id)
    assert.equal(rows[0].start, token.slice(0, 12))
    assert.equal(rows[0].last_used_at, null)
    assert.ok(!JSON.stringify(rows).includes(token))
    const { stdout } = await runInProcess(['tokens', 'list'], settings)
    assert.match(stdout, /^ID +NAME +TOKEN +ORIGINS +CREATED +LAST USED +REVOKED\n/)
  })

  it('revokes a token from the next request on', async () => {
    const { id, token } = await answer('tokens', 'create', '--origin', 'https://c.example')
    assert.equal(await statusWith(token, 'https://c.example'), 404)
    const revoked = await answer('tokens', 'revoke', '--id', id)
    assert.deepEqual([revoked.id, typeof revoked.revoked_at], [id, 'string'])
    assert.equal(await statusWith(token, 'https://c.example'), 401)
  })

  it('refuses to revoke an unknown token', async () => {
    assert.match(await refusal('tokens', 'revoke', '--id', NOBODY), /There is no public token/)
  })

  it('requires --project if there are several', async () => {
    await runtime.newProject()
    assert.match(await refusal('tokens', 'list'), /"tokens list" needs --project ID/)
    const rows = await answer('tokens', 'list', '--project', runtime.project_id)
    assert.ok(rows.length > 0)
    const { project_id } = await runtime.newProject()
    const { stdout } = await runInProcess(['tokens', 'list', '--project', project_id], settings)
    assert.match(stdout, /no public token yet/)
  })
})
