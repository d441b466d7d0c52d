/**
 * Tests of known vulnerabilities of other sign-in systems against this one. Each test is named for
 * its class of advisory. Those of a single page (codes, links, passkeys, invitations, networks) are
 * in the tests of that page.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import { callPortal, newSession } from '../../../test/fixtures/portal/sessions.ts'
import {
  createSignInPath,
  newVisitor,
  createOwnedProject,
  signIn,
  turnOnTotp,
  type PortalVisitor,
  isSignedIn,
} from '../../../test/fixtures/portal/portal.ts'
import * as people from '../../areas/people/service.ts'

const fixture = await openTestRuntime({ work: false })
const { runtime } = fixture
const password = 'correct horse battery staple'
const beforeSession = ['homeport_sign_in', 'homeport_passkey']
const keyRoutes = [
  'GET /projects/{project_id}/keys',
  'POST /projects/{project_id}/keys',
  'DELETE /projects/{project_id}/keys/019ab3f0-5e1c-7a42-9d30-6f1e2c3b4a59',
]
let persons = 0

async function newOwner(): Promise<{ email: string; project_id: string; visitor: PortalVisitor }> {
  // Moves past the rate limit window of the previous sign-ins.
  fixture.passes('16 minutes')
  const email = `target-${(persons += 1)}@bakery.example`
  const project_id = await createOwnedProject(fixture, email)
  const visitor = await signIn(fixture, email)
  await visitor.call('PUT /me/password', { password })
  return { email, project_id, visitor }
}

function carrying(cookies: Iterable<[string, string]>): PortalVisitor {
  const visitor = newVisitor(fixture)
  for (const [name, value] of cookies) visitor.cookies.set(name, value)
  return visitor
}

async function begun(email: string): Promise<PortalVisitor> {
  const visitor = newVisitor(fixture)
  const page = await visitor.post('/portal/sign-in', { email })
  assert.equal(page.to, '/portal/sign-in/proof', page.text)
  return visitor
}

describe('an account prepared by an attacker (account linking)', () => {
  test('is not created by entering an email address', async () => {
    const email = 'not-yet@bakery.example'
    await createOwnedProject(fixture, email)
    const thief = await begun(email)
    await thief.call('PUT /me/password', { password })
    await thief.post('/portal/sign-in/password', { password })
    const row = await runtime.db
      .selectFrom('people')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirst()
    assert.equal(row, undefined)
    const owner = await signIn(fixture, email)
    assert.equal((await owner.call('GET /me')).body.person.has_password, false)
    assert.equal(await isSignedIn(thief), false)
  })

  test('accepts each spelling of its email address, and no lookalike address', async () => {
    const { email } = await newOwner()
    for (const written of [email.toUpperCase(), ` ${email} `]) {
      const visitor = await begun(written)
      assert.equal((await visitor.post('/portal/sign-in/password', { password })).to, '/portal')
    }
    // A Cyrillic letter, a full-width one, an invisible one, a subaddress.
    const [name = '', host = ''] = email.split('@')
    for (const lookalike of [
      `${name.replace('a', 'а')}@${host}`,
      `${name.replace('t', 'ｔ')}@${host}`,
      `${name}+x@${host}`,
      `${name}@${host.replace('k', 'к')}`,
    ]) {
      const visitor = await begun(lookalike)
      const page = await visitor.post('/portal/sign-in/password', { password })
      assert.equal(page.status, 422, lookalike)
      assert.equal(await people.createLink(runtime, { realm: 'portal', email: lookalike }), null)
    }
    assert.equal(people.readEmail(`${name}\u200b@${host}`), null)
  })
})

describe('a bypass of the second factor', () => {
  test('rejects a sign-in or passkey challenge cookie as a session cookie', async () => {
    const { email, visitor } = await newOwner()
    await turnOnTotp(fixture, visitor)
    const half = await begun(email)
    await half.get('/portal/sign-in')
    const page = await half.post('/portal/sign-in/password', { password })
    assert.equal(page.to, '/portal/sign-in/second')
    for (const name of beforeSession) {
      const secret = half.cookies.get(name)
      assert.ok(secret, `There is no cookie ${name}.`)
      const forger = carrying([['homeport_session', secret]])
      assert.equal(await isSignedIn(forger), false)
      assert.equal(
        (await callPortal(fixture, 'GET /me', { headers: cookieOf(forger) })).status,
        401,
      )
    }
  })

  test('requires the second factor after a link, and in each tab', async () => {
    const { email, visitor } = await newOwner()
    const { code } = await turnOnTotp(fixture, visitor)
    const half = newVisitor(fixture)
    assert.equal(
      (await half.get(await createSignInPath(fixture, email))).to,
      '/portal/sign-in/second',
    )
    for (const path of ['/portal', '/portal/confirm', '/portal/app/account'])
      assert.match((await half.get(path)).to ?? '', /^\/portal\/sign-in/)
    await half.call('DELETE /me/totp')
    await half.call('PUT /me/password', { password: 'a new and long one' })
    fixture.passes('60 seconds')
    assert.equal((await half.post('/portal/sign-in/second', { code: code() })).to, '/portal')
    const next = await begun(email)
    const page = await next.post('/portal/sign-in/password', { password })
    assert.equal(page.to, '/portal/sign-in/second')
  })

  test('rejects the code of a sign-in that started before a password change', async () => {
    const { email, visitor } = await newOwner()
    const { code } = await turnOnTotp(fixture, visitor)
    const thief = await begun(email)
    assert.equal(
      (await thief.post('/portal/sign-in/password', { password })).to,
      '/portal/sign-in/second',
    )
    await visitor.call('PUT /me/password', { password: 'another long one' })
    fixture.passes('60 seconds')
    assert.equal(
      (await thief.post('/portal/sign-in/second', { code: code() })).to,
      '/portal/sign-in',
    )
    assert.equal(await isSignedIn(thief), false)
  })
})

describe('a cookie planted by an attacker (session fixation)', () => {
  test('is rejected after another person completed the sign-in that it started', async () => {
    const { email } = await newOwner()
    const thief = await begun(email)
    const planted = new Map(thief.cookies)
    const owner = carrying(planted)
    assert.equal((await owner.post('/portal/sign-in/password', { password })).to, '/portal')
    assert.ok(await isSignedIn(owner))
    assert.equal(await isSignedIn(thief), false)
    assert.equal((await thief.get('/portal/sign-in/second')).to, '/portal/sign-in')
    assert.equal((await thief.post('/portal/sign-in/password', { password })).to, '/portal/sign-in')
  })

  test('is rejected after the next sign-in if its session has ended', async () => {
    const { email, visitor } = await newOwner()
    const kept = new Map(visitor.cookies)
    await visitor.post('/portal/sign-out')
    const owner = carrying(kept)
    assert.equal((await owner.get(await createSignInPath(fixture, email))).to, '/portal')
    assert.notEqual(owner.cookies.get('homeport_session'), kept.get('homeport_session'))
    assert.equal(await isSignedIn(carrying(kept)), false)
  })
})

describe('a rotated or forged IP address (rate limits)', () => {
  async function refusedOf(trusted: string, forwarded: (n: number) => string): Promise<number> {
    const settings = { HOMEPORT_TRUSTED_PROXIES: trusted }
    const other = await openTestRuntime({ work: false, settings })
    const statuses: number[] = []
    for (let n = 0; n < 62; n++) {
      const place = `198.51.100.${n}`
      const headers = {
        'x-forwarded-for': forwarded(n),
        forwarded: `for=${place}`,
        'x-real-ip': place,
      }
      const form = { email: `a${n}@nowhere.example` }
      statuses.push((await newVisitor(other).post('/portal/sign-in', form, headers)).status)
    }
    return statuses.filter((status) => status === 429).length
  }

  test('counts by the connecting address if no proxy is trusted', async () => {
    assert.equal(await refusedOf('none', (n) => `2001:db8:${n.toString(16)}::1`), 2)
  })

  test('counts by the address that the proxy saw, not by an earlier header value', async () => {
    assert.equal(await refusedOf('loopback', (n) => `10.0.0.${n}, 203.0.113.9`), 2)
  })
})

describe('the routes of keys', () => {
  test('refuse requests without a session or with a key (401), and from another site (403)', async () => {
    const { project_id, email } = await newOwner()
    const owner = await newSession(fixture, email)
    const key = await fixture.newKey({ project_id })
    const body = { name: 'x', mode: 'test', scopes: 'full' }
    for (const route of keyRoutes) {
      const path = route.replace('{project_id}', project_id)
      const sent = path.startsWith('POST') ? { body } : {}
      assert.equal((await callPortal(fixture, path, sent)).status, 401, route)
      const authorization = `Bearer ${key}`
      const withKey = await callPortal(fixture, path, { ...sent, headers: { authorization } })
      assert.equal(withKey.status, 401, route)
      if (path.startsWith('GET')) continue
      const elsewhere = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
      assert.equal((await owner.call(path, { ...sent, headers: elsewhere })).status, 403, route)
    }
    const made = { ...body, created_by: email, person_id: 'x', project_id: 'y' }
    const path = `POST /projects/${project_id}/keys`
    assert.equal((await owner.call(path, { body: made })).status, 422)
  })
})

function cookieOf({ cookies }: PortalVisitor): Record<string, string> {
  return { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }
}
