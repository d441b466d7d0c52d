/** Tests of serving sites over HTTP, deployed through the API. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import {
  hostOf,
  visit,
  type SiteReply,
  type SiteVisit,
} from '../../../../test/fixtures/sites/site-visitor.ts'
import * as projects from '../../../areas/projects/service.ts'

const runtime = await openTestRuntime({ work: false })
let made = 0

type Files = Record<string, string>

interface Deployed {
  id: string
  url: string
  preview_url: string
  host: string
  get(path: string, headers?: Record<string, string>): Promise<SiteReply>
  ask(route: string, how?: SiteVisit): Promise<SiteReply>
  put(files: Files, more?: object): Promise<any>
}

async function newProject(): Promise<string> {
  const { project_id } = await runtime.newProject()
  await projects.change(runtime.runtime.db, project_id, { phone_verified: true })
  return runtime.newKey({ project_id })
}

function listOf(files: Files): object[] {
  return Object.entries(files).map(([path, content]) => ({ path, content }))
}

async function deploy(files: Files, more: object = {}): Promise<Deployed> {
  const key = await newProject()
  const body = { slug: `site-${++made}`, files: listOf(files), ...more }
  const { status, body: site, text } = await runtime.call('POST /sites', { key, body })
  assert.equal(status, 201, text)
  const host = hostOf(site.url)
  return {
    ...site,
    host,
    get: (path, headers = {}) => visit(runtime, { host, route: `GET ${path}`, headers }),
    ask: (route, how = {}) => visit(runtime, { host, route, ...how }),
    async put(changed, others = {}) {
      const sent = { files: listOf(changed), ...others }
      const answer = await runtime.call(`PUT /sites/${site.id}`, { key, body: sent })
      assert.equal(answer.status, 200, answer.text)
      return answer.body
    },
  }
}

const page = (text: string) => `<!doctype html><title>${text}</title><p>${text}</p>`

describe('the headers of a response', () => {
  let site: Deployed
  before(async () => {
    site = await deploy({
      'index.html': page('Start'),
      'app.3f9a1c2e.js': 'one()',
      'assets/index-Dk3xQ9aZ.css': 'a{}',
      '_next/static/chunks/main.js': 'two()',
      'holidays-lighthouse.jpg': 'x',
      'report-20240115.pdf': 'x',
      'deadbeef.txt': 'x',
      'notes.unknown-ending': 'x',
    })
  })

  test('include security headers', async () => {
    const { headers } = await site.get('/')
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['referrer-policy'], 'strict-origin-when-cross-origin')
    assert.equal(headers['x-frame-options'], 'SAMEORIGIN')
    assert.equal(headers['set-cookie'], undefined)
    assert.equal(headers['x-request-id'], undefined)
    assert.equal(headers['x-robots-tag'], undefined)
  })

  const caching: [path: string, immutable: boolean][] = [
    ['/', false],
    ['/app.3f9a1c2e.js', true],
    ['/assets/index-Dk3xQ9aZ.css', true],
    ['/_next/static/chunks/main.js', true],
    ['/holidays-lighthouse.jpg', false],
    ['/report-20240115.pdf', false],
    ['/deadbeef.txt', false],
  ]
  for (const [path, immutable] of caching) {
    test(`let caches ${immutable ? 'keep' : 'revalidate'} ${path}`, async () => {
      const { headers } = await site.get(path)
      const expected = immutable ? 'max-age=31536000, immutable' : 'max-age=0, must-revalidate'
      assert.equal(headers['cache-control'], `public, ${expected}`)
    })
  }

  test('contain a content type derived from the file name, and forbid sniffing', async () => {
    assert.equal((await site.get('/')).headers['content-type'], 'text/html; charset=utf-8')
    const unknown = await site.get('/notes.unknown-ending')
    assert.equal(unknown.headers['content-type'], 'application/octet-stream')
  })

  test('contain the time of the system in Date, which caches compare with theirs', async () => {
    const said = Date.parse((await site.get('/')).headers.date ?? '')
    assert(Math.abs(said - Date.now()) < 60_000)
  })
})

describe('_headers', () => {
  test('adds, replaces and removes headers, but not security headers', async () => {
    const site = await deploy({
      'index.html': page('Start'),
      'embed/index.html': page('Embed'),
      feed: '{}',
      _headers: [
        '/*',
        '  X-Frame-Options: DENY',
        '  Cache-Control: public, max-age=60',
        '  X-Own: 1',
        '  Set-Cookie: a=b',
        '  Content-Type: text/plain',
        '/embed/*',
        '  ! X-Frame-Options',
        '  Content-Security-Policy: frame-ancestors *',
      ].join('\n'),
    })
    const start = (await site.get('/')).headers
    assert.equal(start['x-frame-options'], 'DENY')
    assert.equal(start['cache-control'], 'public, max-age=60')
    assert.equal(start['x-own'], '1')
    assert.equal(start['set-cookie'], undefined)
    assert.equal(start['content-type'], 'text/html; charset=utf-8')
    assert.equal((await site.get('/feed')).headers['content-type'], 'text/plain')
    const embed = (await site.get('/embed/')).headers
    assert.equal(embed['x-frame-options'], undefined)
    assert.equal(embed['content-security-policy'], 'frame-ancestors *')
    assert.equal(embed['x-content-type-options'], 'nosniff')
  })

  test('is not served itself, nor is _redirects', async () => {
    const site = await deploy({ 'index.html': page('x'), _headers: '/*\n  X-A: 1', _redirects: '' })
    for (const path of ['/_headers', '/_redirects', '/%5Fheaders'])
      assert.equal((await site.get(path)).status, 404)
  })

  test('applies to the requested path', async () => {
    const site = await deploy({
      'index.html': page('x'),
      _redirects: '/app/* /index.html 200',
      _headers: '/app/*\n  X-App: yes',
    })
    assert.equal((await site.get('/app/a')).headers['x-app'], 'yes')
    assert.equal((await site.get('/')).headers['x-app'], undefined)
  })
})

describe('_redirects', () => {
  let site: Deployed
  before(async () => {
    site = await deploy({
      'index.html': page('Start'),
      'real.html': page('Real'),
      'forced.html': page('Hidden'),
      'new/index.html': page('New'),
      'gone.html': page('Gone'),
      _redirects: [
        '/old /new/ 301',
        '/real /elsewhere',
        '/forced /new/ 302!',
        '/blog/* /new/:splat 308',
        '/shop https://shop.example/?from=us 302',
        '/go https://shop.example/',
        '/shown/* /real 200',
        '/away/* /gone.html 404',
        '/lost/* /no-such-page 200',
        '/out/* /:splat',
        '/folder /new 200',
        '/page /real/ 200',
      ].join('\n'),
    })
  })

  const rows: [path: string, status: number, to?: string][] = [
    ['/old', 301, '/new/'],
    ['/old?a=1&b=%20', 301, '/new/?a=1&b=%20'],
    ['/real', 200],
    ['/forced', 302, '/new/'],
    ['/blog/a/b', 308, '/new/a/b'],
    ['/shop?x=1', 302, 'https://shop.example/?from=us'],
    ['/go?x=1', 301, 'https://shop.example/?x=1'],
    ['/shown/by/it', 200],
    ['/away/x', 404],
    ['/lost/x', 404],
    ['/folder', 200],
    ['/page', 200],
    ['/out//evil.example/x', 301, '/evil.example/x'],
    ['/out/%5Cevil.example', 301, '/%5Cevil.example'],
  ]
  for (const [path, status, to] of rows) {
    test(`answers ${path} with ${status}${to ? ` to ${to}` : ''}`, async () => {
      const seen = await site.get(path)
      assert.equal(seen.status, status)
      assert.equal(seen.headers.location, to)
      if (to) assert.equal(seen.headers['cache-control'], 'public, max-age=0, must-revalidate')
    })
  }

  test('serves the page at the target of a rewrite', async () => {
    assert.match((await site.get('/shown/by/it')).text, /Real/)
    assert.match((await site.get('/away/x')).text, /Gone/)
  })
})

describe('a single-page app', () => {
  let site: Deployed
  before(async () => {
    const files = { 'index.html': page('App'), 'app.js': 'run()', '404.html': page('Nothing') }
    site = await deploy(files, { spa: true })
  })

  const rows: [what: string, path: string, headers: Record<string, string>, status: number][] = [
    ['a person goes to a route', '/users/7', { 'Sec-Fetch-Mode': 'navigate' }, 200],
    ['also one with a dot', '/users/a.b', { 'Sec-Fetch-Mode': 'navigate' }, 200],
    ['a program asks for a route', '/users/7', {}, 200],
    ['an older browser asks for a page', '/v1.2', { Accept: 'text/html,*/*' }, 200],
    ['a script that is not there', '/missing.js', { 'Sec-Fetch-Mode': 'no-cors' }, 404],
    ['data that is not there', '/api-data', { 'Sec-Fetch-Mode': 'cors' }, 404],
    ['a file that a program misses', '/missing.js', { Accept: '*/*' }, 404],
    ['a file that is there', '/app.js', {}, 200],
  ]
  for (const [what, path, headers, status] of rows) {
    test(`answers ${what} with ${status}`, async () => {
      const seen = await site.get(path, headers)
      assert.equal(seen.status, status)
      assert.match(seen.text, status === 404 ? /Nothing/ : path === '/app.js' ? /run/ : /App/)
    })
  }
})

