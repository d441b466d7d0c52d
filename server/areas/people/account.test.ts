/** Tests of the portal API for a person's own data: account, sessions, projects and invitations. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openTestRuntime, type Answer } from '../../../test/fixtures/runtime.ts'
import { createOwnedProject, signIn } from '../../../test/fixtures/portal/portal.ts'
import { newTeam, newSession, sessionOf } from '../../../test/fixtures/portal/sessions.ts'
import { limits } from '../../contract/limits.ts'
import * as projects from '../projects/service.ts'

const fixture = await openTestRuntime({ work: false })
const { runtime } = fixture
let people = 0
const newAddress = () => `own-${(people += 1)}@bakery.example`

const slugOf = ({ body }: Answer): string => body.type.split('/').at(-1)

/** Creates a person with a project. */
async function newOwner() {
  const email = newAddress()
  const project_id = await createOwnedProject(fixture, email)
  return { email, project_id, session: await newSession(fixture, email) }
}

describe('GET /me', () => {
  test('returns the person, the session and whether the identity is recently confirmed', async () => {
    const { session, email } = await newOwner()
    const { status, body } = await session.call('GET /me')
    assert.equal(status, 200)
    assert.equal(body.person.email, email)
    assert.deepEqual([body.person.has_password, body.person.has_totp], [false, false])
    assert.equal(body.session.is_fresh, true)
    assert.deepEqual(body.simulated, { payments: true, phone_url: '/dev/phone' })
    fixture.passes('16 minutes')
    const later = await session.call('GET /me')
    assert.equal(later.body.session.is_fresh, false)
    assert.equal(later.body.session.fresh_until, body.session.fresh_until)
  })
})

describe('PUT /me/password', () => {
  test('sets a password and ends the other sessions', async () => {
    const { session, email } = await newOwner()
    const other = sessionOf(fixture, await signIn(fixture, email))
    const body = { password: 'bread rises before dawn' }
    assert.equal((await session.call('PUT /me/password', { body })).status, 204)
    assert.equal((await session.call('GET /me')).body.person.has_password, true)
    assert.equal((await other.call('GET /me')).status, 401)
  })

  test('refuses a password that is easy to guess, and an unconfirmed identity', async () => {
    const { session } = await newOwner()
    const body = { password: 'aaaaaaaaaaaa' }
    const refused = await session.call('PUT /me/password', { body })
    assert.deepEqual([refused.status, slugOf(refused)], [422, 'validation_failed'])
    assert.match(refused.body.user_message, /easy to guess/)
    fixture.passes('16 minutes')
    const late = await session.call('PUT /me/password', { body })
    assert.deepEqual([late.status, slugOf(late)], [403, 'forbidden'])
  })
})

describe('own sessions', () => {
  test('lists sessions, marks the current one and ends them individually', async () => {
    const { session, email } = await newOwner()
    const other = sessionOf(fixture, await signIn(fixture, email))
    const { body } = await session.call('GET /sessions')
    assert.equal(body.data.length, 2)
    const current = body.data.filter((one: any) => one.current)
    assert.deepEqual(
      current.map(({ id }: any) => id),
      [(await session.call('GET /me')).body.session.id],
    )
    const rest = body.data.find((one: any) => !one.current)
    assert.equal(rest.device, 'A browser of a test')
    const ended = await session.call(`DELETE /sessions/${rest.id}`)
    assert.equal(ended.status, 204)
    assert.equal((await other.call('GET /me')).status, 401)
    assert.equal((await session.call('GET /me')).status, 200)
  })

  test('returns 404 for sessions of other people', async () => {
    const [one, two] = [await newOwner(), await newOwner()]
    const { body } = await two.session.call('GET /me')
    const answer = await one.session.call(`DELETE /sessions/${body.session.id}`)
    assert.deepEqual([answer.status, slugOf(answer)], [404, 'not_found'])
    assert.equal((await two.session.call('GET /me')).status, 200)
  })

  test('can end the current session, and never returns a secret', async () => {
    const { session } = await newOwner()
    const { body, text } = await session.call('GET /sessions')
    for (const secret of session.visitor.cookies.values()) assert.ok(!text.includes(secret))
    assert.equal((await session.call(`DELETE /sessions/${body.data[0].id}`)).status, 204)
    assert.equal((await session.call('GET /projects')).status, 401)
  })
})

