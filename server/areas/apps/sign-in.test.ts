/** Tests of signing in to an app: codes, passwords, passkeys and the sign-in page. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { newApp } from '../../../test/fixtures/apps/new-app.ts'
import { eventually } from '../../../test/fixtures/eventually.ts'
import { makePasskey, questionIn, usePasskey } from '../../../test/fixtures/portal/passkeys.ts'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import type { SiteReply } from '../../../test/fixtures/sites/site-visitor.ts'
import { listLoggedMails } from '../../providers/mail/mail.ts'

const runtime = await openTestRuntime()
const PASSWORD = 'rye bread at seven'

/** The mails to an address, newest first. */
function mailsTo(email: string): string[] {
  const mails = listLoggedMails(runtime.runtime).filter(({ to }) => to === email.toLowerCase())
  return mails.map(({ text }) => text)
}

const authApp = `export default {
  async fetch(request, env) {
    const user = await env.AUTH.user(request.headers)
    return Response.json({ user })
  },
}`
const json = { 'content-type': 'application/json' }
const FORM = 'application/x-www-form-urlencoded'

/** An app that replies with its user, by default with every way to sign in. */
async function withAuth(auth: unknown = { methods: ['password', 'passkey'], name: 'The bakery' }) {
  const made = await newApp(runtime, authApp, { auth })
  const { ask } = made
  const post = (path: string, body: object, headers = {}) =>
    ask(`POST /api/_auth/${path}`, {
      body: JSON.stringify(body),
      headers: { ...json, ...headers },
    })
  const form = (path: string, fields: Record<string, string>, cookie = '') =>
    ask(`POST /api/_auth/${path}`, {
      body: new URLSearchParams(fields).toString(),
      headers: { 'content-type': FORM, cookie },
    })
  async function codeFor(email: string): Promise<string> {
    const codes = () => mailsTo(email).flatMap((text) => /\b\d{6}\b/.exec(text)?.[0] ?? [])
    const before = codes().length
    assert.equal((await post('code', { email })).status, 204)
    const [newest = ''] = await eventually(() => codes().length > before && codes())
    return newest
  }
  return {
    ...made,
    post,
    form,
    async userOf(cookie: string) {
      return JSON.parse((await ask('GET /api/', { headers: { cookie } })).text).user
    },
    /** Signs in by a code and returns the cookie. */
    async signIn(email: string): Promise<string> {
      return cookieOf(await post('session', { email, code: await codeFor(email) }))
    },
    send: (route: string, body: object, cookie: string) =>
      ask(route.replace(' ', ' /api/_auth/'), {
        body: JSON.stringify(body),
        headers: { ...json, cookie },
      }),
    codeFor,
  }
}

/** The cookie of the session that a reply sets. */
function cookieOf(reply: SiteReply): string {
  const found = reply.all('set-cookie').find((one) => one.includes('app_session='))
  assert.ok(found, `${reply.status} ${reply.text}`)
  return found.split(';')[0]!
}