describe('a missing page', () => {
  test('gets the nearest 404.html of the site', async () => {
    const site = await deploy({
      'index.html': page('x'),
      '404.html': page('Nothing at all'),
      'docs/404.html': page('Nothing in docs'),
    })
    const near = await site.get('/docs/a/b')
    assert.equal(near.status, 404)
    assert.match(near.text, /Nothing in docs/)
    assert.equal(near.headers.etag, undefined)
    assert.match((await site.get('/other')).text, /Nothing at all/)
  })

  test('gets a built-in page in the language of the visitor', async () => {
    const site = await deploy({ 'index.html': page('x') })
    const languages = { en: 'does not exist', nl: 'bestaat niet', de: 'gibt es nicht' }
    for (const [language, words] of Object.entries({
      ...languages,
      fr: 'n’existe pas',
      es: 'no existe',
    })) {
      const seen = await site.get('/nothing', { 'Accept-Language': `${language};q=0.9, xx` })
      assert.equal(seen.status, 404)
      assert.equal(seen.headers['content-language'], language)
      assert(seen.text.includes(words), seen.text)
      assert.match(seen.headers['content-security-policy'] ?? '', /default-src 'none'/)
    }
  })

  test('exposes no service route on the sites domain and below it', async () => {
    for (const host of ['sites.localhost', 'SITES.localhost.:4400', 'nobody.sites.localhost']) {
      for (const path of ['/', '/portal', '/api/v1/project', '/mcp', '/docs', '/healthz']) {
        const seen = await visit(runtime, { host, route: `GET ${path}` })
        assert.equal(seen.status, 404, host + path)
        assert.match(seen.text, /There is no site here/)
      }
    }
    const body = 'email=owner%40demo.localhost'
    const seen = await visit(runtime, {
      host: 'sites.localhost',
      route: 'POST /portal/sign-in',
      body,
    })
    assert.equal(seen.status, 404)
  })

  test('shows an unknown address without naming other sites', async () => {
    for (const label of ['nobody', 'a.b', 'nobody--1234567890', 'x'.repeat(64)]) {
      const seen = await visit(runtime, { host: `${label}.sites.localhost`, route: 'GET /' })
      assert.equal(seen.status, 404, label)
      assert.match(seen.text, /There is no site here/)
    }
  })
})

