/**
 * Tests that hold for every operation that a session can call, read from the declarations: those
 * for people, and those of the API in a project. A caller without the rights gets the declared
 * problem, and no reply is a 5xx. A new operation is tested as soon as app.ts lists it, with an id
 * from test/fixtures/path-ids.ts.
 */
import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { depth, longTest } from './fixtures/depth.ts'
import { operations, peopleOperations } from '../server/app.ts'
import type { Operation } from '../server/contract/operation.ts'
import { hasProjectInPath } from '../server/contract/people.ts'
import { scopes } from '../server/contract/scopes.ts'
import { createExample } from '../server/edges/describe/samples/example.ts'
import { listProblems } from '../server/edges/describe/problems-of.ts'
import { listSessionOperations } from '../server/edges/portal-api/document.ts'
import { openTestRuntime, type Answer } from './fixtures/runtime.ts'
import { fillPath, newFixtures, type PathIds } from './fixtures/path-ids.ts'
import {
  callPortal,
  newTeam,
  newSession,
  type TestTeam,
  type Session,
} from './fixtures/portal/sessions.ts'

const UNKNOWN_ID = '01890b2c-7d4e-7a1b-9c3d-5e6f7a8b9c0d'
const IN_PROJECT = '/projects/{project_id}'
const roles = ['owner', 'admin', 'member', 'viewer']
const fixture = await openTestRuntime({ work: false })
const all = listSessionOperations({ operations, peopleOperations })
const changing = all.filter(({ method }) => method !== 'GET')
const ofProjects = all.filter(hasProjectInPath)

let team: TestTeam
let ids: PathIds
let stranger: Session
let project_of_stranger: string

before(async () => {
  ;({ team, ids } = await newFixtures(fixture))
  const other = await newTeam(fixture)
  stranger = other.owner
  project_of_stranger = other.project_id
})

/** The fixture ids, by the paths that sessions use. */
function idsOfSessions(project_id: string): PathIds {
  const below = Object.entries(ids).map(([place, id]) => [IN_PROJECT + place, id])
  return { ...ids, ...Object.fromEntries(below), [IN_PROJECT]: project_id }
}

/** The route in the project of the team, with unknown ids for everything in it. */
function routeOf(operation: Operation): string {
  return routeIn(team.project_id, operation, () => UNKNOWN_ID)
}

