/**
 * Tests of the API with a portal session instead of a key: the same rules and scopes, a mode per
 * request, and rate limits and Idempotency-Keys of its own.
 */
import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { longTest } from '../../../test/fixtures/depth.ts'
import { standingClock } from '../../../test/fixtures/bare-runtime.ts'
import { eventually } from '../../../test/fixtures/eventually.ts'
import { openTestRuntime, type Answer } from '../../../test/fixtures/runtime.ts'
import { liveFixture } from '../../../test/fixtures/live-projects.ts'
import {
  callPortal,
  newTeam,
  newSession,
  type TestTeam,
} from '../../../test/fixtures/portal/sessions.ts'
import { limits } from '../../contract/limits.ts'

const fixture = await openTestRuntime({ work: false, clock: standingClock() })
const { runtime } = fixture
const slugOf = ({ body }: Answer): string => body.type.split('/').at(-1)
const root = ({ project_id }: TestTeam) => `/projects/${project_id}`
const test_mode = { 'homeport-mode': 'test' }

// Moves the clock, because sign-ins are rate limited per network.
beforeEach(() => fixture.passes('20 minutes'))

async function teamWithDocuments() {
  const team = await newTeam(fixture)
  const { owner } = team
  const made = await owner.call(`POST ${root(team)}/collections`, { body: { name: 'things' } })
  assert.equal(made.status, 201, made.text)
  return team
}

describe('an operation of the API', () => {
  test('gives the same results for a session as for a key', async () => {
    const team = await teamWithDocuments()
    const key = await fixture.newKey({ project_id: team.project_id })
    const written = await team.member.call(`POST ${root(team)}/collections/things/documents`, {
      body: { bread: 'rye' },
    })
    assert.equal(written.status, 201, written.text)
    const { body } = await fixture.call('GET /collections/things/documents', { key })
    const mine = await team.viewer.call(`GET ${root(team)}/collections/things/documents`)
    assert.deepEqual(mine.body, body)
  })

  test('validates bodies, queries and ids like for a key', async () => {
    const team = await teamWithDocuments()
    const { owner } = team
    const documents = `${root(team)}/collections/things/documents`
    const cases = [
      [await owner.call(`POST ${documents}`, { raw: '{' }), 400, 'invalid_json'],
      [await owner.call(`GET ${documents}?limit=0`), 400, 'invalid_parameter'],
      [await owner.call(`GET ${documents}?stray=1`), 400, 'invalid_parameter'],
      [await owner.call(`GET ${root(team)}/numbers/x/call-plan`), 404, 'not_found'],
      [await owner.call(`POST ${root(team)}/collections`, { body: {} }), 422, 'validation_failed'],
    ] as const
    for (const [answer, status, slug] of cases) {
      assert.deepEqual([answer.status, slugOf(answer)], [status, slug], answer.text)
    }
  })

  test('sends the version as ETag, and checks If-Match', async () => {
    const team = await newTeam(fixture)
    const { member } = team
    const body = { name: 'Anna', instructions: 'We sell bread.' }
    const first = await member.call(`PUT ${root(team)}/assistant`, { body })
    const etag = first.headers.get('etag') ?? ''
    assert.match(etag, /^"\d+"$/)
    const put = (version: string) =>
      member.call(`PUT ${root(team)}/assistant`, { body, headers: { 'if-match': version } })
    assert.equal((await put(etag)).status, 200)
    const late = await put(etag)
    assert.deepEqual([late.status, slugOf(late)], [412, 'version_conflict'])
    assert.equal((await put('x')).status, 400)
  })

  test('answers 404 for a disabled project', async () => {
    const team = await newTeam(fixture)
    const { change } = liveFixture(fixture)
    await change(team.project_id, { enabled: false })
    const answer = await team.owner.call(`GET ${root(team)}/numbers`)
    assert.deepEqual([answer.status, slugOf(answer)], [403, 'project_not_enabled'])
    assert.equal((await team.owner.call(`GET ${root(team)}/members`)).status, 200)
  })

  test('accepts and returns files like for a key', async () => {
    const team = await teamWithDocuments()
    const { member, viewer } = team
    const documents = `${root(team)}/collections/things/documents`
    await member.call(`POST ${documents}`, { body: { bread: 'rye' } })
    const csv = await viewer.call(`GET ${documents}/export?format=csv`)
    assert.equal(csv.status, 200, csv.text)
    assert.match(csv.text, /rye/)
    const imported = await member.call(`POST ${documents}/import`, {
      raw: '{"bread":"wheat"}\n',
      headers: { 'content-type': 'application/x-ndjson' },
    })
    assert.equal(imported.status, 200, imported.text)
    assert.equal((await viewer.call(`GET ${documents}`)).body.data.length, 2)
  })
})

