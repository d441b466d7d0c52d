/** Tests of creating an account over HTTP: open, by invitation and closed, without enumeration. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { longTest } from '../../../../../test/fixtures/depth.ts'
import { eventually } from '../../../../../test/fixtures/eventually.ts'
import { mailSettings, openMailServer } from '../../../../../test/fixtures/external/mail-server.ts'
import {
  createOwnedProject,
  isSignedIn,
  newVisitor,
  signIn,
  turnOnTotp,
  type PortalVisitor,
} from '../../../../../test/fixtures/portal/portal.ts'
import { openTestRuntime, type TestRuntime } from '../../../../../test/fixtures/runtime.ts'
import * as people from '../../../../areas/people/service.ts'
import { limits } from '../../../../contract/limits.ts'

const mailServer = await openMailServer()
const settings = { ...mailSettings(mailServer), HOMEPORT_TRUSTED_PROXIES: '127.0.0.1' }
const open = await openTestRuntime({
  settings: { ...settings, HOMEPORT_SIGNUP: 'open', HOMEPORT_TERMS_VERSION: '2026-11' },
})
const invite = await openTestRuntime({ settings: { ...settings, HOMEPORT_SIGNUP: 'invite' } })
const closed = await openTestRuntime({ settings })

let count = 0
const newAddress = () => `new-${(count += 1)}@bakery.example`
const password = 'bread rises before dawn'

/** A visitor with its own network, because rate limits count by network. */
function newcomer(fixture: TestRuntime, network = `198.51.100.${(count += 1) % 250}`) {
  const visitor = newVisitor(fixture)
  const place = { 'x-forwarded-for': network }
  return {
    ...visitor,
    get: (path, headers) => visitor.get(path, { ...place, ...headers }),
    post: (path, form, headers) => visitor.post(path, form, { ...place, ...headers }),
  } satisfies PortalVisitor as PortalVisitor
}

const mailsTo = (email: string) => mailServer.mails.filter(({ to }) => to.includes(email))
const codeIn = (text: string) => /^(\d{4} \d{4})$/m.exec(text)?.[1] ?? ''

const ask = (visitor: PortalVisitor, email: string, more: Record<string, string> = {}) =>
  visitor.post('/portal/sign-up', { email, terms: 'accepted', ...more })

async function codeFor(email: string, sent = 1): Promise<string> {
  await eventually(() => mailsTo(email).length >= sent)
  return codeIn(mailsTo(email).at(-1)!.text)
}

/** Asks for an account and proves the address. */
async function proven(fixture: TestRuntime, email: string): Promise<PortalVisitor> {
  const visitor = newcomer(fixture)
  assert.equal((await ask(visitor, email)).to, '/portal/sign-up/code')
  const page = await visitor.post('/portal/sign-up/code', { code: await codeFor(email) })
  assert.equal(page.to, '/portal/sign-up/method', page.text)
  return visitor
}

const personOf = ({ runtime }: TestRuntime, email: string) =>
  runtime.db.selectFrom('people').selectAll().where('email', '=', email).execute()

const termsOf = ({ runtime }: TestRuntime, email: string) =>
  runtime.db
    .selectFrom('accepted_terms as a')
    .innerJoin('people as p', 'p.id', 'a.person_id')
    .select(['a.version', 'a.accepted_at'])
    .where('p.email', '=', email)
    .execute()

const projectsOf = async (visitor: PortalVisitor) => (await visitor.call('GET /projects')).body.data

