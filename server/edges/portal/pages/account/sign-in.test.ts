/**
 * Tests of sign-in with a password and with a code by mail, over HTTP, without account enumeration.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eventually } from '../../../../../test/fixtures/eventually.ts'
import { openTestRuntime } from '../../../../../test/fixtures/runtime.ts'
import { mailSettings, openMailServer } from '../../../../../test/fixtures/external/mail-server.ts'
import {
  newVisitor,
  createOwnedProject,
  signIn,
  type PortalVisitor,
  isSignedIn,
} from '../../../../../test/fixtures/portal/portal.ts'

const mailServer = await openMailServer()
const fixture = await openTestRuntime({
  settings: {
    ...mailSettings(mailServer),
    HOMEPORT_TRUSTED_PROXIES: '127.0.0.1',
  },
})
const { runtime } = fixture
const password = 'correct horse battery staple'
let people = 0

/** A new owner of a project, with a password if one is wanted. */
async function newOwner({ with_password = false } = {}): Promise<string> {
  const email = `owner-${(people += 1)}@bakery.example`
  await createOwnedProject(fixture, email)
  if (!with_password) return email
  const visitor = await signIn(fixture, email)
  const saved = await visitor.call('PUT /me/password', { password })
  assert.equal(saved.status, 204, saved.text)
  return email
}

const newNetwork = () => `198.51.${(people += 1) % 256}.${Math.floor(people / 256)}`

/** Creates a visitor with its own network, because rate limits count by network. */
function newcomer(network = newNetwork()): PortalVisitor {
  const visitor = newVisitor(fixture)
  const place = { 'x-forwarded-for': network }
  return {
    ...visitor,
    get: (path, headers) => visitor.get(path, { ...place, ...headers }),
    post: (path, form, headers) => visitor.post(path, form, { ...place, ...headers }),
  }
}

async function begun(email: string, visitor = newcomer()): Promise<PortalVisitor> {
  const page = await visitor.post('/portal/sign-in', { email })
  assert.equal(page.to, '/portal/sign-in/proof', page.text)
  return visitor
}

const mailsTo = (email: string) => mailServer.mails.filter(({ to }) => to.includes(email))
const codeIn = (text: string) => /^(\d{4} \d{4})$/m.exec(text)?.[1] ?? ''

/** Requests a code and reads it from the mail. */
async function codeFor(visitor: PortalVisitor, email: string): Promise<string> {
  const before = mailsTo(email).length
  const page = await visitor.post('/portal/sign-in/code/send')
  assert.equal(page.to, '/portal/sign-in/proof', page.text)
  await eventually(() => mailsTo(email).length > before)
  return codeIn(mailsTo(email).at(-1)!.text)
}

