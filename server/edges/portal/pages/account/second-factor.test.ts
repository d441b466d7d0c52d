/** Tests of the second factor over HTTP: required after every first factor. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import { openTestRuntime } from '../../../../../test/fixtures/runtime.ts'
import {
  createSignInPath,
  newVisitor,
  createOwnedProject,
  signIn,
  turnOnTotp,
  type PortalVisitor,
  isSignedIn,
} from '../../../../../test/fixtures/portal/portal.ts'

const fixture = await openTestRuntime({ work: false })
const { runtime } = fixture
const password = 'correct horse battery staple'
let people = 0

interface Guarded {
  email: string
  visitor: PortalVisitor
  recovery: string[]
  /** Returns the current code of the authenticator app. */
  code(): string
}

/** A person with a password and a second factor. */
async function newGuarded(): Promise<Guarded> {
  const email = `guarded-${(people += 1)}@bakery.example`
  await createOwnedProject(fixture, email)
  const visitor = await signIn(fixture, email)
  await visitor.call('PUT /me/password', { password })
  const { code, recovery } = await turnOnTotp(fixture, visitor)
  fixture.passes('60 seconds')
  return { email, visitor, recovery, code }
}

/** Opens a sign-in link, and returns the visitor who is asked for the second factor. */
async function halfway(email: string): Promise<PortalVisitor> {
  const visitor = newVisitor(fixture)
  const page = await visitor.get(await createSignInPath(fixture, email))
  assert.equal(page.to, '/portal/sign-in/second')
  return visitor
}

const give = (visitor: PortalVisitor, code: string) =>
  visitor.post('/portal/sign-in/second', { code })

describe('a second factor', () => {
  test('is required after a link, before a session exists', async () => {
    const { email, code } = await newGuarded()
    const visitor = await halfway(email)
    assert.equal(await isSignedIn(visitor), false)
    assert.ok(!visitor.cookies.has('homeport_session'))
    assert.equal((await give(visitor, code())).to, '/portal')
    assert.ok(await isSignedIn(visitor))
  })

  test('is required after a password', async () => {
    const { email, code } = await newGuarded()
    const visitor = newVisitor(fixture)
    await visitor.post('/portal/sign-in', { email })
    const page = await visitor.post('/portal/sign-in/password', { password })
    assert.equal(page.to, '/portal/sign-in/second')
    assert.equal(await isSignedIn(visitor), false)
    assert.equal((await visitor.get('/portal/sign-in/proof')).to, '/portal/sign-in/second')
    assert.equal((await give(visitor, code())).to, '/portal')
  })

  test('is refused without the first factor', async () => {
    const { email, code, recovery } = await newGuarded()
    const visitor = newVisitor(fixture)
    await visitor.post('/portal/sign-in', { email })
    assert.equal((await visitor.get('/portal/sign-in/second')).to, '/portal/sign-in/proof')
    for (const text of [code(), recovery[0]!]) {
      assert.equal((await give(visitor, text)).to, '/portal/sign-in/proof')
    }
    assert.equal(await isSignedIn(visitor), false)
    assert.equal((await give(newVisitor(fixture), code())).to, '/portal/sign-in')
    const later = await halfway(email)
    assert.equal((await give(later, recovery[0]!)).to, '/portal')
  })

  test('is required again before a sensitive change', async () => {
    const { visitor, code } = await newGuarded()
    fixture.passes('20 minutes')
    const next = '/portal/account'
    await visitor.post('/portal/confirm', { next })
    const proven = await visitor.post('/portal/sign-in/password', { password, next })
    assert.equal(proven.to, `/portal/sign-in/second?next=${next}`)
    const half = await visitor.call('PUT /me/password', { password: 'another long one' })
    assert.match(half.body.confirm_url, /\/portal\/confirm$/)
    const done = await visitor.post('/portal/sign-in/second', { code: code(), next })
    assert.equal(done.to, next)
    const saved = await visitor.call('PUT /me/password', { password: 'another long one' })
    assert.equal(saved.status, 204)
  })

  test('ends every other session when it is turned on', async () => {
    const email = 'turned-on@bakery.example'
    await createOwnedProject(fixture, email)
    const other = await signIn(fixture, email)
    const visitor = await signIn(fixture, email)
    const { body: setup } = await visitor.call('POST /me/totp/setup')
    assert.match(setup.qr, /^data:image\/svg\+xml;base64,/)
    assert.ok(setup.url.includes(`secret=${setup.secret}`))
    const { sealed } = setup
    const totp = new TOTP({ secret: Secret.fromBase32(setup.secret) })
    const wrong = await visitor.call('PUT /me/totp', { sealed, code: '000' })
    assert.deepEqual([wrong.status, wrong.body.errors[0].path], [422, '/code'])
    const code = totp.generate({ timestamp: fixture.clock.now_ms() })
    const stolen = await signIn(fixture, await freshOwner())
    assert.equal((await stolen.call('PUT /me/totp', { sealed, code })).status, 422)
    assert.equal((await visitor.call('PUT /me/totp', { sealed, code })).status, 200)
    assert.equal(await isSignedIn(other), false)
    assert.ok(await isSignedIn(visitor))
    for (const route of ['POST /me/totp/setup', 'PUT /me/totp'])
      assert.equal(
        (await visitor.call(route, route.startsWith('PUT') ? { sealed, code } : undefined)).status,
        409,
      )
  })

  test('can be removed with its codes after a recent confirmation of identity', async () => {
    const { visitor, email, recovery } = await newGuarded()
    fixture.passes('20 minutes')
    const stale = await visitor.call('DELETE /me/totp')
    assert.match(stale.body.confirm_url, /\/portal\/confirm$/)
    const fresh = await halfway(email)
    await give(fresh, recovery[1]!)
    assert.equal((await fresh.call('DELETE /me/totp')).status, 204)
    assert.equal((await fresh.call('POST /me/recovery-codes')).status, 409)
    await signIn(fixture, email)
  })
})

