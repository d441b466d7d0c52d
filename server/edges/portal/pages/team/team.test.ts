/**
 * Tests of teams over HTTP: invitations, the permissions of each role, and refusals: accepting the
 * invitation of another person, raising one's own role, leaving a project without an owner.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eventually } from '../../../../../test/fixtures/eventually.ts'
import { openTestRuntime } from '../../../../../test/fixtures/runtime.ts'
import { mailSettings, openMailServer } from '../../../../../test/fixtures/external/mail-server.ts'
import {
  createOwnedProject,
  signIn,
  type PortalVisitor,
} from '../../../../../test/fixtures/portal/portal.ts'

const mailServer = await openMailServer()
const fixture = await openTestRuntime({
  settings: {
    ...mailSettings(mailServer),
  },
})
const { runtime } = fixture
const confirmed = { confirmed: 'yes' }
let addresses = 0
const newAddress = () => `person-${(addresses += 1)}@bakery.example`

interface Scene {
  project_id: string
  path: string
  owner: PortalVisitor
  owner_email: string
}

async function newScene(): Promise<Scene> {
  const owner_email = newAddress()
  const project_id = await createOwnedProject(fixture, owner_email)
  const owner = await signIn(fixture, owner_email)
  return { project_id, path: `/portal/projects/${project_id}`, owner, owner_email }
}

async function invitationOf({ project_id }: Scene, email: string): Promise<string> {
  const row = await runtime.db
    .selectFrom('invitations')
    .select('id')
    .where('project_id', '=', project_id)
    .where('email', '=', email)
    .executeTakeFirst()
  return row?.id ?? 'none'
}

async function invite(
  { path }: Scene,
  by: PortalVisitor,
  form: { email: string; role: string; site?: string[] },
) {
  return by.post(`${path}/team/invite`, form)
}

/** Adds a new member to the team. */
async function join(scene: Scene, role: string, site: string[] = []) {
  const email = newAddress()
  const invited = await invite(scene, scene.owner, { email, role, site })
  assert.equal(invited.to, `${scene.path}/team?done=invited`, invited.text)
  const visitor = await signIn(fixture, email)
  const id = await invitationOf(scene, email)
  const accepted = await visitor.post(`/portal/invitations/${scene.project_id}/${id}/accept`)
  assert.equal(accepted.to, scene.path, accepted.text)
  const person = await runtime.db
    .selectFrom('people')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  return { visitor, email, id: person.id }
}

async function roles({ project_id }: Scene): Promise<string[]> {
  const rows = await runtime.db
    .selectFrom('members')
    .select('role')
    .where('project_id', '=', project_id)
    .execute()
  return rows.map(({ role }) => role).toSorted()
}