describe('own projects', () => {
  test('lists the projects of a person with their role', async () => {
    const team = await newTeam(fixture)
    const { body } = await team.limited.call('GET /projects')
    assert.deepEqual(
      body.data.map(({ id, role, access }: any) => ({ id, role, access })),
      [{ id: team.project_id, role: 'member', access: { sites: [team.site_id], apps: [] } }],
    )
  })

  test('creates projects on the plan Free in test mode, owned by their creator', async () => {
    const { session } = await newOwner()
    const made = await session.call('POST /projects', { body: { name: '  Second shop ' } })
    assert.equal(made.status, 201, made.text)
    const { id, name, plan, shape, role, is_live } = made.body
    assert.deepEqual(
      { name, plan, shape, role, is_live },
      {
        is_live: false,
        name: 'Second shop',
        plan: 'free',
        shape: 'single',
        role: 'owner',
      },
    )
    const { body } = await session.call(`GET /projects/${id}/project`)
    assert.deepEqual([...new Set(Object.values(body.rails))], ['test'])
    await projects.setRail(fixture.runtime.db, { project_id: id, rail: 'phone', mode: 'live' })
    assert.equal((await session.call(`GET /projects/${id}`)).body.is_live, true)
    assert.equal((await session.call(`GET /projects/${id}`)).body.name, 'Second shop')
  })

  test('refuses project names of more than one line', async () => {
    const { session } = await newOwner()
    for (const name of [
      '',
      '   ',
      'a\nb',
      'a\u0000',
      'a\u202eb',
      'a\u2066b',
      'x'.repeat(201),
      7,
      null,
    ]) {
      const answer = await session.call('POST /projects', { body: { name } })
      assert.deepEqual([answer.status, slugOf(answer)], [422, 'validation_failed'], `${name}`)
    }
  })

  test('limits the number of owned projects, also for concurrent requests', async () => {
    const { session } = await newOwner()
    const more = Array.from({ length: limits.projects_owned_max + 2 }, () =>
      session.call('POST /projects', { body: { name: 'One of many' } }),
    )
    const answers = await Promise.all(more)
    const refused = answers.filter(({ status }) => status !== 201)
    assert.equal(answers.length - refused.length, limits.projects_owned_max - 1)
    for (const answer of refused) {
      assert.deepEqual([answer.status, slugOf(answer)], [409, 'conflict'])
      assert.match(answer.body.user_message, /which is the maximum/)
    }
  })

  test('counts ownership that another owner gives, by invitation or by role', async () => {
    const { session, email } = await newOwner()
    const give = await newOwner()
    const invitations = `POST /projects/${give.project_id}/invitations`
    await fixture.runtime.db.transact((tx) =>
      tx
        .updateTable('projects')
        .set({ plan: 'business' })
        .where('id', '=', give.project_id)
        .execute(),
    )
    const asOwner = await give.session.call(invitations, { body: { email, role: 'owner' } })
    assert.equal(asOwner.status, 201, asOwner.text)
    for (let owned = 1; owned < limits.projects_owned_max; owned++) {
      await session.call('POST /projects', { body: { name: 'One of many' } })
    }
    const accept = `POST /invitations/${asOwner.body.id}/accept`
    const refused = await session.call(accept)
    assert.deepEqual([refused.status, slugOf(refused)], [409, 'conflict'])
    assert.match(refused.body.user_message, /You own 10 projects, which is the maximum/)

    const asViewer = await give.session.call(invitations, { body: { email, role: 'viewer' } })
    await session.call(`POST /invitations/${asViewer.body.id}/accept`)
    const { body } = await session.call('GET /me')
    const member = `PATCH /projects/${give.project_id}/members/${body.person.id}`
    const raised = await give.session.call(member, { body: { role: 'owner' } })
    assert.deepEqual([raised.status, slugOf(raised)], [409, 'conflict'])
    assert.match(raised.body.user_message, /owns as many projects as a person can/)
  })

  test('lets admins rename a project', async () => {
    const { session, project_id } = await newOwner()
    const route = `PATCH /projects/${project_id}`
    const renamed = await session.call(route, { body: { name: 'Bakery' } })
    assert.equal(renamed.body.name, 'Bakery')
    assert.equal((await session.call('GET /projects')).body.data[0].name, 'Bakery')
  })

  test('deletes a project if the request repeats its name, and its keys stop working at once', async () => {
    const { session, project_id } = await newOwner()
    const key = await fixture.newKey({ project_id })
    const route = `DELETE /projects/${project_id}`
    for (const confirm of ['', '?confirm=', '?confirm=test', '?confirm=Tes']) {
      const answer = await session.call(route + confirm)
      assert.deepEqual([answer.status, slugOf(answer)], [409, 'confirmation_required'], confirm)
      assert.match(answer.body.user_message, /Type the name of the project, Test,/)
    }
    assert.equal((await fixture.call('GET /project', { key })).status, 200)
    assert.equal((await session.call(`${route}?confirm=Test`)).status, 204)
    const dead = await fixture.call('GET /project', { key })
    assert.deepEqual([dead.status, slugOf(dead)], [401, 'project_deleted'])
    assert.deepEqual((await session.call('GET /projects')).body.data, [])
    assert.equal((await session.call(`GET /projects/${project_id}`)).status, 404)
  })

  test('deletes a project only after a recent confirmation of identity', async () => {
    const { session, project_id } = await newOwner()
    fixture.passes('16 minutes')
    const answer = await session.call(`DELETE /projects/${project_id}?confirm=Test`)
    assert.deepEqual([answer.status, slugOf(answer)], [403, 'forbidden'])
    assert.match(answer.body.confirm_url, /\/portal\/confirm$/)
    assert.equal((await session.call('GET /projects')).body.data.length, 1)
  })
})