describe('compressed copies', () => {
  const text = page('Bread and more bread. '.repeat(100))
  let site: Deployed
  before(async () => {
    site = await deploy({
      'index.html': text,
      'tiny.txt': 'tiny',
      'picture.png': 'x'.repeat(2_000),
    })
  })

  const unpack: Record<string, (bytes: Buffer) => Buffer> = {
    br: brotliDecompressSync,
    gzip: gunzipSync,
    zstd: zstdDecompressSync,
  }
  for (const [encoding, unpacked] of Object.entries(unpack)) {
    test(`have the same content as ${encoding}`, async () => {
      const seen = await site.get('/', { 'Accept-Encoding': encoding })
      assert.equal(seen.headers['content-encoding'], encoding)
      assert.equal(unpacked(seen.body).toString(), text)
      assert.equal(seen.headers.vary, 'Accept-Encoding')
      assert.equal(Number(seen.headers['content-length']), seen.body.length)
    })
  }

  const choices: [header: string, encodings: (string | undefined)[]][] = [
    ['gzip, deflate, br, zstd', ['br', 'zstd']],
    ['gzip;q=1.0, br;q=0.5', ['gzip']],
    ['br;q=0, gzip', ['gzip']],
    ['*', ['br', 'zstd']],
    ['identity', [undefined]],
    ['identity;q=1, br;q=0.2', [undefined]],
    ['deflate, compress', [undefined]],
    ['', [undefined]],
    ['gzip;q=2', [undefined]],
    [';;,,q=', [undefined]],
    ['x'.repeat(5_000), [undefined]],
  ]
  for (const [header, encodings] of choices) {
    test(`are sent as ${encodings.join(' or ') || 'identity'} for "${header.slice(0, 40)}"`, async () => {
      const seen = await site.get('/', { 'Accept-Encoding': header })
      const encoding = seen.headers['content-encoding']
      assert(encodings.includes(encoding), `It is ${encoding}.`)
      assert.equal(seen.status, 200)
    })
  }

  test('have an ETag per encoding, which gives a 304', async () => {
    const plain = (await site.get('/')).headers.etag ?? ''
    const packed = (await site.get('/', { 'Accept-Encoding': 'br' })).headers.etag ?? ''
    assert.notEqual(plain, packed)
    assert.match(packed, /^"[\w-]{22}-br"$/)
    const again = await site.get('/', { 'Accept-Encoding': 'br', 'If-None-Match': packed })
    assert.equal(again.status, 304)
    assert.equal(again.body.length, 0)
    assert.equal(again.headers.etag, packed)
    assert.equal(again.headers.vary, 'Accept-Encoding')
    const other = await site.get('/', { 'If-None-Match': packed })
    assert.equal(other.status, 200, 'The copy is of another form than the one that goes out now.')
  })

  test('have no ranges: only the uncompressed file does', async () => {
    const seen = await site.get('/', { 'Accept-Encoding': 'br', Range: 'bytes=0-8' })
    assert.equal(seen.status, 206)
    assert.equal(seen.text, '<!doctype')
    assert.equal(seen.headers['content-encoding'], undefined)
  })

  test('do not exist for files that would not shrink, and for non-text files', async () => {
    for (const path of ['/tiny.txt', '/picture.png']) {
      const { headers } = await site.get(path, { 'Accept-Encoding': 'br, gzip' })
      assert.equal(headers['content-encoding'], undefined)
      assert.equal(headers.vary, undefined)
    }
  })
})