describe('an invitation', () => {
  test('arrives by mail, appears on the first page and is accepted there', async () => {
    const scene = await newScene()
    const email = newAddress()
    await invite(scene, scene.owner, { email: email.toUpperCase(), role: 'member' })
    await eventually(() => mailServer.mails.some(({ to }) => to.includes(email)))
    const mail = mailServer.mails.find(({ to }) => to.includes(email))
    assert.match(
      mail?.text ?? '',
      new RegExp(`${scene.owner_email} invites you to the project "Test"`),
    )
    const visitor = await signIn(fixture, email)
    assert.match((await visitor.get('/portal')).text, /You are invited to Test/)
    assert.equal((await visitor.get(scene.path)).status, 404)
    const id = await invitationOf(scene, email)
    await visitor.post(`/portal/invitations/${scene.project_id}/${id}/accept`)
    assert.equal((await visitor.get(scene.path)).status, 200)
    assert.doesNotMatch((await visitor.get('/portal')).text, /You are invited/)
  })

  test('can be declined and disappears then', async () => {
    const scene = await newScene()
    const email = newAddress()
    await invite(scene, scene.owner, { email, role: 'member' })
    const visitor = await signIn(fixture, email)
    const path = `/portal/invitations/${scene.project_id}/${await invitationOf(scene, email)}`
    assert.equal((await visitor.post(`${path}/decline`)).to, '/portal')
    assert.equal((await visitor.post(`${path}/accept`)).status, 404)
    assert.deepEqual(await roles(scene), ['owner'])
  })

  test('cannot be accepted by another account that has its id', async () => {
    const scene = await newScene()
    const other = await newScene()
    const email = newAddress()
    await invite(scene, scene.owner, { email, role: 'owner' })
    const id = await invitationOf(scene, email)
    const path = `/portal/invitations/${scene.project_id}/${id}/accept`
    assert.equal((await other.owner.post(path)).status, 404)
    assert.equal(await invitationOf(scene, email), id)
    const own = newAddress()
    await invite(other, other.owner, { email: own, role: 'member' })
    const visitor = await signIn(fixture, own)
    const mixed = `/portal/invitations/${scene.project_id}/${await invitationOf(other, own)}/accept`
    assert.equal((await visitor.post(mixed)).status, 404)
    assert.deepEqual(await roles(scene), ['owner'])
  })

  test('is closed after a week or after withdrawal', async () => {
    const scene = await newScene()
    const late = newAddress()
    const withdrawn = newAddress()
    for (const email of [late, withdrawn])
      await invite(scene, scene.owner, { email, role: 'viewer' })
    const visitor = await signIn(fixture, withdrawn)
    const id = await invitationOf(scene, withdrawn)
    await scene.owner.post(`${scene.path}/team/invitations/${id}/withdraw`)
    const accept = `/portal/invitations/${scene.project_id}/${id}/accept`
    assert.equal((await visitor.post(accept)).status, 404)
    const slow = await signIn(fixture, late)
    const late_id = await invitationOf(scene, late)
    fixture.passes('6.9 days')
    await slow.get('/portal')
    fixture.passes('0.2 days')
    const path = `/portal/invitations/${scene.project_id}/${late_id}/accept`
    assert.equal((await slow.post(path)).status, 404)
  })

  test('is accepted once, also by concurrent requests', async () => {
    const scene = await newScene()
    const email = newAddress()
    await invite(scene, scene.owner, { email, role: 'member' })
    const visitor = await signIn(fixture, email)
    const path = `/portal/invitations/${scene.project_id}/${await invitationOf(scene, email)}/accept`
    const pages = await Promise.all([1, 2, 3, 4].map(() => visitor.post(path)))
    assert.equal(pages.filter(({ status }) => status === 303).length, 1)
    assert.deepEqual(await roles(scene), ['member', 'owner'])
  })

  test('is refused beyond the plan, also with concurrent requests', async () => {
    const scene = await newScene()
    const plan = (plan: 'free' | 'online') =>
      runtime.db.transact((tx) =>
        tx.updateTable('projects').set({ plan }).where('id', '=', scene.project_id).execute(),
      )
    await plan('free')
    const page = await invite(scene, scene.owner, { email: newAddress(), role: 'viewer' })
    assert.equal(page.status, 409)
    assert.match(page.text, /The plan Free has one member/)
    const { text } = await scene.owner.get(`${scene.path}/team`)
    assert.match(text, /The plan Free has one member, so no member can be invited/)
    assert.match(text, /The plan Online has 3 members/)
    assert.doesNotMatch(text, /action="[^"]*\/invite"/)
    await plan('online')
    assert.match((await scene.owner.get(`${scene.path}/team`)).text, /action="[^"]*\/invite"/)
    const pages = await Promise.all(
      Array.from({ length: 6 }, () =>
        invite(scene, scene.owner, { email: newAddress(), role: 'viewer' }),
      ),
    )
    assert.equal(pages.filter(({ status }) => status === 303).length, 2)
  })

  test('is refused for a team member, an invalid address or a missing role', async () => {
    const scene = await newScene()
    const again = await invite(scene, scene.owner, { email: scene.owner_email, role: 'viewer' })
    assert.equal(again.status, 409)
    for (const form of [
      { email: 'nonsense', role: 'viewer' },
      { email: newAddress(), role: 'king' },
      { email: newAddress(), role: 'viewer', site: ['019ab3f0-5e1c-7a42-9d30-6f1e2c3b4a59'] },
    ]) {
      assert.equal((await invite(scene, scene.owner, form)).status, 422)
    }
  })
})

