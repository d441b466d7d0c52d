/**
 * Tests of the key pages: scopes and sites of new keys, and permissions to create and revoke them.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openTestRuntime } from '../../../../../test/fixtures/runtime.ts'
import {
  createOwnedProject,
  signIn,
  type PortalVisitor,
} from '../../../../../test/fixtures/portal/portal.ts'
import { scopeNames, scopes } from '../../../../contract/scopes.ts'

const fixture = await openTestRuntime({ work: false })
const { runtime } = fixture
let owners = 0

async function newScene() {
  const email = `owner-${(owners += 1)}@bakery.example`
  const project_id = await createOwnedProject(fixture, email)
  const path = `/portal/projects/${project_id}/keys`
  return { email, project_id, path, owner: await signIn(fixture, email) }
}

type Form = Record<string, string | string[]>
const all: Form = { name: 'A key', mode: 'test', may: 'all' }

/** Submits the form of the page with the given fields. */
async function send(visitor: PortalVisitor, path: string, form: Form) {
  const [, once = ''] = /name="once" value="([^"]+)"/.exec((await visitor.get(path)).text) ?? []
  return visitor.post(path, { once, ...form })
}

async function make(visitor: PortalVisitor, path: string, form: Form): Promise<string> {
  const page = await send(visitor, path, form)
  assert.equal(page.status, 200, page.text)
  return /hm_(?:test|live)_[0-9A-Za-z]{32}/.exec(page.text)?.[0] ?? 'none'
}

async function idOfKey(visitor: PortalVisitor, path: string): Promise<string> {
  return /keys\/([0-9a-f-]{36})\/revoke/.exec((await visitor.get(path)).text)?.[1] ?? 'none'
}

let published = 0

async function publish(project_id: string): Promise<string> {
  const slug = `of-a-key-${(published += 1)}`
  const files = [{ path: 'index.html', content: '<title>Bread</title>' }]
  const key = await fixture.newKey({ project_id })
  const site = await fixture.call('POST /sites', {
    key,
    body: { slug, visibility: 'unlisted', files },
  })
  assert.equal(site.status, 201, site.text)
  return site.body.id
}

describe('a new key', () => {
  test('is shown once and works, with all scopes or reading only', async () => {
    const { owner, path, project_id } = await newScene()
    const key = await make(owner, path, all)
    const project = await fixture.call('GET /project', { key })
    assert.equal(project.body.id, project_id)
    const { text } = await owner.get(path)
    assert.ok(!text.includes(key))
    assert.ok(text.includes(key.slice(0, 12)))
    const reader = await make(owner, path, { ...all, may: 'read' })
    assert.equal((await fixture.call('GET /numbers', { key: reader })).status, 200)
    assert.equal((await fixture.call('GET /webhooks', { key: reader })).status, 403)
  })

  test('shows for a test key that its sites and data are real', async () => {
    const { owner, path } = await newScene()
    const { text } = await owner.get(path)
    assert.match(text, /no real calls, messages or payments. Sites and data are real/)
    assert.doesNotMatch(text, /never causes a real call/)
  })

  test('has exactly the chosen scopes', async () => {
    const { owner, path, project_id } = await newScene()
    const scope = ['data:read', 'sites:read', 'everything:write']
    await make(owner, path, { ...all, may: 'chosen', scope })
    const row = await runtime.db
      .selectFrom('api_keys')
      .select('scopes')
      .where('project_id', '=', project_id)
      .executeTakeFirstOrThrow()
    assert.deepEqual(row.scopes.toSorted(), ['data:read', 'sites:read'])
    const none = await send(owner, path, { ...all, may: 'chosen', scope: [] })
    assert.equal(none.status, 422)
    assert.ok(scopeNames.every((name) => scopes[name].about !== ''))
  })

  test('can be limited to sites of its own project only', async () => {
    const { owner, path, project_id } = await newScene()
    const slug = `limited-${owners}`
    const files = [{ path: 'index.html', content: '<title>Bread</title>' }]
    const maker = await fixture.newKey({ project_id })
    const body = { slug, visibility: 'unlisted', files }
    const site = await fixture.call('POST /sites', { key: maker, body })
    assert.equal(site.status, 201, site.text)
    const key = await make(owner, path, { ...all, site: [site.body.id] })
    const { access } = (await fixture.call('GET /project', { key })).body
    assert.deepEqual(access.sites, [site.body.id])
    assert.equal(access.limited_by, 'api_key')
    const foreign = await newScene()
    const page = await send(foreign.owner, foreign.path, { ...all, site: [site.body.id] })
    assert.equal(page.status, 422)
  })

  test('can be live only after verification of the company', async () => {
    const { owner, path, project_id } = await newScene()
    assert.equal((await send(owner, path, { ...all, mode: 'live' })).status, 422)
    await runtime.db.transact((tx) =>
      tx
        .updateTable('projects')
        .set({ company_status: 'approved' })
        .where('id', '=', project_id)
        .execute(),
    )
    assert.match(await make(owner, path, { ...all, mode: 'live' }), /^hm_live_/)
  })

  test('requires a mode and a name of allowed length', async () => {
    const { owner, path } = await newScene()
    for (const form of [
      { ...all, name: ' ' },
      { ...all, name: 'x'.repeat(101) },
      { ...all, name: 'a\nb' },
      { ...all, mode: 'both' },
    ]) {
      assert.equal((await send(owner, path, form)).status, 422)
    }
  })
})

