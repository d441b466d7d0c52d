/** Tests of sites at the byte level: pipelining, unusual Host headers, and request smuggling. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import { newSiteOwner } from '../../../test/fixtures/sites/site-owner.ts'
import { exchange, hostOf, visit } from '../../../test/fixtures/sites/site-visitor.ts'
import { readHost } from './host.ts'

const runtime = await openTestRuntime({ work: false })
let host = ''
let other = ''

before(async () => {
  const owner = await newSiteOwner(runtime)
  const texts = { 'index.html': 'THE START', 'a.txt': 'FILE A', 'b.txt': 'FILE B' }
  host = hostOf((await owner.publish(texts)).url)
  other = hostOf((await owner.publish({ 'index.html': 'THE OTHER SITE' })).url)
})

/** The statuses of the responses, in order. */
function statusesIn(said: string): number[] {
  return [...said.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
}

const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${more}\r\n`
const last = 'Connection: close\r\n'

describe('several requests on one connection', () => {
  test('are answered in order, whether cached or not', async () => {
    const paths = ['/a.txt', '/nothing', '/b.txt', '/', '/a.txt', '/docs', '/b.txt']
    const said = await exchange(runtime, paths.map((path) => get(path)).join('') + get('/', last))
    assert.deepEqual(statusesIn(said), [200, 404, 200, 200, 200, 404, 200, 200])
    assert.match(said, /FILE A.*FILE B.*THE START.*FILE A.*FILE B.*THE START$/s)
  })

  test('may address different sites and the API', async () => {
    const said = await exchange(
      runtime,
      get('/a.txt') +
        `GET / HTTP/1.1\r\nHost: ${other}\r\n\r\n` +
        'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n' +
        get('/b.txt', last),
    )
    assert.deepEqual(statusesIn(said), [200, 200, 200, 200])
    assert.match(said, /FILE A.*THE OTHER SITE.*"status":"ok".*FILE B$/s)
  })

  test('are all answered, even a hundred at once', async () => {
    const said = await exchange(runtime, get('/a.txt').repeat(99) + get('/b.txt', last))
    assert.equal(said.match(/FILE A/g)?.length, 99)
    assert.match(said, /FILE B$/)
  })

  test('are answered in order with HEAD, 304 and 206 among them', async () => {
    const etag = (await visit(runtime, { host, route: 'GET /a.txt' })).headers.etag ?? ''
    const said = await exchange(
      runtime,
      `HEAD /a.txt HTTP/1.1\r\nHost: ${host}\r\n\r\n` +
        get('/a.txt', `If-None-Match: ${etag}\r\n`) +
        get('/a.txt', 'Range: bytes=0-3\r\n') +
        get('/a.txt', 'Range: bytes=99-\r\n') +
        get('/b.txt', last),
    )
    assert.deepEqual(statusesIn(said), [200, 304, 206, 416, 200])
    assert.equal(said.match(/FILE A/g), null)
    assert.match(said, /FILE B$/)
  })

  test('may arrive in several chunks', async () => {
    const said = await exchange(runtime, get('/a.txt', last).replace('HTTP', 'HTTP'))
    assert.match(said, /FILE A$/)
  })

  test('end on Connection: close and with HTTP/1.0', async () => {
    const said = await exchange(runtime, get('/a.txt', last) + get('/b.txt'))
    assert.deepEqual(statusesIn(said), [200])
    const old = await exchange(runtime, `GET /a.txt HTTP/1.0\r\nHost: ${host}\r\n\r\n`)
    assert.match(old, /^HTTP\/1\.1 200 OK.*Connection: close.*FILE A$/is)
    const kept = await exchange(
      runtime,
      `GET /a.txt HTTP/1.0\r\nHost: ${host}\r\nConnection: keep-alive\r\n\r\n` +
        get('/b.txt', last),
    )
    assert.deepEqual(statusesIn(kept), [200, 200])
  })
})

describe('a connection ends at an ambiguous request', () => {
  const inner = 'GET /b.txt HTTP/1.1\r\nHost: x\r\n\r\n'
  const chunk = `${inner.length.toString(16)}\r\n${inner}\r\n0\r\n\r\n`
  const shapes: [what: string, bytes: () => string][] = [
    ['GET with a body', () => get('/a.txt', `Content-Length: ${inner.length}\r\n`) + inner],
    ['GET with chunks', () => get('/a.txt', 'Transfer-Encoding: chunked\r\n') + chunk],
    [
      'a length and chunks',
      () => get('/a.txt', 'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n') + chunk,
    ],
    ['two lengths', () => get('/a.txt', 'Content-Length: 0\r\nContent-Length: 40\r\n') + inner],
    ['a length with a sign', () => get('/a.txt', 'Content-Length: +5\r\n') + inner],
    ['a length in pieces', () => get('/a.txt', 'Content-Length: 1, 40\r\n') + inner],
    ['an unknown encoding', () => get('/a.txt', 'Transfer-Encoding: xchunked\r\n') + inner],
    ['encodings in a row', () => get('/a.txt', 'Transfer-Encoding: chunked, x\r\n') + inner],
    ['a space before the colon', () => get('/a.txt', 'Transfer-Encoding : chunked\r\n') + chunk],
    ['a folded header', () => get('/a.txt', 'X-A: 1\r\n Transfer-Encoding: chunked\r\n') + inner],
    ['lines that end with LF alone', () => `GET /a.txt HTTP/1.1\nHost: ${host}\n\n${inner}`],
    ['a bare CR', () => get('/a.txt', 'X-A: 1\rX-B: 2\r\n') + inner],
    ['a NUL in a header', () => get('/a.txt', 'X-A: \0\r\n') + inner],
    ['no version', () => `GET /a.txt\r\nHost: ${host}\r\n\r\n${inner}`],
    ['an unknown version', () => `GET /a.txt HTTP/3.7\r\nHost: ${host}\r\n\r\n${inner}`],
    ['an unknown method', () => `GETS /a.txt HTTP/1.1\r\nHost: ${host}\r\n\r\n${inner}`],
    ['a space in the address', () => `GET /a.txt x HTTP/1.1\r\nHost: ${host}\r\n\r\n${inner}`],
    [
      'POST with a body',
      () => get('/a.txt', `Content-Length: ${inner.length}\r\n`).replace('GET', 'POST') + inner,
    ],
  ]
  for (const [what, bytes] of shapes) {
    test(what, async () => {
      const said = await exchange(runtime, bytes())
      assert.equal(statusesIn(said).length, 1, said)
      assert.doesNotMatch(said, /FILE B/)
      assert.match(said, /\r\nConnection: close\r\n/i)
    })
  }

  test('requests with a body never take the body for another request', async () => {
    const long = `POST / HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 1000000\r\n\r\n${inner.repeat(50)}`
    assert.deepEqual(statusesIn(await exchange(runtime, long)), [405])
  })
})

describe('a Host header', () => {
  const ask = (line: string, more = last) => exchange(runtime, `${line} HTTP/1.1\r\n${more}\r\n`)

  const refused: [what: string, line: string, headers: () => string][] = [
    ['two hosts', 'GET /', () => `Host: ${host}\r\nHost: ${other}\r\n`],
    ['the same host twice', 'GET /', () => `Host: ${host}\r\nhost: ${host}\r\n`],
    ['a host with a path', 'GET /', () => `Host: ${host}/../x\r\n`],
    ['a host with a user', 'GET /', () => `Host: a@${host}\r\n`],
    ['a host with a space', 'GET /', () => `Host: ${host} x\r\n`],
    ['a host with a query', 'GET /', () => `Host: ${host}?x\r\n`],
    ['two hosts in one', 'GET /', () => `Host: ${host}, ${other}\r\n`],
    ['two dots', 'GET /', () => `Host: a..${host}\r\n`],
    ['a dot in front', 'GET /', () => `Host: .${host}\r\n`],
    ['a port that is no number', 'GET /', () => `Host: ${host.split(':')[0]}:x\r\n`],
    ['markup', 'GET /', () => 'Host: <script>alert(1)</script>\r\n'],
    ['letters beyond ASCII', 'GET /', () => 'Host: b\xe4ckerei.sites.localhost\r\n'],
    ['a host without end', 'GET /', () => `Host: ${'a.'.repeat(200)}sites.localhost\r\n`],
    ['no host', 'GET /', () => ''],
    ['an address of another host', 'GET http://other.example/', () => `Host: ${host}\r\n`],
    ['an address that is none', 'GET nothing', () => `Host: ${host}\r\n`],
    ['an address of another kind', 'GET ftp://a/', () => `Host: ${host}\r\n`],
  ]
  for (const [what, line, headers] of refused) {
    test(`gets 400, and the connection ends: ${what}`, async () => {
      const said = await ask(line, headers())
      assert.deepEqual(statusesIn(said), [400])
      assert.doesNotMatch(said, /THE START|<script>/)
      assert.match(said, /\r\nConnection: close\r\n/i)
    })
  }

  test('matches regardless of case, a trailing dot and the port', async () => {
    const [name = ''] = host.split(':')
    for (const spelled of [name.toUpperCase(), `${name}.`, `${name}:1`, name, `${name}.:80`]) {
      const said = await ask('GET /', `Host: ${spelled}\r\n${last}`)
      assert.match(said, /THE START$/, spelled)
    }
  })

  test('is replaced by the host of an absolute request target', async () => {
    const said = await ask(`GET http://${host}/a.txt?x`, `Host: ${host}\r\n${last}`)
    assert.match(said, /FILE A$/)
  })

  test('is not replaced by forwarded host headers', async () => {
    const said = await ask('GET /', `Host: ${host}\r\nX-Forwarded-Host: ${other}\r\n${last}`)
    assert.match(said, /THE START$/)
    const api = await ask('GET /healthz', `Host: localhost\r\nX-Forwarded-Host: ${host}\r\n${last}`)
    assert.match(api, /"status":"ok"/)
  })

  test('separates the paths of the service from those of sites', async () => {
    for (const path of [
      '/healthz',
      '/metrics',
      '/api/v1/project',
      '/docs',
      '/portal',
      '/dev/clock',
    ]) {
      const headers = { Authorization: `Bearer ${runtime.key}` }
      assert.equal(
        (await visit(runtime, { host, route: `GET ${path}`, headers })).status,
        404,
        path,
      )
    }
    const api = await runtime.call('GET //a.txt', { key: null })
    assert.equal(api.status, 404)
  })

  test('selects the rules of its own site', () => {
    const places = { public_url: 'https://api.example.nl', sites_domain: 'sites.example.nl:8443' }
    const kinds: [host: string, kind: string][] = [
      ['bakery.sites.example.nl', 'site'],
      ['BAKERY.Sites.Example.NL:443', 'site'],
      ['bakery--a1b2c3d4e5.sites.example.nl', 'site'],
      ['a.bakery.sites.example.nl', 'nowhere'],
      ['ba_kery.sites.example.nl', 'nowhere'],
      ['sites.example.nl', 'nowhere'],
      ['api.example.nl', 'service'],
      ['evilsites.example.nl', 'service'],
      ['bakery.sites.example.nl.evil.example', 'service'],
      ['127.0.0.1:4400', 'service'],
      ['[::1]:4400', 'service'],
      ['', 'malformed'],
      ['a b', 'malformed'],
      ['[::1', 'malformed'],
    ]
    for (const [one, kind] of kinds) assert.equal(readHost(one, places).kind, kind, one)
    const shared = { public_url: 'https://api.example.nl', sites_domain: 'example.nl' }
    assert.equal(readHost('api.example.nl', shared).kind, 'service')
    assert.equal(readHost('bakery.example.nl', shared).kind, 'site')
  })
})