describe('a sign-in code by mail', () => {
  test('signs in and creates the account', async () => {
    const email = await newOwner()
    const visitor = await begun(email.toUpperCase())
    const code = await codeFor(visitor, email)
    const page = await visitor.post('/portal/sign-in/code', { code: ` ${code}\t` })
    assert.equal(page.to, '/portal')
    assert.ok(await isSignedIn(visitor))
    assert.ok(!visitor.cookies.has('homeport_sign_in'))
  })

  test('redirects to the requested page', async () => {
    const email = await newOwner()
    const visitor = newcomer()
    const next = '/portal/app/projects?mode=test'
    const page = await visitor.post('/portal/sign-in', { email, next })
    assert.equal(page.to, `/portal/sign-in/proof?next=${next}`)
    const code = await codeFor(visitor, email)
    assert.equal((await visitor.post('/portal/sign-in/code', { code, next })).to, next)
  })

  test('works once, also for concurrent requests', async () => {
    const email = await newOwner()
    const visitor = await begun(email)
    const code = await codeFor(visitor, email)
    const twins = Array.from({ length: 6 }, () => {
      const twin = newcomer()
      twin.cookies.set('homeport_sign_in', visitor.cookies.get('homeport_sign_in')!)
      return twin
    })
    const pages = await Promise.all(
      twins.map((twin) => twin.post('/portal/sign-in/code', { code })),
    )
    assert.equal(pages.filter(({ to }) => to === '/portal').length, 1)
  })

  test('works only in the browser that requested it', async () => {
    const email = await newOwner()
    const code = await codeFor(await begun(email), email)
    const other = await begun(email)
    assert.equal((await other.post('/portal/sign-in/code', { code })).status, 422)
    assert.equal((await newcomer().post('/portal/sign-in/code', { code })).to, '/portal/sign-in')
  })

  test('is refused after ten minutes, and after a newer code was sent', async () => {
    const email = await newOwner()
    const visitor = await begun(email)
    const first = await codeFor(visitor, email)
    const second = await codeFor(visitor, email)
    assert.notEqual(first, second)
    assert.equal((await visitor.post('/portal/sign-in/code', { code: first })).status, 422)
    fixture.passes('11 minutes')
    assert.equal((await visitor.post('/portal/sign-in/code', { code: second })).status, 422)
    assert.equal(await isSignedIn(visitor), false)
  })

  test('is locked after five wrong attempts, even for the right code', async () => {
    const email = await newOwner()
    const visitor = await begun(email)
    const code = await codeFor(visitor, email)
    const wrong = code === '0000 0000' ? '0000 0001' : '0000 0000'
    const guesses = Array.from({ length: 5 }, () =>
      visitor.post('/portal/sign-in/code', { code: wrong }),
    )
    for (const { status } of await Promise.all(guesses)) assert.equal(status, 422)
    assert.equal((await visitor.post('/portal/sign-in/code', { code })).status, 422)
  })

  test('is sent at most five times an hour for one network, and still for others', async () => {
    const email = await newOwner()
    const stranger = newNetwork()
    const ask = async () =>
      (await begun(email, newcomer(stranger))).post('/portal/sign-in/code/send')
    for (let count = 0; count < 5; count++) assert.equal((await ask()).status, 303)
    const page = await ask()
    assert.equal(page.status, 429)
    assert.ok(Number(page.headers.get('retry-after')) > 0)
    await codeFor(await begun(email), email)
    fixture.passes('1 hour')
    assert.equal((await ask()).status, 303)
  })

  test('is sent later above twenty an hour for all networks, and at once for a browser that signed in before', async () => {
    const email = await newOwner()
    const owner = await begun(email)
    const code = await codeFor(owner, email)
    assert.equal((await owner.post('/portal/sign-in/code', { code })).to, '/portal')
    await owner.post('/portal/sign-out')
    const ask = async (visitor?: PortalVisitor) =>
      (await begun(email, visitor)).post('/portal/sign-in/code/send')
    for (let count = 0; count < 19; count++) assert.equal((await ask()).status, 303)
    const delayed = await begun(email)
    await delayed.post('/portal/sign-in/code/send')
    assert.match((await delayed.get('/portal/sign-in/proof')).text, /arrives later/)
    assert.equal((await delayed.post('/portal/sign-in/code/send')).status, 429)
    await eventually(() => mailsTo(email).length === 20)
    await codeFor(await begun(email, owner), email)
    fixture.passes('31 seconds')
    await eventually(() => mailsTo(email).length === 22)
  })

  test('stays valid until a delayed one is sent, also in a browser in which another account signed in', async () => {
    const [email, known] = [await newOwner(), await newOwner()]
    const used = await begun(known)
    await used.post('/portal/sign-in/code', { code: await codeFor(used, known) })
    await used.post('/portal/sign-out')
    const visitor = await begun(email, used)
    const code = await codeFor(visitor, email)
    for (let count = 0; count < 19; count++)
      await (await begun(email)).post('/portal/sign-in/code/send')
    await visitor.post('/portal/sign-in/code/send')
    assert.match((await visitor.get('/portal/sign-in/proof')).text, /arrives later/)
    assert.equal((await visitor.post('/portal/sign-in/code', { code })).to, '/portal')
  })

  test('is stored as a hash only', async () => {
    const email = await newOwner()
    const code = await codeFor(await begun(email), email)
    const rows = await runtime.db.selectFrom('sign_ins').selectAll().execute()
    const digits = code.replace(' ', '')
    assert.ok(!JSON.stringify(rows).includes(digits))
    assert.ok(!rows.some(({ code_mac }) => code_mac?.includes(digits)))
  })
})