describe('the form of a new key', () => {
  test('creates one key for repeated and concurrent submissions', async () => {
    const { owner, path, project_id } = await newScene()
    const [, once = ''] = /name="once" value="([^"]+)"/.exec((await owner.get(path)).text) ?? []
    const pages = await Promise.all([1, 2, 3].map(() => owner.post(path, { ...all, once })))
    const shown = pages.filter(({ status }) => status === 200)
    assert.equal(shown.length, 1)
    const again = await owner.post(path, { ...all, once })
    assert.equal(again.to, `${path}?done=again`)
    assert.match((await owner.get(again.to ?? '')).text, /was already created/)
    const rows = await runtime.db
      .selectFrom('api_keys')
      .select('id')
      .where('project_id', '=', project_id)
      .execute()
    assert.equal(rows.length, 1)
  })

  test('is valid only for its person, session and project', async () => {
    const { owner, email, path } = await newScene()
    const other = await newScene()
    const [, once = ''] = /name="once" value="([^"]+)"/.exec((await owner.get(path)).text) ?? []
    const elsewhere = await signIn(fixture, email)
    for (const [visitor, at] of [
      [other.owner, other.path],
      [elsewhere, path],
    ] as const) {
      assert.equal((await visitor.post(at, { ...all, once })).status, 422)
    }
    for (const wrong of ['', 'x', `${once}x`, once.replace(/^./, '1'), `${once.split('.')[0]}.`]) {
      assert.equal((await owner.post(path, { ...all, once: wrong })).status, 422, wrong)
    }
  })
})

describe('an existing key', () => {
  test('uses a new name and new limits from its next request', async () => {
    const { owner, path, project_id } = await newScene()
    const site = await publish(project_id)
    const key = await make(owner, path, all)
    const at = `${path}/${await idOfKey(owner, path)}`
    const changed = await owner.post(at, { name: 'Kitchen', reach: 'sites', site })
    assert.equal(changed.to, `${path}?done=changed`)
    const { access } = (await fixture.call('GET /project', { key })).body
    assert.deepEqual([access.sites, access.limited_by], [[site], 'api_key'])
    assert.match((await owner.get(path)).text, /Kitchen/)
    assert.equal((await owner.post(at, { name: 'Kitchen', reach: 'sites' })).status, 422)
    await owner.post(at, { name: 'Kitchen', reach: 'project' })
    assert.equal((await fixture.call('GET /project', { key })).body.access, null)
  })

  test('stays limited to a deleted site if only its name changes', async () => {
    const { owner, path, project_id } = await newScene()
    const site = await publish(project_id)
    const key = await make(owner, path, { ...all, site })
    const at = `${path}/${await idOfKey(owner, path)}`
    const maker = await fixture.newKey({ project_id })
    const gone = await fixture.call(`DELETE /sites/${site}`, { key: maker })
    assert.equal(gone.status, 204, gone.text)
    const { text } = await owner.get(at)
    assert.match(text, /Deleted site/)
    const saved = await owner.post(at, { name: 'Still limited', reach: 'sites', site })
    assert.equal(saved.to, `${path}?done=changed`, saved.text)
    assert.deepEqual((await fixture.call('GET /project', { key })).body.access.sites, [site])
  })

  test('is revoked only after a confirmation page', async () => {
    const { owner, path } = await newScene()
    const key = await make(owner, path, all)
    const at = `${path}/${await idOfKey(owner, path)}/revoke`
    const page = await owner.get(at)
    assert.match(page.text, /Revoke A key\?/)
    assert.equal((await fixture.call('GET /project', { key })).status, 200)
    assert.equal((await owner.post(at)).to, `${path}?done=revoked`)
    assert.equal((await owner.get(at)).to, path)
    assert.equal((await owner.get(at.replace('/revoke', ''))).to, path)
  })
})

describe('creating and revoking keys', () => {
  test('requires a recent confirmation of identity, unlike viewing', async () => {
    const { owner, path } = await newScene()
    await make(owner, path, all)
    const id = await idOfKey(owner, path)
    fixture.passes('16 minutes')
    assert.match((await owner.get(path)).text, /Confirm your identity/)
    const asked = `/portal/confirm?next=${path}`
    assert.equal((await owner.post(path, all)).to, asked)
    assert.equal((await owner.post(`${path}/${id}/revoke`)).to, asked)
    assert.equal((await owner.get(asked)).status, 200)
  })

  test('answers 401 to a revoked key from its next request', async () => {
    const { owner, path } = await newScene()
    const key = await make(owner, path, all)
    const revoked = await owner.post(`${path}/${await idOfKey(owner, path)}/revoke`)
    assert.equal(revoked.to, `${path}?done=revoked`)
    assert.equal((await fixture.call('GET /project', { key })).status, 401)
    assert.match((await owner.get(path)).text, /revoked/)
  })

  test('is for owners and admins of the same project', async () => {
    const { owner, path, project_id } = await newScene()
    await make(owner, path, all)
    const id = await idOfKey(owner, path)
    const other = await newScene()
    assert.equal((await other.owner.get(path)).status, 404)
    assert.equal((await other.owner.post(`${other.path}/${id}/revoke`)).status, 404)
    const { person_id } = await runtime.db
      .selectFrom('members')
      .select('person_id')
      .where('project_id', '=', other.project_id)
      .executeTakeFirstOrThrow()
    for (const [role, status] of [
      ['viewer', 403],
      ['member', 403],
      ['admin', 200],
    ] as const) {
      await runtime.db.transact(async (tx) => {
        await tx
          .deleteFrom('members')
          .where('project_id', '=', project_id)
          .where('person_id', '=', person_id)
          .execute()
        const created_at = runtime.clock.now()
        await tx.insertInto('members').values({ project_id, person_id, role, created_at }).execute()
      })
      assert.equal((await other.owner.get(path)).status, status)
      if (status === 403) assert.equal((await other.owner.post(path, all)).status, 403)
    }
  })
})
