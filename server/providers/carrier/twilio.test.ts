/**
 * Tests of the Twilio adapter: its requests equal those of the official SDK, it never buys over an
 * existing number, and finds purchases by reference.
 */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import twilio from 'twilio'
import {
  openCarrierServer,
  type CarrierAnswer,
  type RecordedCarrierRequest,
} from '../../../test/fixtures/external/carrier-server.ts'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { twilioCarrier } from './twilio.ts'

const { runtime } = await openTestRuntime({ work: false })
const hooks = `${runtime.config.public_url}/hooks/twilio`
const sid = `AC${'0'.repeat(32)}`
const bundle = `BU${'1'.repeat(32)}`
const address = `AD${'2'.repeat(32)}`
const e164 = '+31201234567'
const code_sender = '+31850001234'
const reference = '01997c2e-0000-7000-8000-000000000000'
const order = { e164, reference }
const numbersPath = `/2010-04-01/Accounts/${sid}/IncomingPhoneNumbers.json`

/** The official client, connected to a local server. */
class LoopbackClient extends twilio.RequestClient {
  private readonly origin: string
  constructor(origin: string) {
    super()
    this.origin = origin
  }
  override request<T>(options: Parameters<twilio.RequestClient['request']>[0]) {
    const { pathname, search } = new URL(options.uri)
    return super.request<T>({ ...options, uri: this.origin + pathname + search } as any)
  }
}

async function open(
  t: TestContext,
  answer: (request: RecordedCarrierRequest) => CarrierAnswer,
  account = sid,
) {
  const server = await openCarrierServer(t, answer)
  const config = { ...runtime.config, carrier: { ...runtime.config.carrier, account } }
  const of_account: Runtime = { ...runtime, config }
  const at = { base_url: () => server.url, key: 'the-auth-token', is_own: true, code_sender }
  const sdk = twilio(sid, 'the-auth-token', { httpClient: new LoopbackClient(server.url) })
  return { server, carrier: twilioCarrier(of_account, at), sdk }
}

const own = (changes: object = {}) => ({
  sid: `PN${'3'.repeat(32)}`,
  phone_number: e164,
  friendly_name: reference,
  status: 'in-use',
  ...changes,
})
const listed = (...numbers: object[]): CarrierAnswer => ({
  json: { incoming_phone_numbers: numbers, page: 0, next_page_uri: null },
})
const offered = (phone_number: string, address_requirements: string) => ({
  phone_number,
  friendly_name: phone_number,
  address_requirements,
})
const available = (...numbers: object[]): CarrierAnswer => ({
  json: { available_phone_numbers: numbers, uri: '' },
})

