/** Rendering of contract texts with code and links, without loss. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { errorCatalogue } from '../../../contract/errors.ts'
import { writeNextStep, restPhrasing } from '../../../contract/problems/next-steps.ts'
import { harbour } from '../describe/test-operations.ts'
import { textOf } from '../../html/html.ts'
import { asSentence, breakable, renderProse } from './prose.ts'
import type { DocsSite } from '../site.ts'

const site: DocsSite = {
  operations: harbour,
  sources: [],
  base_url: '',
  docs_url: '',
  sites_domain: '',
}
const written = (text: string) => textOf(renderProse(site, text))
const shown = (markup: string) =>
  markup
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

describe('prose', () => {
  test('links an existing route, and shows other routes as code', () => {
    assert.equal(
      written('Use GET /boats/{id}, or POST /rafts.'),
      'Use <a href="/docs/reference/boats#boats.get"><code>GET /boats/{id}</code></a>, or ' +
        '<code>POST /rafts</code>.',
    )
  })

  test('shows names, headers and constants as code', () => {
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

  test('leaves ordinary words unchanged', () => {
    const plain = 'A cursor, a limit from 1 to 100 and e-mail: nothing to mark, nullable or not.'
    assert.equal(written(plain), plain)
  })

  test('preserves every sentence of the catalogue', () => {
    for (const { about, next, user } of Object.values(errorCatalogue)) {
      for (const text of [about, writeNextStep(restPhrasing, next), user])
        assert.equal(shown(written(text)), text)
    }
  })

  test('preserves any text', () => {
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
    assert.equal(asSentence(' a call has ended '), 'A call has ended.')
    assert.equal(asSentence('Really?'), 'Really?')
  })

  test('keeps the spelling of a leading name or value', () => {
    assert.equal(asSentence('null: nobody answered'), 'null: nobody answered.')
    assert.equal(asSentence('true when taken from stock.'), 'true when taken from stock.')
    assert.equal(asSentence('next_cursor of the page'), 'next_cursor of the page.')
    assert.equal(asSentence('active: works now'), 'active: works now.')
  })
})

test('a long name may break after dots and underscores', () => {
  const name = 'call.summary_ready'
  const markup = textOf(breakable(name)).replaceAll(/\s+>/g, '>')
  assert.equal(markup, '<code>call.<wbr />summary_<wbr />ready</code>')
  assert.equal(shown(textOf(breakable(name))), name)
})
