/**
 * Tests of the permissions of connections (the intersection of grant, limits and the person's role)
 * and of managing connections.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import {
  connect,
  grantableScopes,
  registerNewClient,
  renewTokens,
  type ConsentInput,
} from '../../../test/fixtures/portal/oauth.ts'
import { createOwnedProject, signIn } from '../../../test/fixtures/portal/portal.ts'
import { newTeam, type TestTeam, type Session } from '../../../test/fixtures/portal/sessions.ts'
import { eventually } from '../../../test/fixtures/eventually.ts'
import { limits } from '../../contract/limits.ts'
import { scopeNames, scopes } from '../../contract/scopes.ts'

const fixture = await openTestRuntime()
const { runtime } = fixture
const everything: readonly string[] = scopeNames
const reading = grantableScopes.filter((name) => scopes[name].read_only)

interface Held {
  key: string
  id: string
  call(route: string, body?: unknown): Promise<any>
}

async function connected(
  team: Pick<TestTeam, 'project_id'>,
  session: Session,
  rest: Partial<ConsentInput> = {},
): Promise<Held & Awaited<ReturnType<typeof connect>>> {
  const { project_id } = team
  const decision = { project_id, scopes: everything, ...rest }
  const held = await connect(fixture, session.visitor, decision)
  const key = held.access_token
  const listed = await session.call(`GET /projects/${project_id}/connections`)
  return {
    ...held,
    key,
    id: listed.body.data[0].id,
    call: (route, body) => fixture.call(route, { key, body }),
  }
}

const at = ({ project_id }: Pick<TestTeam, 'project_id'>, id = '') =>
  `/projects/${project_id}/connections${id && `/${id}`}`

describe('permissions of a connection', () => {
  test('are read-only for a viewer, whatever scopes it was granted', async () => {
    const team = await newTeam(fixture)
    const own = await connected(team, team.member)
    assert.equal((await own.call('GET /sites')).status, 200)
    const body = { name: 'orders', schema: { type: 'object' } }
    assert.equal((await own.call('POST /collections', body)).status, 201)
    await changeMember(team, 'viewer')
    const refused = await own.call('POST /collections', { ...body, name: 'guests' })
    assert.equal(refused.status, 403)
    assert.match(refused.body.type, /missing_scope$/)
    assert.match(refused.headers.get('www-authenticate') ?? '', /error="insufficient_scope"/)
    assert.equal((await own.call('GET /collections')).status, 200)
    const renewed = await renewTokens(fixture, own.program, own)
    assert.equal(renewed.body.scope, reading.join(' '))
  })

  test("are limited to the person's sites, with limited_by in the error", async () => {
    const team = await newTeam(fixture)
    const own = await connected(team, team.limited)
    const { body } = await own.call('GET /project')
    assert.deepEqual(body.access, {
      sites: [team.site_id],
      apps: [],
      collections: [],
      limited_by: 'member',
    })
    assert.equal((await own.call(`GET /sites/${team.site_id}`)).status, 200)
    assert.equal((await own.call(`GET /sites/${team.other_site_id}`)).status, 403)
    assert.equal((await own.call('GET /balance')).status, 403)
  })

  test("are the intersection of its own limits and its person's", async () => {
    const team = await newTeam(fixture)
    const own = await connected(team, team.admin, { sites: [team.other_site_id] })
    const { body } = await own.call('GET /project')
    assert.deepEqual(body.access, {
      sites: [team.other_site_id],
      apps: [],
      collections: [],
      limited_by: 'connection',
    })
    assert.deepEqual(Object.keys(body).toSorted(), [
      'access',
      'created_at',
      'edition',
      'id',
      'mode',
      'name',
    ])
    const listed = await own.call('GET /sites')
    assert.deepEqual(
      listed.body.data.map(({ id }: { id: string }) => id),
      [team.other_site_id],
    )
    await changeMember(team, 'member', { sites: [team.site_id], apps: [] }, 'admin')
    const now = await own.call('GET /project')
    assert.deepEqual(now.body.access.sites, [])
    assert.equal((await own.call(`GET /sites/${team.other_site_id}`)).status, 403)
    assert.equal((await own.call(`GET /sites/${team.site_id}`)).status, 403)
  })

  test('end when its person leaves the team, and stay ended when the person returns', async () => {
    const team = await newTeam(fixture)
    const own = await connected(team, team.member)
    const person_id = await idOf(team.member)
    const removed = await team.owner.call(
      `DELETE /projects/${team.project_id}/members/${person_id}`,
    )
    assert.equal(removed.status, 204, removed.text)
    assert.equal((await own.call('GET /project')).status, 401)
    assert.equal((await renewTokens(fixture, own.program, own)).body.error, 'invalid_grant')
  })

  test('end with project_deleted when the project is deleted', async () => {
    const team = await newTeam(fixture)
    const own = await connected(team, team.owner)
    const deleted_at = runtime.clock.now()
    await runtime.db.transact((tx) =>
      tx.updateTable('projects').set({ deleted_at }).where('id', '=', team.project_id).execute(),
    )
    const { status, body } = await own.call('GET /project')
    assert.equal(status, 401)
    assert.match(body.type, /project_deleted$/)
    assert.equal((await renewTokens(fixture, own.program, own)).body.error, 'invalid_grant')
  })

  test('allow nothing real in test mode, and in live mode only enabled features', async () => {
    const team = await newTeam(fixture)
    const company_status = 'approved'
    await runtime.db.transact((tx) =>
      tx
        .updateTable('projects')
        .set({ company_status })
        .where('id', '=', team.project_id)
        .execute(),
    )
    for (const mode of ['test', 'live']) {
      const own = await connected(team, team.owner, { mode })
      assert.equal((await own.call('GET /project')).body.mode, mode)
      const simulated = await own.call('POST /test/calls', { to: '+447700900000' })
      assert.equal(simulated.body.type.endsWith('test_key_required'), mode === 'live')
    }
  })

  test('include the same rate limit as for a key', async () => {
    const team = await newTeam(fixture)
    const own = await connected(team, team.owner)
    for (let count = 0; count < limits.requests_max; count += 1) await own.call('GET /project')
    const refused = await own.call('GET /project')
    assert.equal(refused.status, 429)
  })
})

async function idOf(session: Session): Promise<string> {
  const { id } = await runtime.db
    .selectFrom('people')
    .select('id')
    .where('email', '=', session.email)
    .executeTakeFirstOrThrow()
  return id
}

// oxlint-disable-next-line max-params -- test helper
async function changeMember(
  team: TestTeam,
  role: string,
  access: unknown = null,
  who: 'member' | 'admin' = 'member',
): Promise<void> {
  const person_id = await idOf(team[who])
  const changed = await team.owner.call(`PATCH /projects/${team.project_id}/members/${person_id}`, {
    body: { role, access },
  })
  assert.equal(changed.status, 200, changed.text)
}

describe('managing connections', () => {
  test('shows people their own connections, and owners and admins all of them with their permissions', async () => {
    const team = await newTeam(fixture)
    const own = await connected(team, team.member, { scopes: reading })
    const other = await connected(team, team.owner, { scopes: ['project:read', 'data:write'] })
    const seen = async (session: Session) =>
      (await session.call(`GET ${at(team)}`)).body.data.map(({ id }: { id: string }) => id)
    assert.deepEqual(await seen(team.owner), [other.id, own.id])
    assert.deepEqual(await seen(team.admin), [other.id, own.id])
    assert.deepEqual(await seen(team.member), [own.id])
    assert.deepEqual(await seen(team.viewer), [])
    assert.deepEqual(await seen(team.limited), [])
    await changeMember(team, 'admin', { sites: [team.site_id], apps: [] }, 'admin')
    assert.deepEqual(await seen(team.admin), [])
    await own.call('GET /project')
    const [, shown] = (await team.owner.call(`GET ${at(team)}`)).body.data
    const { created_at, last_used_at, client_name, ...rest } = shown
    assert.match(client_name, /^Assistant \d+$/)
    assert.ok(created_at <= last_used_at)
    assert.deepEqual(rest, {
      id: own.id,
      client_id: own.program.client_id,
      redirect_host: 'assistant.example',
      person: { id: await idOf(team.member), email: team.member.email },
      mode: 'test',
      scopes: reading,
      access: null,
    })
  })

  test('ends a connection, whose tokens get 401 from the next request on', async () => {
    const team = await newTeam(fixture)
    for (const session of [team.member, team.admin]) {
      const own = await connected(team, team.member)
      assert.equal((await own.call('GET /project')).status, 200)
      assert.equal((await session.call(`DELETE ${at(team, own.id)}`)).status, 204)
      const { status, body } = await own.call('GET /project')
      assert.deepEqual(
        [status, body.user_message],
        [401, 'This connection was ended. Connect again to go on.'],
      )
      assert.equal((await renewTokens(fixture, own.program, own)).body.error, 'invalid_grant')
      assert.equal((await session.call(`DELETE ${at(team, own.id)}`)).status, 404)
    }
  })

  test('lets owners and admins limit a connection to fewer scopes, from its next request on', async () => {
    const team = await newTeam(fixture)
    const own = await connected(team, team.member, { scopes: ['project:read', 'sites:read'] })
    const access = { sites: [team.site_id], apps: [] }
    const refused = await team.member.call(`PATCH ${at(team, own.id)}`, { body: { access } })
    assert.equal(refused.status, 403)
    const limited = await team.admin.call(`PATCH ${at(team, own.id)}`, { body: { access } })
    assert.deepEqual([limited.status, limited.body.access], [200, access], limited.text)
    assert.equal((await own.call(`GET /sites/${team.other_site_id}`)).status, 403)
    assert.equal((await own.call(`GET /sites/${team.site_id}`)).status, 200)
    const open = await team.owner.call(`PATCH ${at(team, own.id)}`, { body: { access: null } })
    assert.equal(open.body.access, null)
    assert.equal((await own.call(`GET /sites/${team.other_site_id}`)).status, 200)
    const less = { scopes: ['project:read'] }
    assert.equal((await team.member.call(`PATCH ${at(team, own.id)}`, { body: less })).status, 200)
    assert.equal((await own.call('GET /sites')).status, 403)
    const more = { scopes: ['project:read', 'data:write'] }
    const clash = await team.owner.call(`PATCH ${at(team, own.id)}`, { body: more })
    assert.equal(clash.status, 409)
    const nowhere = '01890b2c-7d4e-7a1b-9c3d-5e6f7a8b9c0d'
    for (const body of [
      {},
      { scopes: [] },
      { scopes: ['x'] },
      { access: {} },
      { access: { sites: [], apps: [] } },
      { access: { sites: [nowhere], apps: [] } },
      { access: { sites: [team.site_id], apps: [nowhere] } },
      { mode: 'live' },
    ]) {
      assert.equal((await team.owner.call(`PATCH ${at(team, own.id)}`, { body })).status, 422)
    }
  })

  test('needs a confirmed identity, and refuses connections of others and of other projects', async () => {
    const team = await newTeam(fixture)
    const other = await newTeam(fixture)
    const own = await connected(team, team.owner)
    const body = { scopes: ['project:read'] }
    for (const [session, project] of [
      [team.member, team],
      [team.viewer, team],
      [other.owner, other],
      [other.owner, team],
    ] as const) {
      assert.equal((await session.call(`DELETE ${at(project, own.id)}`)).status, 404)
      assert.equal((await session.call(`PATCH ${at(project, own.id)}`, { body })).status, 404)
    }
    fixture.passes('16 minutes')
    const stale = await team.owner.call(`PATCH ${at(team, own.id)}`, { body })
    assert.equal(stale.status, 403)
    assert.ok(stale.body.confirm_url)
    assert.equal((await own.call('GET /project')).status, 200)
  })

  test('ends the longest unused connection when a person opens the fifty-first', async () => {
    const email = 'many@bakery.example'
    const project_id = await createOwnedProject(fixture, email)
    const visitor = await signIn(fixture, email)
    const program = await registerNewClient(fixture)
    const first = await connect(fixture, visitor, { project_id, program })
    const second = await connect(fixture, visitor, { project_id, program })
    fixture.passes('10 minutes')
    assert.equal((await fixture.call('GET /project', { key: first.access_token })).status, 200)
    for (let count = 2; count < limits.connections_max; count += 1) {
      if (count % 20 === 0) fixture.passes('11 minutes')
      await connect(fixture, visitor, { project_id, program })
    }
    assert.equal((await fixture.call('GET /project', { key: second.access_token })).status, 200)
    fixture.passes('11 minutes')
    await connect(fixture, visitor, { project_id, program })
    const status = async (key: string) => (await fixture.call('GET /project', { key })).status
    assert.equal(await status(first.access_token), 401)
    assert.equal(await status(second.access_token), 200)
  })
})

test('the sweep deletes ended connections and their tokens after a month', async () => {
  const team = await newTeam(fixture)
  const own = await connected(team, team.owner)
  await team.owner.call(`DELETE ${at(team, own.id)}`)
  fixture.passes('29 days')
  assert.equal((await own.call('GET /project')).status, 401)
  fixture.passes('3 days')
  await eventually(async () => {
    const counts = await Promise.all(
      (['connections', 'access_tokens', 'oauth_records'] as const).map((table) =>
        runtime.db
          .selectFrom(table)
          .select('project_id')
          .where('project_id', '=', team.project_id)
          .execute(),
      ),
    )
    return counts.every((rows) => rows.length === 0)
  })
})