describe('open sign-up', () => {
  test('is linked on the sign-in page, also after an address was given', async () => {
    const visitor = newcomer(open)
    const asked = await visitor.post('/portal/sign-in', { email: newAddress() })
    for (const path of ['/portal/sign-in', asked.to ?? '']) {
      assert.match((await visitor.get(path)).text, /href="\/portal\/sign-up"/, path)
    }
  })

  test('creates an account and a first project from an address, a code and a password', async () => {
    const email = newAddress()
    const visitor = newcomer(open)
    await ask(visitor, email.toUpperCase())
    assert.equal((await personOf(open, email)).length, 0)
    const code = await codeFor(email)
    assert.equal(mailsTo(email)[0]!.headers['subject'], `${code} is your code to sign up`)
    const signed = await visitor.post('/portal/sign-up/code', { code })
    assert.equal(signed.to, '/portal/sign-up/method')
    assert.ok(await isSignedIn(visitor))
    const weak = await visitor.post('/portal/sign-up/method/password', { password: 'password1234' })
    assert.equal(weak.status, 422)
    assert.match(weak.text, /too easy to guess/)
    const saved = await visitor.post('/portal/sign-up/method/password', { password })
    assert.equal(saved.to, '/portal/sign-up/project')
    assert.equal((await visitor.get('/portal/sign-up/method')).to, '/portal/sign-up/project')
    const made = await visitor.post('/portal/sign-up/project', { name: ' De Molen ' })
    const [project, ...others] = await projectsOf(visitor)
    assert.equal(made.to, `/portal/app/projects/${project.id}/start?mode=test`)
    assert.deepEqual(
      [project.name, project.role, project.plan, others],
      ['De Molen', 'owner', 'free', []],
    )
    assert.equal((await visitor.call('GET /me')).body.person.has_password, true)
  })

  test('stores the version of the terms and when they were accepted', async () => {
    const email = newAddress()
    const visitor = newcomer(open)
    const before = open.clock.now_ms()
    await ask(visitor, email)
    const after = open.clock.now_ms()
    open.passes('5 minutes')
    await visitor.post('/portal/sign-up/code', { code: await codeFor(email) })
    const [terms, ...others] = await termsOf(open, email)
    assert.deepEqual([terms?.version, others], ['2026-11', []])
    const accepted_ms = terms!.accepted_at.getTime()
    assert.ok(accepted_ms >= before - 1 && accepted_ms <= after + 1)
  })

  test('refuses a form without accepted terms, and an invalid address', async () => {
    const email = newAddress()
    const visitor = newcomer(open)
    const refused = await visitor.post('/portal/sign-up', { email })
    assert.equal(refused.status, 422)
    assert.match(refused.text, /Accept the terms of use/)
    assert.ok(refused.text.includes(`value="${email}"`))
    assert.equal((await ask(visitor, 'no address')).status, 422)
    assert.ok(!visitor.cookies.has('homeport_sign_in'))
  })

  test('uses Dutch in pages and mails if the browser prefers it', async () => {
    const email = newAddress()
    const visitor = newcomer(open)
    const dutch = { 'accept-language': 'nl-NL,nl;q=0.9,en;q=0.5' }
    const page = await visitor.get('/portal/sign-up', dutch)
    assert.match(page.text, /<html lang="nl">/)
    assert.match(page.text, /Account maken/)
    await visitor.post('/portal/sign-up', { email, terms: 'accepted' }, dutch)
    const code = await codeFor(email)
    assert.match(mailsTo(email)[0]!.text, /Uw code om een account te maken/)
    assert.match(mailsTo(email)[0]!.html, /<html lang="nl">/)
    await visitor.post('/portal/sign-up/code', { code }, dutch)
    assert.equal((await personOf(open, email))[0]?.language, 'nl')
    const weak = await visitor.post('/portal/sign-up/method/password', { password: 'password1234' })
    assert.match(weak.text, /Dit wachtwoord is te makkelijk te raden/)
  })

  test('creates one person for concurrent sign-ups of one address, and one project', async () => {
    const email = newAddress()
    const twins = [newcomer(open), newcomer(open), newcomer(open)]
    const codes: string[] = []
    for (const twin of twins) {
      await ask(twin, email)
      codes.push(await codeFor(email, codes.length + 1))
    }
    const pages = await Promise.all(
      twins.map((twin, at) => twin.post('/portal/sign-up/code', { code: codes[at] ?? '' })),
    )
    for (const { to } of pages) assert.equal(to, '/portal/sign-up/method')
    assert.equal((await personOf(open, email)).length, 1)
    const made = await Promise.all(
      twins.map((twin) => twin.post('/portal/sign-up/project', { name: 'De Molen' })),
    )
    assert.equal(new Set(made.map(({ to }) => to)).size, 1)
    assert.equal((await projectsOf(twins[0]!)).length, 1)
    assert.equal((await twins[0]!.get('/portal/sign-up/project')).to, '/portal')
  })

  test('limits the projects that its form creates in a day, deleted ones included', async () => {
    const visitor = await proven(open, newAddress())
    const submit = () => visitor.post('/portal/sign-up/project', { name: 'De Molen' })
    for (let made = 0; made < limits.projects_created_per_day_max; made += 1) {
      const id = /projects\/([^/]+)/.exec((await submit()).to ?? '')?.[1]
      const { status, text } = await visitor.call(`DELETE /projects/${id}?confirm=De+Molen`)
      assert.equal(status, 204, text)
    }
    const refused = await submit()
    assert.equal(refused.status, 429)
    assert.match(refused.text, /You created \d+ projects in a day/)
    assert.deepEqual(await projectsOf(visitor), [])
  })

  test('refuses a project without a name', async () => {
    const visitor = await proven(open, newAddress())
    for (const name of ['', '  ', 'a\nb', 'x'.repeat(201)]) {
      assert.equal((await visitor.post('/portal/sign-up/project', { name })).status, 422)
    }
    assert.deepEqual(await projectsOf(visitor), [])
  })

  test('accepts a code only in the browser that requested it, for ten minutes', async () => {
    const email = newAddress()
    const visitor = newcomer(open)
    await ask(visitor, email)
    const code = await codeFor(email)
    const other = newcomer(open)
    await ask(other, newAddress())
    assert.equal((await other.post('/portal/sign-up/code', { code })).status, 422)
    assert.equal(
      (await newcomer(open).post('/portal/sign-up/code', { code })).to,
      '/portal/sign-up',
    )
    open.passes('11 minutes')
    assert.equal((await visitor.post('/portal/sign-up/code', { code })).status, 422)
    assert.equal((await personOf(open, email)).length, 0)
  })
})

