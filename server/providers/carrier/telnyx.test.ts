/**
 * Tests of the Telnyx adapter: its requests equal those of the official SDK, and it never reports
 * more than Telnyx confirmed.
 */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import fc from 'fast-check'
import Telnyx from 'telnyx'
import { depth } from '../../../test/fixtures/depth.ts'
import {
  openCarrierServer,
  type CarrierAnswer,
  type RecordedCarrierRequest,
} from '../../../test/fixtures/external/carrier-server.ts'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { CarrierError, type CarrierOrder } from './carrier.ts'
import { telnyxCarrier } from './telnyx.ts'

const { runtime } = await openTestRuntime({ work: false })
const e164 = '+31201234567'
const code_sender = '4900017c-4b6f-4d2c-8b63-5d1c6f5d0d0e'
const reference = '01997c2e-0000-7000-8000-000000000000'
const order = { e164, reference }

async function open(
  t: TestContext,
  answer: (request: RecordedCarrierRequest) => CarrierAnswer,
  account = '',
) {
  const server = await openCarrierServer(t, answer)
  const address = { base_url: () => `${server.url}/v2`, key: 'KEY', is_own: true, code_sender }
  const config = { ...runtime.config, carrier: { ...runtime.config.carrier, account } }
  const of_account: Runtime = { ...runtime, config }
  const sdk = new Telnyx({ apiKey: 'KEY', baseURL: `${server.url}/v2`, maxRetries: 0 })
  return { server, carrier: telnyxCarrier(of_account, address), sdk }
}

const telnyxOrder = (changes: object = {}, ofNumber: object = {}) => ({
  record_type: 'number_order',
  id: 'order-1',
  status: 'success',
  requirements_met: true,
  customer_reference: reference,
  phone_numbers_count: 1,
  phone_numbers: [
    {
      id: 'number-in-order',
      phone_number: e164,
      status: 'success',
      requirements_met: true,
      requirements_status: 'approved',
      ...ofNumber,
    },
  ],
  ...changes,
})
const ownNumber = (changes: object = {}) => ({
  id: '1293384261075731499',
  phone_number: e164,
  status: 'active',
  ...changes,
})

/** Answers by path: orders and the numbers of the account. */
const account =
  (placed: object, numbers: readonly object[] = [ownNumber()]) =>
  ({ method, path }: RecordedCarrierRequest): CarrierAnswer => {
    if (path === '/v2/phone_numbers') return { json: { data: numbers } }
    if (path.startsWith('/v2/phone_numbers/')) return { json: { data: numbers[0] } }
    const is_list = method === 'GET' && path === '/v2/number_orders'
    return { json: { data: is_list ? [placed] : placed } }
  }

const taken = { errors: [{ code: '85001', title: 'Taken', detail: 'Already purchased.' }] }

describe('the adapter sends the same request as the official SDK', () => {
  for (const channel of ['sms', 'call'] as const) {
    it(`for a code by ${channel}`, async (t) => {
      const { server, carrier, sdk } = await open(t, () => ({ json: { data: { id: '1' } } }))
      const phone_number = '+31612345678'
      const sent = { to: phone_number, code: '482913', channel, language: 'en' } as const
      await carrier.sendCode?.(sent)
      const ours = server.heard()
      const body = { phone_number, verify_profile_id: code_sender, custom_code: '482913' }
      await (channel === 'sms'
        ? sdk.verifications.triggerSMS(body)
        : sdk.verifications.triggerCall(body))
      assert.deepEqual(ours, server.heard())
    })
  }

  it('for searching an area', async (t) => {
    const { server, carrier, sdk } = await open(t, () => ({ json: { data: [] } }))
    await carrier.search({ type: 'geographic', area: '020', count: 60 })
    const ours = server.heard()
    await sdk.availablePhoneNumbers.list({
      filter: {
        country_code: 'NL',
        phone_number_type: 'local',
        national_destination_code: '20',
        features: ['voice'],
        limit: 60,
      },
    })
    assert.deepEqual(ours, server.heard())
  })

  it('for searching national numbers', async (t) => {
    const { server, carrier, sdk } = await open(t, () => ({ json: { data: [] } }))
    await carrier.search({ type: 'national', count: 10 })
    const ours = server.heard()
    const filter = { country_code: 'NL', phone_number_type: 'national' } as const
    await sdk.availablePhoneNumbers.list({ filter: { ...filter, features: ['voice'], limit: 50 } })
    assert.deepEqual(ours, server.heard())
  })

  for (const connection_id of ['', '1293384261075731499']) {
    it(`for ordering, with ${connection_id ? 'a connection' : 'none'}`, async (t) => {
      const { server, carrier, sdk } = await open(
        t,
        account(telnyxOrder({ status: 'pending' })),
        connection_id,
      )
      await carrier.order(order)
      const ours = server.heard()
      await sdk.numberOrders.create({
        phone_numbers: [{ phone_number: e164 }],
        customer_reference: reference,
        ...(connection_id ? { connection_id } : {}),
      })
      assert.deepEqual(ours, server.heard())
    })
  }

  it('for finding an order and its number', async (t) => {
    const { server, carrier, sdk } = await open(t, account(telnyxOrder()))
    await carrier.find(order)
    const ours = server.heard()
    await sdk.numberOrders.list({ filter: { customer_reference: reference } })
    await sdk.phoneNumbers.list({ filter: { phone_number: '31201234567' } })
    assert.deepEqual(ours, server.heard())
  })

  it('for releasing a number', async (t) => {
    const { server, carrier, sdk } = await open(t, account(telnyxOrder()))
    await carrier.release({ carrier_id: 'order-1', e164 })
    const ours = server.heard()
    await sdk.phoneNumbers.list({ filter: { phone_number: '31201234567' } })
    await sdk.numberOrders.retrieve('order-1')
    await sdk.phoneNumbers.delete('1293384261075731499')
    assert.deepEqual(ours, server.heard())
  })

  it('for reading the account of the API key', async (t) => {
    const { server, carrier } = await open(t, () => ({ json: { data: [] } }))
    await carrier.search({ type: 'national', count: 1 })
    assert.equal(server.requests[0]?.authorization, 'Bearer KEY')
  })
})