describe('keep every path within its site', () => {
  const attacks = [
    '/../../etc/passwd',
    '/..%2f..%2fetc/passwd',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/%252e%252e/etc/passwd',
    '/..%5c..%5cetc/passwd',
    '/....//....//etc/passwd',
    '/%c0%ae%c0%ae/etc/passwd',
    '/%e2%80%ae/a.txt',
    '/a.txt%00.html',
    '/a.txt%0d%0aX-Evil:%201',
    '/\u00ff',
    '/a.txt::$DATA',
    '/C:/windows/win.ini',
    '/file:///etc/passwd',
    '/.git/config',
    '/.env',
    '/_homeport/anything',
    '//evil.example/%2f..',
    '/%2f%2fevil.example',
    '/\\evil.example',
    `/${'a/'.repeat(4_000)}`,
    `/${'%2e/'.repeat(2_000)}a`,
    '/a.txt/..;/b',
    '/?../../etc/passwd',
  ]
  for (const path of attacks) {
    test(JSON.stringify(path.slice(0, 60)), async () => {
      const said = await exchange(runtime, get(path, last))
      const [status = 0] = statusesIn(said)
      assert([200, 301, 400, 404, 431].includes(status), said.slice(0, 300))
      assert.doesNotMatch(said, /root:|X-Evil: 1\r\n/)
      const [, to = '/'] = /\r\nLocation: (.*)\r\n/i.exec(said) ?? []
      assert.equal(new URL(to, `http://${host}`).host, host)
    })
  }
})
