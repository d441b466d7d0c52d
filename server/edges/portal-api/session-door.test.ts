/**
 * The API for keys, as people call it in a project of theirs: with the rules that keys have, the
 * mode that they choose, and a rate and Idempotency-Keys of their own.
 */
import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { standingClock } from '../../../test/ground/bare-house.ts'
import { eventually } from '../../../test/ground/eventually.ts'
import { openTestHouse, type Answer } from '../../../test/ground/house.ts'
import { liveGround } from '../../../test/ground/live-projects.ts'
import { callPortal, newCrew, newSession, type Crew } from '../../../test/ground/sessions.ts'
import { limits } from '../../contract/limits.ts'

const ground = await openTestHouse({ work: false, clock: standingClock() })
const { house } = ground
const slugOf = ({ body }: Answer): string => body.type.split('/').at(-1)
const root = ({ project_id }: Crew) => `/projects/${project_id}`
const test_mode = { 'homeport-mode': 'test' }

// One network may sign in so often in a quarter of an hour.
beforeEach(() => ground.passes('20 minutes'))

async function crewWithDocuments() {
  const crew = await newCrew(ground)
  const { owner } = crew
  const made = await owner.call(`POST ${root(crew)}/collections`, { body: { name: 'things' } })
  assert.equal(made.status, 201, made.text)
  return crew
}

