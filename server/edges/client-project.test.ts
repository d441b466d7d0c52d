/**
 * Tests that requests for a client project of an agency are refused at every entry point, without
 * an effect.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { callMessage, post } from '../../test/fixtures/mcp/mcp.ts'
import { newTeam } from '../../test/fixtures/portal/sessions.ts'
import { openTestRuntime } from '../../test/fixtures/runtime.ts'
import { openSite } from '../../test/fixtures/sites/site.ts'

const fixture = await openTestRuntime({ work: false })
const { project_id } = await fixture.newProject()
const headers = { 'service-project': project_id }

interface Refusal {
  status: number
  body: any
}

/** Asserts the Problem, and that its next step fits the entry point. */
function isRefused({ status, body }: Refusal, next_step: RegExp): void {
  assert.equal(status, 403, JSON.stringify(body))
  assert.match(body.type, /\/errors\/forbidden$/)
  assert.match(body.detail, /Service-Project/)
  assert.match(body.user_message, /client/)
  assert.match(body.next_step, next_step)
}

async function collectionNames(key = fixture.key): Promise<string[]> {
  const { body } = await fixture.call('GET /collections', { key })
  return body.data.map(({ name }: { name: string }) => name)
}

describe('a request with the header Service-Project', () => {
  test('gets 403 forbidden over REST and has no effect', async () => {
    const body = { name: 'strays' }
    isRefused(await fixture.call('POST /collections', { body, headers }), /a key of that project/)
    isRefused(await fixture.call('GET /project', { headers }), /a key of that project/)
    assert.ok(!(await collectionNames()).includes('strays'))
  })

  test('gets 403 forbidden with any value, also the own project and an empty text', async () => {
    for (const value of [fixture.project_id, '', 'x', 'a, b']) {
      const answer = await fixture.call('GET /project', { headers: { 'Service-Project': value } })
      isRefused(answer, /Leave out Service-Project/)
    }
  })

  test('gets 403 forbidden for a path without an operation', async () => {
    isRefused(await fixture.call('GET /agencies', { headers }), /Leave out/)
  })

  test('gets 401 if its key is wrong, and 403 forbidden before the check of the scope', async () => {
    assert.equal((await fixture.call('GET /project', { key: 'x', headers })).status, 401)
    const key = await fixture.newKey({ scopes: ['project:read'] })
    isRefused(await fixture.call('GET /collections', { key, headers }), /Leave out/)
  })

  test('counts towards the rate limit', async () => {
    const key = await fixture.newKey()
    const remaining = async (sent = {}) => {
      const answer = await fixture.call('GET /project', { key, headers: sent })
      return Number(/r=(\d+)/.exec(answer.headers.get('ratelimit') ?? '')?.[1])
    }
    const before = await remaining()
    assert.equal(await remaining(headers), before - 1)
  })

  test('gets 403 forbidden over MCP and has no effect', async () => {
    const made = callMessage('create_collection', { name: 'strays' })
    isRefused(await post(fixture, made, { headers }), /settings of this connection/)
    assert.ok(!(await collectionNames()).includes('strays'))
  })

  test('gets 403 forbidden from the API of the portal and has no effect', async () => {
    const team = await newTeam(fixture)
    const root = `/projects/${team.project_id}`
    const body = { name: 'strays' }
    const made = await team.owner.call(`POST ${root}/collections`, { body, headers })
    isRefused(made, /the path of the request names the project/)
    isRefused(await team.owner.call('GET /projects', { headers }), /Leave out/)
    const key = await fixture.newKey({ project_id: team.project_id })
    assert.deepEqual(await collectionNames(key), [])
  })

  test('gets 403 forbidden with a public token and has no effect', async () => {
    const site = await openSite(fixture)
    const body = { name: 'forms', public_write: true, public_read: true }
    const made = await fixture.call('POST /collections', { body })
    assert.equal(made.status, 201, made.text)
    const route = 'POST /public/collections/forms/documents'
    const json = await site.send(route, { body: { a: 1 }, headers })
    isRefused(json, /Leave out/)
    const fields = [['a', '1'] as const, ['token', site.token] as const]
    isRefused(await site.send(route, { fields, token: null, headers }), /Leave out/)
    const stored = await fixture.call('GET /collections/forms/documents')
    assert.deepEqual(stored.body.data, [])
  })
})