describe('versions', () => {
  test('serves a deploy at once and no longer answers 304 for old content', async () => {
    const site = await deploy({ 'index.html': page('One'), 'a.txt': 'same' })
    const before = await site.get('/')
    await site.put({ 'index.html': page('Two'), 'a.txt': 'same' })
    const after = await site.get('/', { 'If-None-Match': before.headers.etag ?? '' })
    assert.equal(after.status, 200)
    assert.match(after.text, /Two/)
  })

  test('serves each version at its own address with noindex', async () => {
    const site = await deploy({ 'index.html': page('One') })
    const second = await site.put({ 'index.html': page('Two') })
    const seeVersion = (url: string) => visit(runtime, { host: hostOf(url), route: 'GET /' })
    const [one, two] = [await seeVersion(site.preview_url), await seeVersion(second.preview_url)]
    assert.match(one.text, /One/)
    assert.match(two.text, /Two/)
    assert.equal(one.headers['x-robots-tag'], 'noindex')
    assert.equal(one.headers['referrer-policy'], 'same-origin')
    assert.match((await site.get('/')).text, /Two/)
  })

  test('refreshes another process within a second', async () => {
    const site = await deploy({ 'index.html': page('One') })
    assert.match((await site.get('/')).text, /One/)
    // A lost announcement is simulated: only the database changes.
    await runtime.runtime.db.transact(async (tx) => {
      await tx.updateTable('sites').set({ status: 'offline' }).where('id', '=', site.id).execute()
    })
    assert.equal((await site.get('/')).status, 200)
    runtime.passes('1 second')
    assert.equal((await site.get('/')).status, 403)
  })
})

