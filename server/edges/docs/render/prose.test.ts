/** Tests of rendering contract texts with code and links, without loss. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { errorCatalogue } from '../../../contract/error-catalogue.ts'
import { writeNextStep, restPhrasing } from '../../../contract/problems/next-steps.ts'
import { exampleOperations } from '../../describe/test-operations.ts'
import { renderToText } from '../../html/html.ts'
import { toSentence, renderBreakable, renderProse } from './prose.ts'
import type { DocsSite } from '../site.ts'

const site: DocsSite = {
  operations: exampleOperations,
  sources: [],
  base_url: '',
  docs_url: '',
  sites_domain: '',
}
const written = (text: string) => renderToText(renderProse(site, text))
const shown = (markup: string) =>
  markup
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

describe('prose of the contract', () => {
  test('becomes a link for an existing route, and code for other routes', () => {
    assert.equal(
      written('Use GET /boats/{id}, or POST /rafts.'),
      'Use <a href="/docs/reference/boats#boats.get"><code>GET /boats/{id}</code></a>, or ' +
        '<code>POST /rafts</code>.',
    )
  })

  test('becomes code for names, headers and constants', () => {
    for (const name of [
      'current_version',
      'hm_test_',
      'whsec_',
      'If-Match',
      'X-Request-Id',
      'null',
    ]) {
      assert.equal(written(`The ${name} of it.`), `The <code>${name}</code> of it.`)
    }
  })

  test('stays unchanged for ordinary words', () => {
    const plain = 'A cursor, a limit from 1 to 100 and e-mail: nothing to mark, nullable or not.'
    assert.equal(written(plain), plain)
  })

  test('keeps every sentence of the catalogue', () => {
    for (const { about, next, user } of Object.values(errorCatalogue)) {
      for (const text of [about, writeNextStep(restPhrasing, next), user])
        assert.equal(shown(written(text)), text)
    }
  })

  test('keeps any text', () => {
    const pieces = fc.constantFrom(
      'GET /boats',
      'a_b',
      '<b>',
      '&amp;',
      ' ',
      '.',
      'true',
      'hm_live_',
      '"',
    )
    const text = fc.array(fc.oneof(pieces, fc.string())).map((parts) => parts.join(''))
    fc.assert(fc.property(text, (said) => assert.equal(shown(written(said)), said)))
  })
})

describe('a sentence', () => {
  test('begins with a capital and ends with a full stop', () => {
    assert.equal(toSentence(' a call has ended '), 'A call has ended.')
    assert.equal(toSentence('Really?'), 'Really?')
  })

  test('keeps the spelling of a leading name or value', () => {
    assert.equal(toSentence('null: nobody answered'), 'null: nobody answered.')
    assert.equal(toSentence('true when taken from stock.'), 'true when taken from stock.')
    assert.equal(toSentence('next_cursor of the page'), 'next_cursor of the page.')
    assert.equal(toSentence('active: works now'), 'active: works now.')
  })
})

test('a long name may break into lines after dots and underscores', () => {
  const name = 'call.summary_ready'
  const markup = renderToText(renderBreakable(name)).replaceAll(/\s+>/g, '>')
  assert.equal(markup, '<code>call.<wbr />summary_<wbr />ready</code>')
  assert.equal(shown(renderToText(renderBreakable(name))), name)
})