async function freshOwner(): Promise<string> {
  const email = `fresh-${(people += 1)}@bakery.example`
  await createOwnedProject(fixture, email)
  return email
}

describe('a code of the authenticator app', () => {
  test('works once, also for concurrent requests', async () => {
    const { email, code } = await newGuarded()
    const text = code()
    const visitors = [await halfway(email), await halfway(email), await halfway(email)]
    const pages = await Promise.all(visitors.map((visitor) => give(visitor, text)))
    assert.equal(pages.filter(({ to }) => to === '/portal').length, 1)
    assert.equal((await give(await halfway(email), text)).status, 422)
  })

  test('is valid for half a minute before and after, and not for two minutes', async () => {
    const { email, code } = await newGuarded()
    const old = code()
    fixture.passes('30 seconds')
    assert.equal((await give(await halfway(email), old)).to, '/portal')
    fixture.passes('30 seconds')
    const older = code()
    fixture.passes('2 minutes')
    assert.equal((await give(await halfway(email), older)).status, 422)
  })

  test('is locked after five wrong attempts, even for the right code', async () => {
    const { email, code } = await newGuarded()
    const visitor = await halfway(email)
    const wrong = code() === '000000' ? '000001' : '000000'
    await Promise.all([1, 2, 3, 4, 5].map(() => give(visitor, wrong)))
    assert.equal((await give(visitor, code())).status, 422)
    const again = await halfway(email)
    for (let count = 0; count < 4; count++) await give(again, wrong)
    assert.equal((await give(again, code())).status, 429)
    fixture.passes('16 minutes')
    assert.equal((await give(await halfway(email), code())).to, '/portal')
  })
})

describe('a recovery code', () => {
  test('works once, in any spelling', async () => {
    const { email, recovery } = await newGuarded()
    const typed = ` ${recovery[0]!.toUpperCase().replace('-', ' ')} `
    assert.equal((await give(await halfway(email), typed)).to, '/portal')
    assert.equal((await give(await halfway(email), recovery[0]!)).status, 422)
    const visitors = [await halfway(email), await halfway(email)]
    const pages = await Promise.all(visitors.map((visitor) => give(visitor, recovery[1]!)))
    assert.equal(pages.filter(({ to }) => to === '/portal').length, 1)
  })

  test('is replaced by new codes, and belongs to one person', async () => {
    const first = await newGuarded()
    const second = await newGuarded()
    assert.equal((await give(await halfway(second.email), first.recovery[0]!)).status, 422)
    const { body } = await first.visitor.call('POST /me/recovery-codes')
    assert.equal(body.recovery_codes.length, 10)
    assert.equal((await give(await halfway(first.email), first.recovery[0]!)).status, 422)
    assert.equal((await give(await halfway(first.email), body.recovery_codes[0])).to, '/portal')
  })

  test('is stored as a hash, and the secret is encrypted', async () => {
    const { recovery } = await newGuarded()
    const codes = await runtime.db.selectFrom('recovery_codes').selectAll().execute()
    const persons = await runtime.db.selectFrom('people').selectAll().execute()
    const kept = Buffer.concat([
      ...codes.map(({ mac }) => mac),
      ...persons.flatMap(({ sealed_totp_secret }) => sealed_totp_secret ?? []),
    ])
    for (const code of recovery) assert.ok(!kept.includes(code.replace('-', '')))
    assert.ok(persons.some(({ sealed_totp_secret }) => sealed_totp_secret !== null))
  })
})

describe('the sessions of a person', () => {
  test('are listed and can be ended by that person only', async () => {
    const email = await freshOwner()
    const first = await signIn(fixture, email)
    const second = await signIn(fixture, email)
    const { body } = await second.call('GET /sessions')
    assert.equal(body.data.length, 2)
    const stranger = await signIn(fixture, await freshOwner())
    for (const { id } of body.data)
      assert.equal((await stranger.call(`DELETE /sessions/${id}`)).status, 404)
    assert.ok((await isSignedIn(first)) && (await isSignedIn(second)))
    const other = body.data.find(({ current }: { current: boolean }) => !current)
    assert.equal((await second.call(`DELETE /sessions/${other.id}`)).status, 204)
    assert.equal(await isSignedIn(first), false)
    assert.ok(await isSignedIn(second))
  })
})