describe('a password', () => {
  test('signs in', async () => {
    const email = await newOwner({ with_password: true })
    const visitor = await begun(email)
    assert.equal((await visitor.post('/portal/sign-in/password', { password })).to, '/portal')
    assert.ok(await isSignedIn(visitor))
  })

  test('does not sign in if it is wrong, empty, overlong or of another person', async () => {
    const email = await newOwner({ with_password: true })
    const bare = await newOwner()
    const visitor = await begun(email)
    for (const wrong of ['', 'wrong', `${password} `, 'x'.repeat(60_000)]) {
      const page = await visitor.post('/portal/sign-in/password', { password: wrong })
      assert.equal(page.status, 422, wrong.slice(0, 10))
    }
    const nul = await visitor.post('/portal/sign-in/password', { password: '\0' })
    assert.equal(nul.status, 400)
    assert.equal(
      (await (await begun(bare)).post('/portal/sign-in/password', { password })).status,
      422,
    )
    assert.equal(await isSignedIn(visitor), false)
  })

  test('is limited to ten attempts in 15 minutes of one network and fifty of all, and a code still works', async () => {
    const email = await newOwner({ with_password: true })
    const known = await begun(email)
    assert.equal((await known.post('/portal/sign-in/password', { password })).to, '/portal')
    await known.post('/portal/sign-out')
    const guess = async (network: string) => {
      const visitor = await begun(email, newcomer(network))
      return (await visitor.post('/portal/sign-in/password', { password: 'a wrong one' })).status
    }
    const statuses: number[] = []
    for (let count = 0; count < 5; count++) {
      const network = newNetwork()
      // The first attempt at the account was the one that signed in.
      for (let n = 0; n < (count < 4 ? 10 : 9); n++) statuses.push(await guess(network))
      if (count === 0) assert.equal(await guess(network), 429)
    }
    assert.deepEqual(new Set(statuses), new Set([422]))
    assert.equal(await guess(newNetwork()), 429)
    const owner = await begun(email)
    assert.equal((await owner.post('/portal/sign-in/password', { password })).status, 429)
    const code = await codeFor(owner, email)
    assert.equal((await owner.post('/portal/sign-in/code', { code })).to, '/portal')
    await begun(email, known)
    assert.equal((await known.post('/portal/sign-in/password', { password })).to, '/portal')
    fixture.passes('16 minutes')
    const later = await begun(email)
    assert.equal((await later.post('/portal/sign-in/password', { password })).to, '/portal')
  })

  test('is refused if it is too short, too long or too easy', async () => {
    const email = await newOwner()
    const visitor = await signIn(fixture, email)
    const guessed = ['password1234', 'PASSWORD password!', 'Qwertyuiop[]12', '_homeport_2026_']
    const lengths = ['', 'short', 'x'.repeat(201), 'aaaaaaaaaaaaaaaa', '123456789012', email]
    for (const bad of [...lengths, ...guessed]) {
      const page = await visitor.call('PUT /me/password', { password: bad })
      assert.equal(page.status, 422, bad)
    }
    const page = await visitor.call('PUT /me/password', { password: guessed[0]! })
    assert.match(page.text, /too easy to guess/)
  })

  test('may use any script', async () => {
    const visitor = await signIn(fixture, await newOwner())
    for (const good of [
      'правильная лошадь батарея',
      '正しい馬と電池そしてホチキスの針',
      'passwords of my hens',
    ]) {
      const saved = await visitor.call('PUT /me/password', { password: good })
      assert.equal(saved.status, 204, good)
    }
  })

  test('ends every other session when it changes, and its change requires a recent confirmation of identity', async () => {
    const email = await newOwner({ with_password: true })
    const other = await begun(email)
    await other.post('/portal/sign-in/password', { password })
    const visitor = await signIn(fixture, email)
    fixture.passes('20 minutes')
    const stale = await visitor.call('PUT /me/password', { password: 'another long one' })
    assert.match(stale.body.confirm_url, /\/portal\/confirm$/)
    const next = '/portal/account'
    const ways = await visitor.call('GET /me/confirmation')
    const expected = { password: true, mail_code: true, passkey: null, mail_url: null }
    assert.deepEqual(ways.body, expected)
    await visitor.post('/portal/confirm', { next })
    const confirmed = await visitor.post('/portal/sign-in/password', { password, next })
    assert.equal(confirmed.to, next)
    const saved = await visitor.call('PUT /me/password', { password: 'another long one' })
    assert.equal(saved.status, 204)
    assert.equal(await isSignedIn(other), false)
    assert.ok(await isSignedIn(visitor))
    const old = await begun(email)
    assert.equal((await old.post('/portal/sign-in/password', { password })).status, 422)
  })

  test('is asked only of a person who has one, when they confirm their identity', async () => {
    const visitor = await signIn(fixture, await newOwner())
    fixture.passes('20 minutes')
    assert.equal((await visitor.call('GET /me/confirmation')).body.password, false)
    await visitor.post('/portal/confirm')
    const { text } = await visitor.get('/portal/sign-in/proof')
    assert.doesNotMatch(text, /type="password"/)
    assert.match(text, /Send a code by mail/)
  })

  test('is stored as an argon2id hash only', async () => {
    await newOwner({ with_password: true })
    const rows = await runtime.db.selectFrom('people').select('password_hash').execute()
    const hashes = rows.flatMap(({ password_hash }) => password_hash ?? [])
    assert.ok(hashes.length > 0)
    for (const hash of hashes) assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })
})