describe('an address that has an account', () => {
  async function known() {
    const email = newAddress()
    await createOwnedProject(open, email)
    return { email, visitor: await signIn(open, email) }
  }

  test('gets the same replies as a new address; only the mail mentions the account', async () => {
    const { email } = await known()
    const steps = async (address: string) => {
      const visitor = newcomer(open)
      const asked = await ask(visitor, address)
      const page = await visitor.get('/portal/sign-up/code')
      const wrong = await visitor.post('/portal/sign-up/code', { code: '0000 0000' })
      const again = await visitor.post('/portal/sign-up/code/send')
      return [asked, page, wrong, again].map(({ status, to, text }) => ({
        status,
        to,
        text: text.replaceAll(address, 'ADDRESS'),
      }))
    }
    assert.deepEqual(await steps(email), await steps(newAddress()))
    await eventually(() => mailsTo(email).length > 0)
    assert.match(mailsTo(email)[0]!.text, /You have one already\. This code signs you in:/)
  })

  test('is signed in by the code to its projects, with its second factor', async () => {
    const { email, visitor } = await known()
    const { code: totp } = await turnOnTotp(open, visitor)
    const again = newcomer(open)
    await ask(again, email)
    const half = await again.post('/portal/sign-up/code', { code: await codeFor(email) })
    assert.equal(half.to, '/portal/sign-in/second?next=/portal/sign-up/method')
    assert.equal(await isSignedIn(again), false)
    assert.deepEqual(await termsOf(open, email), [])
    open.passes('60 seconds')
    const next = '/portal/sign-up/method'
    const done = await again.post('/portal/sign-in/second', { code: totp(), next })
    assert.equal(done.to, next)
    assert.equal((await again.get('/portal/sign-up/project')).to, '/portal')
    assert.equal((await termsOf(open, email)).length, 1)
    assert.equal((await personOf(open, email)).length, 1)
  })

  test('keeps its password during a sign-up', async () => {
    const { visitor } = await known()
    await visitor.call('PUT /me/password', { password })
    const page = await visitor.post('/portal/sign-up/method/password', {
      password: 'another long one',
    })
    assert.equal(page.to, '/portal/sign-up/method')
  })
})

