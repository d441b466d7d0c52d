/**
 * What a connection may do at each moment: no more than was allowed, than it still has, and than the
 * person whose it is may do then. And who sees, limits and ends it.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openTestHouse } from '../../../test/ground/house.ts'
import { connect, newProgram, renew, type Decision } from '../../../test/ground/oauth.ts'
import { ownedBy, signIn } from '../../../test/ground/portal.ts'
import { newCrew, type Crew, type Session } from '../../../test/ground/sessions.ts'
import { eventually } from '../../../test/ground/eventually.ts'
import { limits } from '../../contract/limits.ts'
import { scopeNames, scopes } from '../../contract/scopes.ts'

const ground = await openTestHouse()
const { house } = ground
const everything: readonly string[] = scopeNames
const reading = scopeNames.filter((name) => scopes[name].read_only)

interface Held {
  key: string
  id: string
  call(route: string, body?: unknown): Promise<any>
}

async function connected(
  crew: Pick<Crew, 'project_id'>,
  session: Session,
  rest: Partial<Decision> = {},
): Promise<Held & Awaited<ReturnType<typeof connect>>> {
  const { project_id } = crew
  const decision = { project_id, scopes: everything, ...rest }
  const held = await connect(ground, session.visitor, decision)
  const key = held.access_token
  const listed = await session.call(`GET /projects/${project_id}/connections`)
  return {
    ...held,
    key,
    id: listed.body.data[0].id,
    call: (route, body) => ground.call(route, { key, body }),
  }
}

const at = ({ project_id }: Pick<Crew, 'project_id'>, id = '') =>
  `/projects/${project_id}/connections${id && `/${id}`}`

describe('a connection', () => {
  test('of somebody who only looks may only look, whatever it holds', async () => {
    const crew = await newCrew(ground)
    const own = await connected(crew, crew.member)
    assert.equal((await own.call('GET /sites')).status, 200)
    const body = { name: 'orders', schema: { type: 'object' } }
    assert.equal((await own.call('POST /collections', body)).status, 201)
    await changeMember(crew, 'viewer')
    const refused = await own.call('POST /collections', { ...body, name: 'guests' })
    assert.equal(refused.status, 403)
    assert.match(refused.body.type, /missing_scope$/)
    assert.match(refused.headers.get('www-authenticate') ?? '', /error="insufficient_scope"/)
    assert.equal((await own.call('GET /collections')).status, 200)
    const renewed = await renew(ground, own.program, own)
    assert.equal(renewed.body.scope, reading.join(' '))
  })

  test('of somebody limited to some sites is limited to those, and says by whom', async () => {
    const crew = await newCrew(ground)
    const own = await connected(crew, crew.limited)
    const { body } = await own.call('GET /project')
    assert.deepEqual(body.access, {
      sites: [crew.site_id],
      apps: [],
      collections: [],
      limited_by: 'member',
    })
    assert.equal((await own.call(`GET /sites/${crew.site_id}`)).status, 200)
    assert.equal((await own.call(`GET /sites/${crew.other_site_id}`)).status, 403)
    assert.equal((await own.call('GET /balance')).status, 403)
  })

  test('gets what both allow: its own limits, and those of its person', async () => {
    const crew = await newCrew(ground)
    const own = await connected(crew, crew.admin, { sites: [crew.other_site_id] })
    const { body } = await own.call('GET /project')
    assert.deepEqual(body.access, {
      sites: [crew.other_site_id],
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
      [crew.other_site_id],
    )
    await changeMember(crew, 'member', { sites: [crew.site_id], apps: [] }, 'admin')
    const now = await own.call('GET /project')
    assert.deepEqual(now.body.access.sites, [])
    assert.equal((await own.call(`GET /sites/${crew.other_site_id}`)).status, 403)
    assert.equal((await own.call(`GET /sites/${crew.site_id}`)).status, 403)
  })

  test('ends when its person leaves the team, and does not come back with them', async () => {
    const crew = await newCrew(ground)
    const own = await connected(crew, crew.member)
    const person_id = await idOf(crew.member)
    const removed = await crew.owner.call(
      `DELETE /projects/${crew.project_id}/members/${person_id}`,
    )
    assert.equal(removed.status, 204, removed.text)
    assert.equal((await own.call('GET /project')).status, 401)
    assert.equal((await renew(ground, own.program, own)).body.error, 'invalid_grant')
  })

  test('of a project that was deleted says so', async () => {
    const crew = await newCrew(ground)
    const own = await connected(crew, crew.owner)
    const deleted_at = house.clock.now()
    await house.db.transact((tx) =>
      tx.updateTable('projects').set({ deleted_at }).where('id', '=', crew.project_id).execute(),
    )
    const { status, body } = await own.call('GET /project')
    assert.equal(status, 401)
    assert.match(body.type, /project_deleted$/)
    assert.equal((await renew(ground, own.program, own)).body.error, 'invalid_grant')
  })

  test('in test mode does nothing real, and in live mode what the project has gone live with', async () => {
    const crew = await newCrew(ground)
    const company_status = 'approved'
    await house.db.transact((tx) =>
      tx
        .updateTable('projects')
        .set({ company_status })
        .where('id', '=', crew.project_id)
        .execute(),
    )
    for (const mode of ['test', 'live']) {
      const own = await connected(crew, crew.owner, { mode })
      assert.equal((await own.call('GET /project')).body.mode, mode)
      const simulated = await own.call('POST /test/calls', { to: '+447700900000' })
      assert.equal(simulated.body.type.endsWith('test_key_required'), mode === 'live')
    }
  })

  test('has the rate of a key', async () => {
    const crew = await newCrew(ground)
    const own = await connected(crew, crew.owner)
    for (let count = 0; count < limits.requests_max; count += 1) await own.call('GET /project')
    const refused = await own.call('GET /project')
    assert.equal(refused.status, 429)
  })
})

async function idOf(session: Session): Promise<string> {
  const { id } = await house.db
    .selectFrom('people')
    .select('id')
    .where('email', '=', session.email)
    .executeTakeFirstOrThrow()
  return id
}

// oxlint-disable-next-line max-params -- who is changed to what
async function changeMember(
  crew: Crew,
  role: string,
  access: unknown = null,
  who: 'member' | 'admin' = 'member',
): Promise<void> {
  const person_id = await idOf(crew[who])
  const changed = await crew.owner.call(`PATCH /projects/${crew.project_id}/members/${person_id}`, {
    body: { role, access },
  })
  assert.equal(changed.status, 200, changed.text)
}

describe('people', () => {
  test('see their own connections; owners and admins see all, with what they may', async () => {
    const crew = await newCrew(ground)
    const own = await connected(crew, crew.member, { scopes: reading })
    const other = await connected(crew, crew.owner, { scopes: ['project:read', 'data:write'] })
    const seen = async (session: Session) =>
      (await session.call(`GET ${at(crew)}`)).body.data.map(({ id }: { id: string }) => id)
    assert.deepEqual(await seen(crew.owner), [other.id, own.id])
    assert.deepEqual(await seen(crew.admin), [other.id, own.id])
    assert.deepEqual(await seen(crew.member), [own.id])
    assert.deepEqual(await seen(crew.viewer), [])
    assert.deepEqual(await seen(crew.limited), [])
    await changeMember(crew, 'admin', { sites: [crew.site_id], apps: [] }, 'admin')
    assert.deepEqual(await seen(crew.admin), [])
    await own.call('GET /project')
    const [, shown] = (await crew.owner.call(`GET ${at(crew)}`)).body.data
    const { created_at, last_used_at, client_name, ...rest } = shown
    assert.match(client_name, /^Assistant \d+$/)
    assert.ok(created_at <= last_used_at)
    assert.deepEqual(rest, {
      id: own.id,
      client_id: own.program.client_id,
      redirect_host: 'assistant.example',
      person: { id: await idOf(crew.member), email: crew.member.email },
      mode: 'test',
      scopes: reading,
      access: null,
    })
  })

  test('end a connection: whatever it holds gets 401 from the next request on', async () => {
    const crew = await newCrew(ground)
    for (const session of [crew.member, crew.admin]) {
      const own = await connected(crew, crew.member)
      assert.equal((await own.call('GET /project')).status, 200)
      assert.equal((await session.call(`DELETE ${at(crew, own.id)}`)).status, 204)
      const { status, body } = await own.call('GET /project')
      assert.deepEqual(
        [status, body.user_message],
        [401, 'This connection was ended. Connect again to go on.'],
      )
      assert.equal((await renew(ground, own.program, own)).body.error, 'invalid_grant')
      assert.equal((await session.call(`DELETE ${at(crew, own.id)}`)).status, 404)
    }
  })

  test('limit a connection, from its next request on; only owners and admins, only its scopes', async () => {
    const crew = await newCrew(ground)
    const own = await connected(crew, crew.member, { scopes: ['project:read', 'sites:read'] })
    const access = { sites: [crew.site_id], apps: [] }
    const refused = await crew.member.call(`PATCH ${at(crew, own.id)}`, { body: { access } })
    assert.equal(refused.status, 403)
    const limited = await crew.admin.call(`PATCH ${at(crew, own.id)}`, { body: { access } })
    assert.deepEqual([limited.status, limited.body.access], [200, access], limited.text)
    assert.equal((await own.call(`GET /sites/${crew.other_site_id}`)).status, 403)
    assert.equal((await own.call(`GET /sites/${crew.site_id}`)).status, 200)
    const open = await crew.owner.call(`PATCH ${at(crew, own.id)}`, { body: { access: null } })
    assert.equal(open.body.access, null)
    assert.equal((await own.call(`GET /sites/${crew.other_site_id}`)).status, 200)
    const less = { scopes: ['project:read'] }
    assert.equal((await crew.member.call(`PATCH ${at(crew, own.id)}`, { body: less })).status, 200)
    assert.equal((await own.call('GET /sites')).status, 403)
    const more = { scopes: ['project:read', 'data:write'] }
    const clash = await crew.owner.call(`PATCH ${at(crew, own.id)}`, { body: more })
    assert.equal(clash.status, 409)
    const nowhere = '01890b2c-7d4e-7a1b-9c3d-5e6f7a8b9c0d'
    for (const body of [
      {},
      { scopes: [] },
      { scopes: ['x'] },
      { access: {} },
      { access: { sites: [], apps: [] } },
      { access: { sites: [nowhere], apps: [] } },
      { access: { sites: [crew.site_id], apps: [nowhere] } },
      { mode: 'live' },
    ]) {
      assert.equal((await crew.owner.call(`PATCH ${at(crew, own.id)}`, { body })).status, 422)
    }
  })

  test('do not touch those of others, nor of another project, and prove who they are first', async () => {
    const crew = await newCrew(ground)
    const other = await newCrew(ground)
    const own = await connected(crew, crew.owner)
    const body = { scopes: ['project:read'] }
    for (const [session, project] of [
      [crew.member, crew],
      [crew.viewer, crew],
      [other.owner, other],
      [other.owner, crew],
    ] as const) {
      assert.equal((await session.call(`DELETE ${at(project, own.id)}`)).status, 404)
      assert.equal((await session.call(`PATCH ${at(project, own.id)}`, { body })).status, 404)
    }
    ground.passes('16 minutes')
    const stale = await crew.owner.call(`PATCH ${at(crew, own.id)}`, { body })
    assert.equal(stale.status, 403)
    assert.ok(stale.body.confirm_url)
    assert.equal((await own.call('GET /project')).status, 200)
  })

  test('have fifty at most in one project: one more ends the one unused for longest', async () => {
    const email = 'many@bakery.example'
    const project_id = await ownedBy(ground, email)
    const visitor = await signIn(ground, email)
    const program = await newProgram(ground)
    const first = await connect(ground, visitor, { project_id, program })
    const second = await connect(ground, visitor, { project_id, program })
    ground.passes('10 minutes')
    assert.equal((await ground.call('GET /project', { key: first.access_token })).status, 200)
    for (let count = 2; count < limits.connections_max; count += 1) {
      if (count % 20 === 0) ground.passes('11 minutes')
      await connect(ground, visitor, { project_id, program })
    }
    assert.equal((await ground.call('GET /project', { key: second.access_token })).status, 200)
    ground.passes('11 minutes')
    await connect(ground, visitor, { project_id, program })
    const status = async (key: string) => (await ground.call('GET /project', { key })).status
    assert.equal(await status(first.access_token), 401)
    assert.equal(await status(second.access_token), 200)
  })
})

test('what ended is forgotten after a month, with all that it held', async () => {
  const crew = await newCrew(ground)
  const own = await connected(crew, crew.owner)
  await crew.owner.call(`DELETE ${at(crew, own.id)}`)
  ground.passes('29 days')
  assert.equal((await own.call('GET /project')).status, 401)
  ground.passes('3 days')
  await eventually(async () => {
    const counts = await Promise.all(
      (['connections', 'access_tokens', 'oauth_records'] as const).map((table) =>
        house.db
          .selectFrom(table)
          .select('project_id')
          .where('project_id', '=', crew.project_id)
          .execute(),
      ),
    )
    return counts.every((rows) => rows.length === 0)
  })
})
