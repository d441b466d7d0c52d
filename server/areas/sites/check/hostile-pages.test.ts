/**
 * Tests that hostile pages are read in bounded time. Each is a megabyte and of a kind whose time is
 * quadratic if a tree is built or a text is repeatedly scanned from its start; such a check would
 * not finish this file.
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { listFindings, onePage } from './page-fixtures.ts'
import { readPage } from './page/read-page.ts'
import { readScript } from './page/scripts.ts'

const MB = 1_048_576

function filled(unit: string): string {
  return unit.repeat(Math.ceil(MB / unit.length)).slice(0, MB)
}

const hostile: Record<string, string> = {
  'elements that are never closed': filled('<div>'),
  'formatting elements that a tree builder repeats for every paragraph':
    Array.from({ length: 40_000 }, (_, at) => `<font a${at}>`).join('') + '<p>'.repeat(100_000),
  'a tag with a hundred thousand attributes': `<a ${Array.from({ length: 100_000 }, (_, at) => `a${at}`).join(' ')}>`,
  'nested forms': filled('<form action=https://e.example><input type=password>'),
  'labels that are never closed': filled('<label>a<input id=a>'),
  'labels of one field': filled('<label for=a>a</label><input id=a>'),
  'nested foreign content': filled('<svg><foreignObject>'),
  'unmatched end tags of foreign content':
    filled('<svg><foreignObject>').slice(0, MB / 2) + filled('</math>').slice(0, MB / 2),
  'an unclosed comment': `<!--${filled('a-')}`,
  'unterminated character references': filled('&a'),
  'less-than signs': filled('<'),
  'an unclosed script': `<script>${filled('<!--<script>')}`,
  'unterminated encoded texts': `<script>${filled('atob("')}`,
  'an unclosed title': `<title>${filled('ing ')}`,
  'unclosed headings': filled('<h1>ing'),
  'hosts of a hundred labels': filled(`<a href="https://${'a.'.repeat(100)}b">ing.nl</a>`),
  'link texts that almost form URLs': filled(`<a href=/x>${'a.'.repeat(140)}!</a>`),
  'field names that almost form phrases': filled(`<input name="${'seed '.repeat(50)}">`),
  'NUL characters only': filled('\0'),
  'percent signs': `<iframe src="data:text/html,${filled('%3Cp%')}`,
  'nested frames': filled('<iframe srcdoc="&lt;p&gt;">'),
}

describe('a hostile page is read to its end in bounded time', () => {
  for (const [name, text] of Object.entries(hostile)) {
    it(name, () => {
      const found = listFindings(onePage(text))
      assert.ok(found.length <= 50)
    })
  }
})

describe('the extracted text of a page', () => {
  it('is no longer than the page, even if one text applies several times', () => {
    const { headings, text, links, title } = readPage(filled('<title>x<h1>abc<a href=x>def'))
    const length = [title, text, ...headings, ...links.map(({ text }) => text)].join('').length
    assert.ok(length <= 2 * MB, String(length))
  })

  it('has titles, headings and links that are truncated to a few hundred characters each', () => {
    const long = 'word '.repeat(10_000)
    const { title, headings, links } = readPage(
      `<title>${long}</title><h1>${long}</h1><a href=x>${long}</a>`,
    )
    for (const text of [title, headings[0], links[0]?.text]) assert.ok((text ?? '').length <= 300)
  })
})

describe('any input text', () => {
  it('is parsed as a page and as a script without an exception', () => {
    const piece = fc.constantFrom(
      '<form action=',
      '<svg>',
      '</svg>',
      '<input type=password form=f>',
      '<style>',
      '</style>',
      '<a href="',
      'https://',
      'xn--',
      '%',
      '&',
      '"',
      '>',
      '<title>',
      '<script>',
      '</script>',
      'atob("',
      '@',
      '\0',
      '<base href=',
      '<foreignObject>',
      'srcdoc=',
      'data:text/html,',
      '\ud800',
      '<label for=x>',
      '<!--',
      ']]>',
      '<![CDATA[',
    )
    const texts = fc.array(fc.oneof(piece, fc.string({ unit: 'binary' })), { maxLength: 40 })
    fc.assert(
      fc.property(texts, (parts) => {
        const text = parts.join('')
        listFindings({ 'a.html': text, 'a.svg': text, 'a.js': text, 'a.css': text, '.zip': text })
        readScript(text)
      }),
      { numRuns: 500 },
    )
  })

  it('gives the same result when parsed twice', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        assert.deepEqual(listFindings(onePage(text)), listFindings(onePage(text)))
      }),
    )
  })
})