suite('signing in by a code', () => {
  test('takes a code from an email, gives the code the user, and ends', async () => {
    const { post, codeFor, ask, owner, app } = await withAuth()
    assert.deepEqual(JSON.parse((await ask('GET /api/')).text), { user: null })
    const code = await codeFor('Anna@Example.com')
    const signed_in = await post('session', { email: 'anna@example.com', code })
    assert.equal(signed_in.status, 200, signed_in.text)
    const [cookie = ''] = signed_in.all('set-cookie')
    assert.match(cookie, /HttpOnly; SameSite=Lax/)
    const headers = { cookie: cookie.split(';')[0]! }
    const { user } = JSON.parse((await ask('GET /api/', { headers })).text)
    assert.equal(user.email, 'anna@example.com')
    const { data } = (await owner.call(`GET /apps/${app.id}/users`)).body
    assert.deepEqual(
      data.map((one: any) => [one.id, one.blocked]),
      [[user.id, false]],
    )
    assert.equal((await post('session', { email: 'anna@example.com', code })).status, 422)
    await ask('DELETE /api/_auth/session', { headers })
    assert.deepEqual(JSON.parse((await ask('GET /api/', { headers })).text), { user: null })
  })

  test('a blocked user is signed out, gets no code, and learns nothing', async () => {
    const { post, codeFor, ask, owner, app } = await withAuth()
    const email = 'bob@example.com'
    const signed_in = await post('session', { email, code: await codeFor(email) })
    const headers = { cookie: signed_in.all('set-cookie')[0]!.split(';')[0]! }
    const { user } = JSON.parse(signed_in.text)
    const blocked = await owner.call(`PATCH /apps/${app.id}/users/${user.id}`, { blocked: true })
    assert.deepEqual([blocked.status, blocked.body.blocked], [200, true])
    assert.deepEqual(JSON.parse((await ask('GET /api/', { headers })).text), { user: null })
    runtime.passes('2 minutes')
    const before = mailsTo(email).length
    assert.equal((await post('code', { email })).status, 204)
    await codeFor('carol@example.com')
    assert.equal(mailsTo(email).length, before)
  })

  test('five wrong codes use a code up, also at once; an old code is refused', async () => {
    const { post, codeFor } = await withAuth()
    const email = 'eve@example.com'
    const code = await codeFor(email)
    const wrong = code === '000000' ? '000001' : '000000'
    const tries = await Promise.all(
      Array.from({ length: 6 }, () => post('session', { email, code: wrong })),
    )
    assert.deepEqual([...new Set(tries.map(({ status }) => status))], [422])
    assert.equal((await post('session', { email, code })).status, 422)
    runtime.passes('1 minutes')
    const later = await codeFor(email)
    runtime.passes('11 minutes')
    assert.equal((await post('session', { email, code: later })).status, 422)
  })

  test('ignores a response of a passkey that is null', async () => {
    const { post, codeFor } = await withAuth()
    const email = 'finn@example.com'
    const body = { email, code: await codeFor(email), response: null }
    assert.equal((await post('session', body)).status, 200)
  })

  test('is refused from pages of other origins, and at apps without it', async () => {
    const { post } = await withAuth()
    const foreign = await post(
      'code',
      { email: 'a@example.com' },
      { origin: 'https://evil.example' },
    )
    assert.equal(foreign.status, 403)
    const { ask } = await newApp(runtime, authApp)
    const off = await ask('POST /api/_auth/code', {
      body: '{"email":"a@example.com"}',
      headers: json,
    })
    assert.equal(off.status, 404)
    assert.equal((await ask('GET /api/_auth/session')).status, 404)
  })
})

