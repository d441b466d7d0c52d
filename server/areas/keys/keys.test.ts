/**
 * Tests of keys that people create, limit and revoke over the portal's API, and of the resulting
 * permissions.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import { newTeam, type TestTeam, type Session } from '../../../test/fixtures/portal/sessions.ts'
import { flushRequestLog } from '../requests/service.ts'
import { scopeNames, scopes } from '../../contract/scopes.ts'

const fixture = await openTestRuntime({ work: false })
const { runtime } = fixture
const full = { name: 'A key', mode: 'test', scopes: 'full' }

/** Creates a team. Moves the clock first, because sign-ins are rate limited. */
function newScene(): Promise<TestTeam> {
  fixture.passes('16 minutes')
  return newTeam(fixture)
}

const keysOf = ({ project_id }: TestTeam) => `/projects/${project_id}/keys`

async function make(session: Session, team: TestTeam, more: object = {}): Promise<any> {
  const answer = await session.call(`POST ${keysOf(team)}`, { body: { ...full, ...more } })
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

async function limit(team: TestTeam, whom: Session, sites: string[] | null): Promise<string> {
  const { body } = await team.owner.call(`GET /projects/${team.project_id}/members`)
  const { person_id } = body.data.find(({ email }: any) => email === whom.email)
  const access = sites && { sites, apps: [] }
  const answer = await team.owner.call(`PATCH /projects/${team.project_id}/members/${person_id}`, {
    body: { role: 'admin', access },
  })
  assert.equal(answer.status, 200, answer.text)
  return person_id
}

const accessOf = async (key: string) => (await fixture.call('GET /project', { key })).body.access
const sitesOf = async (key: string) =>
  (await fixture.call('GET /sites', { key })).body.data.map(({ id }: any) => id).toSorted()

describe('a new key', () => {
  test('is shown once, works, and is listed with its creator', async () => {
    const team = await newScene()
    const made = await make(team.admin, team, { name: ' For the shop ' })
    assert.match(made.key, /^hm_test_[0-9A-Za-z]{32}$/)
    assert.equal((await fixture.call('GET /project', { key: made.key })).body.id, team.project_id)
    const { body, text } = await team.owner.call(`GET ${keysOf(team)}`)
    const { key, ...listed } = made
    assert.deepEqual({ ...body.data[0], last_used_at: null }, listed)
    assert.equal(listed.name, 'For the shop')
    assert.equal(listed.created_by, team.admin.email)
    assert.ok(!text.includes(key))
  })

  test('has full, read-only or selected scopes', async () => {
    const team = await newScene()
    const reading = scopeNames.filter((name) => scopes[name].read_only)
    for (const [wanted, given] of [
      ['full', scopeNames],
      ['read_only', reading],
      [
        ['data:read', 'project:read'],
        ['project:read', 'data:read'],
      ],
    ] as const) {
      const made = await make(team.owner, team, { scopes: wanted })
      assert.deepEqual(made.scopes.toSorted(), [...given].toSorted())
    }
  })

  test('can be live only once the company is verified', async () => {
    const team = await newScene()
    const live = { ...full, mode: 'live' }
    const early = await team.owner.call(`POST ${keysOf(team)}`, { body: live })
    assert.deepEqual([early.status, early.body.missing], [403, ['level.company']], early.text)
    assert.match(early.body.user_message, /once the company is verified/)
    await runtime.db.transact((tx) =>
      tx
        .updateTable('projects')
        .set({ company_status: 'approved' })
        .where('id', '=', team.project_id)
        .execute(),
    )
    assert.match((await make(team.owner, team, { mode: 'live' })).key, /^hm_live_/)
  })

  test('is refused with a sentence for every fault', async () => {
    const foreign = (await newScene()).site_id
    const team = await newScene()
    const nowhere = '019ab3f0-5e1c-7a42-9d30-6f1e2c3b4a59'
    for (const more of [
      { name: ' ' },
      { name: 'x'.repeat(101) },
      { name: 'a\nb' },
      { mode: 'both' },
      { scopes: [] },
      { scopes: ['everything:write'] },
      { scopes: 'all' },
      { access: { sites: [], apps: [] } },
      { access: { sites: [nowhere], apps: [] } },
      { access: { sites: [foreign], apps: [] } },
      { access: { sites: [team.site_id], apps: [nowhere] } },
      { access: { sites: ['x'], apps: [] } },
      { created_by: 'somebody' },
      { expires_at: 'tomorrow' },
      { expires_at: fixture.clock.now().toISOString() },
    ]) {
      const answer = await team.owner.call(`POST ${keysOf(team)}`, { body: { ...full, ...more } })
      assert.equal(answer.status, 422, JSON.stringify(more))
      assert.ok(answer.body.errors.length > 0)
    }
  })
})

describe('the limit of a key', () => {
  test('applies to sites, in any case of their ids, and is listed', async () => {
    const team = await newScene()
    const { site_id, other_site_id } = team
    const sites = [site_id.toUpperCase(), site_id]
    const made = await make(team.owner, team, { access: { sites, apps: [] } })
    assert.deepEqual(made.access, { sites: [site_id], apps: [] })
    assert.deepEqual(await sitesOf(made.key), [site_id])
    const { limited_by } = await accessOf(made.key)
    assert.equal(limited_by, 'api_key')
    const outside = await fixture.call(`GET /sites/${other_site_id}`, { key: made.key })
    assert.equal(outside.status, 403)
    assert.match(outside.body.user_message, /may only use these sites: team-\d+-open/)
    const whole = await fixture.call('GET /balance', { key: made.key })
    assert.equal(whole.status, 403)
    assert.equal(whole.body.user_message, outside.body.user_message)
  })

  test('changes from the next request on, whether it becomes narrower or wider', async () => {
    const team = await newScene()
    const { site_id, other_site_id } = team
    const { id, key } = await make(team.owner, team)
    const change = (body: object) => team.admin.call(`PATCH ${keysOf(team)}/${id}`, { body })
    const both = [site_id, other_site_id].toSorted()
    assert.deepEqual(await sitesOf(key), both)
    const narrower = await change({ access: { sites: [site_id], apps: [] } })
    assert.deepEqual(narrower.body.in_force, { sites: [site_id], apps: [] })
    assert.deepEqual(await sitesOf(key), [site_id])
    assert.equal((await fixture.call('GET /balance', { key })).status, 403)
    const named = await change({ name: 'Another name' })
    assert.deepEqual([named.body.name, named.body.access], ['Another name', narrower.body.access])
    await change({ access: null })
    assert.deepEqual(await sitesOf(key), both)
    assert.equal(await accessOf(key), null)
    assert.equal((await change({})).status, 422)
    assert.equal((await change({ scopes: 'full' })).status, 422)
  })

  test('is combined with the limits of its creator, at creation and later', async () => {
    const team = await newScene()
    const { site_id, other_site_id } = team
    const whole = await make(team.admin, team)
    const own = { sites: [site_id, other_site_id], apps: [] }
    const limited = await make(team.admin, team, { access: own })
    const elsewhere = await make(team.admin, team, { access: { sites: [other_site_id], apps: [] } })
    const ofOwner = await make(team.owner, team)
    await limit(team, team.admin, [site_id])
    assert.deepEqual(await sitesOf(whole.key), [site_id])
    assert.equal((await accessOf(whole.key)).limited_by, 'member')
    assert.deepEqual(await sitesOf(limited.key), [site_id])
    assert.equal((await accessOf(limited.key)).limited_by, 'api_key')
    assert.deepEqual(await sitesOf(elsewhere.key), [])
    assert.equal((await fixture.call('GET /balance', { key: whole.key })).status, 403)
    assert.equal((await sitesOf(ofOwner.key)).length, 2)
    // Removing the key's own limit does not bypass it.
    const wider = await team.owner.call(`PATCH ${keysOf(team)}/${limited.id}`, {
      body: { access: null },
    })
    assert.deepEqual([wider.body.access, wider.body.in_force.sites], [null, [site_id]])
    await limit(team, team.admin, null)
    assert.equal((await sitesOf(limited.key)).length, 2)
    assert.deepEqual(await sitesOf(elsewhere.key), [other_site_id])
  })

  test('remains after its creator leaves the team, and is updated when they return', async () => {
    const team = await newScene()
    const { site_id, project_id } = team
    const { key } = await make(team.admin, team)
    const person_id = await limit(team, team.admin, [site_id])
    await team.owner.call(`DELETE /projects/${project_id}/members/${person_id}`)
    assert.deepEqual(await sitesOf(key), [site_id])
    const body = { email: team.admin.email, role: 'admin' }
    const invited = await team.owner.call(`POST /projects/${project_id}/invitations`, { body })
    const accepted = await team.admin.call(`POST /invitations/${invited.body.id}/accept`)
    assert.equal(accepted.status, 200, accepted.text)
    assert.equal(await accessOf(key), null)
  })

  test('applies to a key that is created while the limit is set', async () => {
    const team = await newScene()
    const tries = await Promise.all([
      limit(team, team.admin, [team.site_id]),
      ...Array.from({ length: 8 }, () => team.admin.call(`POST ${keysOf(team)}`, { body: full })),
    ])
    for (const answer of tries) {
      if (typeof answer === 'string' || answer.status !== 201) continue
      assert.deepEqual(await sitesOf(answer.body.key), [team.site_id])
    }
  })
})

describe('an admin who is limited to a site', () => {
  test('creates keys for that site, and sees and changes only their own', async () => {
    const team = await newScene()
    const { site_id, other_site_id } = team
    const theirs = await make(team.owner, team)
    await limit(team, team.admin, [site_id])
    const made = await make(team.admin, team)
    assert.deepEqual(await sitesOf(made.key), [site_id])
    assert.deepEqual(made.in_force, { sites: [site_id], apps: [] })
    const beyond = await team.admin.call(`POST ${keysOf(team)}`, {
      body: { ...full, access: { sites: [other_site_id], apps: [] } },
    })
    assert.equal(beyond.status, 422)
    const { body } = await team.admin.call(`GET ${keysOf(team)}`)
    assert.deepEqual(
      body.data.map(({ id }: any) => id),
      [made.id],
    )
    const touch = (route: string, sent = {}) =>
      team.admin.call(`${route} ${keysOf(team)}/${theirs.id}`, sent)
    assert.equal((await touch('PATCH', { body: { name: 'x' } })).status, 404)
    assert.equal((await touch('DELETE')).status, 404)
    assert.equal((await fixture.call('GET /project', { key: theirs.key })).status, 200)
  })
})

describe('last_used_at of a key', () => {
  test('is null before the first request, and then exact to a minute', async () => {
    const team = await newScene()
    const { key, last_used_at } = await make(team.owner, team)
    assert.equal(last_used_at, null)
    const use = async (pause: string) => {
      fixture.passes(pause)
      await fixture.call('GET /project', { key })
      await flushRequestLog(runtime)
      return (await team.owner.call(`GET ${keysOf(team)}`)).body.data[0].last_used_at
    }
    const first = await use('1 second')
    assert.ok(first <= fixture.clock.now().toISOString())
    assert.equal(await use('30 seconds'), first)
    const later = await use('31 seconds')
    assert.ok(Date.parse(later) - Date.parse(first) > 60_000)
  })
})

describe('a revoked key', () => {
  test('gets 401 at once, stays in the list, and cannot be changed', async () => {
    const team = await newScene()
    const { id, key } = await make(team.owner, team)
    const path = `${keysOf(team)}/${id}`
    assert.equal((await team.admin.call(`DELETE ${path}`)).status, 204)
    const refused = await fixture.call('GET /project', { key })
    assert.deepEqual(
      [refused.status, refused.body.type.split('/').at(-1)],
      [401, 'api_key_revoked'],
    )
    const { body } = await team.owner.call(`GET ${keysOf(team)}`)
    const { revoked_at } = body.data[0]
    assert.ok(revoked_at)
    assert.equal((await team.admin.call(`DELETE ${path}`)).status, 204)
    const again = await team.owner.call(`GET ${keysOf(team)}`)
    assert.equal(again.body.data[0].revoked_at, revoked_at)
    assert.equal((await team.owner.call(`PATCH ${path}`, { body: { name: 'x' } })).status, 409)
  })
})

describe('a key with an expiry', () => {
  test('gets 401 from that time on, and stays in the list', async () => {
    const team = await newScene()
    const expires_at = new Date(fixture.clock.now_ms() + 3_600_000).toISOString()
    const { key, ...made } = await make(team.owner, team, { expires_at })
    assert.equal(made.expires_at, expires_at)
    fixture.passes('59 minutes')
    assert.equal((await fixture.call('GET /project', { key })).status, 200)
    fixture.passes('1 minute')
    const refused = await fixture.call('GET /project', { key })
    assert.deepEqual(
      [refused.status, refused.body.type.split('/').at(-1)],
      [401, 'api_key_revoked'],
    )
    assert.equal(refused.body.detail, `This API key expired at ${expires_at}.`)
    const { body } = await team.owner.call(`GET ${keysOf(team)}`)
    assert.deepEqual([body.data[0].expires_at, body.data[0].revoked_at], [expires_at, null])
  })
})

describe('managing keys', () => {
  test('ends at a hundred usable ones, also when many are made at once', async () => {
    const team = await newScene()
    const first = await make(team.owner, team)
    await fixture.runtime.db.transact((tx) =>
      tx
        .insertInto('api_keys')
        .columns(['id', 'project_id', 'hash', 'start', 'name', 'mode', 'scopes', 'created_at'])
        .expression(
          sql`select gen_random_uuid(), project_id, decode(md5(n::text), 'hex'), start, name, mode,
            scopes, created_at from api_keys, generate_series(1, 98) as n where id = ${first.id}`,
        )
        .execute(),
    )
    const made = await Promise.all(
      Array.from({ length: 3 }, () => team.owner.call(`POST ${keysOf(team)}`, { body: full })),
    )
    assert.deepEqual(made.map(({ status }) => status).toSorted(), [201, 409, 409])
    await team.owner.call(`DELETE ${keysOf(team)}/${first.id}`)
    const again = await team.owner.call(`POST ${keysOf(team)}`, { body: full })
    assert.equal(again.status, 201, again.text)
  })

  test('is refused to members, viewers and people outside the team', async () => {
    const stranger = (await newScene()).owner
    const team = await newScene()
    const { id } = await make(team.owner, team)
    for (const [session, status] of [
      [team.member, 403],
      [team.viewer, 403],
      [team.limited, 403],
      [stranger, 404],
    ] as const) {
      const path = keysOf(team)
      assert.equal((await session.call(`GET ${path}`)).status, status)
      assert.equal((await session.call(`POST ${path}`, { body: full })).status, status)
      const change = await session.call(`PATCH ${path}/${id}`, { body: { name: 'x' } })
      assert.equal(change.status, status)
      assert.equal((await session.call(`DELETE ${path}/${id}`)).status, status)
    }
  })

  test('does not find a key of another project, even by its id', async () => {
    const one = await newScene()
    const { id, key } = await make(one.owner, one)
    const other = await newScene()
    const path = `${keysOf(other)}/${id}`
    assert.equal((await other.owner.call(`PATCH ${path}`, { body: { name: 'x' } })).status, 404)
    assert.equal((await other.owner.call(`DELETE ${path}`)).status, 404)
    assert.equal((await fixture.call('GET /project', { key })).status, 200)
  })

  test('is read-only from 15 minutes after signing in', async () => {
    const team = await newScene()
    const { id } = await make(team.owner, team)
    fixture.passes('16 minutes')
    const path = keysOf(team)
    assert.equal((await team.owner.call(`GET ${path}`)).status, 200)
    for (const [route, body] of [
      [`POST ${path}`, full],
      [`PATCH ${path}/${id}`, { name: 'x' }],
      [`DELETE ${path}/${id}`, undefined],
    ] as const) {
      const answer = await team.owner.call(route, { body })
      assert.equal(answer.status, 403, route)
      assert.match(answer.body.confirm_url, /\/portal\/confirm/)
    }
  })
})
