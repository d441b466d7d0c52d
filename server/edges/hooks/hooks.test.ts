/**
 * Tests of the callbacks of carriers: signatures of the official SDKs are accepted, any other is
 * refused, and a repeated callback changes nothing.
 */
import assert from 'node:assert/strict'
import { generateKeyPairSync, sign } from 'node:crypto'
import { describe, it, type TestContext } from 'node:test'
import { getExpectedTwilioSignature } from 'twilio/lib/webhooks/webhooks.js'
import { standingClock } from '../../../test/fixtures/bare-runtime.ts'
import { eventually } from '../../../test/fixtures/eventually.ts'
import {
  openCarrierServer,
  type RecordedCarrierRequest,
} from '../../../test/fixtures/external/carrier-server.ts'
import { liveFixture } from '../../../test/fixtures/live-projects.ts'
import { openTestRuntime, type TestRuntime } from '../../../test/fixtures/runtime.ts'
import * as projects from '../../areas/projects/service.ts'

const public_url = 'https://home.example'
const auth_token = 'the-auth-token'
const account = `AC${'0'.repeat(32)}`
const keys = generateKeyPairSync('ed25519')
const public_key = keys.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
const to = '+31612345678'

interface Opened {
  runtime: TestRuntime
  key: string
  project_id: string
  /** The callback URL of the sent message, below the public URL. */
  path: string
  message_id: string
  request: RecordedCarrierRequest
}

const settings = {
  telnyx: {
    HOMEPORT_CARRIER_KEY: 'the-key',
    HOMEPORT_CARRIER_PUBLIC_KEY: public_key.toString('base64'),
    HOMEPORT_CARRIER_MESSAGING: 'profile-1',
  },
  twilio: { HOMEPORT_CARRIER_KEY: auth_token, HOMEPORT_CARRIER_ACCOUNT: account },
}
const reply = { telnyx: { data: { id: 'carrier-1' } }, twilio: { sid: 'carrier-1' } }

/** A server with this carrier, which took one message. */
async function open(t: TestContext, provider: 'telnyx' | 'twilio', from?: string): Promise<Opened> {
  const carrier = await openCarrierServer(t, () => ({ status: 200, json: reply[provider] }))
  const runtime = await openTestRuntime({
    clock: standingClock(),
    settings: {
      ...settings[provider],
      HOMEPORT_CARRIER: provider,
      HOMEPORT_CARRIER_URL: carrier.url,
      HOMEPORT_PUBLIC_URL: public_url,
    },
    atEnd: (close) => t.after(close),
  })
  const { project_id, key } = await liveFixture(runtime).readyProject()
  const { db, clock } = runtime.runtime
  await projects.setRail(db, { project_id, rail: 'sms', mode: 'live' })
  await db.transact((tx) =>
    tx
      .insertInto('numbers')
      .values({
        project_id,
        id: crypto.randomUUID(),
        e164: '+31850001234',
        type: 'national',
        status: 'active',
        test: false,
        from_stock: true,
        created_at: clock.now(),
        next_charge_on: '2099-01-01',
      })
      .execute(),
  )
  const body = { to, text: 'Your order is ready.', ...(from !== undefined && { from }) }
  const made = await runtime.call('POST /messages', { key, body })
  assert.equal(made.status, 201, made.text)
  await statusOf({ runtime, project_id, message_id: made.body.id }, 'sent')
  const request = carrier.requests.find(({ path }) => /\/messages/i.test(path))
  assert(request)
  const url = callbackIn(request)
  assert(url.startsWith(`${public_url}/hooks/${provider}?`), url)
  const path = url.slice(public_url.length)
  return { runtime, key, project_id, path, message_id: made.body.id, request }
}

function callbackIn({ body }: RecordedCarrierRequest): string {
  const { form, ...rest } = body as { form?: string[][] } & Record<string, any>
  const [, url] = form?.find(([name]) => name === 'StatusCallback') ?? []
  return url ?? rest['application/json'].webhook_url
}

function statusOf(
  { runtime, project_id, message_id }: Pick<Opened, 'runtime' | 'project_id' | 'message_id'>,
  status: string,
) {
  return eventually(async () => {
    const { body } = await runtime.look(`GET /messages/${message_id}`, project_id)
    return body.status === status && body
  })
}

interface TelnyxCallback {
  status?: string
  id?: string
  recipient?: string
  at_ms?: number
  code?: string
  received?: { from: string; text: string }
}