suite('signing in by a password', () => {
  test('is set after a code, signs in, and ends other sessions when it changes', async () => {
    const { signIn, post, send, userOf, owner, app } = await withAuth()
    const email = 'dora@example.com'
    const first = await signIn(email)
    assert.equal((await post('session', { email, password: PASSWORD })).status, 422)
    const weak = await send('PUT password', { password: 'password1234' }, first)
    assert.deepEqual([weak.status, JSON.parse(weak.text).errors[0].path], [422, '/password'])
    assert.equal((await send('PUT password', { password: PASSWORD }, first)).status, 204)
    await eventually(() => mailsTo(email)[0]?.includes('account at The bakery has a new password'))
    const second = cookieOf(
      await post('session', { email: 'Dora@Example.com', password: PASSWORD }),
    )
    assert.equal((await userOf(second)).email, email)
    const [user] = (await owner.call(`GET /apps/${app.id}/users`)).body.data
    assert.deepEqual([user.has_password, user.passkeys, user.blocked], [true, 0, false])
    const changed = await send('PUT password', { password: `${PASSWORD} sharp` }, second)
    assert.equal(changed.status, 204)
    assert.deepEqual([await userOf(first), (await userOf(second)).email], [null, email])
    assert.equal((await post('session', { email, password: PASSWORD })).status, 422)
  })

  test('an unknown address, one without a password and a blocked user get the same reply', async () => {
    const { signIn, post, send, owner, app } = await withAuth()
    const cookie = await signIn('frank@example.com')
    await send('PUT password', { password: PASSWORD }, cookie)
    await signIn('gina@example.com')
    const { data } = (await owner.call(`GET /apps/${app.id}/users`)).body
    const frank = data.find((one: any) => one.email === 'frank@example.com')
    await owner.call(`PATCH /apps/${app.id}/users/${frank.id}`, { blocked: true })
    const replies = await Promise.all(
      ['frank@example.com', 'gina@example.com', 'nobody@example.com'].map((email) =>
        post('session', { email, password: PASSWORD }),
      ),
    )
    const shown = replies.map(({ status, text }) => {
      const { request_id: _, ...rest } = JSON.parse(text)
      return { status, rest, cookies: 0 }
    })
    assert.deepEqual(shown, [shown[0], shown[0], shown[0]])
    assert.equal(shown[0]!.status, 422)
  })

  test('limits guesses for each account, and a code works beyond them', async () => {
    const { signIn, post } = await withAuth()
    const email = 'hugo@example.com'
    const tries = await Promise.all(
      Array.from({ length: 11 }, () => post('session', { email, password: 'wrong wrong wrong' })),
    )
    const refused = tries.filter(({ status }) => status === 429)
    assert.deepEqual([tries.length - refused.length, refused.length], [10, 1])
    assert.equal((await post('session', { email: 'ida@example.com', password: 'x' })).status, 422)
    await signIn(email)
  })

  test('a browser in which the user signed in before has guesses of its own', async () => {
    const { codeFor, post, send } = await withAuth()
    const email = 'nora@example.com'
    const signed_in = await post('session', { email, code: await codeFor(email) })
    const cookies = signed_in.all('set-cookie').map((one) => one.split(';')[0])
    await send('PUT password', { password: PASSWORD }, cookies.join('; '))
    const cookie = cookies.find((one) => one?.startsWith('homeport_known='))
    const other = await withAuth()
    for (const at of [post, other.post])
      await Promise.all(
        Array.from({ length: 10 }, () => at('session', { email, password: 'wrong wrong wrong' })),
      )
    const mine = { email, password: PASSWORD }
    assert.equal((await post('session', mine)).status, 429)
    assert.equal((await post('session', mine, { cookie })).status, 200)
    assert.equal((await other.post('session', mine, { cookie })).status, 429)
  })

  test('strangers who use up the codes of a user leave those of a known browser', async () => {
    const { codeFor, post } = await withAuth()
    const email = 'omar@example.com'
    const signed_in = await post('session', { email, code: await codeFor(email) })
    const cookie = signed_in.all('set-cookie').find((one) => one.startsWith('homeport_known='))
    const known = { cookie: cookie?.split(';')[0] }
    for (let nth = 2; nth <= 11; nth += 1) {
      runtime.passes('1 minutes')
      await post('code', { email })
    }
    assert.equal(mailsTo(email).length, 10)
    runtime.passes('1 minutes')
    await post('code', { email }, known)
    const [newest] = await eventually(() => mailsTo(email).length === 11 && mailsTo(email))
    const code = /\b(\d{6})\b/.exec(newest ?? '')![1]!
    const wrong = code === '000000' ? '000001' : '000000'
    for (let nth = 1; nth <= 5; nth += 1) await post('session', { email, code: wrong })
    assert.equal((await post('session', { email, code })).status, 422)
    assert.equal((await post('session', { email, code }, known)).status, 200)
    assert.equal((await post('session', { email, code }, known)).status, 422)
  })

  test('one of two changes at the same time ends the session of the other, which changes nothing', async () => {
    const { signIn, post, send } = await withAuth()
    const email = 'paula@example.com'
    const first = await signIn(email)
    runtime.passes('1 minutes')
    const cookies = [first, await signIn(email)]
    const passwords = cookies.map((_, index) => `${PASSWORD} ${index}`)
    const replies = await Promise.all(
      cookies.map((cookie, index) => send('PUT password', { password: passwords[index] }, cookie)),
    )
    const statuses = replies.map(({ status }) => status)
    assert.deepEqual(statuses.toSorted(), [204, 403])
    const password = passwords[statuses.indexOf(204)]
    assert.equal((await post('session', { email, password })).status, 200)
  })

  test('changing it needs a sign-in of the last 15 minutes, a method that the app allows, and a user', async () => {
    const { signIn, send } = await withAuth()
    const cookie = await signIn('jan@example.com')
    runtime.passes('16 minutes')
    const late = await send('PUT password', { password: PASSWORD }, cookie)
    assert.deepEqual([late.status, /sign in again/.test(late.text)], [403, true], late.text)
    const nobody = await send('PUT password', { password: PASSWORD }, '')
    assert.equal(nobody.status, 403)
    const codes = await withAuth(true)
    assert.deepEqual(codes.app.auth, { methods: ['code'], name: null, color: null })
    const other = await codes.signIn('jan@example.com')
    assert.equal((await codes.send('PUT password', { password: PASSWORD }, other)).status, 404)
    const given = { email: 'jan@example.com', password: PASSWORD }
    assert.equal((await codes.post('session', given)).status, 404)
  })
})