describe('the adapter sends the same request as the official SDK', () => {
  const to = '+31612345678'
  const code = { to, code: '482913' }

  it('for a code by text message', async (t) => {
    const { server, carrier, sdk } = await open(t, () => ({ status: 201, json: { sid: 'SM1' } }))
    await carrier.sendCode?.({ ...code, channel: 'sms', language: 'nl' })
    const ours = server.heard()
    const body = 'Uw verificatiecode is 482913.'
    await sdk.messages.create({ to, from: code_sender, body })
    assert.deepEqual(ours, server.heard())
  })

  it('for a spoken code', async (t) => {
    const { server, carrier, sdk } = await open(t, () => ({ status: 201, json: { sid: 'CA1' } }))
    await carrier.sendCode?.({ ...code, channel: 'call', language: 'en' })
    const ours = server.heard()
    const say = '<Say language="en-GB">Your code is: 4, 8, 2, 9, 1, 3.</Say>'
    const twiml = `<Response>${say}<Pause length="1"/>${say}</Response>`
    await sdk.calls.create({ to, from: code_sender, twiml })
    assert.deepEqual(ours, server.heard())
  })

  it('for searching an area', async (t) => {
    const { server, carrier, sdk } = await open(t, () => available())
    await carrier.search({ type: 'geographic', area: '020', count: 60 })
    const ours = server.heard()
    await sdk.availablePhoneNumbers('NL').local.page({
      contains: '+3120',
      voiceEnabled: true,
      excludeAllAddressRequired: true,
      pageSize: 60,
    })
    assert.deepEqual(ours, server.heard())
  })

  it('for searching national numbers, with a regulatory bundle', async (t) => {
    const { server, carrier, sdk } = await open(t, () => available(), `${sid}, ${bundle}`)
    await carrier.search({ type: 'national', count: 10 })
    const ours = server.heard()
    await sdk.availablePhoneNumbers('NL').national.page({ voiceEnabled: true, pageSize: 50 })
    assert.deepEqual(ours, server.heard())
  })

  for (const account of [sid, `${sid},${bundle},${address}`]) {
    const papers = account === sid ? {} : { bundleSid: bundle, addressSid: address }
    it(`for ordering with ${Object.keys(papers).join(' and ') || 'no bundle'}`, async (t) => {
      const { server, carrier, sdk } = await open(
        t,
        ({ method }) => (method === 'GET' ? listed() : { status: 201, json: own() }),
        account,
      )
      await carrier.order(order)
      const ours = server.heard()
      await sdk.incomingPhoneNumbers.page({ phoneNumber: e164 })
      const bought = await sdk.incomingPhoneNumbers.create({
        phoneNumber: e164,
        friendlyName: reference,
        voiceUrl: `${hooks}/calls`,
        statusCallback: `${hooks}/calls`,
        smsUrl: hooks,
        ...papers,
      })
      assert.equal(bought.phoneNumber, e164)
      assert.deepEqual(ours, server.heard())
    })
  }

  it('for finding a number', async (t) => {
    const { server, carrier, sdk } = await open(t, () => listed())
    await carrier.find(order)
    const ours = server.heard()
    await sdk.incomingPhoneNumbers.page({ friendlyName: reference })
    assert.deepEqual(ours, server.heard())
  })

  it('for releasing a number', async (t) => {
    const { server, carrier, sdk } = await open(t, () => ({ status: 204 }))
    await carrier.release({ carrier_id: own().sid, e164 })
    const ours = server.heard()
    await sdk.incomingPhoneNumbers(own().sid).remove()
    assert.deepEqual(ours, server.heard())
  })
})

describe('a search', () => {
  it('sorts numbers without address requirements first and omits other areas', async (t) => {
    const { carrier } = await open(t, () =>
      available(
        offered('+31201111111', 'local'),
        offered('+31302222222', 'none'),
        offered('+31203333333', 'none'),
        offered('+31204444444', 'any'),
      ),
    )
    assert.deepEqual(await carrier.search({ type: 'geographic', area: '020', count: 2 }), [
      { e164: '+31203333333', from_stock: true },
      { e164: '+31201111111', from_stock: false },
    ])
  })

  it('returns nothing for a type that Twilio does not sell there', async (t) => {
    const json = { code: 20404, message: 'The requested resource was not found', status: 404 }
    const { carrier } = await open(t, () => ({ status: 404, json }))
    assert.deepEqual(await carrier.search({ type: 'national', count: 2 }), [])
  })

  it('throws the reason of Twilio if Twilio refuses it', async (t) => {
    const json = { code: 21451, message: 'Invalid search.', status: 400 }
    const { carrier } = await open(t, () => ({ status: 400, json }))
    await assert.rejects(carrier.search({ type: 'national', count: 2 }), {
      fault: 'refused',
      message: 'Twilio refused (400, 21451): Invalid search.',
    })
  })
})

