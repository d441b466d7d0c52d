/** Tests of passkeys over HTTP with a simulated authenticator: valid and forged responses. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eventually } from '../../../../../test/fixtures/eventually.ts'
import { openTestRuntime } from '../../../../../test/fixtures/runtime.ts'
import { mailSettings, openMailServer } from '../../../../../test/fixtures/external/mail-server.ts'
import {
  addPasskey,
  makePasskey,
  PRESENT_ONLY,
  questionIn,
  usePasskey,
  type ForgedFields,
  type Passkey,
  type Question,
} from '../../../../../test/fixtures/portal/passkeys.ts'
import {
  newVisitor,
  createOwnedProject,
  signIn,
  type PortalVisitor,
  isSignedIn,
  readEmail,
} from '../../../../../test/fixtures/portal/portal.ts'
import { limits } from '../../../../contract/limits.ts'

const mailServer = await openMailServer()
const fixture = await openTestRuntime({
  settings: {
    ...mailSettings(mailServer),
    HOMEPORT_TRUSTED_PROXIES: '127.0.0.1',
  },
})
const { runtime } = fixture
const SIGN_IN = '/portal/sign-in/passkey'
let people = 0

/** Moves a visitor to its own network, because rate limits count by network. */
function fromElsewhere(visitor: PortalVisitor): PortalVisitor {
  const place = { 'x-forwarded-for': `198.51.${(people += 1) % 256}.${Math.floor(people / 256)}` }
  return {
    ...visitor,
    get: (path, headers) => visitor.get(path, { ...place, ...headers }),
    call: (route, body, headers) => visitor.call(route, body, { ...place, ...headers }),
    post: (path, form, headers) => visitor.post(path, form, { ...place, ...headers }),
  }
}

async function newPerson(): Promise<{ email: string; visitor: PortalVisitor }> {
  const email = `keyholder-${(people += 1)}@bakery.example`
  await createOwnedProject(fixture, email)
  return { email, visitor: fromElsewhere(await signIn(fixture, email)) }
}

async function newHolder(lies: ForgedFields = {}) {
  const person = await newPerson()
  return { ...person, passkey: await addPasskey(person.visitor, 'My phone', lies) }
}

/** Opens the sign-in page and reads its passkey options. */
async function openSignIn(query = '') {
  const visitor = fromElsewhere(newVisitor(fixture))
  const { text } = await visitor.get(`/portal/sign-in${query}`)
  return { visitor, question: questionIn(text) }
}

async function signInWith(passkey: Passkey, lies: ForgedFields = {}) {
  const { visitor, question } = await openSignIn()
  const page = await visitor.post(SIGN_IN, { response: usePasskey(passkey, question, lies) })
  return { visitor, page }
}

const mailsTo = (email: string) => mailServer.mails.filter(({ to }) => to.includes(email))

/** Asks for the options of a new passkey. */
async function ask(visitor: PortalVisitor): Promise<Question> {
  const { status, body, text } = await visitor.call('POST /passkeys/options')
  assert.equal(status, 200, text)
  return body
}

async function listIds(visitor: PortalVisitor): Promise<string[]> {
  const { body } = await visitor.call('GET /passkeys')
  return body.data.map(({ id }: { id: string }) => id)
}