/** A signed callback of Telnyx as a request. */
function telnyxCallback({ runtime }: Pick<Opened, 'runtime'>, callback: TelnyxCallback) {
  const { status = 'delivered', id = 'carrier-1', recipient = to, code, received } = callback
  const payload = {
    id,
    to: [{ phone_number: recipient, status }],
    from: { phone_number: received?.from ?? '+31850001234' },
    text: received?.text ?? 'Your order is ready.',
    errors: code === undefined ? [] : [{ code, title: 'An error' }],
  }
  const event_type = received ? 'message.received' : 'message.finalized'
  const raw = JSON.stringify({ data: { event_type, id: crypto.randomUUID(), payload } })
  const at_ms = callback.at_ms ?? runtime.clock.now_ms()
  const timestamp = String(Math.floor(at_ms / 1000))
  const signature = sign(null, Buffer.from(`${timestamp}|${raw}`), keys.privateKey)
  const headers = {
    'telnyx-signature-ed25519': signature.toString('base64'),
    'telnyx-timestamp': timestamp,
  }
  return { key: null, raw, headers }
}

/** A callback of Twilio, signed by its SDK. */
function twilioCallback(path: string, fields: Record<string, string>) {
  const signature = getExpectedTwilioSignature(auth_token, public_url + path, fields)
  const headers = {
    'x-twilio-signature': signature,
    'content-type': 'application/x-www-form-urlencoded',
  }
  return { key: null, raw: new URLSearchParams(fields).toString(), headers }
}

const post = ({ runtime }: Pick<Opened, 'runtime'>, path: string, options: object) =>
  runtime.call(`POST /${path}`, options)

describe('a callback of Telnyx', () => {
  it('advances the message, once, however often it is sent', async (t) => {
    const opened = await open(t, 'telnyx')
    const callback = telnyxCallback(opened, {})
    for (let turn = 0; turn < 3; turn++) {
      assert.equal((await post(opened, opened.path, callback)).status, 200)
    }
    const late = telnyxCallback(opened, { status: 'delivery_failed', code: '40001' })
    assert.equal((await post(opened, opened.path, late)).status, 200)
    const { status, failure_reason } = await statusOf(opened, 'delivered')
    assert.deepEqual([status, failure_reason], ['delivered', null])
    const { body } = await opened.runtime.call('GET /balance', { key: opened.key })
    assert.equal(body.spent_this_month_eur, 0.084)
  })

  it('is refused without a signature, with a wrong one, or if it is old', async (t) => {
    const opened = await open(t, 'telnyx')
    const good = telnyxCallback(opened, {})
    const old = telnyxCallback(opened, { at_ms: opened.runtime.clock.now_ms() - 301_000 })
    for (const bad of [
      { key: null, raw: good.raw },
      { ...good, raw: good.raw.replace('delivered', 'delivery_failed') },
      { ...good, headers: { ...good.headers, 'telnyx-timestamp': '1' } },
      { ...good, headers: { ...good.headers, 'telnyx-signature-ed25519': 'AAAA' } },
      old,
    ]) {
      assert.equal((await post(opened, opened.path, bad)).status, 403)
    }
    await statusOf(opened, 'sent')
  })

  it('changes nothing if its content and its URL name different messages', async (t) => {
    const opened = await open(t, 'telnyx')
    const other_mac = opened.path.replace(/mac=.*$/, 'mac=AAAAAAAAAAAAAAAAAAAAAA')
    for (const [path, callback] of [
      [opened.path, { id: 'carrier-2' }],
      [opened.path, { recipient: '+31612345679' }],
      [other_mac, {}],
      ['/hooks/telnyx', {}],
    ] as const) {
      assert.equal((await post(opened, path, telnyxCallback(opened, callback))).status, 200)
    }
    await statusOf(opened, 'sent')
  })

  it('about a received message stores it once', async (t) => {
    const opened = await open(t, 'telnyx')
    const received = { from: to, text: 'Thank you' }
    const callback = telnyxCallback(opened, { id: 'in-1', recipient: '+31850001234', received })
    for (let turn = 0; turn < 3; turn++) await post(opened, '/hooks/telnyx', callback)
    const { body } = await opened.runtime.call('GET /messages?direction=inbound', {
      key: opened.key,
    })
    assert.deepEqual(
      body.data.map(({ from, text }: any) => [from, text]),
      [[to, 'Thank you']],
    )
  })

  it('with any content that is signed gets 200, and junk changes nothing', async (t) => {
    const opened = await open(t, 'telnyx')
    for (const raw of ['', 'null', '{}', '[1]', '{"data":{"event_type":"call.initiated"}}']) {
      const timestamp = String(Math.floor(opened.runtime.clock.now_ms() / 1000))
      const signature = sign(null, Buffer.from(`${timestamp}|${raw}`), keys.privateKey)
      const headers = {
        'telnyx-signature-ed25519': signature.toString('base64'),
        'telnyx-timestamp': timestamp,
      }
      assert.equal((await post(opened, opened.path, { key: null, raw, headers })).status, 200)
    }
  })
})