suite('signing in by a passkey', () => {
  async function withPasskey() {
    const made = await withAuth()
    const { signIn, send, ask, app } = made
    const cookie = await signIn('kim@example.com')
    const { origin } = new URL(app.url)
    const asked = await ask('GET /api/_auth/passkeys', { headers: { cookie } })
    const { options } = JSON.parse(asked.text)
    const { passkey, response } = makePasskey({ origin, options })
    const added = await send('POST passkeys', { name: 'Phone', response }, cookie)
    assert.equal(added.status, 204, added.text)
    return {
      ...made,
      cookie,
      origin,
      passkey,
      added: { name: 'Phone', response },
      /** The options to sign in with, and the cookie that they need. */
      async question() {
        const reply = await ask('GET /api/_auth/passkey')
        const [held = ''] = reply.all('set-cookie')
        const { options } = JSON.parse(reply.text)
        return { question: { origin, options }, held: held.split(';')[0]! }
      },
    }
  }

  test('is added on the host of the site, signs in once, and is listed', async () => {
    const { question, passkey, send, userOf, origin, owner, app, cookie, added } =
      await withPasskey()
    const { question: asked, held } = await question()
    assert.equal(asked.options.rpId, new URL(origin).hostname)
    const response = usePasskey(passkey, asked)
    assert.equal((await send('POST session', { response }, '')).status, 422, 'without the cookie')
    const signed_in = cookieOf(await send('POST session', { response: JSON.parse(response) }, held))
    assert.equal((await userOf(signed_in)).email, 'kim@example.com')
    assert.equal((await send('POST session', { response }, held)).status, 422, 'a second time')
    assert.equal((await send('POST passkeys', added, cookie)).status, 422, 'added a second time')
    const [user] = (await owner.call(`GET /apps/${app.id}/users`)).body.data
    assert.deepEqual([user.passkeys, user.has_password], [1, false])
  })

  test('is refused with a foreign origin, at another app, for a blocked user, and when removed', async () => {
    const { question, passkey, send, ask, owner, app, cookie, userOf, signIn } = await withPasskey()
    const attempt = async (lies = {}) => {
      const { question: asked, held } = await question()
      return send('POST session', { response: usePasskey(passkey, asked, lies) }, held)
    }
    assert.equal((await attempt({ origin: 'https://evil.example' })).status, 422)
    assert.equal((await attempt({ rp_id: 'evil.example' })).status, 422)
    const other = await withPasskey()
    const { question: asked, held } = await other.question()
    const elsewhere = usePasskey(passkey, asked)
    assert.equal((await other.send('POST session', { response: elsewhere }, held)).status, 422)
    const [user] = (await owner.call(`GET /apps/${app.id}/users`)).body.data
    const path = `PATCH /apps/${app.id}/users/${user.id}`
    assert.equal((await owner.call(path, { blocked: true })).body.passkeys, 1)
    assert.equal((await attempt()).status, 422)
    await owner.call(path, { blocked: false })
    const again = cookieOf(await attempt())
    const listed = await ask('GET /api/_auth/passkeys', { headers: { cookie: again } })
    const [{ id, name }] = JSON.parse(listed.text).data
    assert.equal(name, 'Phone')
    runtime.passes('1 minutes')
    const stranger = await signIn('lee@example.com')
    assert.equal((await send(`DELETE passkeys/${id}`, {}, stranger)).status, 404)
    assert.equal((await send(`DELETE passkeys/${id}`, {}, again)).status, 204)
    assert.deepEqual([await userOf(cookie), (await userOf(again)).email], [null, 'kim@example.com'])
    assert.equal((await attempt()).status, 422)
  })
})

