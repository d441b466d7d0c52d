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
  await visitor.post('/portal/account/password', { password })
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

const isIn = async (visitor: PortalVisitor) => (await visitor.get('/portal')).status === 200
const give = (visitor: PortalVisitor, code: string) =>
  visitor.post('/portal/sign-in/second', { code })

describe('a second factor', () => {
  test('is required after a link, before a session exists', async () => {
    const { email, code } = await newGuarded()
    const visitor = await halfway(email)
    assert.equal(await isIn(visitor), false)
    assert.ok(!visitor.cookies.has('homeport_session'))
    assert.equal((await give(visitor, code())).to, '/portal')
    assert.ok(await isIn(visitor))
  })

  test('is required after a password', async () => {
    const { email, code } = await newGuarded()
    const visitor = newVisitor(fixture)
    await visitor.post('/portal/sign-in', { email })
    const page = await visitor.post('/portal/sign-in/password', { password })
    assert.equal(page.to, '/portal/sign-in/second')
    assert.equal(await isIn(visitor), false)
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
    assert.equal(await isIn(visitor), false)
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
    const half = await visitor.post('/portal/account/password', { password: 'another long one' })
    assert.equal(half.to, '/portal/confirm?next=/portal/account')
    const done = await visitor.post('/portal/sign-in/second', { code: code(), next })
    assert.equal(done.to, next)
    const saved = await visitor.post('/portal/account/password', { password: 'another long one' })
    assert.equal(saved.to, '/portal/account?done=password')
  })

  test('ends every other session when it is turned on', async () => {
    const email = 'turned-on@bakery.example'
    await createOwnedProject(fixture, email)
    const other = await signIn(fixture, email)
    const visitor = await signIn(fixture, email)
    const { text } = await visitor.get('/portal/account/totp')
    const [, sealed = ''] = /name="sealed" value="([^"]+)"/.exec(text) ?? []
    const [, secret = ''] = /<code>([A-Z2-7 ]{32,})<\/code>/.exec(text) ?? []
    const totp = new TOTP({ secret: Secret.fromBase32(secret.replaceAll(' ', '')) })
    const wrong = await visitor.post('/portal/account/totp', { sealed, code: '000' })
    assert.equal(wrong.status, 422)
    assert.ok(wrong.text.includes(secret))
    const code = totp.generate({ timestamp: fixture.clock.now_ms() })
    const stolen = await signIn(fixture, await freshOwner())
    assert.equal((await stolen.post('/portal/account/totp', { sealed, code })).status, 422)
    assert.equal((await visitor.post('/portal/account/totp', { sealed, code })).status, 200)
    assert.equal(await isIn(other), false)
    assert.ok(await isIn(visitor))
    assert.equal((await visitor.get('/portal/account/totp')).to, '/portal/account')
  })

  test('can be removed with its codes after a recent confirmation of identity', async () => {
    const { visitor, email, recovery } = await newGuarded()
    fixture.passes('20 minutes')
    const stale = await visitor.post('/portal/account/totp/remove')
    assert.equal(stale.to, '/portal/confirm?next=/portal/account')
    const fresh = await halfway(email)
    await give(fresh, recovery[1]!)
    const remove = '/portal/account/totp/remove'
    assert.match((await fresh.post(remove)).text, /Remove the second factor\?/)
    const page = await fresh.post(remove, { confirmed: 'yes' })
    assert.equal(page.to, '/portal/account?done=totp-removed')
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
    const page = await first.visitor.post('/portal/account/recovery-codes')
    assert.match(page.text, /shown only once/)
    assert.equal((await give(await halfway(first.email), first.recovery[0]!)).status, 422)
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
    const { text } = await second.get('/portal/account')
    const ids = [...text.matchAll(/sessions\/([0-9a-f-]{36})\/end/g)].map(([, id = '']) => id)
    assert.equal(ids.length, 2)
    const stranger = await signIn(fixture, await freshOwner())
    for (const id of ids) await stranger.post(`/portal/account/sessions/${id}/end`)
    assert.ok((await isIn(first)) && (await isIn(second)))
    const rows = await runtime.db
      .selectFrom('sessions')
      .select('id')
      .orderBy('id', 'desc')
      .execute()
    const first_id = ids.find((id) => id !== rows.find((row) => ids.includes(row.id))?.id)
    const ended = await second.post(`/portal/account/sessions/${first_id}/end`)
    assert.equal(ended.to, '/portal/account?done=ended')
    assert.equal(await isIn(first), false)
    assert.ok(await isIn(second))
  })
})