describe('a passkey', () => {
  test('signs in without an email address or a second step', async () => {
    const { email, passkey } = await newHolder()
    const { visitor, page } = await signInWith(passkey)
    assert.equal(page.to, '/portal')
    assert.equal(await readEmail(visitor), email)
    assert.ok(!visitor.cookies.has('homeport_passkey'))
  })

  test('redirects to the requested page within the portal, and nowhere else', async () => {
    const { passkey } = await newHolder()
    for (const [next, to] of [
      ['/portal/account', '/portal/account'],
      ['https://evil.example', '/portal'],
      ['//evil.example', '/portal'],
    ] as const) {
      const { visitor, question } = await openSignIn()
      const response = usePasskey(passkey, question)
      assert.equal((await visitor.post(SIGN_IN, { response, next })).to, to)
    }
  })

  test('causes a mail when it is added', async () => {
    const { email } = await newHolder()
    await eventually(() => mailsTo(email).length > 0)
    assert.match(mailsTo(email)[0]!.text, /A passkey was added/)
  })

  test('replaces both factors, so that no code is required', async () => {
    const { email, passkey } = await newHolder()
    await runtime.db.transact((tx) =>
      tx
        .updateTable('people')
        .set({ totp_since: runtime.clock.now(), sealed_totp_secret: Buffer.from('x') })
        .where('email', '=', email)
        .execute(),
    )
    const { visitor, page } = await signInWith(passkey)
    assert.equal(page.to, '/portal')
    assert.ok(await isSignedIn(visitor))
  })

  test('replaces the existing session of the browser', async () => {
    const { email, passkey } = await newHolder()
    const other = await newPerson()
    const before = other.visitor.cookies.get('homeport_session')
    const { visitor, question } = await openSignIn()
    visitor.cookies.set('homeport_session', before!)
    const page = await visitor.post(SIGN_IN, { response: usePasskey(passkey, question) })
    assert.equal(page.to, '/portal')
    assert.equal(await readEmail(visitor), email)
    assert.equal(await isSignedIn(other.visitor), false)
  })

  test('starts with the same request for every address, and does not reveal accounts', async () => {
    await newHolder()
    const { question } = await openSignIn()
    assert.deepEqual(question.options.allowCredentials, [])
    assert.equal(question.options.userVerification, 'required')
    assert.equal(question.options.rpId, 'localhost')
    assert.equal(question.origin, runtime.config.public_url)
  })

  test('is refused with the same text whether it is unknown or wrongly signed', async () => {
    const { passkey } = await newHolder()
    const unknown = await signInWith({ ...passkey, id: 'A'.repeat(43) })
    const forged = await signInWith(passkey, { signature: Buffer.alloc(70, 1) })
    const bare = (text: string) => text.replaceAll(/data-options="[^"]+"/g, '')
    assert.equal(unknown.page.status, 422)
    assert.equal(bare(unknown.page.text), bare(forged.page.text))
  })
})

describe('a forged response', () => {
  const lies: Record<string, ForgedFields> = {
    'made at another address': { origin: 'https://evil.example' },
    'made at another port of this host': { origin: 'http://localhost:1' },
    'for another relying party': { rp_id: 'evil.example' },
    'in a frame of another site': { client_data: { crossOrigin: true } },
    'in a frame, with a name': { client_data: { topOrigin: 'https://evil.example' } },
    'of a new passkey, not of a use': { type: 'webauthn.create' },
    'without fingerprint, face or PIN': { flags: PRESENT_ONLY },
    'without anybody there': { flags: 0x04 },
    'with a signature of nothing': { signature: Buffer.alloc(0) },
    'with another signature': { signature: Buffer.alloc(70, 1) },
    'of another person': { user_handle: Buffer.alloc(16, 7).toString('base64url') },
    'without a user handle': { user_handle: null },
    'to an unknown challenge': { challenge: 'A'.repeat(72) },
    'to no challenge': { challenge: '' },
  }
  for (const [name, lie] of Object.entries(lies)) {
    test(name, async () => {
      const { passkey } = await newHolder()
      const { visitor, page } = await signInWith(passkey, lie)
      assert.equal(page.status, 422, page.text)
      assert.equal(await isSignedIn(visitor), false)
      assert.equal((await signInWith(passkey)).page.to, '/portal')
    })
  }

  test('is refused if it is malformed', async () => {
    const { passkey } = await newHolder()
    const { visitor, question } = await openSignIn()
    const good = JSON.parse(usePasskey(passkey, question))
    const nonsense = [
      '',
      '{',
      'null',
      '[]',
      '{}',
      JSON.stringify({ ...good, id: '../x', rawId: '../x' }),
      JSON.stringify({ ...good, rawId: 'A'.repeat(43) }),
      JSON.stringify({ ...good, type: 'password' }),
      JSON.stringify({ ...good, response: null }),
      JSON.stringify({ ...good, response: { ...good.response, authenticatorData: 'AAAA' } }),
      JSON.stringify({ ...good, response: { ...good.response, clientDataJSON: 'bnVsbA' } }),
      JSON.stringify({
        ...good,
        response: { ...good.response, clientDataJSON: 'A'.repeat(9_000) },
      }),
      `${'['.repeat(20_000)}`,
    ]
    for (const response of nonsense) {
      assert.equal((await visitor.post(SIGN_IN, { response })).status, 422, response.slice(0, 60))
    }
    assert.equal(await isSignedIn(visitor), false)
  })
})

