/** The team over the API of the portal: who is in it, inviting, changing, removing, and who may not. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openTestHouse, type Answer } from '../../../test/ground/house.ts'
import { newCrew, newSession, type Crew } from '../../../test/ground/sessions.ts'
import { limits } from '../../contract/limits.ts'

const ground = await openTestHouse({ work: false })
const slugOf = ({ body }: Answer): string => body.type.split('/').at(-1)
const members = ({ project_id }: Crew) => `/projects/${project_id}/members`
const invitations = ({ project_id }: Crew) => `/projects/${project_id}/invitations`

async function idOf(crew: Crew, email: string): Promise<string> {
  const { body } = await crew.owner.call(`GET ${members(crew)}`)
  return body.data.find((member: any) => member.email === email).person_id
}

describe('the team', () => {
  test('is listed with roles and limits', async () => {
    const crew = await newCrew(ground)
    const { body } = await crew.viewer.call(`GET ${members(crew)}`)
    const shown = body.data.map(({ email, role, access }: any) => [
      email.split('-')[0],
      role,
      access,
    ])
    assert.deepEqual(shown.toSorted(), [
      ['admin', 'admin', null],
      ['limited', 'member', { sites: [crew.site_id], apps: [] }],
      ['member', 'member', null],
      ['owner', 'owner', null],
      ['viewer', 'viewer', null],
    ])
  })

  test('changes by admins, from the next request on', async () => {
    const crew = await newCrew(ground)
    const id = await idOf(crew, crew.viewer.email)
    const body = { role: 'member', access: { sites: [crew.site_id, crew.site_id], apps: [] } }
    const changed = await crew.admin.call(`PATCH ${members(crew)}/${id}`, { body })
    assert.equal(changed.status, 200, changed.text)
    assert.deepEqual(changed.body.access, { sites: [crew.site_id], apps: [] })
    assert.equal((await crew.viewer.call(`GET ${members(crew)}`)).status, 403)
    const back = await crew.admin.call(`PATCH ${members(crew)}/${id}`, { body: { role: 'viewer' } })
    assert.equal(back.body.access, null)
    assert.equal((await crew.viewer.call(`GET ${members(crew)}`)).status, 200)
  })

  test('limits nobody to what is not there, and no owner at all', async () => {
    const crew = await newCrew(ground)
    const id = await idOf(crew, crew.viewer.email)
    const unknown = '01890b2c-7d4e-7a1b-9c3d-5e6f7a8b9c0d'
    const faults = [
      [{ role: 'member', access: { sites: [unknown], apps: [] } }, '/access/sites/0'],
      [{ role: 'member', access: { sites: [crew.site_id], apps: [unknown] } }, '/access/apps/0'],
      [{ role: 'owner', access: { sites: [crew.site_id], apps: [] } }, '/access'],
      [{ role: 'king' }, '/role'],
    ] as const
    for (const [body, path] of faults) {
      const answer = await crew.owner.call(`PATCH ${members(crew)}/${id}`, { body })
      assert.deepEqual([answer.status, slugOf(answer)], [422, 'validation_failed'], answer.text)
      assert.equal(answer.body.errors[0].path, path)
    }
  })

  test('gives no role above that of who gives it', async () => {
    const crew = await newCrew(ground)
    const id = await idOf(crew, crew.admin.email)
    const owner_id = await idOf(crew, crew.owner.email)
    const risen = await crew.admin.call(`PATCH ${members(crew)}/${id}`, { body: { role: 'owner' } })
    assert.deepEqual([risen.status, slugOf(risen)], [403, 'forbidden'])
    assert.match(risen.body.next_step, /^Ask an owner or admin/)
    const fallen = await crew.admin.call(`PATCH ${members(crew)}/${owner_id}`, {
      body: { role: 'viewer' },
    })
    assert.deepEqual([fallen.status, slugOf(fallen)], [403, 'forbidden'])
    const removed = await crew.admin.call(`DELETE ${members(crew)}/${owner_id}`)
    assert.deepEqual([removed.status, slugOf(removed)], [403, 'forbidden'])
  })

  test('keeps an owner', async () => {
    const crew = await newCrew(ground)
    const id = await idOf(crew, crew.owner.email)
    for (const answer of [
      await crew.owner.call(`DELETE ${members(crew)}/${id}`),
      await crew.owner.call(`PATCH ${members(crew)}/${id}`, { body: { role: 'admin' } }),
    ]) {
      assert.deepEqual([answer.status, slugOf(answer)], [409, 'conflict'])
      assert.match(answer.body.user_message, /needs an owner/)
    }
  })

  test('is left by everybody by themselves, also by who is limited', async () => {
    const crew = await newCrew(ground)
    for (const session of [crew.viewer, crew.limited]) {
      const id = await idOf(crew, session.email)
      const other_id = await idOf(crew, crew.member.email)
      const other = await session.call(`DELETE ${members(crew)}/${other_id}`)
      assert.deepEqual([other.status, slugOf(other)], [403, 'forbidden'])
      assert.equal((await session.call(`DELETE ${members(crew)}/${id}`)).status, 204)
      assert.equal((await session.call(`GET /projects/${crew.project_id}`)).status, 404)
    }
  })
})

describe('inviting', () => {
  test('opens an invitation, which can be withdrawn', async () => {
    const crew = await newCrew(ground)
    const made = await crew.admin.call(`POST ${invitations(crew)}`, {
      body: { email: ' New@Bakery.Example ', role: 'member' },
    })
    assert.equal(made.status, 201, made.text)
    assert.equal(made.body.email, 'new@bakery.example')
    const { body } = await crew.viewer.call(`GET ${invitations(crew)}`)
    assert.deepEqual(body.data, [made.body])
    const withdrawn = await crew.admin.call(`DELETE ${invitations(crew)}/${made.body.id}`)
    assert.equal(withdrawn.status, 204)
    assert.deepEqual((await crew.viewer.call(`GET ${invitations(crew)}`)).body.data, [])
    assert.equal((await crew.admin.call(`DELETE ${invitations(crew)}/${made.body.id}`)).status, 404)
  })

  test('refuses what is no address, who is in the team, and a role above', async () => {
    const crew = await newCrew(ground)
    const invite = (body: object) => crew.admin.call(`POST ${invitations(crew)}`, { body })
    for (const email of ['', 'nobody', 'a@b@c', 'x@y.example\r\nbcc: z@y.example']) {
      const answer = await invite({ email, role: 'viewer' })
      assert.deepEqual([answer.status, slugOf(answer)], [422, 'validation_failed'], email)
      assert.equal(answer.body.errors[0].path, '/email')
    }
    const known = await invite({ email: crew.viewer.email, role: 'admin' })
    assert.deepEqual([known.status, slugOf(known)], [409, 'conflict'])
    const above = await invite({ email: 'king@bakery.example', role: 'owner' })
    assert.deepEqual([above.status, slugOf(above)], [403, 'forbidden'])
  })

  test('stops where the plan has no place', async () => {
    const crew = await newCrew(ground)
    const invite = (at: number) =>
      crew.owner.call(`POST ${invitations(crew)}`, {
        body: { email: `place-${at}@bakery.example`, role: 'viewer' },
      })
    // The plan Reachable has ten places, of which five are taken.
    for (let at = 0; at < 5; at += 1) assert.equal((await invite(at)).status, 201)
    const full = await invite(5)
    assert.deepEqual([full.status, slugOf(full)], [409, 'plan_limit_reached'])
  })

  test('needs an identity proof of the last 15 minutes, and so does every other change', async () => {
    const crew = await newCrew(ground)
    const id = await idOf(crew, crew.member.email)
    ground.passes('16 minutes')
    const body = { email: 'late@bakery.example', role: 'viewer' }
    for (const answer of [
      await crew.owner.call(`POST ${invitations(crew)}`, { body }),
      await crew.owner.call(`PATCH ${members(crew)}/${id}`, { body: { role: 'viewer' } }),
      await crew.owner.call(`DELETE ${members(crew)}/${id}`),
    ]) {
      assert.deepEqual([answer.status, slugOf(answer)], [403, 'forbidden'])
      assert.match(answer.body.user_message, /confirm that it is you/)
    }
  })

  test('is counted together with the page, so that nobody is mailed without end', async () => {
    const crew = await newCrew(ground)
    const body = { email: 'often@bakery.example', role: 'viewer' }
    // Four invitations made the crew.
    for (let at = 4; at < limits.invitations_per_hour_max; at += 1) {
      assert.equal((await crew.owner.call(`POST ${invitations(crew)}`, { body })).status, 201)
    }
    const once_more = await crew.owner.call(`POST ${invitations(crew)}`, { body })
    assert.deepEqual([once_more.status, slugOf(once_more)], [429, 'rate_limited'])
    assert.ok(Number(once_more.headers.get('retry-after')) > 0)
    const page = await crew.owner.visitor.post(
      `/portal${members(crew).replace('members', 'team')}/invite`,
      body,
    )
    assert.equal(page.status, 429)
    ground.passes('61 minutes')
    const owner = await newSession(ground, crew.owner.email)
    assert.equal((await owner.call(`POST ${invitations(crew)}`, { body })).status, 201)
  })
})