describe('a refused person', () => {
  test('gets an error with a next step for people, which mentions no keys', async () => {
    const team = await newTeam(fixture)
    const answers = [
      await team.viewer.call(`POST ${root(team)}/collections`, { body: {} }),
      await team.limited.call(`GET ${root(team)}/balance`),
      await team.member.call(`POST ${root(team)}/test/calls`, { body: {} }),
      await team.member.call(`POST ${root(team)}/invitations`, { body: {} }),
      await team.member.call('GET /projects/x'),
      await callPortal(fixture, 'GET /me'),
      await team.owner.call('DELETE /sessions/x', { headers: { 'sec-fetch-site': 'cross-site' } }),
    ]
    for (const { status, body, text } of answers) {
      assert.ok(status >= 400 && status < 500, text)
      assert.ok(!/\bkeys?\b|connection/i.test(`${body.user_message} ${body.next_step}`), text)
    }
  })
})

describe('the mode of a request', () => {
  test('is live unless the header is test', async () => {
    const team = await newTeam(fixture)
    const modeOf = async (headers = {}) =>
      (await team.viewer.call(`GET ${root(team)}/project`, { headers })).body.mode
    assert.equal(await modeOf(), 'live')
    assert.equal(await modeOf({ 'homeport-mode': 'live' }), 'live')
    assert.equal(await modeOf(test_mode), 'test')
  })

  test('decides whether test-only operations may run', async () => {
    const team = await newTeam(fixture)
    const call = (headers = {}) =>
      team.member.call(`POST ${root(team)}/test/calls`, { body: {}, headers })
    const live = await call()
    assert.deepEqual([live.status, slugOf(live)], [403, 'test_key_required'])
    assert.match(live.body.next_step, /Homeport-Mode: test/)
    assert.equal((await call(test_mode)).status, 422)
  })

  test('is refused if the project does not have it', async () => {
    const pair = await fixture.newProject({ shape: 'pair' })
    await runtime.db.transact((tx) =>
      tx
        .updateTable('projects')
        .set({ owner_email: 'modes@team.example' })
        .where('id', 'in', [pair.live_project_id, pair.test_project_id])
        .execute(),
    )
    const owner = await newSession(fixture, 'modes@team.example')
    const ask = (id: string, mode?: string) =>
      owner.call(`GET /projects/${id}/project`, {
        headers: mode === undefined ? {} : { 'homeport-mode': mode },
      })
    assert.equal((await ask(pair.test_project_id)).body.mode, 'test')
    assert.equal((await ask(pair.live_project_id)).body.mode, 'live')
    for (const answer of [
      await ask(pair.test_project_id, 'live'),
      await ask(pair.live_project_id, 'test'),
    ]) {
      assert.deepEqual([answer.status, slugOf(answer)], [403, 'key_mode_mismatch'])
    }
    assert.equal((await ask(pair.live_project_id, 'LIVE')).status, 400)
  })

  test('prevents real effects while a rail is in test mode', async () => {
    const team = await newTeam(fixture)
    const ordered = await team.owner.call(`POST ${root(team)}/numbers`, {
      body: {},
      headers: { 'idempotency-key': 'first' },
    })
    assert.equal(ordered.status, 201, ordered.text)
    assert.equal(ordered.body.test, true)
  })
})

describe('an Idempotency-Key', () => {
  interface Order {
    by: 'owner' | 'admin'
    body?: object
  }
  const order = ({ by, body = {}, ...team }: TestTeam & Order, key: string | null) =>
    team[by].call(`POST ${root(team)}/numbers`, {
      body,
      headers: { ...test_mode, ...(key === null ? {} : { 'idempotency-key': key }) },
    })

  test('replays the response with the same number, and is private to the person', async () => {
    const team = await newTeam(fixture)
    const first = await order({ ...team, by: 'owner' }, 'same')
    const again = await order({ ...team, by: 'owner' }, 'same')
    assert.equal(again.body.id, first.body.id)
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
    const other = await order({ ...team, by: 'admin' }, 'same')
    assert.equal(other.status, 201, other.text)
    assert.notEqual(other.body.id, first.body.id)
  })

  test('of a person is separate from that of a key, whatever the key is called', async () => {
    const team = await newTeam(fixture)
    const first = await order({ ...team, by: 'owner' }, 'same')
    const key = await fixture.newKey({ project_id: team.project_id })
    const headers = { 'idempotency-key': 'same' }
    const other = await fixture.call('POST /numbers', { body: {}, headers, key })
    assert.equal(other.status, 201, other.text)
    assert.notEqual(other.body.id, first.body.id)
  })

  test('is valid across sessions', async () => {
    const team = await newTeam(fixture)
    const first = await order({ ...team, by: 'owner' }, 'same')
    const owner = await newSession(fixture, team.owner.email)
    const again = await order({ ...team, owner, by: 'owner' }, 'same')
    assert.equal(again.body.id, first.body.id)
  })

  test('is required where a key needs one, and refused for another request', async () => {
    const team = await newTeam(fixture)
    const none = await order({ ...team, by: 'owner' }, null)
    assert.deepEqual([none.status, slugOf(none)], [400, 'idempotency_key_missing'])
    await order({ ...team, by: 'owner' }, 'used')
    const reused = await order({ ...team, by: 'owner', body: { area: '020' } }, 'used')
    assert.deepEqual([reused.status, slugOf(reused)], [409, 'idempotency_key_reused'])
    for (const { body } of [none, reused])
      assert.doesNotMatch(`${body.detail} ${body.next_step}`, /Idempotency-Key|idempotency_key/)
  })
})