suite('the sign-in page', () => {
  test('signs in by a code without a script, offers a password, and returns to the page', async () => {
    const { ask, form, codeFor, userOf } = await withAuth()
    const page = await ask('GET /api/_auth/sign-in?return=/private?a=1')
    assert.equal(page.status, 200, page.text)
    assert.match(page.text, /The bakery.*Sign in.*name="password".*Email me a code/s)
    assert.match(
      page.headers['content-security-policy'] ?? '',
      /script-src 'self'.*frame-ancestors 'none'/,
    )
    const email = 'mia@example.com'
    const to = { email, return: '/private?a=1' }
    const code = await codeFor(email)
    const asked = await form('sign-in', { ...to, do: 'code' })
    assert.match(asked.text, /one-time-code/)
    const wrong = await form('sign-in', { ...to, do: 'verify', code: 'none' })
    assert.deepEqual(
      [wrong.status, /role="alert">This code/.test(wrong.text)],
      [422, true],
      wrong.text,
    )
    const then = await form('sign-in', { ...to, do: 'verify_then', code })
    assert.equal(then.status, 303, then.text)
    assert.equal(then.headers.location, '/api/_auth/account?return=%2Fprivate%3Fa%3D1')
    const cookie = cookieOf(then)
    const weak = await form('account', { ...to, password: 'short' }, cookie)
    assert.deepEqual([weak.status, /at least 12/.test(weak.text)], [422, true])
    assert.equal((await form('account', { ...to, password: PASSWORD }, cookie)).status, 303)
    const again = await form('sign-in', { ...to, do: 'password', password: PASSWORD })
    assert.deepEqual([again.status, again.headers.location], [303, '/private?a=1'])
    assert.equal((await userOf(cookieOf(again))).email, email)
    const out = await form('account', { ...to, do: 'sign_out' }, cookie)
    assert.equal(out.headers.location, '/private?a=1')
    assert.equal(await userOf(cookie), null)
  })

  test('adds a passkey and signs in by it', async () => {
    const { ask, form, signIn, app, userOf } = await withAuth()
    const { origin } = new URL(app.url)
    const cookie = await signIn('nora@example.com')
    const account = await ask('GET /api/_auth/account', { headers: { cookie } })
    const { passkey, response } = makePasskey({ ...questionIn(account.text), origin })
    const added = await form('account', { name: 'Laptop', response, return: '/' }, cookie)
    assert.equal(added.status, 303, added.text)
    await eventually(() => mailsTo('nora@example.com')[0]?.includes('A passkey was added'))
    assert.match((await ask('GET /api/_auth/account?done', { headers: { cookie } })).text, /Laptop/)
    const page = await ask('GET /api/_auth/sign-in')
    const held = page.all('set-cookie')[0]!.split(';')[0]!
    assert.equal(questionIn(page.text).origin, origin)
    const used = usePasskey(passkey, questionIn(page.text))
    const signed_in = await form('sign-in', { response: used, return: '/' }, held)
    assert.equal((await userOf(cookieOf(signed_in))).email, 'nora@example.com')
    assert.equal((await ask('GET /api/_auth/passkeys.js')).status, 200)
  })

  test('says that there were too many attempts on the page, and signing out is not one', async () => {
    const { ask, form, signIn, userOf } = await withAuth()
    const cookie = await signIn('quinn@example.com')
    const attempt = () => form('sign-in', { do: 'code', email: 'none' })
    const tries = await Promise.all(Array.from({ length: 60 }, attempt))
    assert.ok(tries.some(({ status }) => status === 429))
    const refused = await form('account', { password: PASSWORD }, cookie)
    for (const { status, text } of [await attempt(), refused])
      assert.deepEqual([status, /role="alert">Too many attempts/.test(text)], [429, true], text)
    assert.equal((await form('account', { do: 'sign_out' }, cookie)).status, 303)
    assert.equal(await userOf(cookie), null)
    assert.equal((await ask('DELETE /api/_auth/session')).status, 204)
  })

  test('returns to the page from the account after a sign-in, and names faults in Dutch', async () => {
    const { ask, signIn } = await withAuth()
    const account = '/api/_auth/account?return=%2Fprivate'
    const { location } = (await ask(`GET ${account}`)).headers
    assert.equal(location, `/api/_auth/sign-in?return=${encodeURIComponent(account)}`)
    const cookie = await signIn('rosa@example.com')
    const body = new URLSearchParams({ name: '', response: '{}' }).toString()
    const headers = { cookie, 'accept-language': 'nl', 'content-type': FORM }
    const nameless = await ask('POST /api/_auth/account', { body, headers })
    assert.match(nameless.text, /role="alert">Een passkey heeft een naam nodig/)
    runtime.passes('16 minutes')
    const late = await ask(`GET ${account}`, { headers: { cookie } })
    assert.ok(late.text.includes(`${encodeURIComponent(account)}&amp;again=1`), late.text)
  })

  test('never leads to another host, is themed and Dutch, and shows only what the app allows', async () => {
    const { ask, form, signIn } = await withAuth({ color: '#FFD700', name: 'Bakkerij' })
    const headers = { 'accept-language': 'nl-NL' }
    const page = await ask('GET /api/_auth/sign-in', { headers })
    assert.match(
      page.text,
      /Inloggen.*background:#FFD700;color:#000|background:#FFD700;color:#000.*Inloggen/s,
    )
    assert.doesNotMatch(page.text, /name="password"|data-passkey/)
    const cookie = await signIn('olga@example.com')
    for (const away of [
      '//evil.example',
      'https://evil.example',
      '/\\evil.example',
      '/.//evil.example',
    ]) {
      const path = `GET /api/_auth/sign-in?return=${encodeURIComponent(away)}`
      const reply = await ask(path, { headers: { cookie } })
      assert.deepEqual([reply.status, reply.headers.location], [303, '/'], away)
    }
    const foreign = await ask('POST /api/_auth/sign-in', {
      headers: { origin: 'https://evil.example' },
    })
    assert.equal(foreign.status, 403)
    const password = await form('sign-in', {
      email: 'a@example.com',
      do: 'password',
      password: 'x',
    })
    assert.equal(password.status, 404)
  })
})