describe('abuse limits', () => {
  test('apply to one network', async () => {
    const network = '203.0.113.77'
    const statuses: number[] = []
    for (let n = 0; n <= limits.sign_ups_per_network_max; n += 1) {
      statuses.push((await ask(newcomer(open, network), newAddress())).status)
    }
    assert.deepEqual(
      statuses.filter((status) => status !== 303),
      [429],
    )
    open.passes('61 minutes')
    assert.equal((await ask(newcomer(open, network), newAddress())).status, 303)
  })

  test('apply to mails to one address, sign-ups and sign-ins together', async () => {
    const email = newAddress()
    const network = '198.51.101.1'
    for (let n = 0; n < limits.sign_in_codes_per_hour_max; n += 1) {
      assert.equal((await ask(newcomer(open, network), email)).status, 303)
    }
    assert.equal((await ask(newcomer(open, network), email)).status, 429)
  })

  test('count addresses that differ only after a plus sign as one mailbox', async () => {
    const name = `plus-${(count += 1)}`
    const statuses: number[] = []
    for (let n = 0; n <= limits.sign_in_codes_per_hour_max; n += 1) {
      statuses.push(
        (await ask(newcomer(open, '198.51.101.2'), `${name}+${n}@bakery.example`)).status,
      )
    }
    assert.deepEqual(
      statuses.filter((status) => status !== 303),
      [429],
    )
  })

  test('apply to all codes that one network requests', async () => {
    for (const path of ['/portal/sign-up/code/send', '/portal/sign-in/code/send']) {
      const network = `203.0.113.${(count += 1) % 250}`
      let sent = 0
      let status = 303
      while (status === 303 && sent < 100) {
        const visitor = newcomer(open, network)
        status = (await ask(visitor, newAddress())).status
        for (let more = 0; more < 3 && status === 303; more += 1) {
          sent += 1
          status = (await visitor.post(path)).status
        }
        if (status === 303) sent += 1
      }
      assert.deepEqual([status, sent], [429, limits.sign_ups_per_network_max], path)
    }
  })

  longTest(
    'apply to an IPv6 /48, and to all together except people with an invitation link',
    async () => {
      const settled = await openTestRuntime({
        work: false,
        settings: { ...settings, HOMEPORT_SIGNUP: 'invite' },
      })
      const from = (wide: number, narrow: number) =>
        newcomer(settled, `2001:db8:${wide.toString(16)}:${narrow.toString(16)}::1`)
      const total = limits.sign_ups_per_hour_max
      let passed = 0
      for (let wide = 1; passed < total; wide += 1) {
        for (let narrow = 0; narrow < limits.sign_ups_per_large_network_max; narrow += 1) {
          if (passed === total) break
          assert.equal((await ask(from(wide, narrow), newAddress())).status, 303)
          passed += 1
        }
        if (wide === 1) assert.equal((await ask(from(1, 1000), newAddress())).status, 429)
      }
      const link = async (email: string | null) => {
        const invitation = { email, language: 'en', public_url: settled.url } as const
        const { url } = await people.inviteToSignUp(settled.runtime, invitation)
        return { invitation: url.split('/').at(-1)! }
      }
      assert.equal((await ask(from(1000, 1), newAddress())).status, 429)
      const foreign = await link(newAddress())
      assert.equal((await ask(from(1000, 2), newAddress(), foreign)).status, 429)
      const guest = from(1000, 3)
      assert.equal((await ask(guest, newAddress(), await link(null))).status, 303)
      assert.equal((await guest.post('/portal/sign-up/code/send')).status, 303)
    },
  )
})

describe('the terms', () => {
  test('are the standard page, a text of the operator, or a page of the operator', async () => {
    const plain = await newcomer(open).get('/portal/terms')
    assert.equal(plain.status, 200)
    assert.match(plain.text, /Version 2026-11/)
    const read = async (terms: string) => {
      const HOMEPORT_TERMS = terms
      const other = await openTestRuntime({
        work: false,
        settings: { ...settings, HOMEPORT_SIGNUP: 'open', HOMEPORT_TERMS },
      })
      return {
        terms: await newVisitor(other).get('/portal/terms'),
        form: await newVisitor(other).get('/portal/sign-up'),
      }
    }
    const own = await read('Be <kind>.\n\nAlways.')
    assert.match(own.terms.text, /<p>Be &lt;kind&gt;\.<\/p>/)
    const elsewhere = await read('https://home.example/terms')
    assert.equal(elsewhere.terms.to, 'https://home.example/terms')
    assert.match(elsewhere.form.text, /href="https:\/\/home\.example\/terms"/)
  })
})