describe('a search', () => {
  const offered = (phone_number: string, quickship?: boolean | null, best_effort = false) => ({
    phone_number,
    quickship,
    best_effort,
  })

  it('sorts numbers in stock first and keeps the order otherwise', async (t) => {
    const data = [
      offered('+31201111111', false),
      offered('+31202222222', true),
      offered('+31203333333'),
      offered('+31204444444', true),
      offered('+31205555555', null),
    ]
    const { carrier } = await open(t, () => ({ json: { data } }))
    assert.deepEqual(await carrier.search({ type: 'geographic', area: '020', count: 4 }), [
      { e164: '+31202222222', from_stock: true },
      { e164: '+31204444444', from_stock: true },
      { e164: '+31201111111', from_stock: false },
      { e164: '+31203333333', from_stock: false },
    ])
  })

  it('omits numbers outside the requested area', async (t) => {
    const data = [
      offered('+31301111111', true),
      offered('+3225550000', true),
      offered('+31202222222', true, true),
      offered('+31203333333', true),
    ]
    const { carrier } = await open(t, () => ({ json: { data } }))
    const found = await carrier.search({ type: 'geographic', area: '020', count: 9 })
    assert.deepEqual(found, [{ e164: '+31203333333', from_stock: true }])
  })

  it('throws the reason of Telnyx if Telnyx refuses it', async (t) => {
    const json = { errors: [{ code: 10031, title: 'No coverage' }] }
    const { carrier } = await open(t, () => ({ status: 400, json }))
    await assert.rejects(carrier.search({ type: 'national', count: 1 }), {
      fault: 'refused',
      message: 'Telnyx refused (400, 10031): No coverage.',
    })
  })
})

