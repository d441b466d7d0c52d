/**
 * Tests of the request log: what is logged and what is not, filters, limited callers, and
 * retention.
 */
import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { standingClock } from '../../../test/fixtures/bare-runtime.ts'
import { callMessage, post, valueOf } from '../../../test/fixtures/mcp/mcp.ts'
import { newTeam } from '../../../test/fixtures/portal/sessions.ts'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import { limits } from '../../contract/limits.ts'
import { newRequestId } from '../../kernel/values/ids.ts'
import { purgeRequests } from './jobs.ts'
import * as requests from './service.ts'

const fixture = await openTestRuntime({ work: false, clock: standingClock() })
const { runtime, call, newKey, newProject, passes, url } = fixture

// Moves the clock, because sign-ins are rate limited per network.
beforeEach(() => passes('20 minutes'))

/** Creates a project, and a function that reads its log without the requests of that reading. */
async function newPlace() {
  const { project_id } = await newProject()
  const key = await newKey({ project_id })
  return { project_id, key, read: () => readLog(project_id) }
}

async function readLog(project_id: string, query = ''): Promise<any[]> {
  const key = await newKey({ project_id })
  const { status, text, body } = await call(`GET /requests${query}`, { key })
  assert.equal(status, 200, text)
  return body.data.filter(({ operation }: any) => operation !== 'requests.list')
}

function entryOf(project_id: string): requests.RequestEntry {
  return {
    project_id,
    entry_point: 'rest',
    mode: 'test',
    method: 'GET',
    path: '/api/v1/project',
    message: null,
    tool: null,
    operation: 'project.get',
    status: 200,
    error: null,
    actor_kind: 'api_key',
    actor_id: crypto.randomUUID(),
    request_id: newRequestId(),
    duration_ms: 1,
    source: null,
  }
}

describe('the log of a request to the API', () => {
  test('has the operation, the key, the request id, the status and the source', async () => {
    const { key, read } = await newPlace()
    const answer = await call('GET /project', { key })
    const [entry, ...others] = await read()
    assert.equal(others.length, 0)
    const { id, created_at, duration_ms, actor, ...rest } = entry
    assert.ok(id && created_at && duration_ms >= 0)
    assert.deepEqual([actor.kind, actor.name], ['api_key', 'Key of a test'])
    assert.deepEqual(rest, {
      entry_point: 'rest',
      mode: 'test',
      method: 'GET',
      path: '/api/v1/project',
      message: null,
      tool: null,
      operation: 'project.get',
      status: 200,
      error: null,
      request_id: answer.headers.get('x-request-id'),
      source: '127.0.0.1',
    })
  })

  test('has the error of a request refused by its scope, body, id or route', async () => {
    const { project_id, key, read } = await newPlace()
    const narrow = await newKey({ project_id, scopes: ['project:read'] })
    await call('GET /calls', { key: narrow })
    await call('POST /collections', { key, body: {} })
    await call(`GET /calls/${crypto.randomUUID()}`, { key })
    await call('GET /nothing', { key })
    const found = (await read()).map(({ status, error, operation }) => [status, error, operation])
    assert.deepEqual(found.toReversed(), [
      [403, 'missing_scope', 'calls.list'],
      [422, 'validation_failed', 'collections.create'],
      [404, 'not_found', 'calls.get'],
      [404, 'not_found', null],
    ])
  })

  test('has the requests beyond the rate limit, with the error rate_limited', async () => {
    const { key, project_id } = await newPlace()
    const { requests_max } = limits
    await Promise.all(Array.from({ length: requests_max + 1 }, () => call('GET /project', { key })))
    const limited = await readLog(project_id, '?status=4xx')
    assert.deepEqual(
      limited.map(({ error }) => error),
      ['rate_limited'],
    )
  })

  test('omits requests without a valid key', async () => {
    const { key, read } = await newPlace()
    await call('GET /project', { key: null })
    await call('GET /project', { key: `${key}x` })
    await fetch(`${url}/api/v1/status`)
    assert.deepEqual(await read(), [])
  })

  test('contains no body, no key and no value of a query that may be personal', async () => {
    const { key, project_id } = await newPlace()
    const secret = 'anna@example.com'
    await call('POST /collections', { key, body: { name: 'guests' } })
    await call('POST /collections/guests/documents', { key, body: { email: secret } })
    await call(`GET /collections/guests/documents?email=${secret}&limit=5&order=${key}`, { key })
    await call(`GET /collections/${key}`, { key })
    await call(`GET /calls/${secret}?${key}=1`, { key })
    await requests.flushRequestLog(runtime)
    const rows = await runtime.db
      .selectFrom('request_log')
      .selectAll()
      .where('project_id', '=', project_id)
      .orderBy('id')
      .execute()
    assert.ok(!JSON.stringify(rows).includes(secret) && !JSON.stringify(rows).includes(key))
    assert.deepEqual(
      rows.slice(2).map(({ path }) => path),
      [
        '/api/v1/collections/guests/documents?email&limit=5&order',
        '/api/v1/collections/{…}',
        '/api/v1/calls/{…}?{…}',
      ],
    )
  })
})