describe('invitations to a person', () => {
  async function invited() {
    const team = await newTeam(fixture)
    const { session, email } = await newOwner()
    const route = `POST /projects/${team.project_id}/invitations`
    const made = await team.owner.call(route, { body: { email, role: 'viewer' } })
    assert.equal(made.status, 201, made.text)
    return { team, session, id: made.body.id }
  }

  test('are listed only for that person and can be accepted', async () => {
    const { team, session, id } = await invited()
    const { body } = await session.call('GET /invitations')
    assert.deepEqual(body.data, [
      {
        id,
        project_id: team.project_id,
        project_name: 'Test',
        role: 'viewer',
        invited_by: team.owner.email,
      },
    ])
    assert.deepEqual((await team.viewer.call('GET /invitations')).body.data, [])
    const stolen = await team.viewer.call(`POST /invitations/${id}/accept`)
    assert.deepEqual([stolen.status, slugOf(stolen)], [404, 'not_found'])
    const accepted = await session.call(`POST /invitations/${id}/accept`)
    assert.deepEqual([accepted.status, accepted.body], [200, { project_id: team.project_id }])
    assert.equal((await session.call(`GET /projects/${team.project_id}`)).body.role, 'viewer')
    assert.equal((await session.call(`POST /invitations/${id}/accept`)).status, 404)
  })

  test('are omitted from the list after they are declined', async () => {
    const { team, session, id } = await invited()
    assert.equal((await session.call(`POST /invitations/${id}/decline`)).status, 204)
    assert.deepEqual((await session.call('GET /invitations')).body.data, [])
    assert.equal((await session.call(`GET /projects/${team.project_id}`)).status, 404)
  })

  test('expire after a week', async () => {
    const { session, id } = await invited()
    fixture.passes('6 days')
    assert.equal((await session.call('GET /invitations')).body.data.length, 1)
    fixture.passes('2 days')
    assert.equal((await session.call('GET /me')).status, 200)
    assert.deepEqual((await session.call('GET /invitations')).body.data, [])
    assert.equal((await session.call(`POST /invitations/${id}/accept`)).status, 404)
  })
})

test('the first registration creates the owner as the only member of a new project', async () => {
  const { session, email } = await newOwner()
  const { body } = await session.call('POST /projects', { body: { name: 'Alone' } })
  const rows = await runtime.db
    .selectFrom('members')
    .innerJoin('people', 'people.id', 'members.person_id')
    .select(['email', 'role', 'access'])
    .where('project_id', '=', body.id)
    .execute()
  assert.deepEqual(rows, [{ email, role: 'owner', access: null }])
})
