/** Tests of deleting and restoring projects, and of the mails to their owners. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eventually } from '../../../test/fixtures/eventually.ts'
import { mailSettings, openMailServer } from '../../../test/fixtures/external/mail-server.ts'
import { newFixtures } from '../../../test/fixtures/path-ids.ts'
import { connect } from '../../../test/fixtures/portal/oauth.ts'
import { createOwnedProject } from '../../../test/fixtures/portal/portal.ts'
import { newSession } from '../../../test/fixtures/portal/sessions.ts'
import { openTestRuntime, type Answer } from '../../../test/fixtures/runtime.ts'
import { filesFromTexts, newSiteOwner, newSlug } from '../../../test/fixtures/sites/site-owner.ts'
import { hostOf, visit } from '../../../test/fixtures/sites/site-visitor.ts'
import { limits } from '../../contract/limits.ts'
import * as bin from './service.ts'

const mailServer = await openMailServer()
const fixture = await openTestRuntime({ settings: mailSettings(mailServer) })
const { runtime } = fixture
let people = 0

async function newOwner() {
  const email = `bin-${(people += 1)}@bakery.example`
  const project_id = await createOwnedProject(fixture, email)
  return { email, project_id, session: await newSession(fixture, email) }
}

type Owner = Awaited<ReturnType<typeof newOwner>>

const remove = ({ session, project_id }: Omit<Owner, 'email'>) =>
  session.call(`DELETE /projects/${project_id}?confirm=Test`)

const restore = ({ session, project_id }: Omit<Owner, 'email'>) =>
  session.call(`POST /deleted-projects/${project_id}/restore`)

const listOf = async ({ session }: Pick<Owner, 'session'>) =>
  (await session.call('GET /deleted-projects')).body.data

const refusalOf = ({ status, body }: Answer) => [status, String(body.type).split('/').at(-1)]
const mailsTo = (email: string) => mailServer.mails.filter(({ to }) => to.includes(email))

describe('a deleted project', () => {
  test('is listed for its owner with the date of its removal, and its owner is mailed', async () => {
    const owner = await newOwner()
    assert.deepEqual(await listOf(owner), [])
    const before_ms = fixture.clock.now_ms()
    assert.equal((await remove(owner)).status, 204)
    const [project, ...others] = await listOf(owner)
    assert.deepEqual([project.id, project.name, others], [owner.project_id, 'Test', []])
    const kept_ms = Date.parse(project.kept_until) - Date.parse(project.deleted_at)
    assert.equal(kept_ms, limits.deleted_project_kept_s * 1000)
    assert.ok(Date.parse(project.deleted_at) >= before_ms)
    assert.equal((await remove(owner)).status, 404)
    await eventually(() => mailsTo(owner.email).length > 0)
    const [mail] = mailsTo(owner.email)
    assert.equal(mail!.headers['subject'], 'The project Test was deleted')
    assert.match(mail!.text, /An owner can restore it until \d+ \w+ \d{4}\./)
  })

  test('is inaccessible at once by key, session, site and link, until it is restored', async () => {
    const { ids, team } = await newFixtures(fixture)
    const { owner, project_id } = team
    const key = await fixture.newKey({ project_id })
    const site = await fixture.call(`GET /sites/${ids['/sites/{id}']}`, { key })
    const versions = await fixture.call(`GET /sites/${ids['/sites/{id}']}/versions`, { key })
    const [{ preview_url }] = versions.body.data
    const token = await fixture.call('POST /chat-tokens', {
      key,
      body: { allowed_origins: ['https://a.example'] },
    })
    const link = await fixture.call(`GET /media/${ids['/media/{id}']}/link`, { key })
    const tokens = await connect(fixture, owner.visitor, { project_id })
    const webhook = `GET /webhooks/${ids['/webhooks/{id}']}`
    const before = (await fixture.call(webhook, { key })).body
    const doors = async () => ({
      key: (await fixture.call('GET /project', { key })).status,
      connection: (await fixture.call('GET /project', { key: tokens.access_token })).status,
      public_token: (
        await fixture.call('GET /public/chat/config', {
          key: token.body.token,
          headers: { origin: 'https://a.example' },
        })
      ).status,
      site: (await visit(fixture, { host: hostOf(site.body.url), route: 'GET /' })).status,
      preview: (await visit(fixture, { host: hostOf(preview_url), route: 'GET /' })).status,
      file: (await fetch(link.body.url)).status,
      viewer: (await team.viewer.call(`GET /projects/${project_id}`)).status,
    })
    const open = await doors()
    assert.deepEqual(
      [
        open.key,
        open.connection,
        open.public_token,
        open.site,
        open.preview,
        open.file,
        open.viewer,
      ],
      [200, 200, 200, 200, 200, 200, 200],
    )
    const away = await remove({ session: owner, project_id })
    assert.equal(away.status, 204, away.text)
    assert.deepEqual(await doors(), {
      key: 401,
      connection: 401,
      public_token: 401,
      site: 404,
      preview: 404,
      file: 404,
      viewer: 404,
    })
    assert.equal((await restore({ session: owner, project_id })).status, 200)
    assert.deepEqual(await doors(), open)
    assert.deepEqual((await fixture.call(webhook, { key })).body, before)
  })

  test('keeps its slugs, so that no other project can publish there', async () => {
    const owner = await newSiteOwner(fixture)
    const slug = newSlug()
    await owner.publish({ 'index.html': '<title>x</title>' }, { slug })
    await bin.remove(runtime, owner.project_id)
    const body = { slug, files: filesFromTexts({ 'index.html': '<title>y</title>' }) }
    const other = await newSiteOwner(fixture)
    assert.deepEqual(refusalOf(await other.call('POST /sites', body)), [409, 'slug_taken'])
  })
})

describe('restoring', () => {
  test('requires an owner, a recently confirmed identity and a deleted project', async () => {
    const stranger = await newOwner()
    const owner = await newOwner()
    assert.deepEqual(refusalOf(await restore(owner)), [404, 'not_found'])
    await remove(owner)
    // A restored project gets no mail about its deletion any more.
    await eventually(() => mailsTo(owner.email).length > 0)
    const { project_id } = owner
    const stolen = await restore({ session: stranger.session, project_id })
    assert.deepEqual(refusalOf(stolen), [404, 'not_found'])
    assert.deepEqual(await listOf(stranger), [])
    fixture.passes('16 minutes')
    assert.deepEqual(refusalOf(await restore(owner)), [403, 'forbidden'])
    const later = { session: await newSession(fixture, owner.email), project_id }
    const restored = await restore(later)
    assert.deepEqual([restored.status, restored.body], [200, { id: project_id, name: 'Test' }])
    assert.deepEqual(refusalOf(await restore(later)), [404, 'not_found'])
    assert.deepEqual(await listOf(later), [])
    await eventually(() => mailsTo(owner.email).length > 1)
    assert.match(mailsTo(owner.email).at(-1)!.text, /was restored/)
  })

  test('counts against the limit of owned projects', async () => {
    const owner = await newOwner()
    await remove(owner)
    for (let owned = 0; owned < limits.projects_owned_max; owned += 1) {
      const made = await owner.session.call('POST /projects', { body: { name: 'One of many' } })
      assert.equal(made.status, 201)
    }
    const refused = await restore(owner)
    assert.deepEqual(refusalOf(refused), [409, 'conflict'])
    assert.match(refused.body.user_message, /which is the maximum/)
  })

  test('refuses the owner of a project that the operator deleted, and mails the owner', async () => {
    const owner = await newOwner()
    assert.equal((await owner.session.call(`GET /projects/${owner.project_id}`)).status, 200)
    assert.equal(await bin.remove(runtime, owner.project_id), true)
    assert.deepEqual(await listOf(owner), [])
    assert.deepEqual(refusalOf(await restore(owner)), [404, 'not_found'])
    await eventually(() => mailsTo(owner.email).length > 0)
    assert.match(mailsTo(owner.email)[0]!.text, /Only the operator can restore it until/)
    assert.ok(await bin.restore(runtime, owner.project_id))
    assert.equal((await remove(owner)).status, 204)
    assert.equal((await restore(owner)).status, 200)
  })

  test('works on the command line for a project without members', async () => {
    const { project_id } = await fixture.newProject()
    assert.equal(await bin.remove(runtime, project_id), true)
    assert.equal(await bin.remove(runtime, project_id), false)
    assert.equal((await bin.restore(runtime, project_id))?.id, project_id)
    assert.equal(await bin.restore(runtime, project_id), null)
  })
})

test('limits the projects that a person creates in a day, deleted ones included', async () => {
  const { session } = await newOwner()
  for (let made = 1; made < limits.projects_created_per_day_max; made += 1) {
    const { body } = await session.call('POST /projects', { body: { name: 'Test' } })
    await remove({ session, project_id: body.id })
  }
  const refused = await session.call('POST /projects', { body: { name: 'Test' } })
  assert.deepEqual(refusalOf(refused), [429, 'rate_limited'])
  fixture.passes('24 hours')
  assert.equal((await session.call('POST /projects', { body: { name: 'Test' } })).status, 201)
})