/** The route in a project, with the ids of the team's records unless `replace` gives others. */
function routeIn(
  project_id: string,
  operation: Operation,
  replace: (id: string) => string = (id) => id,
): string {
  const { method, path, query } = operation
  const filled = fillPath(path, idsOfSessions(project_id), (id, place) =>
    place === IN_PROJECT || place.endsWith('{rail}') ? id : replace(id),
  )
  const pairs = (query?.required ?? []).map((name) => {
    return [name, String(createExample(query?.properties[name] ?? {}))]
  })
  return `${method} ${filled}${pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`}`
}

/** A request that is valid except for its sender. */
function requestOf(operation: Operation, headers: Record<string, string> = {}) {
  return {
    ...(operation.body ? { body: createExample(operation.body) } : {}),
    headers: {
      'idempotency-key': `owed-${crypto.randomUUID()}`,
      ...(hasProjectInPath(operation) ? { 'homeport-mode': 'test' } : {}),
      ...headers,
    },
  }
}

let asked = 0

/** Moves the clock in time, because the requests of a person are rate limited. */
async function ask(session: Session, operation: Operation, headers = {}): Promise<Answer> {
  asked += 1
  if (asked % 60 === 0) fixture.passes('30 seconds')
  const answer = await session.call(routeOf(operation), requestOf(operation, headers))
  assertDescribed(operation, answer)
  return answer
}

/** Their body is a document that does not fit in a URL. They report on any object. */
const checks = ['numbers.check_call_plan']
/** They only read, but their input belongs in no address: a document, or the question of a visitor. */
const readsByPost = ['calls.preview', 'messages.preview', ...checks, 'knowledge_sources.search']

const ajv = new Ajv2020({ strict: false })
for (const [name, format] of Object.entries(fullFormats)) ajv.addFormat(name, format)

/** Requires a reply of the declared shape, or a declared problem. */
function assertDescribed(operation: Operation, answer: Answer): void {
  const said = `${operation.name}: ${answer.status} ${answer.text.slice(0, 500)}`
  if (answer.status < 300) {
    assert.equal(answer.status, operation.status, said)
    if (operation.reply)
      assert.ok(ajv.validate(operation.reply, answer.body), `${said} ${ajv.errorsText()}`)
    return
  }
  const slug = slugOf(answer)
  assert.ok(
    listProblems(operation).some((one) => one === slug),
    `${said}\n${slug} is not described`,
  )
}

function slugOf(answer: Answer): string {
  if (answer.status < 400) return ''
  assert.match(
    answer.headers.get('content-type') ?? '',
    /^application\/problem\+json$/,
    answer.text,
  )
  return answer.body.type.split('/').at(-1)
}

function assertRefused(operation: Operation, answer: Answer, expected: [number, string]): void {
  const said = `${operation.name}: ${answer.status} ${answer.text}`
  assert.deepEqual([answer.status, slugOf(answer)], expected, said)
}

/** Requires that the caller is accepted. The request may still be refused for its content. */
function assertNotRefused(operation: Operation, answer: Answer): void {
  const said = `${operation.name}: ${answer.status} ${answer.text}`
  assert.ok(answer.status < 500 && answer.status !== 401, said)
  assert.ok(!['missing_scope', 'project_not_enabled'].includes(slugOf(answer)), said)
}

describe('the operations for sessions', () => {
  test('have names and routes of their own', () => {
    assert.equal(new Set(all.map(({ name }) => name)).size, all.length)
    const routes = all.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`)
    assert.equal(new Set(routes).size, all.length)
  })

  test('of people are in no other list, so that keys and tools do not have them', async () => {
    const keyed = new Set(operations.map(({ name }) => name))
    assert.deepEqual(
      peopleOperations.filter(({ name }) => keyed.has(name)),
      [],
    )
    const { body } = await fixture.call('GET /openapi.json', { key: null })
    for (const { name } of peopleOperations) {
      assert.ok(!JSON.stringify(body.paths).includes(`"operationId":"${name}"`), name)
    }
  })

  test('of people are GETs exactly if they only read, unless their input belongs in no address', () => {
    for (const { name, method, effect } of peopleOperations) {
      if (readsByPost.includes(name)) assert.deepEqual([method, effect], ['POST', 'read'], name)
      else assert.equal(method === 'GET', effect === 'read', name)
    }
  })
})

describe('a request without a session', () => {
  test('gets 401 unauthorized from every operation', async () => {
    for (const operation of all) {
      const answer = await callPortal(fixture, routeOf(operation), requestOf(operation))
      assertRefused(operation, answer, [401, 'unauthorized'])
    }
  })

  test('gets the same with an unknown session cookie', async () => {
    for (const cookie of ['homeport_session=', `homeport_session=${'x'.repeat(43)}`]) {
      const answer = await callPortal(fixture, 'GET /projects', { headers: { cookie } })
      assert.deepEqual([answer.status, slugOf(answer)], [401, 'unauthorized'])
    }
  })
})

describe('an API key', () => {
  test('gets 401 unauthorized from every operation, with the reason', async () => {
    for (const operation of all) {
      const headers = { authorization: `Bearer ${fixture.key}` }
      const answer = await callPortal(fixture, routeOf(operation), requestOf(operation, headers))
      assertRefused(operation, answer, [401, 'unauthorized'])
      assert.match(answer.body.detail, /people who are signed in/)
    }
  })

  longTest('gets the same together with a session', async () => {
    for (const operation of all) {
      const answer = await ask(team.owner, operation, { authorization: `Bearer ${fixture.key}` })
      assertRefused(operation, answer, [401, 'unauthorized'])
    }
  })
})