describe('a role', () => {
  test('determines the available pages and buttons', async () => {
    const scene = await newScene()
    const admin = await join(scene, 'admin')
    const member = await join(scene, 'member')
    const viewer = await join(scene, 'viewer')
    for (const { visitor } of [admin, member, viewer]) {
      for (const page of ['', '/webhooks', '/team']) {
        assert.equal((await visitor.get(scene.path + page)).status, 200)
      }
    }
    const unknown = '019ab3f0-5e1c-7a42-9d30-6f1e2c3b4a59'
    const test = `${scene.path}/webhooks/${unknown}/test`
    assert.equal((await viewer.visitor.post(test)).status, 403)
    assert.equal((await member.visitor.post(test)).status, 404)
    for (const { visitor } of [member, viewer]) {
      const form = { email: newAddress(), role: 'viewer' }
      assert.equal((await invite(scene, visitor, form)).status, 403)
      const change = `${scene.path}/team/members/${viewer.id}/change`
      assert.equal((await visitor.post(change, { role: 'admin' })).status, 403)
      const remove = `${scene.path}/team/members/${admin.id}/remove`
      assert.equal((await visitor.post(remove, confirmed)).status, 403)
    }
    assert.deepEqual(await roles(scene), ['admin', 'member', 'owner', 'viewer'])
  })

  test('lets an admin grant no role above admin', async () => {
    const scene = await newScene()
    const admin = await join(scene, 'admin')
    const owner = await join(scene, 'owner')
    const { visitor } = admin
    const team = `${scene.path}/team`
    const form = { email: newAddress(), role: 'owner' }
    assert.equal((await invite(scene, visitor, form)).status, 403)
    for (const [id, role] of [
      [admin.id, 'owner'],
      [owner.id, 'viewer'],
    ]) {
      assert.equal(
        (await visitor.post(`${team}/members/${id}/change`, { role: role! })).status,
        403,
      )
    }
    assert.equal((await visitor.post(`${team}/members/${owner.id}/remove`, confirmed)).status, 403)
    assert.deepEqual(await roles(scene), ['admin', 'owner', 'owner'])
  })

  test('loses its permissions at once when it is withdrawn', async () => {
    const scene = await newScene()
    const admin = await join(scene, 'admin')
    const change = `${scene.path}/team/members/${admin.id}/change`
    await scene.owner.post(change, { role: 'viewer' })
    const form = { email: newAddress(), role: 'viewer' }
    assert.equal((await invite(scene, admin.visitor, form)).status, 403)
    await scene.owner.post(`${scene.path}/team/members/${admin.id}/remove`, confirmed)
    assert.equal((await admin.visitor.get(scene.path)).status, 404)
  })

  test('cannot be given up by the last owner, also if two owners resign at the same moment', async () => {
    const scene = await newScene()
    const second = await join(scene, 'owner')
    const rows = await runtime.db
      .selectFrom('members')
      .select('person_id')
      .where('project_id', '=', scene.project_id)
      .execute()
    const first_id = rows.find(({ person_id }) => person_id !== second.id)!.person_id
    const member = (id: string, verb: string) => `${scene.path}/team/members/${id}/${verb}`
    const pages = await Promise.all([
      scene.owner.post(member(first_id, 'change'), { role: 'admin' }),
      second.visitor.post(member(second.id, 'remove'), confirmed),
    ])
    assert.deepEqual(pages.map(({ status }) => status).toSorted(), [303, 409])
    assert.ok((await roles(scene)).includes('owner'))
  })

  test('of the only owner has no Leave button, and the page gives the reason', async () => {
    const scene = await newScene()
    const page = await scene.owner.get(`${scene.path}/team`)
    assert.doesNotMatch(page.text, /Leave/)
    assert.match(page.text, /You are the only owner, so you cannot leave/)
    const rows = runtime.db.selectFrom('people').select('id').where('email', '=', scene.owner_email)
    const { id } = await rows.executeTakeFirstOrThrow()
    const asked = await scene.owner.get(`${scene.path}/team/members/${id}/remove`)
    assert.match(asked.text, /Make another member an owner first/)
    assert.doesNotMatch(asked.text, /name="confirmed"/)
    await join(scene, 'owner')
    assert.match((await scene.owner.get(`${scene.path}/team`)).text, /Leave/)
  })

  test('is not changed when the confirmation page is reloaded', async () => {
    const scene = await newScene()
    const member = await join(scene, 'member')
    const remove = `${scene.path}/team/members/${member.id}/remove`
    for (const page of [
      await scene.owner.post(remove),
      await scene.owner.get(remove),
      await scene.owner.get(`${remove}?confirmed=yes`),
    ]) {
      assert.equal(page.status, 200)
      assert.match(page.text, /Remove this member\?/)
    }
    assert.equal((await roles(scene)).length, 2)
    const totp = await scene.owner.get('/portal/account/totp/remove')
    assert.match(totp.text, /Remove the second factor\?/)
  })

  test('does not prevent a member from leaving, and a former owner does not return by signing in', async () => {
    const scene = await newScene()
    const viewer = await join(scene, 'viewer')
    const leave = `${scene.path}/team/members/${viewer.id}/remove`
    assert.equal((await viewer.visitor.post(leave, confirmed)).to, '/portal')
    const heir = await join(scene, 'owner')
    const rows = await runtime.db
      .selectFrom('people')
      .select('id')
      .where('email', '=', scene.owner_email)
      .execute()
    await heir.visitor.post(`${scene.path}/team/members/${rows[0]!.id}/remove`, confirmed)
    const again = await signIn(fixture, scene.owner_email)
    assert.equal((await again.get(scene.path)).status, 404)
    assert.deepEqual(await roles(scene), ['owner'])
  })
})

