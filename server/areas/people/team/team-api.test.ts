/** Tests of the portal API for teams: members, roles, limits, invitations and their permissions. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { openTestRuntime, type Answer } from '../../../../test/fixtures/runtime.ts'
import { newTeam, newSession, type TestTeam } from '../../../../test/fixtures/portal/sessions.ts'
import { limits } from '../../../contract/limits.ts'

const fixture = await openTestRuntime({ work: false })
const slugOf = ({ body }: Answer): string => body.type.split('/').at(-1)
const members = ({ project_id }: TestTeam) => `/projects/${project_id}/members`
const invitations = ({ project_id }: TestTeam) => `/projects/${project_id}/invitations`

async function idOf(team: TestTeam, email: string): Promise<string> {
  const { body } = await team.owner.call(`GET ${members(team)}`)
  return body.data.find((member: any) => member.email === email).person_id
}

describe('the team', () => {
  test('lists members with their roles and limits', async () => {
    const team = await newTeam(fixture)
    const { body } = await team.viewer.call(`GET ${members(team)}`)
    const shown = body.data.map(({ email, role, access }: any) => [
      email.split('-')[0],
      role,
      access,
    ])
    assert.deepEqual(shown.toSorted(), [
      ['admin', 'admin', null],
      ['limited', 'member', { sites: [team.site_id], apps: [] }],
      ['member', 'member', null],
      ['owner', 'owner', null],
      ['viewer', 'viewer', null],
    ])
  })

  test('applies a change by an admin from the next request on', async () => {
    const team = await newTeam(fixture)
    const id = await idOf(team, team.viewer.email)
    const body = { role: 'member', access: { sites: [team.site_id, team.site_id], apps: [] } }
    const changed = await team.admin.call(`PATCH ${members(team)}/${id}`, { body })
    assert.equal(changed.status, 200, changed.text)
    assert.deepEqual(changed.body.access, { sites: [team.site_id], apps: [] })
    assert.equal((await team.viewer.call(`GET ${members(team)}`)).status, 403)
    const back = await team.admin.call(`PATCH ${members(team)}/${id}`, { body: { role: 'viewer' } })
    assert.equal(back.body.access, null)
    assert.equal((await team.viewer.call(`GET ${members(team)}`)).status, 200)
  })

  test('refuses unknown sites as limits, and any limit for an owner', async () => {
    const team = await newTeam(fixture)
    const id = await idOf(team, team.viewer.email)
    const unknown = '01890b2c-7d4e-7a1b-9c3d-5e6f7a8b9c0d'
    const faults = [
      [{ role: 'member', access: { sites: [unknown], apps: [] } }, '/access/sites/0'],
      [{ role: 'member', access: { sites: [team.site_id], apps: [unknown] } }, '/access/apps/0'],
      [{ role: 'owner', access: { sites: [team.site_id], apps: [] } }, '/access'],
      [{ role: 'king' }, '/role'],
    ] as const
    for (const [body, path] of faults) {
      const answer = await team.owner.call(`PATCH ${members(team)}/${id}`, { body })
      assert.deepEqual([answer.status, slugOf(answer)], [422, 'validation_failed'], answer.text)
      assert.equal(answer.body.errors[0].path, path)
    }
  })

  test("refuses a role above the caller's own", async () => {
    const team = await newTeam(fixture)
    const id = await idOf(team, team.admin.email)
    const owner_id = await idOf(team, team.owner.email)
    const risen = await team.admin.call(`PATCH ${members(team)}/${id}`, { body: { role: 'owner' } })
    assert.deepEqual([risen.status, slugOf(risen)], [403, 'forbidden'])
    assert.match(risen.body.next_step, /^Ask an owner or admin/)
    const fallen = await team.admin.call(`PATCH ${members(team)}/${owner_id}`, {
      body: { role: 'viewer' },
    })
    assert.deepEqual([fallen.status, slugOf(fallen)], [403, 'forbidden'])
    const removed = await team.admin.call(`DELETE ${members(team)}/${owner_id}`)
    assert.deepEqual([removed.status, slugOf(removed)], [403, 'forbidden'])
  })

  test('refuses to remove or demote the last owner', async () => {
    const team = await newTeam(fixture)
    const id = await idOf(team, team.owner.email)
    for (const answer of [
      await team.owner.call(`DELETE ${members(team)}/${id}`),
      await team.owner.call(`PATCH ${members(team)}/${id}`, { body: { role: 'admin' } }),
    ]) {
      assert.deepEqual([answer.status, slugOf(answer)], [409, 'conflict'])
      assert.match(answer.body.user_message, /needs an owner/)
    }
  })

  test('keeps one of two owners who leave concurrently', async () => {
    const team = await newTeam(fixture)
    const admin_id = await idOf(team, team.admin.email)
    const owner_id = await idOf(team, team.owner.email)
    const body = { role: 'owner' }
    await team.owner.call(`PATCH ${members(team)}/${admin_id}`, { body })
    const answers = await Promise.all([
      team.owner.call(`DELETE ${members(team)}/${owner_id}`),
      team.admin.call(`DELETE ${members(team)}/${admin_id}`),
    ])
    const statuses = answers.map(({ status }) => status)
    assert.deepEqual(statuses.toSorted(), [204, 409])
  })

  test('lets every member leave, also a limited one', async () => {
    const team = await newTeam(fixture)
    for (const session of [team.viewer, team.limited]) {
      const id = await idOf(team, session.email)
      const other_id = await idOf(team, team.member.email)
      const other = await session.call(`DELETE ${members(team)}/${other_id}`)
      assert.deepEqual([other.status, slugOf(other)], [403, 'forbidden'])
      assert.equal((await session.call(`DELETE ${members(team)}/${id}`)).status, 204)
      assert.equal((await session.call(`GET /projects/${team.project_id}`)).status, 404)
    }
  })
})

describe('the invitation to a team', () => {
  // The sign-ins of the tests above count in the rate limit of their network.
  before(() => fixture.passes('16 minutes'))

  test('can be created and withdrawn', async () => {
    const team = await newTeam(fixture)
    const made = await team.admin.call(`POST ${invitations(team)}`, {
      body: { email: ' New@Bakery.Example ', role: 'member' },
    })
    assert.equal(made.status, 201, made.text)
    assert.equal(made.body.email, 'new@bakery.example')
    // This installation sends no mail, so the address is passed on by hand.
    assert.equal(made.body.url, `${fixture.runtime.config.public_url}/portal`)
    const { body } = await team.viewer.call(`GET ${invitations(team)}`)
    assert.deepEqual(body.data, [made.body])
    const withdrawn = await team.admin.call(`DELETE ${invitations(team)}/${made.body.id}`)
    assert.equal(withdrawn.status, 204)
    assert.deepEqual((await team.viewer.call(`GET ${invitations(team)}`)).body.data, [])
    assert.equal((await team.admin.call(`DELETE ${invitations(team)}/${made.body.id}`)).status, 404)
  })

  test('can be accepted only once by concurrent requests', async () => {
    const team = await newTeam(fixture)
    const email = 'twice@bakery.example'
    const made = await team.owner.call(`POST ${invitations(team)}`, {
      body: { email, role: 'member' },
    })
    const guest = await newSession(fixture, email)
    const accept = () => guest.call(`POST /invitations/${made.body.id}/accept`)
    const answers = await Promise.all([accept(), accept()])
    const statuses = answers.map(({ status }) => status)
    assert.deepEqual(statuses.toSorted(), [200, 404], answers.map(({ text }) => text).join())
    const { body } = await team.viewer.call(`GET ${members(team)}`)
    const added = body.data.filter((member: any) => member.email === email)
    assert.deepEqual(
      added.map(({ role }: any) => role),
      ['member'],
    )
  })

  test("is refused to invalid addresses, to existing members and to roles above the caller's own", async () => {
    const team = await newTeam(fixture)
    const invite = (body: object) => team.admin.call(`POST ${invitations(team)}`, { body })
    for (const email of ['', 'nobody', 'a@b@c', 'x@y.example\r\nbcc: z@y.example']) {
      const answer = await invite({ email, role: 'viewer' })
      assert.deepEqual([answer.status, slugOf(answer)], [422, 'validation_failed'], email)
      assert.equal(answer.body.errors[0].path, '/email')
    }
    const known = await invite({ email: team.viewer.email, role: 'admin' })
    assert.deepEqual([known.status, slugOf(known)], [409, 'conflict'])
    const above = await invite({ email: 'king@bakery.example', role: 'owner' })
    assert.deepEqual([above.status, slugOf(above)], [403, 'forbidden'])
  })

  test('is refused if the plan has no free place', async () => {
    const team = await newTeam(fixture)
    const invite = (at: number) =>
      team.owner.call(`POST ${invitations(team)}`, {
        body: { email: `place-${at}@bakery.example`, role: 'viewer' },
      })
    // The plan Reachable has ten places, of which five are taken.
    for (let at = 0; at < 5; at += 1) assert.equal((await invite(at)).status, 201)
    const full = await invite(5)
    assert.deepEqual([full.status, slugOf(full)], [409, 'plan_limit_reached'])
  })

  test('needs a confirmation of identity within 15 minutes, like every change of the team', async () => {
    const team = await newTeam(fixture)
    const id = await idOf(team, team.member.email)
    fixture.passes('16 minutes')
    const body = { email: 'late@bakery.example', role: 'viewer' }
    for (const answer of [
      await team.owner.call(`POST ${invitations(team)}`, { body }),
      await team.owner.call(`PATCH ${members(team)}/${id}`, { body: { role: 'viewer' } }),
      await team.owner.call(`DELETE ${members(team)}/${id}`),
    ]) {
      assert.deepEqual([answer.status, slugOf(answer)], [403, 'forbidden'])
      assert.match(answer.body.user_message, /confirm that it is you/)
    }
  })

  test('counts against an hourly limit of the project', async () => {
    const team = await newTeam(fixture)
    const body = { email: 'often@bakery.example', role: 'viewer' }
    // The setup has sent four invitations.
    for (let at = 4; at < limits.invitations_per_hour_max; at += 1) {
      assert.equal((await team.owner.call(`POST ${invitations(team)}`, { body })).status, 201)
    }
    const once_more = await team.owner.call(`POST ${invitations(team)}`, { body })
    assert.deepEqual([once_more.status, slugOf(once_more)], [429, 'rate_limited'])
    assert.ok(Number(once_more.headers.get('retry-after')) > 0)
    fixture.passes('61 minutes')
    const owner = await newSession(fixture, team.owner.email)
    assert.equal((await owner.call(`POST ${invitations(team)}`, { body })).status, 201)
  })
})
