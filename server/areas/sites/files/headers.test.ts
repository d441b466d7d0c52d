/** Tests of _headers: parsing, faults, and the headers of a path. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { limits } from '../../../contract/limits.ts'
import { createHeaderFinder, parseHeaders } from './headers.ts'

function headersOf(text: string, path: string): Record<string, string | null> {
  const { headers, warnings } = parseHeaders(text)
  assert.deepEqual(warnings, [])
  const wishes = createHeaderFinder(headers)(path)
  return Object.fromEntries([...wishes].map(([name, wish]) => [name, wish && wish.value]))
}

function warningsOf(text: string): string[] {
  return parseHeaders(text).warnings
}

describe('a valid rule', () => {
  test('applies to the path above its headers', () => {
    const text = '/a\n  X-One: 1\n  X-Two: 2\n/b\n  X-Three: 3'
    assert.deepEqual(headersOf(text, '/a'), { 'x-one': '1', 'x-two': '2' })
    assert.deepEqual(headersOf(text, '/b'), { 'x-three': '3' })
    assert.deepEqual(headersOf(text, '/c'), {})
  })

  test('may have indents, comments, empty lines and CRLF', () => {
    const text = '\uFEFF# all\r\n/*\r\n\tX-One:1\r\n\r\n  # more\r\nX-Two:  2  \r\n'
    assert.deepEqual(headersOf(text, '/x'), { 'x-one': '1', 'x-two': '2' })
  })

  test('keeps the case of header names', () => {
    const { headers } = parseHeaders('/*\n  x-OnE: 1')
    assert.deepEqual(headers, [{ path: '/*', set: [['x-OnE', '1']], unset: [] }])
  })

  test('may have a value with colons', () => {
    const text = '/*\n  Content-Security-Policy: img-src https://a.example:8443 data:'
    assert.deepEqual(headersOf(text, '/'), {
      'content-security-policy': 'img-src https://a.example:8443 data:',
    })
  })

  test('joins repeated headers into a list', () => {
    const text = '/\n  Link: </a.css>; rel=preload\n  link: </b.js>; rel=preload'
    assert.deepEqual(headersOf(text, '/'), {
      link: '</a.css>; rel=preload, </b.js>; rel=preload',
    })
  })

  test('sets a content type that is no active content, the last one of several', () => {
    const text = '/a\n  Content-Type: text/plain\n  content-type: application/json; charset=utf-8'
    assert.deepEqual(headersOf(text, '/a'), { 'content-type': 'application/json; charset=utf-8' })
  })

  test('applies together with all matching rules, and a later rule replaces an earlier one', () => {
    const text = '/*\n  X-A: all\n  X-B: all\n/docs/*\n  X-A: docs'
    assert.deepEqual(headersOf(text, '/docs/x'), { 'x-a': 'docs', 'x-b': 'all' })
  })

  test('removes a header of an earlier rule or of the server with !', () => {
    const text = '/*\n  X-A: all\n/embed/*\n  ! X-A\n  ! X-Frame-Options'
    assert.deepEqual(headersOf(text, '/embed/1'), { 'x-a': null, 'x-frame-options': null })
    assert.deepEqual(headersOf(text, '/other'), { 'x-a': 'all' })
  })

  const paths: [pattern: string, path: string, fits: boolean][] = [
    ['/*', '/', true],
    ['/*.css', '/a/b.css', true],
    ['/*.css', '/a/b.css.map', false],
    ['/a/*', '/a', true],
    ['/a/:id/edit', '/a/1/edit', true],
    ['/a/:id/edit', '/a/1/2/edit', false],
    ['/a%20b', '/a b', true],
    ['/a', '/a/', true],
  ]
  for (const [pattern, path, fits] of paths) {
    test(`with ${pattern} ${fits ? 'matches' : 'does not match'} ${path}`, () => {
      assert.equal('x-a' in headersOf(`${pattern}\n  X-A: 1`, path), fits)
    })
  }
})

describe('an invalid line is left out with a reason', () => {
  const rows: [line: string, reason: RegExp][] = [
    ['Set-Cookie: a=b', /no cookies/],
    ['set-cookie: a=b', /no cookies/],
    ['Strict-Transport-Security: max-age=1', /other sites/],
    ['Clear-Site-Data: "cookies"', /other sites/],
    ['Content-Type: text/html', /browsers run or show as a page/],
    ['content-type: APPLICATION/rss+xml; charset=utf-8', /browsers run or show as a page/],
    ['Content-Type: application/javascript', /browsers run or show as a page/],
    ['Content-Type: json', /is no content type/],
    ['! Content-Type', /cannot be taken away/],
    ['X-Content-Type-Options: sniff', /always nosniff/],
    ['Content-Length: 5', /the server decides/],
    ['Transfer-Encoding: chunked', /the server decides/],
    ['Connection: close', /the server decides/],
    ['Content-Encoding: gzip', /the server decides/],
    ['ETag: "a"', /the server decides/],
    ['Location: /x', /_redirects/],
    ['refresh: 0; url=https://a.example/', /_redirects/],
    ['Basic-Auth: someone:word', /visibility password/],
    ['no header', /Write it as Name: value/],
    ['Bad Name: x', /Write it as Name: value/],
    ['X-Empty:', /must be there/],
    ['X-Other: naïve', /plain characters/],
    ['X-Other: a\u0000b', /plain characters/],
    ['! Set-Cookie', /cannot be taken away/],
    ['! X-Content-Type-Options', /cannot be taken away/],
    ['! (', /no name of a header/],
    [`X-Long: ${'a'.repeat(2_000)}`, /2000 characters/],
  ]
  for (const [line, reason] of rows) {
    test(JSON.stringify(line.slice(0, 60)), () => {
      const { headers, warnings } = parseHeaders(`/*\n  ${line}`)
      assert.deepEqual(headers, [])
      assert.equal(warnings.length, 1)
      assert.match(warnings[0]!, /^_headers, line 2: /)
      assert.match(warnings[0]!, reason)
    })
  }

  test('if it is a header without a path', () => {
    assert.match(warningsOf('X-A: 1')[0]!, /line 1: A header needs a path/)
  })

  test('together with the headers below it if it is an invalid path', () => {
    const { headers, warnings } = parseHeaders('/a\n  X-A: 1\n/*b*\n  X-B: 2')
    assert.deepEqual(headers, [{ path: '/a', set: [['X-A', '1']], unset: [] }])
    assert.match(warnings[0]!, /line 3: The path can have one \* only/)
  })

  test('if it is a path on another site', () => {
    assert.match(warningsOf('https://a.example/*\n  X-A: 1')[0]!, /must begin with \//)
  })
})

describe('the limits of _headers', () => {
  test('accept paths up to a number', () => {
    const text = Array.from({ length: 105 }, (_, n) => `/a${n}\n  X-A: 1`).join('\n')
    const { headers, warnings } = parseHeaders(text)
    assert.equal(headers.length, limits.site_header_rules_max)
    assert.equal(warnings.length, 5)
    assert.match(warnings[0]!, /line 201: There can be 100 paths/)
  })

  test('accept lines up to a number', () => {
    const { headers, warnings } = parseHeaders(`${'\n'.repeat(9_998)}/a\n  X-A: 1\n  X-B: 2`)
    assert.deepEqual(
      headers[0]?.set.map(([name]) => name.toLowerCase()),
      ['x-a'],
    )
    assert.deepEqual(warnings, ['_headers: The lines after the first 10000 are left out.'])
  })

  test('never exceed the headers that browsers accept', () => {
    const value = 'v'.repeat(1_900)
    const text = `/*\n${Array.from({ length: 50 }, (_, n) => `  X-${n}: ${value}`).join('\n')}`
    const given = Object.entries(headersOf(text, '/'))
    const characters = given.reduce((sum, [name, one]) => sum + name.length + (one ?? '').length, 0)
    assert(characters <= limits.site_headers_characters_max)
    assert.equal(given[0]?.[0], 'x-0')
  })
})