describe('the state of an order', () => {
  const states: [CarrierOrder['state'], string, object, object?, object[]?][] = [
    ['active', 'that succeeded, with its number in the account', {}],
    [
      'active',
      'of which nothing is said but that it succeeded',
      { requirements_met: null },
      {
        status: null,
        requirements_met: null,
        requirements_status: null,
      },
    ],
    ['pending', 'that succeeded, while the account has no number yet', {}, {}, []],
    [
      'pending',
      'that succeeded, while its number is being bought',
      {},
      {},
      [ownNumber({ status: 'purchase-pending' })],
    ],
    [
      'pending',
      'that succeeded, with another number in the account',
      {},
      {},
      [ownNumber({ phone_number: `${e164}8` })],
    ],
    ['pending', 'whose number was deleted', {}, {}, [ownNumber({ status: 'deleted' })]],
    [
      'active',
      'whose number has our reference',
      {},
      {},
      [ownNumber({ customer_reference: reference })],
    ],
    [
      'failed',
      'whose number is now of another order',
      {},
      {},
      [ownNumber({ customer_reference: 'another' })],
    ],
    [
      'failed',
      'whose number could not be bought',
      {},
      {},
      [ownNumber({ status: 'purchase-failed' })],
    ],
    ['pending', 'that waits', { status: 'pending' }],
    ['pending', 'whose number waits', {}, { status: 'pending' }],
    ['pending', 'whose requirements are not met', { requirements_met: false }],
    ['pending', 'whose number lacks requirements', {}, { requirements_met: false }],
    [
      'pending',
      'with documents to be corrected',
      { status: 'pending' },
      {
        requirements_status: 'requirement-info-exception',
      },
    ],
    ['pending', 'with a status that is new', { status: 'wondering' }],
    ['failed', 'that failed', { status: 'failure' }],
    ['failed', 'whose number failed', { status: 'pending' }, { status: 'failure' }],
    ['failed', 'whose requirements were cancelled', {}, { requirements_status: 'cancelled' }],
    ['failed', 'whose requirements were deleted', {}, { requirements_status: 'deleted' }],
  ]
  for (const [state, words, changes, ofNumber = {}, numbers = [ownNumber()]] of states) {
    it(`${words} is ${state}`, async (t) => {
      const { carrier } = await open(t, account(telnyxOrder(changes, ofNumber), numbers))
      const expected = { carrier_id: 'order-1', e164, state }
      assert.deepEqual(await carrier.order(order), expected)
      assert.deepEqual(await carrier.find(order), expected)
    })
  }

  it('is active only if all parts of the reply agree', async (t) => {
    const status = fc.constantFrom('pending', 'success', 'failure', 'other')
    const met = fc.constantFrom(true, false, null)
    const papers = fc.constantFrom('approved', 'pending', 'cancelled', null)
    let answer = account(telnyxOrder())
    const { carrier } = await open(t, (request) => answer(request))
    const replies = fc.record({ whole: status, one: status, met, oneMet: met, papers })
    await fc.assert(
      fc.asyncProperty(
        replies,
        fc.constantFrom('active', 'purchase-pending', 'ported-out', 'deleted', 'none'),
        async (said, listed) => {
          const placed = telnyxOrder(
            { status: said.whole, requirements_met: said.met },
            {
              status: said.one,
              requirements_met: said.oneMet,
              requirements_status: said.papers,
            },
          )
          answer = account(placed, listed === 'none' ? [] : [ownNumber({ status: listed })])
          const found = await carrier.find(order)
          assert.equal(
            found?.state === 'active',
            said.whole === 'success' &&
              said.one === 'success' &&
              said.met !== false &&
              said.oneMet !== false &&
              said.papers !== 'cancelled' &&
              listed === 'active',
          )
        },
      ),
      { numRuns: depth(30, 150) },
    )
  })

  it('is pending if the account cannot be read after an order, but `find` fails', async (t) => {
    const { carrier } = await open(t, (request) => {
      if (request.path === '/v2/phone_numbers') return { status: 500, json: {} }
      return account(telnyxOrder())(request)
    })
    assert.equal((await carrier.order(order)).state, 'pending')
    await assert.rejects(carrier.find(order), { fault: 'unknown' })
  })
})

describe('an order', () => {
  it('is unknown if the reply is for another number', async (t) => {
    const other = telnyxOrder({}, { phone_number: '+31207654321' })
    const { carrier } = await open(t, account(other))
    await assert.rejects(carrier.order(order), { fault: 'unknown' })
  })

  it('is unknown if the reply is not an order', async (t) => {
    const nonsense = [
      {},
      { data: {} },
      { data: { ...telnyxOrder(), id: '' } },
      { data: [telnyxOrder()] },
    ]
    for (const json of nonsense) {
      const { carrier } = await open(t, () => ({ json }))
      await assert.rejects(carrier.order(order), { fault: 'unknown', message: /cannot be read/ })
    }
  })

  const words = [
    taken,
    { errors: [{ code: 85001 }] },
    { errors: [{ code: '1', detail: 'This number has already been purchased.' }] },
    { errors: [{ code: '1', title: 'Number is no longer available' }] },
  ]
  for (const json of words) {
    it(`is number_taken for ${JSON.stringify(json.errors[0])}`, async (t) => {
      const { carrier } = await open(t, ({ method }) => {
        return method === 'POST' ? { status: 409, json } : { json: { data: [] } }
      })
      await assert.rejects(carrier.order(order), { fault: 'number_taken' })
    })
  }

  it('returns the earlier order if that order got the same number', async (t) => {
    const { carrier } = await open(t, (request) => {
      if (request.method === 'POST') return { status: 409, json: taken }
      return account(telnyxOrder())(request)
    })
    assert.equal((await carrier.order(order)).state, 'active')
  })

  it('is unknown for a taken number if its owner cannot be determined', async (t) => {
    const { carrier } = await open(t, ({ method }) => {
      return method === 'POST' ? { status: 409, json: taken } : { status: 429, json: {} }
    })
    await assert.rejects(carrier.order(order), { fault: 'unknown' })
  })

  it('is refused for a number that must be searched first', async (t) => {
    const error = { code: '85000', title: 'Must search phone number via search API first' }
    const { carrier } = await open(t, () => ({ status: 400, json: { errors: [error] } }))
    await assert.rejects(carrier.order(order), { fault: 'refused', message: /85000.*search/ })
  })
})