describe('site visibility', () => {
  test('serves an unlisted site at its secret address only', async () => {
    const site = await deploy({ 'index.html': page('Secret') }, { visibility: 'unlisted' })
    assert.match(site.host, /^site-\d+-[a-z2-7]{12}\./)
    const seen = await site.get('/')
    assert.equal(seen.status, 200)
    assert.equal(seen.headers['x-robots-tag'], 'noindex')
    assert.equal(seen.headers['referrer-policy'], 'same-origin', 'The address is the secret.')
    const form = await deploy(
      { 'index.html': '<form data-collection="bookings"></form>' },
      { visibility: 'unlisted' },
    )
    const told = (await form.get('/')).headers['referrer-policy']
    assert.equal(told, 'strict-origin-when-cross-origin', 'Or its forms would be refused.')
    const bare = site.host.replace(/-[a-z2-7]{12}\./, '.')
    assert.equal((await visit(runtime, { host: bare, route: 'GET /' })).status, 404)
  })

  test('shows only a notice for an offline site', async () => {
    const site = await deploy({ 'index.html': page('Bad') })
    await runtime.runtime.db.transact(async (tx) => {
      await tx.updateTable('sites').set({ status: 'offline' }).where('id', '=', site.id).execute()
    })
    for (const host of [site.host, hostOf(site.preview_url)]) {
      const seen = await visit(runtime, {
        host,
        route: 'GET /',
        headers: { 'Accept-Language': 'nl' },
      })
      assert.equal(seen.status, 403)
      assert.match(seen.text, /Deze site is offline/)
      assert.doesNotMatch(seen.text, /Bad/)
      assert.equal(seen.headers['cache-control'], 'no-store')
    }
  })

  test('serves no site of a deleted project', async () => {
    const site = await deploy({ 'index.html': page('x') })
    await runtime.runtime.db.transact(async (tx) => {
      const { project_id } = await tx
        .selectFrom('sites')
        .select('project_id')
        .where('id', '=', site.id)
        .executeTakeFirstOrThrow()
      await projects.remove(runtime.runtime, project_id)
    })
    runtime.passes('1 second')
    assert.equal((await site.get('/')).status, 404)
  })
})

describe('files over the memory cache limit', () => {
  const bytes = 3_000_000
  const content = Buffer.alloc(bytes, 'abcdefghij')
  let host = ''
  before(async () => {
    const site = await deploy({ 'index.html': page('x'), 'film.mp4': 'short' })
    host = site.host
    // Larger than the limit of a deploy, as a video of the media library can be.
    const { runtime: inside } = runtime
    const { storeFile } = await import('../../../areas/files/service.ts')
    const row = await inside.db
      .selectFrom('sites')
      .selectAll()
      .where('id', '=', site.id)
      .executeTakeFirstOrThrow()
    const project = await inside.db
      .selectFrom('projects')
      .selectAll()
      .where('id', '=', row.project_id)
      .executeTakeFirstOrThrow()
    const { id, sha256 } = await storeFile(inside, project, content)
    const film = { path: 'film.mp4', file_id: id, sha256, bytes, content_type: 'video/mp4' }
    await inside.db.transact(async (tx) => {
      await tx
        .updateTable('site_versions')
        .set({ files: JSON.stringify([{ ...film, encodings: {}, media_id: null }]) })
        .where('site_id', '=', site.id)
        .execute()
    })
  })

  test('are sent whole', async () => {
    const seen = await visit(runtime, { host, route: 'GET /film.mp4' })
    assert.equal(seen.status, 200)
    assert(seen.body.equals(content))
    assert.equal(seen.headers['content-type'], 'video/mp4')
    assert.equal(seen.headers['accept-ranges'], 'bytes')
  })

  test('are sent in ranges', async () => {
    const headers = { Range: 'bytes=2999990-' }
    const seen = await visit(runtime, { host, route: 'GET /film.mp4', headers })
    assert.equal(seen.status, 206)
    assert.equal(seen.headers['content-range'], `bytes 2999990-2999999/${bytes}`)
    assert.equal(seen.text, 'abcdefghij')
  })

  test('answer HEAD with the size, without reading the file', async () => {
    const seen = await visit(runtime, { host, route: 'HEAD /film.mp4' })
    assert.equal(seen.headers['content-length'], String(bytes))
    assert.equal(seen.body.length, 0)
  })
})

test('the site server counts responses by status', async () => {
  const site = await deploy({ 'index.html': page('x') })
  const countOf = async () => {
    const text = await runtime.runtime.metrics.registry.metrics()
    return Number(/^homeport_site_requests_total\{status="200"\} (\d+)/m.exec(text)?.[1] ?? 0)
  }
  const before = await countOf()
  await site.get('/')
  assert.equal(await countOf(), before + 1)
})
