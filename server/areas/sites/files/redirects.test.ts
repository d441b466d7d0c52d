/** Tests of _redirects: parsing, faults, and the targets of paths. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { limits } from '../../../contract/limits.ts'
import { parseRedirects, createRedirectFinder } from './redirects.ts'

function leads(text: string, path: string): string | null {
  const { redirects, warnings } = parseRedirects(text)
  assert.deepEqual(warnings, [])
  const hit = createRedirectFinder(redirects)(path)
  return hit && `${hit.status}${hit.force ? '!' : ''} ${hit.to}`
}

function warningOf(line: string): string {
  const { redirects, warnings } = parseRedirects(`# first\n${line}`)
  assert.deepEqual(redirects, [])
  assert.equal(warnings.length, 1, `${line}: ${warnings.join(' ')}`)
  assert.match(warnings[0]!, /^_redirects, line 2: [A-Z:"]/)
  return warnings[0]!
}

describe('a valid line is accepted', () => {
  const rows: [what: string, text: string, path: string, to: string | null][] = [
    ['redirects permanently by default', '/old /new', '/old', '301 /new'],
    ['does not match a longer path', '/old /new', '/older', null],
    ['is case-sensitive', '/old /new', '/Old', null],
    ['accepts a status', '/old /new 302', '/old', '302 /new'],
    ['accepts status 307', '/old /new 307', '/old', '307 /new'],
    ['accepts ! for rules that override files', '/old /new 301!', '/old', '301! /new'],
    ['accepts repeated spaces and tabs', ' /old \t  /new   303 ', '/old', '303 /new'],
    ['ignores a comment at the end', '/old /new 308 # because', '/old', '308 /new'],
    ['accepts CRLF', '/a /b\r\n/old /new\r\n', '/old', '301 /new'],
    ['ignores a byte order mark', '\uFEFF/old /new', '/old', '301 /new'],
    ['ignores a trailing slash of the path', '/old /new', '/old/', '301 /new'],
    ['ignores a trailing slash of the rule', '/old/ /new', '/old', '301 /new'],
    ['applies the first match', '/a /first\n/a /second', '/a', '301 /first'],
    [
      'applies a pattern before a later fixed path',
      '/a/* /first\n/a/b /second',
      '/a/b',
      '301 /first',
    ],
    [
      'applies a fixed path before a later pattern',
      '/a/b /first\n/a/* /second',
      '/a/b',
      '301 /first',
    ],
    [
      'redirects to another site',
      '/x https://shop.example/x?y=1',
      '/x',
      '301 https://shop.example/x?y=1',
    ],
    ['keeps the query and fragment of the target', '/x /y?z=1#part', '/x', '301 /y?z=1#part'],
    ['serves one page for every path', '/* /index.html 200', '/any/where', '200 /index.html'],
    [
      'serves a custom not-found page',
      '/shop/* /shop/gone.html 404',
      '/shop/x',
      '404 /shop/gone.html',
    ],
    [
      'inserts the rest of the path for :splat',
      '/news/* /blog/:splat',
      '/news/2024/may',
      '301 /blog/2024/may',
    ],
    ['inserts an empty rest', '/news/* /blog/:splat', '/news/', '301 /blog/'],
    ['matches the folder itself', '/news/* /blog/:splat', '/news', '301 /blog/'],
    ['does not match a name with the same prefix', '/news/* /blog/:splat', '/newspaper', null],
    ['matches a star within a name', '/pic-*.jpg /pics/:splat', '/pic-12.jpg', '301 /pics/12'],
    ['inserts placeholders', '/:year/:slug /blog/:slug/:year 302', '/2024/hi', '302 /blog/hi/2024'],
    ['matches a placeholder with one segment only', '/u/:id /user/:id', '/u/1/2', null],
    ['does not match a placeholder with an empty segment', '/u/:id /user/:id', '/u/', null],
    ['inserts placeholders and the splat', '/:lang/* /:splat?l=:lang', '/nl/a/b', '301 /a/b?l=nl'],
    ['keeps unknown placeholders of the target', '/u/:id /user/:name', '/u/1', '301 /user/:name'],
    ['escapes inserted values', '/u/:id /user/:id', '/u/a b&c?d', '301 /user/a%20b%26c%3Fd'],
    ['decodes percent-encoding in the rule', '/caf%C3%A9 /x', '/café', '301 /x'],
    ['matches regular expression characters literally', '/a.b+(c) /x', '/a.b+(c)', '301 /x'],
    ['does not treat a dot as a wildcard', '/a.b /x', '/aXb', null],
    ['normalizes targets', '/x /a/../b', '/x', '301 /b'],
    ['escapes non-ASCII targets', '/x /über', '/x', '301 /%C3%BCber'],
  ]
  for (const [what, text, path, to] of rows) {
    test(what, () => assert.equal(leads(text, path), to))
  }
})

describe('a target with inserted parts of the path', () => {
  test('stays on its host if a captured part contains another host', () => {
    assert.equal(leads('/out/* /:splat', '/out//evil.example'), '301 /evil.example')
    assert.equal(leads('/out/* /:splat', '/out///evil.example'), '301 /evil.example')
    assert.equal(leads('/out/* /:splat', '/out/\\evil.example'), '301 /%5Cevil.example')
    assert.equal(leads('/out/* /:splat', '/out/\r\nX-Evil: 1'), '301 /%0D%0AX-Evil%3A%201')
  })

  test('has no captured part in its host name', () => {
    for (const to of [
      'https://:splat/',
      'https://shop.example:splat',
      'https://a:splat@b.example/',
    ])
      assert.match(warningOf(`/out/* ${to}`), /is no address/)
  })

  test('is never the path itself', () => {
    assert.equal(leads('/* /index.html', '/index.html'), null)
    assert.equal(leads('/:a /%61', '/a'), null)
    assert.equal(leads('/blog/* /blog/:splat/', '/blog/x'), null)
    assert.match(warningOf('/a /a/'), /leads to itself/)
  })

  test('is a valid URL for every path and pattern', () => {
    const part = fc.constantFrom('/', '*', ':a', ':b', 'x', '.', '%41', '(', '\\', '//', ' ')
    const words = fc.array(part, { maxLength: 8 }).map((parts) => `/${parts.join('')}`)
    const path = fc.string({ unit: 'grapheme', maxLength: 40 }).map((text) => `/${text}`)
    fc.assert(
      fc.property(words, words, path, (from, to, asked) => {
        const { redirects } = parseRedirects(`${from} ${to}`)
        const hit = createRedirectFinder(redirects)(asked)
        if (hit) assert.equal(new URL(hit.to, 'http://here.example').host, 'here.example')
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('an invalid line is left out with a reason', () => {
  const rows: [line: string, reason: RegExp][] = [
    ['/old', /needs a path and where it leads/],
    ['old /new', /must begin with \//],
    ['https://www.example.nl/* /new', /for this site/],
    ['/old new', /"new" cannot be used/],
    ['/old //evil.example', /is no address/],
    ['/old /.//evil.example', /is no address/],
    ['/old /a/..//evil.example', /is no address/],
    ['/old/* /.//:splat', /is no address/],
    ['/old /\\evil.example', /is no address/],
    ['/old javascript:alert(1)', /is no address/],
    ['/old https://user:word@a.example/', /is no address/],
    ['/old /new 418', /status can be 200, 301/],
    ['/old /new 301 Country=nl', /"Country=nl" cannot be used/],
    ['/old /new Language=nl', /"Language=nl" cannot be used/],
    ['/old id=:id /new 301', /"id=:id" cannot be used/],
    ['/api/* https://api.example/:splat 200', /must be a path on this site/],
    ['/a https://b.example/ 404', /must be a path on this site/],
    ['/a*b* /c', /one \* only/],
    ['/*/:b /c', /after the \*/],
    ['/:a/:a /c', /twice/],
    ['/x:a /c', /whole part/],
    ['/:splat /c', /choose another name/],
    ['/a?b=1 /c', /query or a fragment/],
    ['/a\\b /c', /no path has/],
    ['/%zz /c', /begins no escape/],
    [`/a /${'b'.repeat(2_000)}`, /2000 characters/],
  ]
  for (const [line, reason] of rows) {
    test(line.slice(0, 60), () => assert.match(warningOf(line), reason))
  }

  test('while the valid lines of the file apply', () => {
    const { redirects, warnings } = parseRedirects('/a /b\nnonsense\n\n# a note\n/c /d')
    assert.deepEqual(
      redirects.map(({ from }) => from),
      ['/a', '/c'],
    )
    assert.equal(warnings.length, 1)
    assert.match(warnings[0]!, /line 2/)
  })
})

