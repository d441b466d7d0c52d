/** Tests of signatures: the documented algorithm, and that of Standard Webhooks. */
import assert from 'node:assert/strict'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  createWebhookSecret,
  secretPrefix,
  signPayload,
  createStandardHeaders,
  verifySignature,
} from './sign.ts'

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const other = `whsec_${Buffer.alloc(32, 9).toString('base64')}`
const t = 1_790_000_000
const raw_body = '{"id":"evt_00","type":"webhook.test","data":{"name":"Zoë"}}'
const header = signPayload([secret], t, raw_body)
const received = { header, raw_body, secrets: [secret], now_s: t }

test('the signature module produces the known signature for a known body and secret', () => {
  // Created with: printf '%s' "$t.$body" | openssl dgst -sha256 -hmac "$secret"
  const mac = '9af1d03d89be8fec1590072672e4d4167620b2124de476ea0da798a8abedd6e7'
  assert.equal(header, `t=1790000000,v1=${mac}`)
})

test('the signature module uses the whole secret as UTF-8 key, and signs t, a dot and the raw body', () => {
  const mac = createHmac('sha256', Buffer.from(secret, 'utf8')).update(`${t}.${raw_body}`)
  assert.equal(header, `t=${t},v1=${mac.digest('hex')}`)
})

test('the signature module verifies a signature over text and over bytes', () => {
  assert.equal(verifySignature(received), true)
  assert.equal(verifySignature({ ...received, raw_body: Buffer.from(raw_body) }), true)
})

test('the signature module refuses another secret, body or time, and re-serialized JSON', () => {
  assert.equal(verifySignature({ ...received, secrets: [other] }), false)
  assert.equal(verifySignature({ ...received, raw_body: `${raw_body} ` }), false)
  assert.equal(verifySignature({ ...received, header: header.replace(`${t}`, `${t + 1}`) }), false)
  const anew = JSON.stringify(JSON.parse(raw_body), null, 1)
  assert.equal(verifySignature({ ...received, raw_body: anew }), false)
})

test('the signature module accepts five minutes of clock difference either way, and not a second more', () => {
  for (const now_s of [t - 300, t + 300]) assert.ok(verifySignature({ ...received, now_s }))
  for (const now_s of [t - 301, t + 301]) assert.ok(!verifySignature({ ...received, now_s }))
  assert.ok(!verifySignature({ ...received, now_s: t + 11, tolerance_s: 10 }))
})

test('the signature module accepts the old and the new secret during a rotation', () => {
  const both = signPayload([other, secret], t, raw_body)
  assert.match(both, /^t=\d+,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/)
  for (const one of [secret, other]) {
    assert.ok(verifySignature({ ...received, header: both, secrets: [one] }))
  }
})

test('the signature module ignores unknown names in the header', () => {
  assert.ok(verifySignature({ ...received, header: `v0=x,${header},v2=y=z,` }))
})

test('the signature module refuses a header without a time, with two, or with an invalid one', () => {
  const v1 = header.slice(header.indexOf('v1='))
  for (const bad of [v1, `t=${t},${header}`, `t=,${v1}`, `t=1e9,${v1}`, `t=-1,${v1}`, '', 't']) {
    assert.equal(verifySignature({ ...received, header: bad }), false, bad)
  }
  assert.equal(verifySignature({ ...received, header: `t=${t}` }), false)
})

test('the signature module does not throw for any header, and returns a result', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string(), (junk, body) => {
      assert.equal(verifySignature({ ...received, header: junk, raw_body: body }), false)
    }),
  )
})

test('the signature module verifies every body and secret with itself, and no altered body', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string(), fc.nat(), (body, key, at_s) => {
      const signed = { header: signPayload([key], at_s, body), secrets: [key], now_s: at_s }
      assert.ok(verifySignature({ ...signed, raw_body: body }))
      assert.ok(!verifySignature({ ...signed, raw_body: `${body}.` }))
    }),
  )
})

test('the signature module creates secrets of whsec_ and 32 random bytes in base64, shown as six characters', () => {
  const [one, two] = [createWebhookSecret(), createWebhookSecret()]
  assert.match(one, /^whsec_[A-Za-z0-9+/]{43}=$/)
  assert.equal(Buffer.from(one.slice(6), 'base64').length, 32)
  assert.notEqual(one, two)
  assert.equal(secretPrefix(one), one.slice(0, 12))
})

/** Verifies like Standard Webhooks 1.0; written from its specification. */
function standardAccepts(headers: Record<string, string>, body: string, key: string): boolean {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const bytes = Buffer.from(key.replace(/^whsec_/, ''), 'base64')
  const expected = createHmac('sha256', bytes).update(signed).digest()
  return (headers['webhook-signature'] ?? '').split(' ').some((versioned) => {
    const [version, text = ''] = versioned.split(',')
    const given = Buffer.from(text, 'base64')
    return version === 'v1' && given.length === 32 && timingSafeEqual(given, expected)
  })
}

test('the signature module verifies the same secret with the algorithm of Standard Webhooks', () => {
  const headers = createStandardHeaders([secret], { id: 'evt_00', t, raw_body })
  assert.ok(standardAccepts(headers, raw_body, secret))
  assert.ok(!standardAccepts(headers, `${raw_body} `, secret))
  assert.ok(!standardAccepts({ ...headers, 'webhook-id': 'evt_01' }, raw_body, secret))
  assert.ok(!standardAccepts(headers, raw_body, other))
})

test('the signature module sends one Standard Webhooks signature per secret', () => {
  const headers = createStandardHeaders([other, secret], { id: 'evt_00', t, raw_body })
  assert.match(headers['webhook-signature'], /^v1,\S{44} v1,\S{44}$/)
  for (const one of [secret, other]) assert.ok(standardAccepts(headers, raw_body, one))
})

test('the signature module matches the published example of Standard Webhooks', () => {
  const headers = createStandardHeaders(['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'], {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    t: 1_614_265_330,
    raw_body: '{"test": 2432232314}',
  })
  assert.equal(headers['webhook-signature'], 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
})