describe('a challenge', () => {
  test('works once, also for concurrent requests', async () => {
    const { passkey } = await newHolder()
    const { visitor, question } = await openSignIn()
    const response = usePasskey(passkey, question)
    const twins = Array.from({ length: 6 }, () => {
      const twin = fromElsewhere(newVisitor(fixture))
      twin.cookies.set('homeport_passkey', visitor.cookies.get('homeport_passkey')!)
      return twin
    })
    const pages = await Promise.all(twins.map((twin) => twin.post(SIGN_IN, { response })))
    assert.equal(pages.filter(({ to }) => to === '/portal').length, 1)
  })

  test('is used up by a wrong response too', async () => {
    const { passkey } = await newHolder()
    const { visitor, question } = await openSignIn()
    const wrong = usePasskey(passkey, question, { signature: Buffer.alloc(70, 1) })
    const right = usePasskey(passkey, question)
    assert.equal((await visitor.post(SIGN_IN, { response: wrong })).status, 422)
    assert.equal((await visitor.post(SIGN_IN, { response: right })).status, 422)
  })

  test('works only in the browser that requested it', async () => {
    const { passkey } = await newHolder()
    const { question } = await openSignIn()
    const response = usePasskey(passkey, question)
    const other = await openSignIn()
    assert.equal((await other.visitor.post(SIGN_IN, { response })).status, 422)
    assert.equal((await newVisitor(fixture).post(SIGN_IN, { response })).status, 422)
  })

  test('expires after ten minutes', async () => {
    const { passkey } = await newHolder()
    const { visitor, question } = await openSignIn()
    fixture.passes('11 minutes')
    const page = await visitor.post(SIGN_IN, { response: usePasskey(passkey, question) })
    assert.equal(page.status, 422)
    const again = usePasskey(passkey, questionIn(page.text))
    assert.equal((await visitor.post(SIGN_IN, { response: again })).to, '/portal')
  })

  test('is valid for one purpose only', async () => {
    const { visitor, passkey } = await newHolder()
    const adding = await ask(visitor)
    const { question } = await openSignIn()
    const challenge = adding.options.challenge
    assert.equal((await signInWith(passkey, { challenge })).page.status, 422)
    const { response } = makePasskey({
      ...adding,
      options: { ...adding.options, challenge: question.options.challenge },
    })
    const page = await visitor.call('POST /passkeys', { name: 'x', response })
    assert.equal(page.status, 422)
  })

  test('is deleted after its expiry if it was answered', async () => {
    const { passkey } = await newHolder()
    await signInWith(passkey)
    const rows = () => runtime.db.selectFrom('spent_passkey_challenges').selectAll().execute()
    assert.ok((await rows()).length > 0)
    fixture.passes('2 hours')
    await eventually(async () => (await rows()).length === 0)
  })
})

describe('a signature counter', () => {
  test('refuses a cloned passkey whose counter decreases or stays the same', async () => {
    const { passkey } = await newHolder({ counter: 5 })
    assert.equal((await signInWith(passkey)).page.to, '/portal')
    assert.equal((await signInWith(passkey, { counter: 6 })).page.status, 422)
    assert.equal((await signInWith(passkey, { counter: 1 })).page.status, 422)
    assert.equal((await signInWith(passkey, { counter: 0 })).page.status, 422)
    assert.equal((await signInWith(passkey, { counter: 4_000_000_000 })).page.to, '/portal')
  })
})

