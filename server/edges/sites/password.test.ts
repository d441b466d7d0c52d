/** Tests of sites with a password: the password page, the cookie and the limits. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { longTest } from '../../../test/fixtures/depth.ts'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import { newSiteOwner } from '../../../test/fixtures/sites/site-owner.ts'
import { hostOf, visit, type SiteVisit } from '../../../test/fixtures/sites/site-visitor.ts'
import { limits } from '../../contract/limits.ts'

const runtime = await openTestRuntime({ work: false })
const PASSWORD = 'white-flour-4'
const owner = await newSiteOwner(runtime)
let visitors = 0

interface Gated {
  id: string
  host: string
  preview: string
  ask(route: string, how?: SiteVisit): ReturnType<typeof visit>
  tries(password: string, how?: { to?: string; address?: string }): ReturnType<typeof visit>
}

const secrets: Record<string, string> = { 'index.html': 'THE SECRET', 'a.txt': 'MORE SECRETS' }

async function publish(texts = secrets) {
  const { call, publish: publishSite } = await newSiteOwner(runtime)
  const site = await publishSite(texts, { visibility: 'password', password: PASSWORD })
  const host = hostOf(site.url)
  const gated: Gated & { call: typeof call } = {
    id: site.id,
    host,
    preview: hostOf(site.preview_url),
    call,
    ask: (route, how = {}) => visit(runtime, { host, route, ...how }),
    tries: (password, { to = '/', address = `203.0.113.${(visitors += 1) % 250}` } = {}) =>
      visit(runtime, {
        host,
        route: 'POST /_homeport/password',
        headers: {
          'Content-Type': 'application/x-www-form-urlencoded',
          'X-Forwarded-For': address,
        },
        body: new URLSearchParams({ password, to }).toString(),
      }),
  }
  return gated
}

async function cookieOf(site: Gated): Promise<string> {
  const { headers } = await site.tries(PASSWORD)
  return headers['set-cookie']?.split(';')[0] ?? ''
}

describe('a request without the password', () => {
  test('gets the password page at every path, without any content', async () => {
    const site = await publish()
    for (const path of ['/', '/a.txt', '/nothing', '/_homeport/x']) {
      const seen = await site.ask(`GET ${path}`, { headers: { 'Accept-Language': 'nl' } })
      assert.equal(seen.status, 401)
      assert.match(seen.text, /<form method="post" action="\/_homeport\/password">/)
      assert.match(seen.text, /Deze site heeft een wachtwoord/)
      assert.doesNotMatch(seen.text, /SECRET|<script/)
      assert.equal(seen.headers['cache-control'], 'no-store')
      assert.equal(seen.headers['x-robots-tag'], 'noindex')
      assert.equal(seen.headers.etag, undefined)
    }
  })

  test('gets no 304 and no partial content', async () => {
    const site = await publish()
    for (const headers of [{ 'If-None-Match': '*' }, { Range: 'bytes=0-3' }])
      assert.equal((await site.ask('GET /', { headers: { ...headers } })).status, 401)
    assert.equal((await site.ask('HEAD /')).status, 401)
  })

  test('gets the password page also at the address of a version', async () => {
    const site = await publish()
    assert.equal((await visit(runtime, { host: site.preview, route: 'GET /' })).status, 401)
  })

  test('gets a page that stores the requested path, escaped', async () => {
    const site = await publish()
    const seen = await site.ask('GET /a.txt?x="><script>')
    assert.match(seen.text, /name="to" value="\/a\.txt\?x=&quot;&gt;&lt;script&gt;"/)
  })
})

describe('a request with the password', () => {
  test('sets a cookie for this host alone and redirects to the requested page', async () => {
    const site = await publish()
    const seen = await site.tries(PASSWORD, { to: '/a.txt?x=1' })
    assert.equal(seen.status, 303)
    assert.equal(seen.headers.location, '/a.txt?x=1')
    const [cookie = ''] = seen.all('set-cookie')
    assert.match(cookie, /; Path=\/; Max-Age=604800; HttpOnly; SameSite=Lax$/)
    assert.doesNotMatch(cookie, /Domain/i)
    const inside = await site.ask('GET /a.txt', { headers: { Cookie: cookie.split(';')[0]! } })
    assert.equal(inside.status, 200)
    assert.equal(inside.text, 'MORE SECRETS')
    assert.equal(inside.headers['cache-control'], 'private, max-age=0, must-revalidate')
    assert.equal(inside.headers['x-robots-tag'], 'noindex')
  })

  test('sets a Secure cookie with the __Host- prefix over https', async () => {
    const { config } = runtime.runtime
    runtime.runtime.config = { ...config, public_url: 'https://api.example.nl' }
    const site = await publish()
    const [cookie = ''] = (await site.tries(PASSWORD)).all('set-cookie')
    runtime.runtime.config = config
    assert.match(cookie, /^__Host-homeport_site=.*; Secure$/)
    const headers = { Cookie: cookie.split(';')[0]! }
    assert.equal((await site.ask('GET /', { headers })).status, 200)
  })

  test('ignores cache headers of _headers', async () => {
    const site = await publish({
      'index.html': 'x',
      'a.txt': 'y',
      _headers: '/*\n  Cache-Control: public, max-age=9999\n  ! X-Robots-Tag',
    })
    const seen = await site.ask('GET /', { headers: { Cookie: await cookieOf(site) } })
    assert.equal(seen.headers['cache-control'], 'private, max-age=0, must-revalidate')
    assert.equal(seen.headers['x-robots-tag'], 'noindex')
  })

  const places: [to: string, lands: string][] = [
    ['/docs/?a=1', '/docs/?a=1'],
    ['//evil.example/', '/'],
    ['/\\evil.example', '/'],
    ['/.//evil.example', '/'],
    ['/a/..//evil.example', '/'],
    ['/%2e//evil.example', '/'],
    ['/./\\evil.example', '/'],
    ['/.\t//evil.example', '/'],
    ['/a?b=//c#d', '/a?b=//c'],
    ['\\\\evil.example', '/'],
    ['https://evil.example/', '/'],
    ['javascript:alert(1)', '/'],
    ['/a\r\nSet-Cookie: x=y', '/aSet-Cookie:%20x=y'],
    ['/_homeport/password', '/'],
    ['/../../x', '/x'],
    ['', '/'],
    ['/über', '/%C3%BCber'],
  ]
  for (const [to, lands] of places) {
    test(`redirects to ${lands} for the requested page ${JSON.stringify(to)}`, async () => {
      const site = await publish()
      const { status, headers, all } = await site.tries(PASSWORD, { to })
      assert.equal(status, 303)
      assert.equal(headers.location, lands)
      assert.equal(all('set-cookie').length, 1)
    })
  }
})

describe('a password cookie', () => {
  test('is refused after seven days', async () => {
    const site = await publish()
    const headers = { Cookie: await cookieOf(site) }
    assert.equal((await site.ask('GET /', { headers })).status, 200)
    runtime.passes(`${limits.site_password_remembered_s + 1} seconds`)
    assert.equal((await site.ask('GET /', { headers })).status, 401)
  })

  test('is refused after a password change', async () => {
    const site = await publish()
    const headers = { Cookie: await cookieOf(site) }
    const changed = await site.call(`PATCH /sites/${site.id}`, { password: 'brown-flour-5' })
    assert.equal(changed.status, 200, changed.text)
    assert.equal((await site.ask('GET /', { headers })).status, 401)
    assert.equal((await site.tries(PASSWORD)).status, 401)
    assert.equal((await site.tries('brown-flour-5')).status, 303)
  })

  test('is refused at another site, or if it was altered or forged', async () => {
    const [site, other] = [await publish(), await publish()]
    const cookie = await cookieOf(other)
    const own = await cookieOf(site)
    const until = Number(/=(\d+)\./.exec(own)?.[1])
    const forged = [
      cookie,
      own.replace(String(until), String(until + 1)),
      own.slice(0, -1),
      `${own}x`,
      'homeport_site=',
      'homeport_site=999999999999.',
      'homeport_site',
      `${own.replace('homeport_site', 'HOMEPORT_SITE')}`,
    ]
    for (const one of forged)
      assert.equal((await site.ask('GET /', { headers: { Cookie: one } })).status, 401, one)
  })

  test('is accepted beside a second cookie planted by another site', async () => {
    const site = await publish()
    const headers = { Cookie: `homeport_site=1.x; a=b; ${await cookieOf(site)}` }
    assert.equal((await site.ask('GET /', { headers })).status, 200)
  })
})

describe('password attempts', () => {
  test('show the page again after a wrong password, in the language of the visitor', async () => {
    const site = await publish()
    const seen = await site.tries('wrong', { to: '/a.txt' })
    assert.equal(seen.status, 401)
    assert.match(seen.text, /role="alert".*is wrong/)
    assert.match(seen.text, /name="to" value="\/a\.txt"/)
    assert.equal(seen.headers['set-cookie'], undefined)
  })

  longTest('are limited by address and allowed again a minute later', async () => {
    const site = await publish()
    const address = '198.51.100.77'
    const statuses: number[] = []
    for (let count = 0; count <= limits.site_password_tries_per_address_max; count++)
      statuses.push((await site.tries('wrong', { address })).status)
    assert.deepEqual(new Set(statuses.slice(0, -1)), new Set([401]))
    assert.equal(statuses.at(-1), 429)
    const right = await site.tries(PASSWORD, { address })
    assert.equal(right.status, 429, 'The right one is not tried either.')
    assert(Number(right.headers['retry-after']) > 0)
    assert.match(right.text, /Wait a minute/)
    assert.equal((await site.tries(PASSWORD)).status, 303, 'Others are not kept out.')
    const other = await publish()
    assert.equal((await other.tries(PASSWORD, { address })).status, 303, 'Nor at other sites.')
    runtime.passes('61 seconds')
    assert.equal((await site.tries(PASSWORD, { address })).status, 303)
  })

  const bodies: [what: string, body: string, type: string][] = [
    ['nothing', '', 'application/x-www-form-urlencoded'],
    ['no password', 'to=/', 'application/x-www-form-urlencoded'],
    ['JSON', '{"password":["x"]}', 'application/json'],
    ['bytes', '\0\u00ff%%%', 'application/octet-stream'],
    ['far too much', `password=${'x'.repeat(20_000)}`, 'application/x-www-form-urlencoded'],
  ]
  for (const [what, body, type] of bodies) {
    test(`fail for ${what}`, async () => {
      const site = await publish()
      const headers = { 'Content-Type': type }
      const seen = await site.ask('POST /_homeport/password', { headers, body })
      assert.equal(seen.status, 401)
      assert.match(seen.headers['content-type'] ?? '', /^text\/html/)
    })
  }
})

describe('the password route without a password', () => {
  test('redirects to the pages of the site', async () => {
    const { url } = await owner.publish({ 'index.html': 'x' })
    const how = { host: hostOf(url), route: 'POST /_homeport/password', body: 'password=x&to=/b' }
    const seen = await visit(runtime, how)
    assert.equal(seen.status, 303)
    assert.equal(seen.headers.location, '/b')
    assert.equal(seen.headers['set-cookie'], undefined)
  })

  test('answers 404 at an unknown address', async () => {
    const how = { host: 'nobody.sites.localhost', route: 'POST /_homeport/password', body: 'a=b' }
    assert.equal((await visit(runtime, how)).status, 404)
  })

  test('does not exist on the API host', async () => {
    const { status, body } = await runtime.call('POST //_homeport/password', { raw: 'a=b' })
    assert.equal(status, 404)
    assert.match(body.type, /not_found$/)
  })
})
