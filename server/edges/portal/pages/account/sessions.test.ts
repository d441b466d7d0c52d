/** Tests of sign-in by link and of sessions over HTTP. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { limits } from '../../../../contract/limits.ts'
import { openTestRuntime } from '../../../../../test/fixtures/runtime.ts'
import {
  createOwnedProject,
  createSignInPath,
  isSignedIn,
  newVisitor,
  readEmail,
  signIn,
} from '../../../../../test/fixtures/portal/portal.ts'
import * as people from '../../../../areas/people/service.ts'

const fixture = await openTestRuntime({ work: false })
const { runtime } = fixture
const owner = 'Owner@bakery.example'
const project_id = await createOwnedProject(fixture, owner)

describe('a one-time link', () => {
  test('signs the owner in and shows the project', async () => {
    const visitor = await signIn(fixture, owner)
    assert.equal(await readEmail(visitor), 'owner@bakery.example')
    const { text } = await visitor.get('/portal/api/v1/projects')
    assert.deepEqual(
      JSON.parse(text).data.map((project: { id: string }) => project.id),
      [project_id],
    )
  })

  test('works once', async () => {
    const path = await createSignInPath(fixture, owner)
    assert.equal((await newVisitor(fixture).get(path)).status, 303)
    const again = newVisitor(fixture)
    const page = await again.get(path)
    assert.equal(page.status, 404)
    assert.match(page.text, /no longer works/)
    assert.equal(again.cookies.size, 0)
  })

  test('works once for concurrent requests', async () => {
    const path = await createSignInPath(fixture, owner)
    const visitors = Array.from({ length: 8 }, () => newVisitor(fixture))
    const pages = await Promise.all(visitors.map((visitor) => visitor.get(path)))
    assert.equal(pages.filter(({ status }) => status === 303).length, 1)
    assert.equal(visitors.filter(({ cookies }) => cookies.size > 0).length, 1)
  })

  test('is not used up by a prefetch or a HEAD', async () => {
    const path = await createSignInPath(fixture, owner)
    const ahead = newVisitor(fixture)
    const page = await ahead.get(path, { 'sec-purpose': 'prefetch' })
    assert.equal(page.status, 200)
    assert.equal(ahead.cookies.size, 0)
    assert.equal((await fetch(fixture.url + path, { method: 'HEAD' })).status, 200)
    assert.equal((await newVisitor(fixture).get(path)).to, '/portal')
  })

  test('requires a confirmation if another site opens it', async () => {
    const path = await createSignInPath(fixture, owner)
    const visitor = newVisitor(fixture)
    for (const headers of [
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
      { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate' },
      { accept: 'text/html,application/xhtml+xml', referer: 'http://evil.example/' },
    ]) {
      const page = await visitor.get(path, headers)
      assert.match(page.text, /Sign in as owner@bakery\.example\?/)
      assert.equal(visitor.cookies.size, 0)
    }
    const forged = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    assert.equal((await visitor.post(path, {}, forged)).status, 403)
    assert.equal((await visitor.post(path)).to, '/portal')
  })

  test('signs in at once if the user opens it directly', async () => {
    const headers = { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', accept: 'text/html' }
    const page = await newVisitor(fixture).get(await createSignInPath(fixture, owner), headers)
    assert.equal(page.to, '/portal')
  })

  test('requires a confirmation before it replaces another session', async () => {
    await createOwnedProject(fixture, 'other@bakery.example')
    const visitor = await signIn(fixture, owner)
    const before = visitor.cookies.get('homeport_session')
    const path = await createSignInPath(fixture, 'other@bakery.example')
    const page = await visitor.get(path)
    assert.match(page.text, /Sign in as other@bakery\.example\?/)
    assert.match(page.text, /You are signed in as owner@bakery\.example\./)
    assert.equal(visitor.cookies.get('homeport_session'), before)
    assert.equal((await visitor.post(path)).to, '/portal')
    assert.equal(await readEmail(visitor), 'other@bakery.example')
    assert.equal(await people.authenticateSession(runtime, 'portal', before), null)
  })

  test('is refused if it is unknown or malformed', async () => {
    for (const secret of ['x', 'A'.repeat(43), '%00', '..%2f..']) {
      assert.equal((await newVisitor(fixture).get(`/portal/sign-in/link/${secret}`)).status, 404)
    }
  })

  test('is not created for a person without any project', async () => {
    for (const email of ['nobody@bakery.example', 'nonsense', '']) {
      assert.equal(await people.createLink(runtime, { realm: 'portal', email }), null)
    }
  })
})

describe('the cookie of a session', () => {
  test('is limited to this host and unavailable to scripts and other sites', async () => {
    const visitor = await signIn(fixture, owner)
    const line = visitor.told.get('homeport_session') ?? ''
    assert.match(line, /; HttpOnly/i)
    assert.match(line, /; SameSite=Lax/i)
    assert.match(line, /; Path=\//i)
    assert.doesNotMatch(line, /domain/i)
  })

  test('is Secure and has the __Host- prefix if the portal uses https', async () => {
    const settings = { HOMEPORT_PUBLIC_URL: 'https://home.example' }
    const secure = await openTestRuntime({ work: false, settings })
    await createOwnedProject(secure, owner)
    const visitor = await signIn(secure, owner)
    assert.match(visitor.told.get('__Host-homeport_session') ?? '', /; Secure/i)
    assert.equal(await isSignedIn(visitor), true)
  })

  test('is stored as a hash only', async () => {
    const visitor = await signIn(fixture, owner)
    const secret = visitor.cookies.get('homeport_session') ?? 'none'
    const rows = await runtime.db.selectFrom('sessions').selectAll().execute()
    assert.ok(rows.length > 0)
    assert.ok(!JSON.stringify(rows).includes(secret))
    assert.ok(!rows.some(({ hash }) => hash.includes(Buffer.from(secret, 'base64url'))))
  })

  test('never reuses a value that the browser had before', async () => {
    const planted = 'B'.repeat(43)
    const visitor = newVisitor(fixture)
    visitor.cookies.set('homeport_session', planted)
    await visitor.get(await createSignInPath(fixture, owner))
    assert.notEqual(visitor.cookies.get('homeport_session'), planted)
    const victim = newVisitor(fixture)
    victim.cookies.set('homeport_session', planted)
    assert.equal((await victim.get('/portal')).to, '/portal/sign-in')
  })
})

describe('a session', () => {
  test('ends at sign-out, also for copies of the cookie', async () => {
    const visitor = await signIn(fixture, owner)
    const kept = new Map(visitor.cookies)
    assert.equal((await visitor.post('/portal/sign-out')).to, '/portal/sign-in?done=signed-out')
    assert.deepEqual([...visitor.cookies.keys()], ['homeport_known'])
    for (const [name, value] of kept) visitor.cookies.set(name, value)
    assert.equal((await visitor.get('/portal')).to, '/portal/sign-in')
  })

  test('ends after a week without use, and after a month in any case', async () => {
    const idle = await signIn(fixture, owner)
    const used = await signIn(fixture, owner)
    fixture.passes('6 days')
    assert.equal(await isSignedIn(used), true)
    fixture.passes('2 days')
    assert.equal(await isSignedIn(idle), false)
    for (let day = 8; day < 29; day += 3) {
      assert.equal(await isSignedIn(used), true, `on day ${day}`)
      fixture.passes('3 days')
    }
    fixture.passes('2 days')
    assert.equal(await isSignedIn(used), false)
  })

  test('is ended, oldest first, beyond fifty sessions per person', async () => {
    await createOwnedProject(fixture, 'many@bakery.example')
    const first = await signIn(fixture, 'many@bakery.example')
    for (let count = 0; count < 50; count++) await signIn(fixture, 'many@bakery.example')
    assert.equal(await isSignedIn(first), false)
  })
})

describe('a visitor without a session', () => {
  test('is redirected to sign in, and then back to the requested page', async () => {
    const visitor = newVisitor(fixture)
    const path = `/portal/projects/${project_id}/approvals/${project_id}`
    assert.equal((await visitor.get(path)).to, `/portal/sign-in?next=${path}`)
    assert.equal((await visitor.post(`${path}/reject`)).to, '/portal/sign-in')
    const signed_in = await signIn(fixture, owner)
    assert.equal((await signed_in.get(`/portal/sign-in?next=${path}`)).to, path)
  })
})

test('a signed-in visitor is redirected to /portal if `next` is not a plain path of the portal', async () => {
  const visitor = await signIn(fixture, owner)
  const elsewhere = [
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/portal/../../evil',
    '/portal//evil.example',
    '/portal@evil.example',
    '/portal?x=https://evil.example',
    'javascript:alert(1)',
    '/portal\r\nLocation: https://evil.example',
  ]
  for (const next of elsewhere) {
    const page = await visitor.get(`/portal/sign-in?next=${encodeURIComponent(next)}`)
    assert.equal(page.to, '/portal', next)
  }
})

describe('a form', () => {
  test('is refused without effect if it comes from another site', async () => {
    const visitor = await signIn(fixture, owner)
    const foreign = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: fixture.url.replace('http:', 'https:') },
      { origin: `${fixture.url}.evil.example` },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'http://my-site.sites.localhost', 'sec-fetch-site': 'same-site' },
    ]
    for (const headers of foreign) {
      const page = await visitor.post('/portal/sign-out', {}, headers)
      assert.equal(page.status, 403, JSON.stringify(headers))
    }
    assert.equal(await isSignedIn(visitor), true)
  })

  test('is refused with a page if it is too large', async () => {
    const visitor = await signIn(fixture, owner)
    const page = await visitor.post('/portal/sign-out', {
      x: 'y'.repeat(limits.portal_form_bytes_max),
    })
    assert.equal(page.status, 400)
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
  })
})

describe('an address of before', () => {
  const root = `/portal/app/projects/${project_id}`
  const call_id = '019ab3f0-5e1c-7a42-9d30-6f1e2c3b4a59'
  const moved = {
    '': root,
    '/billing?top_up=1': `${root}/billing?top_up=1`,
    '/team/members/x/remove': `${root}/team`,
    '/connections': `${root}/keys#connections`,
    [`/keys/${call_id}/revoke`]: `${root}/keys`,
    [`/calls/${call_id}`]: `${root}/calls/${call_id}`,
    '/approvals': `${root}/approvals`,
    '/..%2f..%2fevil': root,
  }
  for (const [path, to] of Object.entries(moved)) {
    test(`${path === '' ? 'of a project' : path} redirects to its current page`, async () => {
      const visitor = newVisitor(fixture)
      assert.equal((await visitor.get(`/portal/projects/${project_id}${path}`)).to, to)
    })
  }

  test('leads a signed-in person from /portal to their projects', async () => {
    const visitor = await signIn(fixture, owner)
    assert.equal((await visitor.get('/portal')).to, '/portal/app/')
    assert.equal((await newVisitor(fixture).get('/portal')).to, '/portal/sign-in')
    assert.equal((await visitor.get('/portal/projects/nonsense/keys')).to, '/portal/app/')
  })
})

describe('every page', () => {
  test('runs only first-party scripts, cannot be framed and is not cached', async () => {
    const visitor = await signIn(fixture, owner)
    for (const path of ['/portal/sign-in/proof', '/portal/confirm', '/portal/nowhere']) {
      const { headers } = await visitor.get(path)
      const policy = headers.get('content-security-policy') ?? ''
      assert.match(policy, /default-src 'none'/)
      assert.match(policy, /frame-ancestors 'none'/)
      assert.doesNotMatch(policy, /unsafe/)
      assert.equal(headers.get('cache-control'), 'no-store')
      assert.equal(headers.get('x-frame-options'), 'DENY')
    }
  })

  test('is an HTML page for an unknown path', async () => {
    const page = await newVisitor(fixture).get('/portal/nowhere')
    assert.equal(page.status, 404)
    assert.match(page.text, /The portal has no such page/)
    assert.equal((await newVisitor(fixture).get('/')).to, '/portal')
  })
})
