/** Normalisation of origins to the form that browsers send. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { originOf } from './origin.ts'

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
  test(`${typed} is ${origin}`, () => assert.equal(originOf(typed), origin))
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
  test(`${JSON.stringify(typed.slice(0, 50))} is no origin of a site`, () =>
    assert.equal(originOf(typed), null))
}

test("returns the browser's form, and leaves it unchanged the second time", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.webUrl(),
        fc.string(),
        fc.domain().map((d) => `https://${d}`),
      ),
      (typed) => {
        const origin = originOf(typed)
        if (origin === null) return
        assert.equal(new URL(origin).origin, origin)
        assert.equal(originOf(origin), origin)
        assert.equal(originOf(`${origin}/`), origin)
      },
    ),
  )
})
