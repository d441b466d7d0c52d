/**
 * Tests of the check of _redirects and _headers over HTTP: they must not lead to targets that pages
 * may not link to.
 */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { slugOf } from '../../../../test/fixtures/data/data.ts'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import {
  filesFromTexts,
  newSiteOwner,
  newSlug,
} from '../../../../test/fixtures/sites/site-owner.ts'

const runtime = await openTestRuntime({ work: false })
const { call, publish } = await newSiteOwner(runtime)
const page = '<!doctype html><title>Bread</title><p>Fresh'

/** Returns the findings that block a first deploy with these settings, in short form. */
async function stops(settings: Record<string, string>): Promise<string[]> {
  const files = filesFromTexts({ 'index.html': page, ...settings })
  const answer = await call('POST /sites', { slug: newSlug(), files })
  assert.deepEqual([answer.status, slugOf(answer)], [422, 'site_blocked'], answer.text)
  return answer.body.findings.map(
    (one: { rule: string; path: string; line: number }) => `${one.rule} ${one.path}:${one.line}`,
  )
}

suite('_redirects', () => {
  const bad: [line: string, rule: string][] = [
    ['/go https://grabify.link/x', 'known_bad_link'],
    ['/* https://grabify.link/:splat 302!', 'known_bad_link'],
    ['/login HTTPS://PayPa1.com/', 'address_looks_like_brand'],
  ]
  for (const [line, rule] of bad) {
    test(`is blocked, with the line number, for the line ${line}`, async () => {
      const found = await stops({ _redirects: `# Moved\r\n/a /b\r\n${line}` })
      assert.deepEqual(found, [`${rule} _redirects:3`])
    })
  }

  test('is checked on deploys to a live site, also if other files of the site stay', async () => {
    const site = await publish({ 'index.html': page })
    const files = filesFromTexts({ _redirects: '/go https://grabify.link/x' })
    const answer = await call(`PUT /sites/${site.id}`, { files, keep_others: true })
    assert.deepEqual([answer.status, slugOf(answer)], [422, 'site_blocked'])
  })
})

suite('_headers', () => {
  const bad: [line: string, rule: string][] = [
    ['Link: </a.css>; rel=preload, <https://grabify.link/x>; rel=preload', 'known_bad_link'],
    ['content-location: //grabify.link/x', 'known_bad_link'],
    ['Refresh: 0; url=https://grabify.link/x', 'known_bad_link'],
    ["Refresh: 5;URL='https://paypa1.com/'", 'address_looks_like_brand'],
    ['Link: <https://www.bank.example@other.example/>; rel=next', 'address_hides_host'],
  ]
  for (const [line, rule] of bad) {
    test(`is blocked, with the line number, for the line ${line}`, async () => {
      assert.deepEqual(await stops({ _headers: `/*\n  X-A: 1\n  ${line}` }), [`${rule} _headers:3`])
    })
  }
})

test('settings without a blocked target are accepted', async () => {
  const site = await publish({
    'index.html': page,
    _redirects: '/old /\n/shop/* https://shop.jansen.example/:splat 301\n/me /index.html 200',
    _headers: '/*\n  Link: <https://fonts.example/a.css>; rel=preload\n  X-Note: https://a.example',
  })
  assert.deepEqual(site.warnings, [])
})

test('a harmless Refresh header is left out with a warning', async () => {
  const _headers = '/*\n  Refresh: 3; url=https://www.jansen.example/'
  const { warnings } = await publish({ 'index.html': page, _headers })
  assert.equal(warnings.length, 1)
  assert.match(warnings[0], /^_headers, line 2: Refresh cannot be set\./)
})
