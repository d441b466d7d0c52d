/** Tests of escaping: no text of a declaration can become markup. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { anyText } from '../../../test/fixtures/data/odd-values.ts'
import { html, renderToText } from './html.ts'

const entities: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'" }
const unescaped = (text: string) =>
  text.replaceAll(/&(\w+|#39);/g, (_, name: string) => entities[name] ?? '?')

describe('a template', () => {
  test('escapes values in text and attributes', () => {
    const evil = `"><script>alert('1')</script>&amp;`
    assert.equal(
      renderToText(html`<a title="${evil}">${evil}</a>`),
      '<a title="&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;amp;">' +
        '&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;amp;</a>',
    )
  })

  test('preserves any text without letting it become markup', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const written = renderToText(html`${text}`)
        assert.doesNotMatch(written, /[<>"']/)
        assert.equal(unescaped(written), text)
      }),
    )
  })

  test('accepts nested templates and lists of them', () => {
    const items = ['a', '<b>'].map((item) => html`<i>${item}</i>`)
    assert.equal(renderToText(html`<b>${items}</b>`), '<b><i>a</i><i>&lt;b&gt;</i></b>')
  })

  test('renders null, undefined and false as empty, and 0 as 0', () => {
    assert.equal(renderToText(html`[${null}${undefined}${false}${0}]`), '[0]')
  })

  test('removes the indentation of its source and keeps that of its values', () => {
    const code = 'if (a) {\n    b()\n}'
    assert.equal(
      renderToText(
        html`<pre>${code}</pre>
          <p>x</p>`,
      ),
      `<pre>${code}</pre>\n<p>x</p>`,
    )
  })

  test('refuses an object that imitates a template', () => {
    const forged: unknown = JSON.parse('{"markup": "<script>", "text": "<script>"}')
    assert.throws(() => renderToText(Object(forged)))
  })
})