describe('an operation of the API', () => {
  test('does the same for a session as for a key', async () => {
    const crew = await crewWithDocuments()
    const key = await ground.newKey({ project_id: crew.project_id })
    const written = await crew.member.call(`POST ${root(crew)}/collections/things/documents`, {
      body: { bread: 'rye' },
    })
    assert.equal(written.status, 201, written.text)
    const { body } = await ground.call('GET /collections/things/documents', { key })
    const mine = await crew.viewer.call(`GET ${root(crew)}/collections/things/documents`)
    assert.deepEqual(mine.body, body)
  })

  test('reads bodies, queries and ids with the same care', async () => {
    const crew = await crewWithDocuments()
    const { owner } = crew
    const documents = `${root(crew)}/collections/things/documents`
    const cases = [
      [await owner.call(`POST ${documents}`, { raw: '{' }), 400, 'invalid_json'],
      [await owner.call(`GET ${documents}?limit=0`), 400, 'invalid_parameter'],
      [await owner.call(`GET ${documents}?stray=1`), 400, 'invalid_parameter'],
      [await owner.call(`GET ${root(crew)}/numbers/x/call-plan`), 404, 'not_found'],
      [await owner.call(`POST ${root(crew)}/collections`, { body: {} }), 422, 'validation_failed'],
    ] as const
    for (const [answer, status, slug] of cases) {
      assert.deepEqual([answer.status, slugOf(answer)], [status, slug], answer.text)
    }
  })

  test('has its version in the ETag, and looks at If-Match', async () => {
    const crew = await newCrew(ground)
    const { member } = crew
    const body = { name: 'Anna', instructions: 'We sell bread.' }
    const first = await member.call(`PUT ${root(crew)}/assistant`, { body })
    const etag = first.headers.get('etag') ?? ''
    assert.match(etag, /^"\d+"$/)
    const put = (version: string) =>
      member.call(`PUT ${root(crew)}/assistant`, { body, headers: { 'if-match': version } })
    assert.equal((await put(etag)).status, 200)
    const late = await put(etag)
    assert.deepEqual([late.status, slugOf(late)], [412, 'version_conflict'])
    assert.equal((await put('x')).status, 400)
  })

  test('is not there for a project that the operator has switched off', async () => {
    const crew = await newCrew(ground)
    const { change } = liveGround(ground)
    await change(crew.project_id, { enabled: false })
    const answer = await crew.owner.call(`GET ${root(crew)}/numbers`)
    assert.deepEqual([answer.status, slugOf(answer)], [403, 'project_not_enabled'])
    assert.equal((await crew.owner.call(`GET ${root(crew)}/members`)).status, 200)
  })

  test('takes files and gives them, as far as it does for a key', async () => {
    const crew = await crewWithDocuments()
    const { member, viewer } = crew
    const documents = `${root(crew)}/collections/things/documents`
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

describe('who may not', () => {
  test('is told what to do in words for people, and nothing about keys', async () => {
    const crew = await newCrew(ground)
    const answers = [
      await crew.viewer.call(`POST ${root(crew)}/collections`, { body: {} }),
      await crew.limited.call(`GET ${root(crew)}/balance`),
      await crew.member.call(`POST ${root(crew)}/test/calls`, { body: {} }),
      await crew.member.call(`POST ${root(crew)}/invitations`, { body: {} }),
      await crew.member.call('GET /projects/x'),
      await callPortal(ground, 'GET /me'),
      await crew.owner.call('DELETE /sessions/x', { headers: { 'sec-fetch-site': 'cross-site' } }),
    ]
    for (const { status, body, text } of answers) {
      assert.ok(status >= 400 && status < 500, text)
      assert.ok(!/\bkeys?\b|connection/i.test(`${body.user_message} ${body.next_step}`), text)
    }
  })
})

describe('the mode', () => {
  test('is live unless the header says test', async () => {
    const crew = await newCrew(ground)
    const modeOf = async (headers = {}) =>
      (await crew.viewer.call(`GET ${root(crew)}/project`, { headers })).body.mode
    assert.equal(await modeOf(), 'live')
    assert.equal(await modeOf({ 'homeport-mode': 'live' }), 'live')
    assert.equal(await modeOf(test_mode), 'test')
  })

  test('decides what exists only in test mode', async () => {
    const crew = await newCrew(ground)
    const call = (headers = {}) =>
      crew.member.call(`POST ${root(crew)}/test/calls`, { body: {}, headers })
    const live = await call()
    assert.deepEqual([live.status, slugOf(live)], [403, 'test_key_required'])
    assert.match(live.body.next_step, /Homeport-Mode: test/)
    assert.equal((await call(test_mode)).status, 422)
  })

  test('is one that the project has', async () => {
    const pair = await ground.newProject({ shape: 'pair' })
    await house.db.transact((tx) =>
      tx
        .updateTable('projects')
        .set({ owner_email: 'modes@crew.example' })
        .where('id', 'in', [pair.live_project_id, pair.test_project_id])
        .execute(),
    )
    const owner = await newSession(ground, 'modes@crew.example')
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

  test('keeps a person from anything real while a rail is in test mode', async () => {
    const crew = await newCrew(ground)
    const ordered = await crew.owner.call(`POST ${root(crew)}/numbers`, {
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
  const order = ({ by, body = {}, ...crew }: Crew & Order, key: string | null) =>
    crew[by].call(`POST ${root(crew)}/numbers`, {
      body,
      headers: { ...test_mode, ...(key === null ? {} : { 'idempotency-key': key }) },
    })

  test('gives the same number again, and belongs to the person', async () => {
    const crew = await newCrew(ground)
    const first = await order({ ...crew, by: 'owner' }, 'same')
    const again = await order({ ...crew, by: 'owner' }, 'same')
    assert.equal(again.body.id, first.body.id)
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
    const other = await order({ ...crew, by: 'admin' }, 'same')
    assert.equal(other.status, 201, other.text)
    assert.notEqual(other.body.id, first.body.id)
  })

  test('of a person is none of a key, whatever the key is called', async () => {
    const crew = await newCrew(ground)
    const first = await order({ ...crew, by: 'owner' }, 'same')
    const key = await ground.newKey({ project_id: crew.project_id })
    const headers = { 'idempotency-key': 'same' }
    const other = await ground.call('POST /numbers', { body: {}, headers, key })
    assert.equal(other.status, 201, other.text)
    assert.notEqual(other.body.id, first.body.id)
  })

  test('is kept over sessions', async () => {
    const crew = await newCrew(ground)
    const first = await order({ ...crew, by: 'owner' }, 'same')
    const owner = await newSession(ground, crew.owner.email)
    const again = await order({ ...crew, owner, by: 'owner' }, 'same')
    assert.equal(again.body.id, first.body.id)
  })

  test('is needed where a key needs one, and not used for another request', async () => {
    const crew = await newCrew(ground)
    const none = await order({ ...crew, by: 'owner' }, null)
    assert.deepEqual([none.status, slugOf(none)], [400, 'idempotency_key_missing'])
    await order({ ...crew, by: 'owner' }, 'used')
    const reused = await order({ ...crew, by: 'owner', body: { area: '020' } }, 'used')
    assert.deepEqual([reused.status, slugOf(reused)], [409, 'idempotency_key_reused'])
  })
})

describe('the rate', () => {
  test('is that of a person, over all their sessions and projects', async () => {
    const crew = await newCrew(ground)
    const second = await newSession(ground, crew.viewer.email)
    ground.passes('61 seconds')
    const first = await crew.viewer.call('GET /me')
    const policy = `"person";q=${limits.requests_max};w=${limits.request_window_s}`
    assert.equal(first.headers.get('ratelimit-policy'), policy)
    assert.equal(first.headers.get('ratelimit'), `"person";r=${limits.requests_max - 1};t=0`)
    for (let at = 1; at < limits.requests_max; at += 1) {
      const session = at % 2 === 0 ? crew.viewer : second
      assert.equal((await session.call(`GET ${root(crew)}/numbers`)).status, 200)
    }
    const over = await second.call('GET /me')
    assert.deepEqual([over.status, slugOf(over)], [429, 'rate_limited'])
    assert.ok(Number(over.headers.get('retry-after')) > 0)
    assert.equal((await crew.member.call('GET /me')).status, 200)
    ground.passes('61 seconds')
    assert.equal((await second.call('GET /me')).status, 200)
  })

  test('counts what is refused, too', async () => {
    const crew = await newCrew(ground)
    ground.passes('61 seconds')
    const left = ({ headers }: Answer) => headers.get('ratelimit')
    const refused = await crew.viewer.call(`POST ${root(crew)}/collections`, { body: {} })
    assert.equal(refused.status, 403)
    assert.equal(left(refused), `"person";r=${limits.requests_max - 1};t=0`)
  })
})

describe('a stream', () => {
  test('goes on while the person is in the team, and ends when they are not', async () => {
    const crew = await crewWithDocuments()
    const cookie = [...crew.viewer.visitor.cookies].map((pair) => pair.join('=')).join('; ')
    const path = `${root(crew)}/collections/things/documents/changes`
    const ending = new AbortController()
    const response = await fetch(`${ground.url}/portal/api/v1${path}`, {
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
    await crew.member.call(`POST ${root(crew)}/collections/things/documents`, {
      body: { bread: 'rye' },
    })
    await eventually(() => said.includes('rye'))
    const { body } = await crew.owner.call(`GET ${root(crew)}/members`)
    const viewer = body.data.find(({ role }: any) => role === 'viewer')
    await crew.owner.call(`DELETE ${root(crew)}/members/${viewer.person_id}`)
    await eventually(async () => {
      ground.passes('20 seconds')
      await crew.member.call(`POST ${root(crew)}/collections/things/documents`, {
        body: { bread: 'wheat' },
      })
      return ended
    })
    await reading
    ending.abort()
  })
})

describe('what is not there', () => {
  test('is 404, or 405 with the methods that there are', async () => {
    const crew = await newCrew(ground)
    const nothing = await crew.owner.call('GET /nothing')
    assert.deepEqual([nothing.status, slugOf(nothing)], [404, 'not_found'])
    const wrong = await crew.owner.call('DELETE /projects')
    assert.deepEqual([wrong.status, slugOf(wrong)], [405, 'method_not_allowed'])
    assert.deepEqual(wrong.headers.get('allow')?.split(', ').toSorted(), ['GET', 'POST'])
    const endless = await crew.owner.call(`GET ${root(crew)}/media/${'x'.repeat(3000)}`)
    assert.deepEqual([endless.status, slugOf(endless)], [404, 'not_found'])
  })

  test('says the same to anybody, in a problem and not on a page', async () => {
    for (const route of ['GET /nothing', 'POST /nothing', 'PUT /me', 'GET /']) {
      const answer = await callPortal(ground, route)
      assert.match(answer.headers.get('content-type') ?? '', /^application\/problem\+json$/, route)
      assert.ok([404, 405].includes(answer.status), route)
    }
  })

  test('is what is for visitors and for anybody, which needs no session', async () => {
    const crew = await newCrew(ground)
    for (const path of ['/status', '/openapi.json', '/public/collections/things/documents']) {
      assert.equal((await crew.owner.call(`GET ${root(crew)}${path}`)).status, 404, path)
    }
  })
})

test('nothing of the API may be kept, read or shown by others', async () => {
  const crew = await newCrew(ground)
  for (const session of [crew.owner, { call: callPortal.bind(null, ground) }]) {
    const { headers } = await session.call('GET /projects')
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.equal(headers.get('cross-origin-resource-policy'), 'same-origin')
    assert.ok(headers.get('x-request-id'))
  }
})