describe('finding an order', () => {
  const list = (orders: readonly object[]) => (request: RecordedCarrierRequest) => {
    const is_orders = request.path === '/v2/number_orders'
    return { json: { data: is_orders ? orders : [ownNumber()] } }
  }

  it('returns null without an order', async (t) => {
    const { carrier } = await open(t, list([]))
    assert.equal(await carrier.find(order), null)
  })

  it('ignores orders with another reference', async (t) => {
    const { carrier } = await open(t, list([telnyxOrder({ customer_reference: 'another' })]))
    assert.equal(await carrier.find(order), null)
  })

  it('prefers a successful attempt to a failed one', async (t) => {
    const orders = [
      telnyxOrder({ id: 'first', status: 'failure' }),
      telnyxOrder({ id: 'second', status: 'pending' }),
    ]
    const { carrier } = await open(t, list(orders))
    assert.equal((await carrier.find(order))?.carrier_id, 'second')
  })

  it('prefers the requested number to another of the same reference', async (t) => {
    const other = telnyxOrder({ id: 'other' }, { phone_number: '+31207654321' })
    const both = await open(t, list([other, telnyxOrder({ status: 'failure' })]))
    assert.deepEqual(await both.carrier.find(order), {
      carrier_id: 'order-1',
      e164,
      state: 'failed',
    })
    const alone = await open(t, list([other]))
    assert.equal((await alone.carrier.find(order))?.e164, '+31207654321')
  })
})

describe('releasing a number', () => {
  const release = { carrier_id: 'order-1', e164 }

  it('succeeds if the number is not in the account', async (t) => {
    for (const numbers of [
      [],
      [ownNumber({ status: 'deleted' })],
      [ownNumber({ phone_number: '+312' })],
    ]) {
      const { server, carrier } = await open(t, account(telnyxOrder(), numbers))
      await carrier.release(release)
      assert.equal(server.requests.length, 1)
    }
  })

  it('succeeds if the number disappears from the account during the request', async (t) => {
    const { carrier } = await open(t, (request) => {
      if (request.method === 'DELETE') return { status: 404, json: { errors: [] } }
      return account(telnyxOrder())(request)
    })
    await carrier.release(release)
  })

  it('keeps the number if it belongs to a later order', async (t) => {
    const numbers = [ownNumber({ customer_reference: 'later' })]
    const { server, carrier } = await open(t, account(telnyxOrder(), numbers))
    await carrier.release(release)
    assert(!server.requests.some(({ method }) => method === 'DELETE'))
  })

  it('works after Telnyx has forgotten the order', async (t) => {
    const { server, carrier } = await open(t, (request) => {
      if (request.path.startsWith('/v2/number_orders/')) return { status: 404, json: {} }
      return account(telnyxOrder(), [ownNumber({ customer_reference: 'x' })])(request)
    })
    await carrier.release(release)
    assert.equal(server.requests.at(-1)?.method, 'DELETE')
  })

  it('is refused if the number is locked', async (t) => {
    const { carrier } = await open(t, (request) => {
      if (request.method === 'DELETE') {
        return { status: 422, json: { errors: [{ code: '10021', detail: 'Deletion lock.' }] } }
      }
      return account(telnyxOrder())(request)
    })
    await assert.rejects(carrier.release(release), (error) => {
      assert(error instanceof CarrierError)
      assert.equal(error.fault, 'refused')
      assert.equal(error.message, 'Telnyx refused (422, 10021): Deletion lock.')
      return true
    })
  })
})

describe('the commands of a call', () => {
  it('have an id that is the same in a repetition only', async (t) => {
    const { carrier, server } = await open(t, () => ({ json: { data: { result: 'ok' } } }))
    const addresses = {
      callback_url: 'https://a.example/c',
      relay_url: 'wss://a.example/r',
      reference,
    }
    const converse = { do: 'converse', answered: true, languages: ['en'] } as const
    const idOf = async (turn: string, carrier_id = 'v3:1') => {
      await carrier.calls.instruct(carrier_id, { ...converse, turn }, addresses)
      const [request] = server.heard()
      return /"command_id":"([0-9a-f]{32})"/.exec(JSON.stringify(request?.body))?.[1]
    }
    const first = await idOf('1 0')
    assert.ok(first)
    assert.equal(await idOf('1 0'), first)
    assert.notEqual(await idOf('2 0'), first)
    assert.notEqual(await idOf('1 0', 'v3:2'), first)
  })
})
