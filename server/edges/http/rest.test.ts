/**
 * Tests of REST: order of authentication checks, and the error for each kind of invalid request.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { openTestRuntime, type Answer } from '../../../test/fixtures/runtime.ts'
import { newKeyText } from '../../areas/keys/text.ts'
import * as keys from '../../areas/keys/service.ts'
import * as projects from '../../areas/projects/service.ts'

const runtime = await openTestRuntime()
const endpoint = { url: 'https://shop.example/hook', events: ['call.completed'] }

function isProblem(answer: Answer, status: number, slug: string): void {
  assert.equal(answer.status, status, answer.text)
  assert.equal(answer.headers.get('content-type'), 'application/problem+json')
  assert.equal(answer.body.type, `${runtime.runtime.config.public_url}/docs/errors/${slug}`)
  assert.equal(answer.body.status, status)
  assert.equal(answer.body.request_id, answer.headers.get('x-request-id'))
  assert.ok(answer.body.user_message && answer.body.detail && answer.body.title)
}

describe('a request without a body', () => {
  for (const [method, path] of [
    ['POST', '/sites'],
    ['DELETE', `/webhooks/${randomUUID()}`],
    ['GET', '/project'],
  ] as const) {
    test(`is accepted although ${method} has a Content-Type`, { timeout: 60_000 }, async () => {
      const { hostname, port } = new URL(runtime.url)
      const socket = connect(Number(port), hostname)
      const lines = [
        `${method} /api/v1${path} HTTP/1.1`,
        `Host: ${hostname}:${port}`,
        `Authorization: Bearer ${runtime.key}`,
        'Content-Type: application/json',
        'Connection: close',
      ]
      socket.write(`${lines.join('\r\n')}\r\n\r\n`)
      const [first] = await once(socket, 'data')
      assert.match(String(first), /^HTTP\/1\.1 (?:200|400|404) /)
      socket.destroy()
    })
  }

  test('with NUL in its query gets 400 invalid_parameter', async () => {
    for (const query of ['q=a%00b', 'q=a&q=%00']) {
      const answer = await runtime.call(`GET /media?${query}`)
      isProblem(answer, 400, 'invalid_parameter')
      assert.equal(answer.body.parameter, 'q')
    }
  })
  test('may contain a backslash before u0000 in its query, which is not NUL', async () => {
    assert.equal((await runtime.call('GET /media?q=a%5Cu0000')).status, 200)
  })
})

describe('authentication', () => {
  test('replies 401 missing_api_key without an Authorization header', async () => {
    isProblem(await runtime.call('GET /project', { key: null }), 401, 'missing_api_key')
  })
  test('replies 401 unauthorized for another scheme or an empty key', async () => {
    for (const authorization of ['Basic aG9tZTpwb3J0', 'Bearer', 'Bearer a b']) {
      isProblem(
        await runtime.call('GET /project', { key: null, headers: { authorization } }),
        401,
        'unauthorized',
      )
    }
  })
  test('links the OAuth resource metadata in each 401', async () => {
    const learn = `resource_metadata="${runtime.runtime.config.public_url}/.well-known/oauth-protected-resource/api/v1"`
    const realm = 'Bearer realm="Homeport", '
    const challenges: [key: string | null, challenge: string][] = [
      [null, realm + learn],
      ['x', `${realm}error="invalid_token", ${learn}`],
      [`hm_oat_${'a'.repeat(32)}`, `${realm}error="invalid_token", ${learn}`],
    ]
    for (const [key, challenge] of challenges) {
      const { status, headers } = await runtime.call('GET /project', { key })
      assert.deepEqual([status, headers.get('www-authenticate')], [401, challenge])
    }
  })
  test('replies 401 unauthorized for an unknown OAuth access token', async () => {
    isProblem(
      await runtime.call('GET /project', { key: `hm_oat_${'a'.repeat(32)}` }),
      401,
      'unauthorized',
    )
  })
  test('replies 401 invalid_api_key for malformed and unknown keys', async () => {
    const mistyped = runtime.key.slice(0, -1) + (runtime.key.endsWith('x') ? 'y' : 'x')
    for (const key of [
      'x',
      'hm_test_',
      `hm_test_${'a'.repeat(32)}`,
      `hm_prod_${'a'.repeat(32)}`,
      mistyped,
      newKeyText('test'),
    ]) {
      isProblem(await runtime.call('GET /project', { key }), 401, 'invalid_api_key')
    }
  })
  test('ignores keys in the query and in cookies', async () => {
    isProblem(
      await runtime.call(`GET /project?api_key=${runtime.key}`, { key: null }),
      401,
      'missing_api_key',
    )
    isProblem(
      await runtime.call('GET /project', {
        key: null,
        headers: { cookie: `api_key=${runtime.key}` },
      }),
      401,
      'missing_api_key',
    )
  })
  test('replies 401 api_key_revoked immediately after a revocation', async () => {
    const made = await keys.create(runtime.runtime, {
      project_id: runtime.project_id,
      mode: 'test',
      name: 'k',
      scopes: keys.allScopes,
      access: null,
    })
    assert.equal((await runtime.call('GET /project', { key: made.key })).status, 200)
    await keys.revoke(runtime.runtime, made.id)
    isProblem(await runtime.call('GET /project', { key: made.key }), 401, 'api_key_revoked')
  })
  test('replies 401 project_deleted for a deleted project', async () => {
    const { project_id } = await runtime.newProject()
    const key = await runtime.newKey({ project_id })
    await projects.remove(runtime.runtime, project_id)
    isProblem(await runtime.call('GET /project', { key }), 401, 'project_deleted')
  })
  test('replies 403 project_not_enabled for a disabled project', async () => {
    const { project_id } = await runtime.newProject()
    const key = await runtime.newKey({ project_id })
    await projects.change(runtime.runtime.db, project_id, { enabled: false })
    isProblem(await runtime.call('GET /project', { key }), 403, 'project_not_enabled')
  })
  test("replies 403 key_mode_mismatch for a key whose mode differs from its project's", async () => {
    const pair = await runtime.newProject({ shape: 'pair' })
    const wrong = [
      await runtime.newKey({ project_id: pair.live_project_id, mode: 'test' }),
      await runtime.newKey({ project_id: pair.test_project_id, mode: 'live' }),
    ]
    for (const key of wrong)
      isProblem(await runtime.call('GET /project', { key }), 403, 'key_mode_mismatch')
    const right = await runtime.newKey({ project_id: pair.live_project_id, mode: 'live' })
    assert.equal((await runtime.call('GET /project', { key: right })).body.mode, 'live')
  })
  test('replies 403 missing_scope and names the scope', async () => {
    const key = await runtime.newKey({ scopes: ['project:read'] })
    const answer = await runtime.call('GET /webhooks', { key })
    isProblem(answer, 403, 'missing_scope')
    assert.match(answer.body.detail, /webhooks:write/)
  })
  test('checks the scope before the body', async () => {
    const key = await runtime.newKey({ scopes: ['project:read'] })
    isProblem(await runtime.call('POST /webhooks', { key, raw: '{' }), 403, 'missing_scope')
  })
})

describe('a key limited to some sites', () => {
  const access = {
    sites: ['01890b2c-7d4e-7a1b-9c3d-5e6f7a8b9c0d'],
    apps: [],
    collections: [],
    limited_by: 'api_key' as const,
  }

  test('gets six fields of the project', async () => {
    const { body } = await runtime.call('GET /project', { key: await runtime.newKey({ access }) })
    assert.deepEqual(Object.keys(body), ['id', 'name', 'edition', 'created_at', 'mode', 'access'])
    assert.deepEqual(body.access, access)
  })
  test('gets 403 forbidden for other operations, with a user_message that names its sites', async () => {
    const files = [{ path: 'index.html', content: '<h1>Fresh bread</h1>' }]
    const { body } = await runtime.call('POST /sites', {
      body: { slug: 'limited-bakery', visibility: 'unlisted', files },
    })
    const key = await runtime.newKey({ access: { ...access, sites: [body.id] } })
    for (const path of ['balance', 'webhooks', 'numbers', 'calls', 'assistant']) {
      const answer = await runtime.call(`GET /${path}`, { key })
      isProblem(answer, 403, 'forbidden')
      assert.match(answer.body.user_message, / only use these sites: limited-bakery\.$/)
    }
  })
})

describe('the rate limit of a key', () => {
  test('allows 120 requests in any 60 seconds, scope failures included, then replies 429 with Retry-After', async () => {
    const key = await runtime.newKey({ scopes: ['project:read'] })
    const answers = await Promise.all(
      Array.from({ length: 120 }, (_, index) =>
        runtime.call(index % 2 ? 'GET /project' : 'GET /webhooks', { key }),
      ),
    )
    assert.deepEqual([...new Set(answers.map(({ status }) => status))].toSorted(), [200, 403])
    assert.match(answers[0]!.headers.get('ratelimit-policy')!, /q=120;w=60/)
    const refused = await runtime.call('GET /project', { key })
    isProblem(refused, 429, 'rate_limited')
    const wait_s = Number(refused.headers.get('retry-after'))
    assert.ok(wait_s >= 1 && wait_s <= 60)
    runtime.passes(`${wait_s} seconds`)
    assert.equal((await runtime.call('GET /project', { key })).status, 200)
  })
  test('is checked before the scope', async () => {
    const key = await runtime.newKey({ scopes: [] })
    await Promise.all(Array.from({ length: 120 }, () => runtime.call('GET /project', { key })))
    isProblem(await runtime.call('GET /project', { key }), 429, 'rate_limited')
  })
})

describe('request ids', () => {
  test('keep a valid id of the caller', async () => {
    for (const id of ['a', 'Order-77_b', 'x'.repeat(64)]) {
      assert.equal(
        (await runtime.call('GET /status', { headers: { 'x-request-id': id } })).headers.get(
          'x-request-id',
        ),
        id,
      )
    }
  })
  test('replace an invalid one by req_ and 20 characters', async () => {
    const secrets = ['hm_live_abc', 'HM_test_abc', 'x-hm_oat_1', 'whsec_abc']
    for (const id of ['', 'a b', 'x'.repeat(65), 'a/b', 'é', ...secrets]) {
      const answer = await runtime.call('GET /status', {
        headers: { 'x-request-id': Buffer.from(id).toString('latin1') },
      })
      assert.match(answer.headers.get('x-request-id')!, /^req_[0-9a-z]{20}$/)
    }
  })
})

describe('paths and methods', () => {
  test('replies 404 for an unknown path, with and without a key', async () => {
    isProblem(await runtime.call('GET /nothing'), 404, 'not_found')
    isProblem(await runtime.call('GET /nothing', { key: null }), 404, 'not_found')
    isProblem(await runtime.call('GET //elsewhere', { key: null }), 404, 'not_found')
  })
  test('replies 405 with Allow for another method', async () => {
    const answer = await runtime.call('PATCH /webhooks')
    isProblem(answer, 405, 'method_not_allowed')
    assert.deepEqual(answer.headers.get('allow')!.split(', ').toSorted(), ['GET', 'POST'])
  })
  test('replies 404 for an invalid id', async () => {
    for (const id of [
      'x',
      `urn:uuid:${runtime.project_id}`,
      '..%2f..',
      '%00',
      'a'.repeat(300),
      runtime.project_id,
    ]) {
      isProblem(await runtime.call(`GET /webhooks/${id}`), 404, 'not_found')
    }
  })
  test('replies 400 bad_request for a path that cannot be decoded', async () => {
    isProblem(await runtime.call('GET /webhooks/%zz'), 400, 'bad_request')
  })
  test('sends Cache-Control: no-store with every reply', async () => {
    for (const route of ['GET /project', 'GET /status', 'GET /nothing', 'PATCH /webhooks']) {
      assert.equal((await runtime.call(route)).headers.get('cache-control'), 'no-store')
    }
  })
})

describe('invalid bodies', () => {
  const post = (raw: string | Uint8Array, headers = {}) =>
    runtime.call('POST /webhooks', { raw, headers })

  test('replies 400 invalid_json for invalid JSON, an empty body, several values and duplicate members', async () => {
    for (const raw of ['{', '', 'x', '{} {}', '{"url":"a","url":"b"}']) {
      isProblem(await post(raw), 400, 'invalid_json')
    }
  })
  test('replies 400 invalid_json for invalid UTF-8', async () => {
    isProblem(await post(Uint8Array.of(0x22, 0xff, 0x22)), 400, 'invalid_json')
  })
  test('replies 400 bad_request for another charset or an unknown encoding', async () => {
    const types = ['utf-16', 'latin1', '"utf-16le"'].map(
      (one) => `application/json; charset=${one}`,
    )
    for (const type of types)
      isProblem(await post('{}', { 'content-type': type }), 400, 'bad_request')
    for (const encoding of ['br', 'gzip, gzip', 'gzip'])
      isProblem(await post('{}', { 'content-encoding': encoding }), 400, 'bad_request')
    const headers = ['utf-8', '"UTF-8"', 'us-ascii'].map((one) => ({
      'content-type': `application/json;charset=${one}`,
      'content-encoding': 'identity',
    }))
    for (const one of headers) isProblem(await post('{}', one), 422, 'validation_failed')
  })
  test('decodes a body in gzip, up to the maximum size', async () => {
    const gzip = { 'content-encoding': 'gzip' }
    isProblem(await post(gzipSync('{}'), gzip), 422, 'validation_failed')
    isProblem(await post(gzipSync('{'), gzip), 400, 'invalid_json')
    isProblem(await post(gzipSync('{}').subarray(0, 12), gzip), 400, 'bad_request')
    isProblem(await post(gzipSync(Buffer.alloc(50_000_000, 32)), gzip), 400, 'bad_request')
  })
  test('replies 400 bad_request for another media type', async () => {
    isProblem(
      await post(JSON.stringify(endpoint), { 'content-type': 'text/plain' }),
      400,
      'bad_request',
    )
  })
  test('replies 400 bad_request above one megabyte', async () => {
    isProblem(
      await post(JSON.stringify({ ...endpoint, url: 'x'.repeat(1_100_000) })),
      400,
      'bad_request',
    )
  })
  test('replies 422 validation_failed above the nesting limit', async () => {
    isProblem(await post('['.repeat(2000) + ']'.repeat(2000)), 422, 'validation_failed')
  })
  test('replies 422 validation_failed with a JSON pointer for each error', async () => {
    const answer = await runtime.call('POST /webhooks', {
      body: { url: 5, events: [1], colour: 'red' },
    })
    isProblem(answer, 422, 'validation_failed')
    assert.deepEqual(answer.body.errors.map(({ path }: { path: string }) => path).toSorted(), [
      '/colour',
      '/events/0',
      '/url',
    ])
  })
  test('replies 422 validation_failed for text that PostgreSQL cannot store', async () => {
    isProblem(
      await post(String.raw`{"url":"https://a.example/\u0000","events":["call.completed"]}`),
      422,
      'validation_failed',
    )
  })
})

describe('paths', () => {
  test('replies 404 not_found for a parameter that PostgreSQL cannot store', async () => {
    isProblem(await runtime.call('DELETE /email/suppressions/%00'), 404, 'not_found')
  })
})

describe('queries and headers', () => {
  test('replies 400 invalid_parameter for a limit out of range, a foreign cursor and an unknown parameter', async () => {
    for (const query of [
      'limit=0',
      'limit=101',
      'limit=x',
      'limit=1.5',
      'cursor=abc',
      'cursor=',
      'colour=red',
      'limit=1&limit=2',
    ]) {
      isProblem(await runtime.call(`GET /calls?${query}`), 400, 'invalid_parameter')
    }
  })
  test('replies 400 invalid_parameter for an invalid If-Match', async () => {
    const { body } = await runtime.call('POST /numbers', {
      body: {},
      headers: { 'idempotency-key': 'if-match' },
    })
    for (const value of ['abc', '""', '"1', '1.5', '"-1"']) {
      const answer = await runtime.call(`PUT /numbers/${body.id}/call-plan`, {
        body: {},
        headers: { 'if-match': value },
      })
      isProblem(answer, 400, 'invalid_parameter')
    }
  })
})

describe('bytes that are not HTTP', () => {
  async function send(text: string): Promise<string> {
    const socket = connect(Number(new URL(runtime.url).port), '127.0.0.1')
    let answer = ''
    socket.on('data', (chunk) => (answer += chunk.toString()))
    socket.write(text)
    await once(socket, 'close')
    return answer
  }
  for (const [what, text] of [
    ['a broken request line', 'HELLO\r\n\r\n'],
    ['a broken header', 'GET /api/v1/status HTTP/1.1\r\nHost: a\r\nbro ken: x\r\n\r\n'],
    ['headers without end', `GET / HTTP/1.1\r\nHost: a\r\nx: ${'y'.repeat(40_000)}\r\n\r\n`],
  ] as const) {
    test(`get a 400 problem document with a request id: ${what}`, async () => {
      const answer = await send(text)
      assert.match(answer, /^HTTP\/1\.1 4\d\d /)
      assert.match(answer, /Content-Type: application\/problem\+json\r\n/)
      assert.match(answer, /X-Request-Id: req_[0-9a-f]{20}\r\n/)
      assert.match(answer, /errors\/bad_request"/)
    })
  }
})

describe('health endpoints', () => {
  test('healthz, readyz and metrics reply 200', async () => {
    for (const path of ['healthz', 'readyz'])
      assert.equal((await runtime.call(`GET //${path}`, { key: null })).status, 200)
    const metrics = await runtime.call('GET //metrics', { key: null })
    assert.match(
      metrics.text,
      /homeport_request_seconds_count\{operation="project.get",status="200"\}/,
    )
  })
  test('metrics count a refused request with its status', async () => {
    assert.equal((await runtime.call(`GET /calls/${randomUUID()}`)).status, 404)
    const { text } = await runtime.call('GET //metrics', { key: null })
    assert.match(text, /homeport_request_seconds_count\{operation="calls.get",status="404"\}/)
    assert.doesNotMatch(text, /operation="calls.get",status="200"/)
  })
  test('metrics reply 404 to requests through a proxy', async () => {
    isProblem(
      await runtime.call('GET //metrics', {
        key: null,
        headers: { 'x-forwarded-for': '203.0.113.5' },
      }),
      404,
      'not_found',
    )
  })
})

/** Uses node:http, because fetch sets Host itself. */
function statusOf(path: string, headers: Record<string, string>): Promise<number> {
  const { port } = new URL(runtime.url)
  return new Promise((resolve, reject) => {
    const request = httpRequest({ port, host: '127.0.0.1', path, headers })
    request.on('response', (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    request.on('error', reject).end()
  })
}

describe('metrics of the server', () => {
  test('are refused to a Host that is not a loopback name, as after DNS rebinding', async () => {
    for (const host of ['rebound.example', 'localhost.evil.example', '192.168.1.7:4400', '[::2]'])
      assert.equal(await statusOf('/metrics', { host }), 404, host)
    for (const host of ['localhost:4400', '127.0.0.1', '[::1]:4400'])
      assert.equal(await statusOf('/metrics', { host }), 200, host)
  })
})

describe('the development clock', () => {
  test('advances and returns the time', async () => {
    const before = (await runtime.call('GET //dev/clock', { key: null })).body.now
    const after = await runtime.call('POST //dev/clock', {
      key: null,
      body: { advance_seconds: 3600 },
    })
    assert.equal(after.status, 200)
    assert.ok(Date.parse(after.body.now) - Date.parse(before) >= 3_600_000)
  })
  test('refuses an invalid number of seconds', async () => {
    for (const body of [{}, { advance_seconds: -1 }, { advance_seconds: 'x' }, [], null]) {
      isProblem(
        await runtime.call('POST //dev/clock', { key: null, body }),
        422,
        'validation_failed',
      )
    }
  })
  test('does not exist without its setting', async () => {
    const plain = await openTestRuntime({ settings: { HOMEPORT_TEST_CLOCK: '' } })
    assert.equal((await plain.call('GET //dev/clock', { key: null })).status, 404)
  })
})
