/**
 * Tests of the files of the portal over HTTP: who gets them, their headers, and the page before the
 * build. `pages/first-load.test.ts` counts what a browser loads.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newVisitor, createOwnedProject, signIn } from '../../../test/fixtures/portal/portal.ts'
import { usePortal } from '../../../test/fixtures/portal/built-portal.ts'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'

const fixture = await openTestRuntime({ work: false })
const owner = 'owner@bakery.example'
const project_id = await createOwnedProject(fixture, owner)
const visitor = await signIn(fixture, owner)

/** The path of the first script of the page. */
function scriptOf(text: string): string {
  const [, path = ''] = /src="(\/portal\/app\/assets\/[\w-]+\.js)"/.exec(text) ?? []
  return path
}

describe('the portal before it is built', () => {
  test('shows on every page that it is being built, and reloads the page', async () => {
    const page = await visitor.get(`/portal/app/projects/${project_id}/keys`)
    assert.equal(page.status, 503)
    assert.match(page.text, /The portal is being built/)
    assert.equal(page.headers.get('refresh'), '2')
    assert.equal(page.headers.get('retry-after'), '2')
    await visitor.post('/portal/language', { language: 'nl' })
    const dutch = await visitor.get(`/portal/app/projects/${project_id}/keys`)
    assert.match(dutch.text, /Het portaal wordt gebouwd/)
    await visitor.post('/portal/language', { language: 'en' })
  })

  test('answers 404 for its files', async () => {
    assert.equal((await visitor.get('/portal/app/assets/index.js')).status, 404)
  })
})

describe('the built portal', () => {
  test('redirects visitors without a session to the sign-in, and back to the page', async () => {
    await usePortal(fixture)
    const stranger = newVisitor(fixture)
    const { status, to } = await stranger.get(`/portal/app/projects/${project_id}/keys?mode=test`)
    assert.equal(status, 303)
    assert.equal(to, `/portal/sign-in?next=/portal/app/projects/${project_id}/keys?mode=test`)
    const { to: in_test } = await stranger.get(`/portal/app/projects/${project_id}?mode=test&x=1`)
    assert.equal(in_test, `/portal/sign-in?next=/portal/app/projects/${project_id}?mode=test`)
    const billing = `/portal/app/projects/${project_id}/billing?mode=live&top_up=0a-1&upgrade=online`
    const { to: paid } = await stranger.get(`${billing}&x=1`)
    assert.equal(paid, `/portal/sign-in?next=${billing.replaceAll('&', '%26')}`)
    assert.equal((await visitor.get(paid)).to, billing)
    assert.equal((await stranger.get('/portal/app')).to, '/portal/app/')
    assert.equal((await stranger.get('/portal/app/')).to, '/portal/sign-in?next=/portal/app')
  })

  test('allows only its own scripts and styles, and uploads to this server', async () => {
    const page = await visitor.get('/portal/app/projects')
    assert.equal(page.status, 200)
    const policy = page.headers.get('content-security-policy') ?? ''
    assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self';/)
    assert.doesNotMatch(policy, /unsafe/)
    const { public_url } = fixture.runtime.config
    const others = policy.split('; ').filter((part) => part.includes('http'))
    assert.deepEqual(others, [
      `connect-src 'self' ${public_url}`,
      `img-src 'self' data: blob: ${public_url}`,
      `media-src 'self' ${public_url}`,
    ])
    assert.doesNotMatch(page.text, /<style|<script(?![^>]*src="\/)|style="|https?:\/\//)
    assert.equal(page.headers.get('cache-control'), 'no-cache')
    assert.equal(page.headers.get('x-frame-options'), 'DENY')
  })

  test('lets browsers cache hashed files for a year, in an encoding that they accept', async () => {
    const { text } = await visitor.get('/portal/app/')
    const path = scriptOf(text)
    for (const encoding of ['br', 'gzip', null]) {
      const file = await visitor.get(path, { 'accept-encoding': encoding ?? 'identity' })
      assert.equal(file.status, 200)
      assert.equal(file.headers.get('content-encoding'), encoding)
      assert.equal(file.headers.get('cache-control'), 'public, max-age=31536000, immutable')
      assert.match(file.headers.get('content-type') ?? '', /^text\/javascript/)
    }
  })

  test('answers 304 for a page that has not changed', async () => {
    const { headers } = await visitor.get('/portal/app/')
    const etag = headers.get('etag') ?? ''
    assert.equal((await visitor.get('/portal/app/', { 'if-none-match': etag })).status, 304)
  })

  test('answers HEAD like GET, as do the pages of the server, the documentation and the API', async () => {
    const { text } = await visitor.get('/portal/app/')
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { cookie, authorization: `Bearer ${fixture.key}` }
    const ask = async (method: string, path: string) => {
      const answer = await fetch(fixture.url + path, { method, headers, redirect: 'manual' })
      const shown = ['content-type', 'location', 'etag', 'cache-control']
      return {
        answer: [answer.status, ...shown.map((name) => answer.headers.get(name))],
        text: await answer.text(),
      }
    }
    for (const path of [
      '/',
      '/portal',
      '/portal/sign-in',
      '/portal/confirm',
      '/portal/nothing',
      '/portal/app/',
      scriptOf(text),
      '/docs',
      '/docs/guides/portal',
      '/docs/nothing',
      '/healthz',
      '/status',
      '/api/v1/project',
      '/api/v1/collections',
      '/api/v1/nothing',
      '/portal/api/v1/me',
    ]) {
      const head = await ask('HEAD', path)
      assert.deepEqual(head, { answer: (await ask('GET', path)).answer, text: '' }, path)
    }
    // An endless stream ends at once.
    assert.equal((await ask('HEAD', '/api/v1/activity/stream')).answer[0], 200)
  })

  test('reads no file outside its folder', async () => {
    const paths = ['assets/../../secret', 'assets/%2e%2e/%2e%2e/secret', 'assets/..%2f..%2fsecret']
    for (const path of paths) {
      const { status, text } = await visitor.get(`/portal/app/${path}`)
      assert.ok(status === 404 || text.includes('id="root"'), `${path}: ${status}`)
    }
  })
})

describe('HTML of somebody else', () => {
  const path = '/portal/app/foreign-html'
  const html = '<p style="color: red">Hello</p><script>alert(1)</script>'

  test('is returned for a frame of the portal, which runs no script and loads nothing', async () => {
    const { status, text, headers } = await visitor.post(path, { html })
    assert.deepEqual([status, text], [200, html])
    assert.equal(
      headers.get('content-security-policy'),
      "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'",
    )
    assert.equal(headers.get('x-frame-options'), 'SAMEORIGIN')
  })

  test('may have the length of the longest email', async () => {
    const longest = '€'.repeat(200_000)
    assert.equal((await visitor.post(path, { html: longest })).text, longest)
  })

  test('is refused from another site, and without a session', async () => {
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    assert.equal((await visitor.post(path, { html }, foreign)).status, 403)
    assert.equal((await newVisitor(fixture).post(path, { html })).status, 401)
  })
})
