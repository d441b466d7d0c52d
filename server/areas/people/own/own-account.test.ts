/** Tests of a new email address for an account, and of deleting an account. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { eventually } from '../../../../test/fixtures/eventually.ts'
import { mailSettings, openMailServer } from '../../../../test/fixtures/external/mail-server.ts'
import { createOwnedProject } from '../../../../test/fixtures/portal/portal.ts'
import { newSession, newTeam, type Session } from '../../../../test/fixtures/portal/sessions.ts'
import { openTestRuntime, type Answer } from '../../../../test/fixtures/runtime.ts'
import { insertInvitation } from '../sign-up/sign-up-store.ts'
import { limits } from '../../../contract/limits.ts'

const mailServer = await openMailServer()
const fixture = await openTestRuntime({ settings: mailSettings(mailServer) })
const { db } = fixture.runtime
let people = 0
const newAddress = () => `account-${(people += 1)}@bakery.example`
/** Invites an address, whether or not it has an account. */
async function inviteToSignUp(email: string) {
  const row = { id: crypto.randomUUID(), email, hash: randomBytes(32), created_at: new Date() }
  const expires_at = new Date(fixture.clock.now_ms() + 86_400_000)
  await db.transact((tx) => insertInvitation(tx, { ...row, expires_at }))
}

async function isInvited(email: string): Promise<boolean> {
  const query = db.selectFrom('sign_up_invitations').select('id').where('email', '=', email)
  return (await query.executeTakeFirst()) !== undefined
}

const slugOf = ({ body }: Answer): string => body.type.split('/').at(-1)
const mailsTo = (email: string) => mailServer.mails.filter(({ to }) => to.includes(email))

async function newOwner() {
  const email = newAddress()
  const project_id = await createOwnedProject(fixture, email)
  return { email, project_id, session: await newSession(fixture, email) }
}

/** Asks for a new address, and reads the code in its mail. */
async function ask(session: Session, email: string) {
  const asked = await session.call('POST /me/email-change', { body: { email } })
  assert.equal(asked.status, 201, asked.text)
  await eventually(() => mailsTo(email).length > 0)
  const code = /^(\d{4} \d{4})$/m.exec(mailsTo(email).at(-1)!.text)?.[1] ?? ''
  assert.notEqual(code, '')
  return { id: String(asked.body.id), email, code }
}

const change = (session: Session, body: object) => session.call('PUT /me/email', { body })

async function ownerEmailOf(project_id: string) {
  const { owner_email } = await db
    .selectFrom('projects')
    .select('owner_email')
    .where('id', '=', project_id)
    .executeTakeFirstOrThrow()
  return owner_email
}

describe('the name of an account', () => {
  test('is seen by the members of its projects, until it is removed', async () => {
    const { session, project_id } = await newOwner()
    const nameInTeam = async () => {
      const { body } = await session.call(`GET /projects/${project_id}/members`)
      return body.data[0].name
    }
    assert.equal(await nameInTeam(), null)
    const saved = await session.call('PATCH /me', { body: { name: ' Anna de Vries ' } })
    assert.equal(saved.body.person.name, 'Anna de Vries', saved.text)
    assert.equal(await nameInTeam(), 'Anna de Vries')
    await session.call('PATCH /me', { body: { name: '' } })
    assert.equal(await nameInTeam(), null)
  })

  test('has one line and at most 80 characters', async () => {
    const { session } = await newOwner()
    for (const name of ['Anna\nde Vries', '\u202eannA', 'a'.repeat(81)]) {
      const answer = await session.call('PATCH /me', { body: { name } })
      assert.deepEqual([answer.status, slugOf(answer)], [422, 'validation_failed'], name)
    }
  })
})

test('an account has no terms to accept while the operator has none', async () => {
  const { session } = await newOwner()
  assert.equal((await session.call('GET /me')).body.terms, null)
})

