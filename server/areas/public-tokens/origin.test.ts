/** Tests of the normalization of origins to the form that browsers send. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { normalizeOrigin } from './origin.ts'

const spellings = [
  ['https://www.example.nl', 'https://www.example.nl'],
  ['HTTPS://WWW.Example.NL/', 'https://www.example.nl'],
  [' https://www.example.nl:443 ', 'https://www.example.nl'],
  ['https://www.example.nl:8443', 'https://www.example.nl:8443'],
  ['https://münchen.example', 'https://xn--mnchen-3ya.example'],
  ['https://192.0.2.7', 'https://192.0.2.7'],
  ['https://[2001:DB8::1]:443', 'https://[2001:db8::1]'],
  ['http://localhost:3000', 'http://localhost:3000'],
  ['http://shop.localhost', 'http://shop.localhost'],
  ['http://127.0.0.1:80', 'http://127.0.0.1'],
  ['http://[::1]:4400', 'http://[::1]:4400'],
] as const

for (const [typed, origin] of spellings) {
  test(`normalizes ${typed} to ${origin}`, () => assert.equal(normalizeOrigin(typed), origin))
}

const none = [
  '',
  'null',
  '*',
  'https://',
  'www.example.nl',
  '//www.example.nl',
  'https:www.example.nl',
  'https:/www.example.nl',
  'https://*.example.nl',
  'https://example.nl.',
  'https://a..nl',
  'https://www.example.nl/a',
  'https://www.example.nl//',
  'https://www.example.nl/?a=1',
  'https://www.example.nl?a',
  'https://www.example.nl#a',
  'https://user@www.example.nl',
  'https://user:secret@www.example.nl',
  'https://www.example.nl\\a',
  'https://www.exa mple.nl',
  'http://www.example.nl',
  'http://localhost.evil.example',
  'http://notlocalhost',
  'http://127.0.0.1.evil.example',
  'ftp://www.example.nl',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'data:text/html,a',
  'blob:https://www.example.nl/1',
  'chrome-extension://abc',
  'https://www.example.nl:99999',
  `https://${'a'.repeat(300)}.nl`,
]

for (const typed of none) {
  test(`refuses ${JSON.stringify(typed.slice(0, 50))}`, () =>
    assert.equal(normalizeOrigin(typed), null))
}

test("parsing an origin returns the browser's form, and leaves that form unchanged", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.webUrl(),
        fc.string(),
        fc.domain().map((d) => `https://${d}`),
      ),
      (typed) => {
        const origin = normalizeOrigin(typed)
        if (origin === null) return
        assert.equal(new URL(origin).origin, origin)
        assert.equal(normalizeOrigin(origin), origin)
        assert.equal(normalizeOrigin(`${origin}/`), origin)
      },
    ),
  )
})