describe('the log of MCP', () => {
  test('has the MCP method, the tool and the operation, and the status of a tool error', async () => {
    const { key, read } = await newPlace()
    const run = (operation: string, given: object) =>
      post(fixture, callMessage('run_read_operation', { operation, arguments: given }), { key })
    await run('calls.list', {})
    await run('calls.get', { id: crypto.randomUUID() })
    await post(fixture, { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }, { key })
    const found = (await read()).map(({ entry_point, message, tool, operation, status, error }) => [
      entry_point,
      message,
      tool,
      operation,
      status,
      error,
    ])
    assert.deepEqual(found.toReversed(), [
      ['mcp', 'tools/call', 'run_read_operation', 'calls.list', 200, null],
      ['mcp', 'tools/call', 'run_read_operation', 'calls.get', 404, 'not_found'],
      ['mcp', 'tools/list', null, null, 200, null],
    ])
  })

  test('is part of get_state, with the latest errors', async () => {
    const { key } = await newPlace()
    const refused = await call('POST /collections', { key, body: {} })
    // As every client of the SDK tries to listen.
    const listens = { authorization: `Bearer ${key}`, accept: 'text/event-stream' }
    assert.equal((await fetch(`${fixture.url}/mcp`, { headers: listens })).status, 405)
    const { body } = await post(fixture, callMessage('get_state'), { key })
    const [error, ...others] = valueOf(body.result).latest_errors
    assert.equal(others.length, 0)
    assert.deepEqual(
      [error.operation, error.status, error.error, error.request_id],
      ['collections.create', 422, 'validation_failed', refused.headers.get('x-request-id')],
    )
  })
})

describe('the log of the portal', () => {
  test('has changes and errors of people, but no reads and no IP addresses', async () => {
    const team = await newTeam(fixture)
    const root = `/projects/${team.project_id}`
    const headers = { 'homeport-mode': 'test' }
    await team.member.call(`GET ${root}/project`)
    await team.member.call(`POST ${root}/collections`, { body: { name: 'guests' }, headers })
    await team.viewer.call(`POST ${root}/collections`, { body: { name: 'others' } })
    const { body } = await team.viewer.call(`GET ${root}/requests?limit=2`)
    const found = body.data.map((one: any) => [one.actor.name, one.mode, one.status, one.source])
    assert.deepEqual(found, [
      [team.viewer.email, 'live', 403, null],
      [team.member.email, 'test', 201, null],
    ])
  })

  test('shows a limited member their own requests only', async () => {
    const team = await newTeam(fixture)
    const root = `/projects/${team.project_id}`
    await team.owner.call(`POST ${root}/collections`, { body: {} })
    await team.limited.call(`POST ${root}/collections`, { body: {} })
    const mine = await team.limited.call(`GET ${root}/requests`)
    assert.ok(mine.body.data.length > 0)
    assert.ok(mine.body.data.every(({ actor }: any) => actor.name === team.limited.email))
    const all = await team.owner.call(`GET ${root}/requests`)
    const [others] = all.body.data.filter(({ actor }: any) => actor.name === team.owner.email)
    const other = await team.limited.call(`GET ${root}/requests/${others.id}`)
    assert.equal(other.status, 404)
    const asked = await team.limited.call(`GET ${root}/requests?actor_id=${others.actor.id}`)
    assert.deepEqual(asked.body.data, [])
  })
})