describe('a new email address', () => {
  test('is proven by a code, ends other sessions, and is announced to the old one', async () => {
    const { session, email, project_id } = await newOwner()
    const other = await newSession(fixture, email)
    const proof = await ask(session, newAddress())
    assert.equal((await session.call('GET /me')).body.person.email, email)
    const changed = await change(session, proof)
    assert.equal(changed.status, 200, changed.text)
    assert.equal(changed.body.person.email, proof.email)
    assert.equal((await other.call('GET /me')).status, 401)
    assert.equal(await ownerEmailOf(project_id), proof.email)
    await eventually(() => mailsTo(email).length > 0)
    const [notice] = mailsTo(email)
    assert.match(notice!.text, /another email address/)
    assert.ok(!notice!.text.includes(proof.email))
    const again = await newSession(fixture, proof.email)
    assert.equal((await again.call('GET /projects')).body.data[0].id, project_id)
  })

  test('moves the projects in the bin too, and withdraws invitations to sign up', async () => {
    const { session, email, project_id } = await newOwner()
    assert.equal((await session.call(`DELETE /projects/${project_id}?confirm=Test`)).status, 204)
    const proof = await ask(session, newAddress())
    for (const address of [email, proof.email]) await inviteToSignUp(address)
    assert.equal((await change(session, proof)).status, 200)
    for (const address of [email, proof.email]) assert.equal(await isInvited(address), false)
    const restored = await session.call(`POST /deleted-projects/${project_id}/restore`)
    assert.equal(restored.status, 200, restored.text)
    assert.equal(await ownerEmailOf(project_id), proof.email)
  })

  test('is refused with a wrong, expired or foreign code', async () => {
    const { session, email } = await newOwner()
    const proof = await ask(session, newAddress())
    const stranger = await newOwner()
    const refused = [
      await change(session, { ...proof, code: '0000 0000' }),
      await change(session, { ...proof, email: newAddress() }),
      await change(stranger.session, proof),
    ]
    for (const answer of refused) {
      assert.deepEqual([answer.status, slugOf(answer)], [422, 'validation_failed'])
    }
    fixture.passes(`${limits.sign_in_code_s + 1} seconds`)
    assert.equal((await change(session, proof)).status, 422)
    assert.equal((await session.call('GET /me')).body.person.email, email)
  })

  test('allows few attempts and few mails', async () => {
    const { session } = await newOwner()
    const proof = await ask(session, newAddress())
    for (let at = 0; at < limits.sign_in_code_tries_max; at += 1) {
      assert.equal((await change(session, { ...proof, code: `0000 000${at}` })).status, 422)
    }
    const tired = await change(session, proof)
    assert.deepEqual([tired.status, slugOf(tired)], [429, 'rate_limited'])
    for (let at = 1; at < limits.sign_in_codes_per_hour_max; at += 1) {
      await ask(session, newAddress())
    }
    const body = { email: newAddress() }
    assert.equal((await session.call('POST /me/email-change', { body })).status, 429)
  })

  test('is refused if it is not an address, is the same, or belongs to another account', async () => {
    const { session, email } = await newOwner()
    for (const written of ['nonsense', 'a@b@c.example', ` ${email.toUpperCase()}`]) {
      const answer = await session.call('POST /me/email-change', { body: { email: written } })
      assert.equal(answer.status, 422, answer.text)
    }
    const { email: taken } = await newOwner()
    const answer = await change(session, await ask(session, taken))
    assert.deepEqual([answer.status, slugOf(answer)], [409, 'conflict'])
  })

  test('needs a fresh proof of identity', async () => {
    const { session } = await newOwner()
    fixture.passes('16 minutes')
    const answer = await session.call('POST /me/email-change', { body: { email: newAddress() } })
    assert.deepEqual([answer.status, slugOf(answer)], [403, 'forbidden'])
  })
})

describe('deleting an account', () => {
  const remove = (session: Session, confirm = '') =>
    session.call(`DELETE /me${confirm === '' ? '' : `?confirm=${encodeURIComponent(confirm)}`}`)

  test('requires the address as a confirmation', async () => {
    const { session } = await newOwner()
    for (const text of ['', 'anna', newAddress()]) {
      const answer = await remove(session, text)
      assert.deepEqual([answer.status, slugOf(answer)], [409, 'confirmation_required'])
    }
  })

  test('is refused for the only owner of a project, with its name', async () => {
    const { session, email, project_id } = await newOwner()
    await session.call(`PATCH /projects/${project_id}`, { body: { name: 'Kade 12' } })
    const answer = await remove(session, email)
    assert.deepEqual([answer.status, slugOf(answer)], [409, 'conflict'])
    assert.match(answer.body.user_message, /"Kade 12"/)
    assert.equal((await session.call('GET /me')).status, 200)
  })

  test('leaves the projects to their other owners, and mails a notice', async () => {
    const team = await newTeam(fixture)
    const { project_id, owner, admin } = team
    const me = await admin.call('GET /me')
    const route = `PATCH /projects/${project_id}/members/${me.body.person.id}`
    assert.equal((await owner.call(route, { body: { role: 'owner' } })).status, 200)
    await inviteToSignUp(owner.email)
    const answer = await remove(owner, owner.email)
    assert.equal(answer.status, 204, answer.text)
    assert.equal(await isInvited(owner.email), false)
    assert.equal((await owner.call('GET /me')).status, 401)
    const { body } = await admin.call(`GET /projects/${project_id}/members`)
    assert.ok(!body.data.some(({ email }: { email: string }) => email === owner.email))
    assert.equal(await ownerEmailOf(project_id), admin.email)
    await eventually(() => mailsTo(owner.email).length > 0)
    assert.match(mailsTo(owner.email)[0]!.text, /Your account was deleted/)
  })

  test('keeps one owner if two owners delete their accounts at once', async () => {
    const { project_id, owner, admin } = await newTeam(fixture)
    const me = await admin.call('GET /me')
    const route = `PATCH /projects/${project_id}/members/${me.body.person.id}`
    assert.equal((await owner.call(route, { body: { role: 'owner' } })).status, 200)
    const answers = await Promise.all([remove(owner, owner.email), remove(admin, admin.email)])
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [204, 409])
  })
})