describe('confirming identity with a passkey', () => {
  const next = '/portal/account'

  async function stale() {
    const holder = await newHolder()
    fixture.passes('20 minutes')
    const page = await holder.visitor.get(`/portal/confirm?next=${next}`)
    return { ...holder, question: questionIn(page.text) }
  }
  const isFresh = async (visitor: PortalVisitor) =>
    (await visitor.get(`/portal/confirm?next=${next}`)).to === next

  test('needs no other factor', async () => {
    const { visitor, passkey, question } = await stale()
    assert.deepEqual(
      question.options.allowCredentials.map(({ id }: any) => id),
      [passkey.id],
    )
    const response = usePasskey(passkey, question, { user_handle: null })
    assert.equal((await visitor.post('/portal/confirm/passkey', { response, next })).to, next)
    assert.ok(await isFresh(visitor))
  })

  test('refuses a passkey of another person', async () => {
    const { visitor, question } = await stale()
    const other = await newHolder()
    const response = usePasskey(other.passkey, question)
    const page = await visitor.post('/portal/confirm/passkey', { response, next })
    assert.equal(page.status, 422)
    assert.equal(await isFresh(visitor), false)
  })

  test('refuses a signature made for sign-in or in another session', async () => {
    const { email, visitor, passkey } = await stale()
    const opened = await openSignIn()
    const signedIn = usePasskey(passkey, opened.question)
    const page = await visitor.post('/portal/confirm/passkey', { response: signedIn, next })
    assert.equal(page.status, 422)
    const elsewhere = fromElsewhere(await signIn(fixture, email))
    fixture.passes('20 minutes')
    const theirs = questionIn((await elsewhere.get('/portal/confirm')).text)
    const response = usePasskey(passkey, theirs)
    const mine = await visitor.post('/portal/confirm/passkey', { response, next })
    assert.equal(mine.status, 422)
    assert.equal(await isFresh(visitor), false)
  })

  test('is offered only to people with a passkey', async () => {
    const { visitor } = await newPerson()
    fixture.passes('20 minutes')
    assert.doesNotMatch((await visitor.get('/portal/confirm')).text, /data-passkey/)
  })
})

describe('adding a passkey', () => {
  test('requires a recent confirmation of identity, as do renaming and removal', async () => {
    const { visitor } = await newHolder()
    const [id] = await listIds(visitor)
    fixture.passes('20 minutes')
    for (const [route, body] of [
      ['POST /passkeys/options'],
      ['POST /passkeys', { name: 'x', response: '{}' }],
      [`PATCH /passkeys/${id}`, { name: 'x' }],
      [`DELETE /passkeys/${id}`],
    ] as const) {
      const stale = await visitor.call(route, body)
      assert.equal(stale.status, 403, route)
      assert.match(stale.body.confirm_url, /\/portal\/confirm$/, route)
    }
    assert.deepEqual(await listIds(visitor), [id])
  })

  test('refuses a forged response', async () => {
    const { visitor } = await newPerson()
    const lies: ForgedFields[] = [
      { origin: 'https://evil.example' },
      { rp_id: 'evil.example' },
      { flags: PRESENT_ONLY },
      { type: 'webauthn.get' },
      { challenge: 'A'.repeat(72) },
      { client_data: { crossOrigin: true } },
      { attestation: { format: 'none', statement: new Map([['x', 1]]) } },
      { attestation: { format: 'unheard-of', statement: new Map() } },
      { attestation: { format: 'fido-u2f', statement: new Map() } },
    ]
    for (const lie of lies) {
      const question = await ask(visitor)
      const { response } = makePasskey(question, lie)
      const page = await visitor.call('POST /passkeys', { name: 'x', response })
      assert.equal(page.status, 422, JSON.stringify(lie))
    }
    assert.deepEqual(await listIds(visitor), [])
  })

  test('refuses attestation certificates, because they may contain a URL to fetch', async () => {
    const { visitor } = await newPerson()
    const question = await ask(visitor)
    const statement = new Map<string, unknown>([
      ['alg', -7],
      ['sig', new Uint8Array(70)],
      ['x5c', [new Uint8Array(300)]],
    ])
    const { response } = makePasskey(question, { attestation: { format: 'packed', statement } })
    const page = await visitor.call('POST /passkeys', { name: 'x', response })
    assert.equal(page.status, 422)
  })

  test('refuses a passkey that is already registered, also to the same person', async () => {
    const { visitor, passkey } = await newHolder()
    const other = await newPerson()
    for (const one of [visitor, other.visitor]) {
      const question = await ask(one)
      const { response } = makePasskey(question, { credential_id: passkey.id })
      const { status, body } = await one.call('POST /passkeys', { name: 'x', response })
      assert.equal(status, 409)
      assert.match(body.user_message, /already registered/)
    }
    assert.equal((await signInWith(passkey)).page.to, '/portal')
  })

  test('excludes registered passkeys, so that no device creates a second one', async () => {
    const { visitor, passkey } = await newHolder()
    const { options } = await ask(visitor)
    assert.deepEqual(options.excludeCredentials, [
      { type: 'public-key', id: passkey.id, transports: ['internal'] },
    ])
    assert.equal(options.authenticatorSelection.residentKey, 'required')
    assert.equal(options.user.id.length, 22)
  })

  test('requires a name and limits the number of passkeys', async () => {
    const { visitor } = await newPerson()
    const question = await ask(visitor)
    const { response } = makePasskey(question)
    for (const name of ['', ' ', 'x'.repeat(101), 'a\nb', '\u202eabc']) {
      assert.equal((await visitor.call('POST /passkeys', { name, response })).status, 422)
    }
    const tries = Array.from({ length: limits.passkeys_max + 2 }, async () => {
      const { response } = makePasskey(await ask(visitor))
      return visitor.call('POST /passkeys', { name: 'One of many', response })
    })
    const statuses = (await Promise.all(tries)).map(({ status }) => status)
    assert.equal(statuses.filter((status) => status === 409).length, 2)
    assert.equal((await listIds(visitor)).length, limits.passkeys_max)
  })
})