describe('the limits of _redirects', () => {
  const many = (count: number, line: (n: number) => string) =>
    parseRedirects(Array.from({ length: count }, (_, n) => line(n)).join('\n'))

  test('accept fixed paths up to a number, and cause one warning about the rest', () => {
    const { redirects, warnings } = many(limits.site_static_redirects_max + 5, (n) => `/a${n} /b`)
    assert.equal(redirects.length, limits.site_static_redirects_max)
    assert.equal(warnings.length, 1)
    assert.match(warnings[0]!, /line 2001: There can be 2000/)
  })

  test('accept patterns up to a number', () => {
    const { redirects, warnings } = many(
      limits.site_dynamic_redirects_max + 5,
      (n) => `/a${n}/* /b`,
    )
    assert.equal(redirects.length, limits.site_dynamic_redirects_max)
    assert.match(warnings[0]!, /line 101: There can be 100/)
  })

  test('show the first fifty faults and count the rest', () => {
    const { warnings } = many(80, () => 'nonsense')
    assert.equal(warnings.length, 51)
    assert.equal(warnings.at(-1), '30 more lines are faulty.')
  })

  test('apply to the first ten thousand lines, with a first warning about the rest', () => {
    const last = (n: number) => (n >= 9_999 ? `/a${n} /b` : '')
    const { redirects, warnings } = many(10_001, last)
    assert.deepEqual(
      redirects.map(({ from }) => from),
      ['/a9999'],
    )
    assert.deepEqual(warnings, ['_redirects: The lines after the first 10000 are left out.'])
    assert.match(many(10_001, () => 'nonsense').warnings[0]!, /first 10000/)
  })

  test('let a hundred hostile patterns be matched against long paths in bounded time', () => {
    const { redirects } = many(100, (n) => `/:a/:b/:c/:d/${n}* /x`)
    const find = createRedirectFinder(redirects)
    for (let count = 0; count < 20; count++) assert.equal(find('/a'.repeat(4_000)), null)
  })
})
