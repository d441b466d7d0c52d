/**
 * Tests of warnings about broken links at a deploy: each link is followed through the redirects of
 * the site.
 */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import { newSiteOwner } from '../../../../test/fixtures/sites/site-owner.ts'
import { runAtOnce } from '../../../kernel/limits/slices.ts'
import { findBrokenLinks } from './broken-links.ts'
import { readPage } from './pages.ts'
import { parseRedirects, createRedirectFinder } from './redirects.ts'

const runtime = await openTestRuntime({ work: false })
const { call, publish } = await newSiteOwner(runtime)

const site = { 'about.html': 'a', 'news/index.html': 'b', '404.html': 'c' }

/** Returns the links of the start page that the warnings of a deploy name. */
async function reportedLinks(redirects: string, links: string[], settings = {}): Promise<string[]> {
  const text = links.map((link) => `<a href="${link}">x</a>`).join('')
  const files = { ...site, 'index.html': text, _redirects: redirects }
  const { id, warnings } = await publish(files, settings)
  await call(`DELETE /sites/${id}`)
  return links.filter((link) => warnings.some((said: string) => said.includes(`"${link}"`)))
}

test('a rule that shows a missing page is reported', async () => {
  const _redirects = [
    '/a /gone 200',
    '/b /no.html 404',
    '/c /news 200',
    '/d /about 200',
    '/e/* /news/:splat 200',
    '/f /api/x 200',
    '/g /gone 301',
  ].join('\n')
  const { id, warnings } = await publish({ ...site, 'index.html': 'x', _redirects })
  await call(`DELETE /sites/${id}`)
  assert.deepEqual(warnings, [
    '_redirects: "/a" shows "/gone" with the status 200, and there is no such file.',
    '_redirects: "/b" shows "/no.html" with the status 404, and there is no such file.',
  ])
})

suite('broken links', () => {
  const rows: [what: string, redirects: string, links: string[], reported: string[]][] = [
    ['are reported if no rule matches', '/old /about', ['/old', '/gone'], ['/gone']],
    ['are followed to a file', '/a /about\n/b/* /news/\n', ['/a', '/b/c/d', '/c'], ['/c']],
    ['are followed through placeholders', '/p/:x /:x', ['/p/about', '/p/none'], ['/p/none']],
    ['are followed from rule to rule', '/a /b\n/b /c\n/c /about\n/d /e', ['/a', '/d'], ['/d']],
    ['are reported for a redirect loop', '/a /b\n/b /a', ['/a'], ['/a']],
    ['are not reported for redirects to other sites', '/a https://www.example.nl/gone', ['/a'], []],
    [
      'are not reported if a rule serves another page',
      '/a /about.html 200\n/b /no 200',
      ['/a', '/b'],
      ['/b'],
    ],
    [
      'are reported if a rule serves a not-found page',
      '/* /404.html 404',
      ['/gone', '/about'],
      ['/gone'],
    ],
    ['are not reported for paths that the service answers', '/a /api/orders', ['/a'], []],
    ['are not reported if a rule answers every path', '/* /index.html 200', ['/a', '/b/c'], []],
  ]
  for (const [what, redirects, links, reported] of rows) {
    test(what, async () => assert.deepEqual(await reportedLinks(redirects, links), reported))
  }

  test('are not reported for a single-page app', async () => {
    assert.deepEqual(await reportedLinks('/old /about', ['/gone'], { spa: true }), [])
  })
})

test(
  'many links are checked against many hostile rules in bounded time',
  { timeout: 30_000 },
  () => {
    const lines = Array.from({ length: 100 }, (_, n) => `/a/*c${n}d /x`)
    const redirectFor = createRedirectFinder(parseRedirects(lines.join('\n')).redirects)
    const links = Array.from({ length: 20_000 }, (_, n) => `<a href="/a/${n}${'c'.repeat(400)}">`)
    const pages = [runAtOnce(readPage('index.html', links.join('')))]
    const reported = runAtOnce(findBrokenLinks(pages, { paths: [], redirectFor }))
    assert.equal(reported.at(-1), '490 more links lead nowhere.')
  },
)