describe('a passkey of the account', () => {
  test('can be renamed', async () => {
    const { visitor } = await newHolder()
    const [id] = await listIds(visitor)
    const name = '<b>Blue key</b>'
    const named = await visitor.call(`PATCH /passkeys/${id}`, { name })
    assert.deepEqual([named.status, named.body.name, named.body.used_at], [200, name, null])
    for (const bad of ['', ' ', 'x'.repeat(101), 'a\nb'])
      assert.equal((await visitor.call(`PATCH /passkeys/${id}`, { name: bad })).status, 422)
  })

  test('can be removed, which disables it and ends other sessions', async () => {
    const { visitor, passkey } = await newHolder()
    const { visitor: elsewhere } = await signInWith(passkey)
    const [id] = await listIds(visitor)
    assert.equal((await visitor.call(`DELETE /passkeys/${id!.toUpperCase()}`)).status, 204)
    assert.equal(await isSignedIn(elsewhere), false)
    assert.ok(await isSignedIn(visitor))
    assert.equal((await signInWith(passkey)).page.status, 422)
  })

  test('of another person cannot be renamed or removed', async () => {
    const { visitor, passkey } = await newHolder()
    const [id] = await listIds(visitor)
    const other = await newHolder()
    for (const [route, body] of [
      [`PATCH /passkeys/${id}`, { name: 'x' }],
      [`DELETE /passkeys/${id}`],
      ['DELETE /passkeys/nonsense'],
    ] as const) {
      assert.equal((await other.visitor.call(route, body)).status, 404, route)
    }
    assert.equal((await signInWith(passkey)).page.to, '/portal')
  })

  test('cannot be removed while it is the last sign-in method', async () => {
    const silent = await openTestRuntime({ work: false, settings: { HOMEPORT_MAIL: 'none' } })
    await createOwnedProject(silent, 'only@bakery.example')
    const visitor = await signIn(silent, 'only@bakery.example')
    await addPasskey(visitor, 'The only one')
    const [id] = await listIds(visitor)
    const refused = await visitor.call(`DELETE /passkeys/${id}`)
    assert.equal(refused.status, 409)
    assert.match(refused.body.user_message, /only way to sign in/)
    await visitor.call('PUT /me/password', { password: 'correct horse battery staple' })
    assert.equal((await visitor.call(`DELETE /passkeys/${id}`)).status, 204)
  })
})

describe('an address where passkeys are unavailable', () => {
  for (const public_url of ['http://home.example', 'https://192.0.2.1', 'http://[::1]:8080']) {
    test(`such as ${public_url} offers no passkey`, async () => {
      const settings = { HOMEPORT_PUBLIC_URL: public_url }
      const other = await openTestRuntime({ work: false, settings })
      await createOwnedProject(other, 'owner@bakery.example')
      const visitor = newVisitor(other)
      assert.doesNotMatch((await visitor.get('/portal/sign-in')).text, /data-passkey/)
      const signedIn = await signIn(other, 'owner@bakery.example')
      assert.equal((await signedIn.call('GET /passkeys')).body.available, false)
      assert.equal((await signedIn.call('POST /passkeys/options')).status, 409)
      assert.equal((await visitor.post(SIGN_IN, { response: '{}' })).status, 422)
    })
  }
})

test('passkey attempts are limited per network like every other step', async () => {
  const visitor = newVisitor(fixture)
  const place = { 'x-forwarded-for': '203.0.113.77' }
  const statuses: number[] = []
  for (let count = 0; count < 62; count++) {
    statuses.push((await visitor.post(SIGN_IN, { response: '{}' }, place)).status)
  }
  assert.equal(statuses.filter((status) => status === 429).length, 2)
})
