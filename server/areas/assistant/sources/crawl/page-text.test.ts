/** Tests of the text of pages, with valid and hostile markup, and of sitemaps and links. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { pagesOfSite } from './links.ts'
import { decodeText, readPageText } from './page-text.ts'
import { readLocations } from './sitemap.ts'

describe('the text of a page', () => {
  test('is its title and its words without scripts and styles', () => {
    const html =
      '<title>Fietsen  Jansen &amp; zoon</title><h1>Welkom</h1><script>alert(1)</script><style>p{}</style>' +
      '<p>Wij verkopen &amp; verhuren fietsen in <a href="/x">Utrecht</a>.</p>'
    const { title, text, links } = readPageText(html)
    assert.equal(title, 'Fietsen Jansen & zoon')
    assert.equal(text, 'Welkom\n\nWij verkopen & verhuren fietsen in Utrecht.')
    assert.deepEqual(links, ['/x'])
  })

  test('decodes legacy character sets', () => {
    const bytes = Buffer.from('<meta charset="iso-8859-1"><title>Caf\xe9</title>', 'latin1')
    assert.equal(readPageText(decodeText(bytes, 'text/html')).title, 'Café')
  })

  test('is extracted from hostile markup', () => {
    const hostile = [
      '<div>'.repeat(20_000),
      '<a href="'.repeat(20_000),
      '<title'.repeat(20_000),
      '&#x0;&#xD800;\u0000',
      '<table>'.repeat(5_000),
      '<!--'.repeat(20_000),
    ]
    for (const body of hostile) {
      const { title, text } = readPageText(body)
      assert.ok((text + title).isWellFormed() && !(text + title).includes('\u0000'))
    }
  })
})

for (const [what, costly] of [
  ['too deep', '<i>'.repeat(600) + '</i>'.repeat(600)],
  ['too many', '<br>'.repeat(20_000)],
])
  test(`the text of a page ends where its elements are ${what}`, () =>
    assert.match(readPageText(`<p>Early.</p>${costly}<p>Late.</p>`).text, /^Early\.[\s.]*$/))

test('links lead to pages of the same host only, informative ones first, each once', () => {
  const links = [
    'http://127.0.0.1:1/x',
    'https://other.example/',
    '/menu.pdf',
    '#top',
    'mailto:a@example.com',
    'javascript:alert(1)',
    '/a',
    '/a#b',
    'https://www.shop.example/prijzen',
    'ftp://shop.example/',
    `/${'x'.repeat(1_100)}`,
  ]
  assert.deepEqual(pagesOfSite(links, new URL('https://shop.example/')), [
    'https://shop.example/prijzen',
    'https://shop.example/',
    'https://shop.example/a',
  ])
})

test('a sitemap lists addresses with their entities decoded, and at most a thousand', () => {
  const entry = '<url><loc> https://a.example/?a=1&amp;b=2 </loc></url>'
  assert.deepEqual(readLocations(`<urlset>${entry}</urlset>`), ['https://a.example/?a=1&b=2'])
  assert.equal(readLocations(entry.repeat(3_000)).length, 1_000)
  assert.deepEqual(readLocations('<loc>'.repeat(50_000)), [])
})