describe('sign-up by invitation', () => {
  const inviteTo = (email: string | null) =>
    people.inviteToSignUp(invite.runtime, { email, language: 'en', public_url: invite.url })
  const pathOf = ({ url }: { url: string }) => new URL(url).pathname

  test('mails a link that creates the account of its address, once', async () => {
    const email = newAddress()
    const made = await inviteTo(email)
    assert.equal(made.mailed, true)
    await eventually(() => mailsTo(email).length > 0)
    assert.ok(mailsTo(email)[0]!.text.includes(made.url))
    assert.match(mailsTo(email)[0]!.html, /class="button"/)
    const visitor = newcomer(invite)
    const path = pathOf(made)
    const page = await visitor.get(path)
    assert.ok(page.text.includes(`You are invited to create an account for ${email}.`))
    assert.equal((await personOf(invite, email)).length, 0)
    assert.equal((await visitor.post(path)).status, 422)
    const twins = [visitor, newcomer(invite), newcomer(invite)]
    const pages = await Promise.all(twins.map((twin) => twin.post(path, { terms: 'accepted' })))
    assert.deepEqual(pages.map(({ status }) => status).toSorted(), [303, 404, 404])
    assert.equal((await personOf(invite, email)).length, 1)
    assert.equal((await termsOf(invite, email))[0]?.version, '1')
    assert.equal((await newcomer(invite).get(path)).status, 404)
  })

  test('lets an invited address sign up without its link, and mails no other address', async () => {
    const [invited, stranger] = [newAddress(), newAddress()]
    await inviteTo(invited)
    await eventually(() => mailsTo(invited).length === 1)
    const other = newcomer(invite)
    const refused = await ask(other, stranger)
    const visitor = newcomer(invite)
    const asked = await ask(visitor, invited)
    assert.deepEqual([refused.status, refused.to], [asked.status, asked.to])
    const code = await codeFor(invited, 2)
    assert.equal(
      (await visitor.post('/portal/sign-up/code', { code })).to,
      '/portal/sign-up/method',
    )
    assert.deepEqual(mailsTo(stranger), [])
    assert.equal((await other.post('/portal/sign-up/code', { code })).status, 422)
  })

  test('lets only the first person who proves an address use a link for any address', async () => {
    const made = await inviteTo(null)
    assert.equal(made.mailed, false)
    const secret = pathOf(made).split('/').at(-1)!
    const page = await newcomer(invite).get(pathOf(made))
    assert.ok(page.text.includes(`name="invitation" value="${secret}"`))
    const both = [newAddress(), newAddress()].map((email) => ({ email, visitor: newcomer(invite) }))
    for (const { email, visitor } of both) await ask(visitor, email, { invitation: secret })
    const codes = [await codeFor(both[0]!.email), await codeFor(both[1]!.email)]
    const pages = await Promise.all(
      both.map(({ visitor }, at) => visitor.post('/portal/sign-up/code', { code: codes[at]! })),
    )
    assert.deepEqual(pages.map(({ status }) => status).toSorted(), [303, 422])
    assert.equal((await newcomer(invite).get(pathOf(made))).status, 404)
  })

  test('withdraws an invitation when its address gets an account another way', async () => {
    const email = newAddress()
    const made = await inviteTo(email)
    await createOwnedProject(invite, email)
    await signIn(invite, email)
    const thief = newcomer(invite)
    assert.equal((await thief.get(pathOf(made))).status, 404)
    assert.equal((await thief.post(pathOf(made), { terms: 'accepted' })).status, 404)
    assert.equal(await isSignedIn(thief), false)
  })

  test('uses up the link of an address with an account, without signing in', async () => {
    const email = newAddress()
    const made = await inviteTo(email)
    const row = { realm: 'portal', email, id: crypto.randomUUID(), created_at: new Date() } as const
    await invite.runtime.db.transact((tx) => tx.insertInto('people').values(row).execute())
    const thief = newcomer(invite)
    const page = await thief.post(pathOf(made), { terms: 'accepted' })
    assert.equal(page.to, '/portal/sign-in')
    assert.equal(await isSignedIn(thief), false)
    assert.equal((await thief.get(pathOf(made))).status, 404)
  })

  test('refuses a withdrawn invitation, and one older than two weeks', async () => {
    const email = newAddress()
    const made = await inviteTo(email)
    assert.equal(await people.withdrawSignUpInvitation(invite.runtime, made.id), true)
    assert.equal((await newcomer(invite).get(pathOf(made))).status, 404)
    const late = await inviteTo(email)
    invite.passes('15 days')
    assert.equal((await newcomer(invite).get(pathOf(late))).status, 404)
    assert.equal((await newcomer(invite).post(pathOf(late), { terms: 'accepted' })).status, 404)
  })

  test('replaces an earlier invitation to the same address, and refuses one with an account', async () => {
    const email = newAddress()
    const [first, second] = [await inviteTo(email), await inviteTo(email)]
    assert.equal((await newcomer(invite).get(pathOf(first))).status, 404)
    await newcomer(invite).post(pathOf(second), { terms: 'accepted' })
    await assert.rejects(inviteTo(email), { slug: 'conflict' })
  })
})

describe('closed sign-up', () => {
  test('has no pages, no links and no invitations', async () => {
    const visitor = newcomer(closed)
    for (const path of ['', '/code', '/invitation/x', '/method', '/project']) {
      assert.ok([404, 303].includes((await visitor.get(`/portal/sign-up${path}`)).status), path)
    }
    assert.equal((await visitor.get('/portal/sign-up')).status, 404)
    assert.equal((await visitor.get('/portal/terms')).status, 404)
    assert.equal((await ask(visitor, newAddress())).status, 404)
    assert.doesNotMatch((await visitor.get('/portal/sign-in')).text, /sign-up/)
    const given = { email: newAddress(), language: 'en', public_url: closed.url } as const
    await assert.rejects(people.inviteToSignUp(closed.runtime, given), { slug: 'conflict' })
  })
})