describe('changing the team', () => {
  test('redirects to the identity confirmation if the last one is over 15 minutes old', async () => {
    const scene = await newScene()
    const member = await join(scene, 'member')
    const email = newAddress()
    await invite(scene, scene.owner, { email, role: 'viewer' })
    const open = await invitationOf(scene, email)
    fixture.passes('20 minutes')
    const team = `${scene.path}/team`
    const confirm = `/portal/confirm?next=${team}`
    const { text } = await scene.owner.get(team)
    assert.match(text, /Confirm your identity to invite, change or remove members/)
    assert.doesNotMatch(text, /action="[^"]*\/(?:invite|change|withdraw)"/)
    for (const [path, form] of [
      ['invite', { email: newAddress(), role: 'viewer' }],
      [`members/${member.id}/change`, { role: 'admin' }],
      [`members/${member.id}/remove`, confirmed],
      [`invitations/${open}/withdraw`, {}],
    ] as const) {
      assert.equal((await scene.owner.post(`${team}/${path}`, form)).to, confirm, path)
    }
    assert.deepEqual(await roles(scene), ['member', 'owner'])
  })

  test('asks for confirmation before a member is removed or leaves', async () => {
    const scene = await newScene()
    const member = await join(scene, 'member')
    const path = `${scene.path}/team/members/${member.id}/remove`
    assert.match((await scene.owner.post(path)).text, /Remove this member\?/)
    assert.match((await member.visitor.post(path)).text, /Leave .*\?/)
    assert.deepEqual(await roles(scene), ['member', 'owner'])
    assert.equal((await scene.owner.post(path, confirmed)).to, `${scene.path}/team?done=removed`)
    assert.deepEqual(await roles(scene), ['owner'])
  })
})

describe('a member who is limited to some sites', () => {
  test('sees those sites and no project-wide page', async () => {
    const scene = await newScene()
    const key = await fixture.newKey({ project_id: scene.project_id })
    const made: string[] = []
    for (const name of ['first', 'second']) {
      const site = await fixture.call('POST /sites', {
        key,
        body: {
          slug: `${name}-${(addresses += 1)}`,
          visibility: 'unlisted',
          files: [{ path: 'index.html', content: `<title>Site ${name}</title><p>Hello</p>` }],
        },
      })
      assert.equal(site.status, 201, site.text)
      made.push(site.body.id)
    }
    const limited = await join(scene, 'admin', [made[0]!])
    const { text } = await limited.visitor.get(scene.path)
    assert.match(text, /Site first/)
    assert.doesNotMatch(text, /Site second|Balance/)
    for (const page of ['/webhooks', '/team']) {
      assert.equal((await limited.visitor.get(scene.path + page)).status, 403)
    }
    const form = { email: newAddress(), role: 'viewer' }
    assert.equal((await invite(scene, limited.visitor, form)).status, 403)
    const change = `${scene.path}/team/members/${limited.id}/change`
    assert.equal((await limited.visitor.post(change, { role: 'admin' })).status, 403)
  })
})