describe('reading the log', () => {
  test('filters by status, error, entry point, mode, actor, operation, request id and time', async () => {
    const { key, project_id } = await newPlace()
    const refused = await call('POST /collections', { key, body: {} })
    const before = runtime.clock.now().toISOString()
    passes('1 minute')
    const live = await newKey({ project_id, mode: 'live' })
    await call('GET /project', { key: live })
    await post(fixture, callMessage('get_state'), { key })
    const [, ok, failed] = await readLog(project_id)
    const ids = async (query: string) => (await readLog(project_id, query)).map(({ id }) => id)
    assert.deepEqual(await ids('?status=error'), [failed.id])
    assert.deepEqual(await ids('?status=5xx'), [])
    assert.deepEqual(await ids('?error=validation_failed'), [failed.id])
    assert.equal((await ids('?entry_point=mcp')).length, 1)
    assert.deepEqual(await ids('?mode=live'), [ok.id])
    assert.deepEqual(await ids(`?actor_id=${ok.actor.id}`), [ok.id])
    assert.deepEqual(await ids('?operation=project.get'), [ok.id])
    const request_id = refused.headers.get('x-request-id')
    assert.deepEqual(await ids(`?request_id=${request_id}`), [failed.id])
    assert.deepEqual(await ids(`?to=${new Date(Date.parse(before) + 1).toISOString()}`), [
      failed.id,
    ])
    assert.equal((await call('GET /requests?status=3xx', { key })).status, 400)
    assert.equal((await call('GET /requests?from=yesterday', { key })).status, 400)
  })

  test('gives pages with a cursor, and one entry by its id', async () => {
    const { key } = await newPlace()
    await call('GET /project', { key })
    await call('GET /balance', { key })
    const first = await call('GET /requests?limit=1', { key })
    assert.equal(first.body.data[0].operation, 'balance.get')
    const next = `GET /requests?limit=1&operation=project.get&cursor=${first.body.next_cursor}`
    const second = await call(next, { key })
    const [entry] = second.body.data
    assert.equal(entry.operation, 'project.get')
    assert.deepEqual((await call(`GET /requests/${entry.id}`, { key })).body, entry)
    const other = await newPlace()
    assert.equal((await call(`GET /requests/${entry.id}`, { key: other.key })).status, 404)
  })
})

describe('retention', () => {
  test('hides and deletes entries after seven days', async () => {
    const { key, project_id, read } = await newPlace()
    await call('GET /project', { key })
    passes('7 days')
    assert.equal((await read()).length, 1)
    passes('1 minute')
    assert.deepEqual(await read(), [])
    await purgeRequests.run(runtime)
    const rows = await runtime.db
      .selectFrom('request_log')
      .select('operation')
      .where('project_id', '=', project_id)
      .where('operation', '=', 'project.get')
      .execute()
    assert.deepEqual(rows, [])
  })

  test('keeps the newest entries of a project, up to the limit', async () => {
    const { project_id } = await newPlace()
    const { requests_kept_max } = limits
    for (let written = 0; written < requests_kept_max + 1_500; written += 500) {
      for (let n = 0; n < 500; n += 1) requests.logRequest(runtime, entryOf(project_id))
      await requests.flushRequestLog(runtime)
    }
    await purgeRequests.run(runtime)
    const { count } = await runtime.db
      .selectFrom('request_log')
      .select(({ fn }) => fn.countAll<bigint>().as('count'))
      .where('project_id', '=', project_id)
      .executeTakeFirstOrThrow()
    assert.equal(Number(count), requests_kept_max)
  })

  test('drops and counts entries beyond the queue, without delaying those of other projects', async () => {
    const flooding = await newPlace()
    const other = await newPlace()
    const dropped = async () => (await runtime.metrics.request_log_dropped.get()).values[0]?.value
    const before = (await dropped()) ?? 0
    for (let n = 0; n < 1_200; n += 1) requests.logRequest(runtime, entryOf(flooding.project_id))
    requests.logRequest(runtime, entryOf(other.project_id))
    await requests.flushRequestLog(runtime)
    assert.equal((await dropped())! - before, 200)
    assert.equal((await other.read()).length, 1)
  })
})
