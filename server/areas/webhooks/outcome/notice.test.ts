/** Tests of the texts of warnings: required content, and safety against injected text. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { errorMeanings } from '../schema.ts'
import { writeNotice, type Notice } from './notice.ts'

const warning: Notice = {
  kind: 'warning',
  endpoint_id: '0190f1a2-0000-7000-8000-000000000001',
  url: 'https://hooks.bakery.example/in',
  failures: 25,
  error: 'non_2xx_status',
  response_status: 503,
  failed_at: new Date('2026-11-02T09:05:06.789Z'),
  project_name: 'Bakery',
  language: 'en',
  api_url: 'https://home.example/api/v1',
}
const disabled: Notice = { ...warning, kind: 'disabled', failures: 50 }

test('a warning names the failing endpoint, the last error, the next step and the fix', () => {
  const { subject, text } = writeNotice(warning)
  assert.equal(subject, 'Webhook endpoint failing: hooks.bakery.example (25 times in a row)')
  assert.equal(
    text,
    `Hello,

the last 25 attempts to deliver an event to a webhook endpoint of your project "Bakery" failed.

Endpoint: https://hooks.bakery.example/in
Its id: 0190f1a2-0000-7000-8000-000000000001
Last error: non_2xx_status, status 503 (${errorMeanings.non_2xx_status})
At: 2026-11-02 09:05 UTC

What happens next: after 50 failures in a row the endpoint is switched off and the events that wait for it are dropped. One attempt that succeeds starts the count again.

What you can do: let the address answer with a 2xx status within 10 seconds. Try it with
POST https://home.example/api/v1/webhooks/0190f1a2-0000-7000-8000-000000000001/test
or change the address with
PATCH https://home.example/api/v1/webhooks/0190f1a2-0000-7000-8000-000000000001
`,
  )
})

test('the last notice reports that the endpoint is disabled, and how to enable it', () => {
  const { subject, text } = writeNotice(disabled)
  assert.equal(subject, 'Webhook endpoint switched off: hooks.bakery.example')
  assert.match(text, /the last 50 attempts .* failed\. The endpoint is now switched off\./)
  assert.match(text, /events from the time it is off are not sent later/)
  assert.match(text, /POST https:\/\/home\.example\/api\/v1\/webhooks\/[0-9a-f-]+\/enable/)
})

test('a warning and the last notice are in Dutch for a Dutch owner', () => {
  const nl = writeNotice({ ...warning, language: 'nl' })
  assert.match(nl.subject, /^Webhook-ontvanger werkt niet: hooks\.bakery\.example \(25 keer/)
  assert.match(nl.text, /^Laatste fout: non_2xx_status, status 503 \(antwoord zonder 2xx-status/m)
  const off = writeNotice({ ...disabled, language: 'nl' })
  assert.match(off.text, /De ontvanger is nu uitgezet\.[\s\S]*zet die weer aan met\nPOST /)
})

test('a warning omits the status of an error without one', () => {
  const { text } = writeNotice({ ...warning, error: 'timeout', response_status: null })
  assert.match(text, /^Last error: timeout \(no response within 10 seconds\)$/m)
})

test('a warning omits the query of the URL, because it may contain tokens', () => {
  for (const end of ['?token=hush', '#hush', '?a=1#hush']) {
    const { text } = writeNotice({ ...warning, url: `https://hooks.example/in${end}` })
    assert.match(text, /^Endpoint: https:\/\/hooks\.example\/in\?…$/m)
    assert.ok(!text.includes('hush'))
  }
})

test('a warning shortens a long URL and a long name', () => {
  const url = `https://hooks.example/${'a'.repeat(2000)}`
  const { text } = writeNotice({ ...warning, url, project_name: 'name '.repeat(40) })
  assert.ok(text.length < 1500)
  assert.match(text, /a…$/m)
})

test('a warning has no line breaks from a name or URL, and no control characters in its subject', () => {
  const lines = writeNotice(warning).text.split('\n').length
  const words = fc.string({ unit: 'binary', maxLength: 80 })
  const breaks = fc.constantFrom('\r\n', '\n', '\r', '\u2028', '\u2029', '\u0085', '\v', '\f', '\0')
  const strange = fc.array(fc.oneof(words, breaks)).map((parts) => parts.join(''))
  fc.assert(
    fc.property(strange, strange, (name, path) => {
      const url = `https://hooks.example/${path}`
      const { subject, text } = writeNotice({ ...warning, project_name: name, url })
      assert.equal(text.split(/\r\n|[\n\r\u2028\u2029\u0085\v\f]/).length, lines)
      assert.doesNotMatch(subject, /\p{Cc}|[\u2028\u2029]/u)
    }),
  )
})