describe('a message by Telnyx', () => {
  it('from a number names the messaging profile, the encoding and the callback', async (t) => {
    const { request } = await open(t, 'telnyx')
    const { webhook_url, ...body } = (request.body as any)['application/json']
    assert.equal(request.path, '/messages')
    assert.equal(request.authorization, 'Bearer the-key')
    assert.match(webhook_url, /\?message=/)
    assert.deepEqual(body, {
      from: '+31850001234',
      to,
      text: 'Your order is ready.',
      messaging_profile_id: 'profile-1',
      encoding: 'gsm7',
      use_profile_webhooks: false,
    })
  })

  it('from a name has its own route', async (t) => {
    const { request } = await open(t, 'telnyx', 'MillBakery')
    assert.equal(request.path, '/messages/alphanumeric_sender_id')
  })
})

describe('a callback of Twilio', () => {
  const fields = (status: string, more: Record<string, string> = {}) => ({
    AccountSid: account,
    MessageSid: 'carrier-1',
    MessageStatus: status,
    From: '+31850001234',
    To: to,
    ApiVersion: '2010-04-01',
    ...more,
  })

  it('with the signature of the official SDK advances the message', async (t) => {
    const opened = await open(t, 'twilio')
    const callback = twilioCallback(opened.path, fields('undelivered', { ErrorCode: '30003' }))
    const answer = await post(opened, opened.path, callback)
    assert.deepEqual([answer.status, answer.text], [200, '<Response/>'])
    const { failure_reason } = await statusOf(opened, 'failed')
    assert.equal(failure_reason, 'unreachable')
    await post(opened, opened.path, twilioCallback(opened.path, fields('delivered')))
    await statusOf(opened, 'failed')
  })

  it('is refused with another URL, field or token', async (t) => {
    const opened = await open(t, 'twilio')
    const good = twilioCallback(opened.path, fields('delivered'))
    const raw = good.raw.replace('delivered', 'failed')
    assert.equal((await post(opened, `${opened.path}&more=1`, good)).status, 403)
    assert.equal((await post(opened, opened.path, { ...good, raw })).status, 403)
    const headers = { ...good.headers, 'x-twilio-signature': 'AAAA' }
    assert.equal((await post(opened, opened.path, { ...good, headers })).status, 403)
    await statusOf(opened, 'sent')
  })

  it('about a received message stores it, and STOP opts the person out', async (t) => {
    const opened = await open(t, 'twilio')
    const { MessageStatus: _, ...rest } = fields('', { MessageSid: 'in-1', Body: 'Stop' })
    const callback = twilioCallback('/hooks/twilio', { ...rest, From: to, To: '+31850001234' })
    assert.equal((await post(opened, '/hooks/twilio', callback)).status, 200)
    const body = { to, text: 'Hello' }
    const refused = await opened.runtime.call('POST /messages', { key: opened.key, body })
    assert.equal(refused.status, 422)
  })
})

describe('a message by Twilio', () => {
  it('is a form with the callback', async (t) => {
    const { request } = await open(t, 'twilio')
    assert.equal(request.path, `/2010-04-01/Accounts/${account}/Messages.json`)
    const fields = Object.fromEntries((request.body as { form: string[][] }).form)
    assert.deepEqual(
      [fields['From'], fields['To'], fields['Body']],
      ['+31850001234', to, 'Your order is ready.'],
    )
  })
})

describe('the address of callbacks', () => {
  it('exists for the configured carrier only', async (t) => {
    const opened = await open(t, 'twilio')
    for (const path of ['/hooks/telnyx', '/hooks/other']) {
      assert.equal((await post(opened, path, { key: null, raw: '{}' })).status, 404)
    }
  })
})