describe('account enumeration', () => {
  test('is prevented by identical responses at every step', async () => {
    const known = await newOwner({ with_password: true })
    const unknown = 'someone@nowhere.example'
    const seen = await Promise.all(
      [known, unknown].map(async (email) => {
        const visitor = await begun(email)
        const pages = [
          await visitor.get('/portal/sign-in/proof'),
          await visitor.post('/portal/sign-in/password', { password: 'a wrong one' }),
          await visitor.post('/portal/sign-in/code/send'),
          await visitor.get('/portal/sign-in/proof'),
          await visitor.post('/portal/sign-in/code', { code: '1234 5678' }),
        ]
        return pages.map(({ status, to, text }) => [status, to, text.replaceAll(email, 'them')])
      }),
    )
    assert.deepEqual(seen[0], seen[1])
    await eventually(() => mailsTo(known).length > 0)
    await noJobsLeft()
    assert.equal(mailsTo(unknown).length, 0)
    const row = await runtime.db
      .selectFrom('people')
      .select('id')
      .where('email', '=', unknown)
      .executeTakeFirst()
    assert.equal(row, undefined)
  })

  test('is prevented by the same limits for unknown addresses', async () => {
    const statuses: number[] = []
    const network = newNetwork()
    for (let count = 0; count < 11; count++) {
      const visitor = await begun('nobody@nowhere.example', newcomer(network))
      const page = await visitor.post('/portal/sign-in/password', { password: 'a wrong one' })
      statuses.push(page.status)
    }
    assert.deepEqual(statuses, [...Array<number>(10).fill(422), 429])
  })

  test('creates no account for an entered address', async () => {
    const visitor = await begun('stranger@nowhere.example')
    for (const path of ['password', 'code']) {
      await visitor.post(`/portal/sign-in/${path}`, { password, code: '0000 0000' })
    }
    assert.equal(await isSignedIn(visitor), false)
  })
})

describe('one network', () => {
  test('may start sixty steps in 15 minutes, with an IPv6 /64 as one network', async () => {
    const statuses: number[] = []
    for (let count = 0; count < 62; count++) {
      const headers = { 'x-forwarded-for': `2001:db8:1:2:${count.toString(16)}::1` }
      const page = await newVisitor(fixture).post(
        '/portal/sign-in',
        { email: `a${count}@nowhere.example` },
        headers,
      )
      statuses.push(page.status)
    }
    assert.equal(statuses.filter((status) => status === 429).length, 2)
    const neighbour = { 'x-forwarded-for': '2001:db8:1:3::1' }
    const page = await newVisitor(fixture).post(
      '/portal/sign-in',
      { email: 'a@nowhere.example' },
      neighbour,
    )
    assert.equal(page.status, 303)
  })
})

describe('a started sign-in', () => {
  test('expires after half an hour', async () => {
    const email = await newOwner({ with_password: true })
    const visitor = await begun(email)
    fixture.passes('31 minutes')
    assert.equal((await visitor.get('/portal/sign-in/proof')).to, '/portal/sign-in')
    const page = await visitor.post('/portal/sign-in/password', { password })
    assert.equal(page.to, '/portal/sign-in')
  })

  test('refuses an invalid email address', async () => {
    for (const email of ['', 'a', 'a@', '@b', 'a b@c.d', 'a@b.c,d@e.f', `${'a'.repeat(300)}@b.c`]) {
      assert.equal((await newcomer().post('/portal/sign-in', { email })).status, 422, email)
    }
  })

  test('offers no code if mail is not configured', async () => {
    const silent = await openTestRuntime({ work: false, settings: { HOMEPORT_MAIL: 'none' } })
    const visitor = newVisitor(silent)
    await visitor.post('/portal/sign-in', { email: 'a@b.example' })
    const page = await visitor.get('/portal/sign-in/proof')
    assert.match(page.text, /sends no mail/)
    assert.doesNotMatch(page.text, /code\/send/)
    assert.equal((await visitor.post('/portal/sign-in/code/send')).to, '/portal/sign-in')
  })
})

async function noJobsLeft(): Promise<void> {
  await eventually(async () => {
    const rows = await runtime.db
      .selectFrom('jobs')
      .select('id')
      .where('kind', '=', 'people.send_code')
      .where('state', '<>', 'dead')
      .execute()
    return rows.length === 0
  })
}