describe('a page of another site', () => {
  const elsewhere = [
    { 'sec-fetch-site': 'cross-site', origin: 'https://elsewhere.example' },
    { 'sec-fetch-site': 'same-site', origin: 'http://shop.sites.localhost' },
    { 'sec-fetch-site': 'same-origin', origin: 'null' },
  ]
  for (const headers of elsewhere.slice(0, depth(1, elsewhere.length))) {
    test(`changes no data: ${headers['sec-fetch-site']} from ${headers.origin}`, async () => {
      for (const operation of changing) {
        assertRefused(operation, await ask(team.owner, operation, headers), [403, 'forbidden'])
      }
    })
  }

  test('cannot read a reply', async () => {
    const answer = await ask(team.owner, all[0]!, { origin: 'https://elsewhere.example' })
    assert.equal(answer.headers.get('access-control-allow-origin'), null)
    assert.equal(answer.headers.get('cross-origin-resource-policy'), 'same-origin')
    const before = await callPortal(fixture, 'OPTIONS /projects', {
      headers: { origin: 'https://elsewhere.example', 'access-control-request-method': 'POST' },
    })
    assert.equal(before.status, 405)
    assert.equal(before.headers.get('access-control-allow-origin'), null)
  })
})

describe('an owner of another project', () => {
  test('gets 404 not_found from every operation of this one', async () => {
    for (const operation of ofProjects) {
      const answer = await ask(stranger, operation)
      assertRefused(operation, answer, [404, 'not_found'])
      assert.ok(!answer.text.includes('team.example'), operation.name)
    }
  })

  test('gets the same in a project of their own for ids of this one', async () => {
    const withIds = ofProjects.filter(({ path }) => /\{(?!project_id|rail|level)/.test(path))
    assert.ok(withIds.length > 40)
    for (const operation of withIds) {
      asked += 1
      if (asked % 60 === 0) fixture.passes('30 seconds')
      const route = routeIn(project_of_stranger, operation)
      const answer = await stranger.call(route, requestOf(operation))
      assertRefused(operation, answer, [404, 'not_found'])
    }
  })

  test('gets 404 not_found for a project that does not exist, and for text that is not an id', async () => {
    // So that the requests of the tests before do not count in the rate limit.
    fixture.passes('2 minutes')
    for (const id of [UNKNOWN_ID, 'x', '..%2f', '%00', 'a'.repeat(500)]) {
      const answer = await stranger.call(`GET /projects/${id}`)
      assert.deepEqual([answer.status, slugOf(answer)], [404, 'not_found'], id)
    }
  })
})

describe('a viewer', () => {
  test('reads, and gets 403 from every operation that needs more than their role', async () => {
    for (const operation of ofProjects) {
      const answer = await ask(team.viewer, operation)
      const people = operation.kind === 'people' ? operation : null
      if (people) {
        if (people.access === 'viewer') assertNotRefused(operation, answer)
        else assertRefused(operation, answer, [403, 'forbidden'])
      } else if (scopes[operation.scope!].read_only) assertNotRefused(operation, answer)
      else assertRefused(operation, answer, [403, 'missing_scope'])
    }
  })
})

describe('a member who is limited to a site', () => {
  test('gets 403 forbidden from every operation of the whole project', async () => {
    for (const operation of ofProjects) {
      const answer = await ask(team.limited, operation)
      const people = operation.kind === 'people' ? operation : null
      const is_above = people !== null && roles.indexOf(people.access) < roles.indexOf('member')
      if (operation.reach === 'project' || is_above) {
        assertRefused(operation, answer, [403, 'forbidden'])
      } else assertNotRefused(operation, answer)
    }
  })

  test('sees only their site, and gets its name in the refusal for another site', async () => {
    const { project_id, site_id, other_site_id, limited } = team
    const { body } = await limited.call(`GET /projects/${project_id}/sites`)
    assert.deepEqual(
      body.data.map(({ id }: { id: string }) => id),
      [site_id],
    )
    const other = await limited.call(`GET /projects/${project_id}/sites/${other_site_id}`)
    assert.deepEqual([other.status, slugOf(other)], [403, 'forbidden'])
    for (const path of [`sites/${other_site_id}`, 'balance', 'members']) {
      const { status, body } = await limited.call(`GET /projects/${project_id}/${path}`)
      assert.equal(status, 403, path)
      assert.match(body.user_message, /^You may only use these sites: team-\d+-open\.$/, path)
      assert.match(body.next_step, /^Ask an owner or admin/, path)
    }
    const project = await limited.call(`GET /projects/${project_id}/project`)
    assert.equal(project.body.access.limited_by, 'member')
  })
})

describe('an owner', () => {
  beforeEach(() => fixture.passes('61 seconds'))

  longTest('gets the declared replies from every operation', async () => {
    const owner = await newSession(fixture, team.owner.email)
    const deletes = new Set(['projects.delete', 'members.remove'])
    for (const operation of all.filter(({ name }) => !deletes.has(name))) {
      const { status, text } = await ask(owner, operation)
      assert.ok(status < 500 || status === 503, `${operation.name}: ${text}`)
    }
  })

  test('gets 403 with confirm_url from operations that need a recent confirmation of identity, 16 minutes after signing in', async () => {
    const { email } = team.owner
    const old = await newSession(fixture, email)
    fixture.passes('16 minutes')
    for (const operation of all) {
      if (operation.kind !== 'people' || !operation.fresh) continue
      const answer = await ask(old, operation)
      assertRefused(operation, answer, [403, 'forbidden'])
      assert.equal(answer.body.confirm_url, `${fixture.runtime.config.public_url}/portal/confirm`)
    }
  })

  test('gets 404 not_found for unknown ids', async () => {
    const owner = await newSession(fixture, team.owner.email)
    for (const operation of peopleOperations) {
      const route = routeOf(
        listSessionOperations({ operations: [], peopleOperations: [operation] })[0]!,
      )
      if (!route.includes(UNKNOWN_ID)) continue
      const answer = await owner.call(route, requestOf(operationOf(operation.name)))
      assert.deepEqual([answer.status, slugOf(answer)], [404, 'not_found'], operation.name)
    }
  })

  test('gets 400 or 422 for an invalid body, from every operation for people', async () => {
    const owner = await newSession(fixture, team.owner.email)
    for (const operation of all.filter(({ kind, body }) => kind === 'people' && body)) {
      if (checks.includes(operation.name)) continue
      const bodies = ['{', '{"stray":1}', '', '[]', 'null', '"text"', '{"__proto__":1}']
      for (const raw of bodies.slice(0, depth(2, bodies.length))) {
        asked += 1
        if (asked % 60 === 0) fixture.passes('30 seconds')
        const answer = await owner.call(routeOf(operation), { ...requestOf(operation), raw })
        const said = `${operation.name} ${raw}: ${answer.text}`
        assert.ok([400, 422].includes(answer.status), said)
        assert.ok(
          ['bad_request', 'invalid_json', 'validation_failed'].includes(slugOf(answer)),
          said,
        )
      }
    }
  })

  test('gets 400 for an unknown mode, and for an unknown query parameter', async () => {
    const owner = await newSession(fixture, team.owner.email)
    const route = `GET /projects/${team.project_id}/numbers`
    const headers = { 'homeport-mode': 'dead' }
    const wrong = await owner.call(route, { headers })
    assert.deepEqual([wrong.status, slugOf(wrong)], [400, 'invalid_parameter'])
    const stray = await owner.call(`GET /projects?stray=1`)
    assert.deepEqual([stray.status, slugOf(stray)], [400, 'invalid_parameter'])
  })
})

function operationOf(name: string): Operation {
  const found = all.find((operation) => operation.name === name)
  assert.ok(found, name)
  return found
}