describe('the rate limit', () => {
  longTest('counts requests of a person across sessions and projects', async () => {
    const team = await newTeam(fixture)
    const second = await newSession(fixture, team.viewer.email)
    fixture.passes('61 seconds')
    const first = await team.viewer.call('GET /me')
    const policy = `"person";q=${limits.person_requests_max};w=${limits.request_window_s}`
    assert.equal(first.headers.get('ratelimit-policy'), policy)
    assert.equal(first.headers.get('ratelimit'), `"person";r=${limits.person_requests_max - 1};t=0`)
    for (let at = 1; at < limits.person_requests_max; at += 1) {
      const session = at % 2 === 0 ? team.viewer : second
      assert.equal((await session.call(`GET ${root(team)}/numbers`)).status, 200)
    }
    const over = await second.call('GET /me')
    assert.deepEqual([over.status, slugOf(over)], [429, 'rate_limited'])
    assert.ok(Number(over.headers.get('retry-after')) > 0)
    assert.equal((await team.member.call('GET /me')).status, 200)
    fixture.passes('61 seconds')
    assert.equal((await second.call('GET /me')).status, 200)
  })

  test('counts refused requests too', async () => {
    const team = await newTeam(fixture)
    fixture.passes('61 seconds')
    const left = ({ headers }: Answer) => headers.get('ratelimit')
    const refused = await team.viewer.call(`POST ${root(team)}/collections`, { body: {} })
    assert.equal(refused.status, 403)
    assert.equal(left(refused), `"person";r=${limits.person_requests_max - 1};t=0`)
  })
})

describe('a stream', () => {
  test('continues while the person is a member, and ends with the membership', async () => {
    const team = await teamWithDocuments()
    const cookie = [...team.viewer.visitor.cookies].map((pair) => pair.join('=')).join('; ')
    const path = `${root(team)}/collections/things/documents/changes`
    const ending = new AbortController()
    const response = await fetch(`${fixture.url}/portal/api/v1${path}`, {
      headers: { cookie },
      signal: ending.signal,
    })
    assert.equal(response.status, 200)
    assert.match(response.headers.get('content-type') ?? '', /event-stream/)
    let said = ''
    let ended = false
    const reading = (async () => {
      for await (const chunk of response.body ?? []) said += Buffer.from(chunk).toString()
      ended = true
    })()
    await team.member.call(`POST ${root(team)}/collections/things/documents`, {
      body: { bread: 'rye' },
    })
    await eventually(() => said.includes('rye'))
    const { body } = await team.owner.call(`GET ${root(team)}/members`)
    const viewer = body.data.find(({ role }: any) => role === 'viewer')
    await team.owner.call(`DELETE ${root(team)}/members/${viewer.person_id}`)
    await eventually(async () => {
      fixture.passes('20 seconds')
      await team.member.call(`POST ${root(team)}/collections/things/documents`, {
        body: { bread: 'wheat' },
      })
      return ended
    })
    await reading
    ending.abort()
  })
})

describe('an unknown route', () => {
  test('answers 404, or 405 with the supported methods', async () => {
    const team = await newTeam(fixture)
    const nothing = await team.owner.call('GET /nothing')
    assert.deepEqual([nothing.status, slugOf(nothing)], [404, 'not_found'])
    const wrong = await team.owner.call('DELETE /projects')
    assert.deepEqual([wrong.status, slugOf(wrong)], [405, 'method_not_allowed'])
    assert.deepEqual(wrong.headers.get('allow')?.split(', ').toSorted(), ['GET', 'POST'])
    const endless = await team.owner.call(`GET ${root(team)}/media/${'x'.repeat(3000)}`)
    assert.deepEqual([endless.status, slugOf(endless)], [404, 'not_found'])
  })

  test('answers with the same problem document to every caller, instead of a page', async () => {
    for (const route of ['GET /nothing', 'POST /nothing', 'PUT /me', 'GET /']) {
      const answer = await callPortal(fixture, route)
      assert.match(answer.headers.get('content-type') ?? '', /^application\/problem\+json$/, route)
      assert.ok([404, 405].includes(answer.status), route)
    }
  })

  test('is any route for visitors or without authentication', async () => {
    const team = await newTeam(fixture)
    for (const path of ['/status', '/openapi.json', '/public/collections/things/documents']) {
      assert.equal((await team.owner.call(`GET ${root(team)}${path}`)).status, 404, path)
    }
  })
})

test('the portal API forbids caching, and access by other origins', async () => {
  const team = await newTeam(fixture)
  for (const session of [team.owner, { call: callPortal.bind(null, fixture) }]) {
    const { headers } = await session.call('GET /projects')
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.equal(headers.get('cross-origin-resource-policy'), 'same-origin')
    assert.ok(headers.get('x-request-id'))
  }
})