describe('an order', () => {
  const buying = (post: CarrierAnswer, ...has: object[]) => {
    return ({ method }: RecordedCarrierRequest) => (method === 'GET' ? listed(...has) : post)
  }

  const states = [
    ['in-use', 'active'],
    [null, 'active'],
    ['pending', 'pending'],
  ] as const
  for (const [status, state] of states) {
    it(`is ${state} for the status ${status}`, async (t) => {
      const { carrier } = await open(t, buying({ status: 201, json: own({ status }) }))
      assert.deepEqual(await carrier.order(order), { carrier_id: own().sid, e164, state })
    })
  }

  it('repeated with its reference buys nothing', async (t) => {
    const { server, carrier } = await open(t, buying({ status: 500 }, own()))
    assert.equal((await carrier.order(order)).state, 'active')
    assert.equal(server.requests.length, 1)
  })

  it('never takes over a number that the account has under another reference', async (t) => {
    const theirs = own({ friendly_name: 'theirs' })
    const { server, carrier } = await open(t, buying({ status: 201, json: own() }, theirs))
    await assert.rejects(carrier.order(order), { fault: 'number_taken' })
    assert.equal(server.requests.length, 1)
  })

  it('is not blocked by a similar number', async (t) => {
    const alike = own({ phone_number: `${e164}0` })
    const { carrier } = await open(t, buying({ status: 201, json: own() }, alike))
    assert.equal((await carrier.order(order)).state, 'active')
  })

  it('is number_taken if the number is gone', async (t) => {
    const json = { code: 21422, message: `${e164} is not available.`, status: 400 }
    const { carrier } = await open(t, buying({ status: 400, json }))
    await assert.rejects(carrier.order(order), { fault: 'number_taken' })
  })

  it('is refused with the reason if it needs a regulatory bundle', async (t) => {
    const json = { code: 21649, message: 'Bundle required.', status: 400 }
    const { carrier } = await open(t, buying({ status: 400, json }))
    await assert.rejects(carrier.order(order), { fault: 'refused', message: /21649\): Bundle/ })
  })

  it('is unavailable if there is no response before the purchase', async (t) => {
    for (const answer of [{ status: 500 }, { text: '{' }, { json: {} }]) {
      const { server, carrier } = await open(t, () => answer)
      await assert.rejects(carrier.order(order), { fault: 'unavailable' })
      assert.equal(server.requests.length, 1)
    }
  })

  it('is unknown if the response to the purchase is unreadable', async (t) => {
    const answers: CarrierAnswer[] = [
      { status: 500 },
      { status: 201, text: '<html>' },
      { status: 201, json: {} },
      { status: 201, json: own({ phone_number: '+31207654321' }) },
    ]
    for (const answer of answers) {
      const { carrier } = await open(t, buying(answer))
      await assert.rejects(carrier.order(order), { fault: 'unknown' })
    }
  })

  it('refuses a reference that Twilio would truncate', async (t) => {
    const { server, carrier } = await open(t, buying({ status: 201, json: own() }))
    await assert.rejects(carrier.order({ e164, reference: 'x'.repeat(65) }), {
      name: 'AssertionError',
    })
    assert.deepEqual(server.requests, [])
  })

  it('keeps the token out of error messages', async (t) => {
    const code = Buffer.from(`${sid}:the-auth-token`).toString('base64')
    const json = { code: 1, message: `the-auth-token and ${code} are wrong` }
    const { carrier } = await open(t, buying({ status: 400, json }))
    await assert.rejects(carrier.order(order), {
      message: 'Twilio refused (400, 1): … and … are wrong.',
    })
  })
})

describe('finding and releasing', () => {
  it('use only numbers with our reference, the requested one first', async (t) => {
    const other = own({ sid: 'PN-other', phone_number: '+31207654321' })
    const lists = [
      [[own({ friendly_name: `${reference}0` })], null],
      [[other], 'PN-other'],
      [[other, own()], own().sid],
    ] as const
    for (const [numbers, found] of lists) {
      const { carrier } = await open(t, () => listed(...numbers))
      assert.equal((await carrier.find(order))?.carrier_id ?? null, found)
    }
  })

  it('succeed for a missing number', async (t) => {
    const { server, carrier } = await open(t, () => ({ status: 404, json: { message: 'gone' } }))
    await carrier.release({ carrier_id: 'PN1', e164 })
    const [request] = server.requests
    assert.equal(request?.path, numbersPath.replace('.json', '/PN1.json'))
  })

  it('throw the reason of Twilio if Twilio refuses', async (t) => {
    const { carrier } = await open(t, () => ({ status: 409, json: null }))
    await assert.rejects(carrier.release({ carrier_id: 'PN1', e164 }), {
      fault: 'refused',
      message: 'Twilio refused (409): it gave no reason.',
    })
  })
})
