/**
 * Tests of the simulated Telnyx with the official SDK and through the adapter over HTTP: stock,
 * records, magic numbers and magic areas.
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { isPossiblePhoneNumber } from 'libphonenumber-js/max'
import Telnyx from 'telnyx'
import { standingClock } from '../../../../../test/fixtures/bare-runtime.ts'
import { eventually } from '../../../../../test/fixtures/eventually.ts'
import { openTestRuntime } from '../../../../../test/fixtures/runtime.ts'
import {
  withShortTimeout,
  trackPendingLines,
} from '../../../../../test/fixtures/external/impatience.ts'
import { insertRecord } from '../../../../kernel/simulator-records.ts'
import { carrierOf, type CarrierFault } from '../../../../providers/carrier/carrier.ts'
import { listFreeNumbers } from './telnyx-memory.ts'
import { numberAt, prefixes, type Prefix } from './telnyx-stock.ts'

const fixture = await openTestRuntime({ work: false, clock: standingClock() })
const { hangUp } = trackPendingLines(fixture)
const opened = carrierOf(fixture.runtime)
assert(opened)
const carrier = opened
const sdk = new Telnyx({
  apiKey: 'KEY',
  baseURL: `${fixture.runtime.config.simulators_url}/telnyx/v2`,
  maxRetries: 0,
})

let references = 0
const newReference = () => `order-${(references += 1)}`

async function fails(work: Promise<unknown>, fault: CarrierFault, message = /^Telnyx.*\.$/) {
  await assert.rejects(work, { name: 'CarrierError', fault, message })
}

const unanswered = /did not answer within/
const closed = /closed the connection before it had answered/

/** Returns the number of a prefix with these last four digits. */
const number = (prefix: string, ending: string) => `+31${prefix}000${ending}`

describe('the number search', () => {
  it('offers national numbers from stock, the lowest first, up to the limit', async () => {
    assert.deepEqual(await carrier.search({ type: 'national', count: 3 }), [
      { e164: '+31850000000', from_stock: true },
      { e164: '+31850000001', from_stock: true },
      { e164: '+31850000002', from_stock: true },
    ])
    assert.equal((await carrier.search({ type: 'national', count: 250 })).length, 250)
  })

  it('returns the same result for the same query', async () => {
    const ask = () => carrier.search({ type: 'geographic', area: '030', count: 20 })
    assert.deepEqual(await ask(), await ask())
  })

  it('filters by a national prefix', async () => {
    const found = await carrier.search({ type: 'national', area: '088', count: 2 })
    assert.deepEqual(
      found.map(({ e164 }) => e164),
      ['+31880000000', '+31880000001'],
    )
  })

  it('has stock in Amsterdam, and in no other area', async () => {
    const inStock: string[] = []
    for (const { digits } of prefixes.filter(({ type }) => type === 'geographic')) {
      const area = `0${digits}`
      const [offer] = await carrier.search({ type: 'geographic', area, count: 1 })
      assert.equal(offer?.e164, number(digits, '0000'))
      if (offer.from_stock) inStock.push(area)
    }
    assert.deepEqual(inStock, ['020'])
  })

  it('returns nothing for unknown areas and other types', async () => {
    for (const area of ['0118', '099', '085']) {
      assert.deepEqual(await carrier.search({ type: 'geographic', area, count: 5 }), [])
    }
    assert.deepEqual(await carrier.search({ type: 'national', area: '020', count: 5 }), [])
  })

  it('returns only numbers that are valid in the Netherlands', () => {
    const ends = [0, 7999].flatMap((at) => prefixes.map((prefix) => numberAt(prefix, at)))
    for (const e164 of ends) {
      assert.match(e164, /^\+31\d{9}$/)
      assert(isPossiblePhoneNumber(e164), e164)
    }
  })

  it('omits ordered numbers, and refuses a second order', async () => {
    const search = () => carrier.search({ type: 'geographic', area: '010', count: 2 })
    const [first, second] = await search()
    assert(first && second)
    await carrier.order({ e164: first.e164, reference: newReference() })
    const [now] = await search()
    assert.equal(now?.e164, second.e164)
    await fails(carrier.order({ e164: first.e164, reference: newReference() }), 'number_taken')
  })

  it('skips ordered numbers, for any set of them', async () => {
    // No other test of this file orders from these prefixes.
    const property = fc.asyncProperty(
      fc.constantFrom(...prefixes.filter(({ digits }) => /^7[5-9]$/.test(digits))),
      fc.uniqueArray(fc.nat(350), { maxLength: 60 }),
      fc.integer({ min: 1, max: 120 }),
      async (prefix, positions, count) => {
        const sold = await sellAll(prefix, positions)
        const expected = Array.from({ length: 600 }, (_, at) => numberAt(prefix, at))
          .filter((e164) => !sold.has(e164))
          .slice(0, count)
        assert.deepEqual(await listFreeNumbers(fixture.runtime, prefix, count), expected)
      },
    )
    await fc.assert(property, { numRuns: 25 })
  })

  it('starts after sold-out blocks', async () => {
    const prefix = prefixes.find(({ digits }) => digits === '58')!
    await sellAll(
      prefix,
      Array.from({ length: 300 }, (_, at) => at),
    )
    assert.deepEqual(await listFreeNumbers(fixture.runtime, prefix, 1), [number('58', '0300')])
    const kept = await fixture.runtime.db
      .selectFrom('simulator_records')
      .select('record')
      .where('simulator', '=', 'telnyx first open block')
      .where('id', '=', '58')
      .executeTakeFirstOrThrow()
    assert.deepEqual(kept.record, { block: 3 })
  })
})

const soldOf = new Map<string, Set<string>>()

/** Marks numbers as sold without orders. Returns all sold numbers. */
async function sellAll(prefix: Prefix, positions: readonly number[]): Promise<Set<string>> {
  const sold = soldOf.get(prefix.digits) ?? new Set()
  soldOf.set(prefix.digits, sold)
  for (const at of positions) {
    const id = numberAt(prefix, at)
    await insertRecord(fixture.runtime, {
      simulator: `telnyx numbers ${id.slice(0, -2)}`,
      id,
      record: {},
    })
    sold.add(id)
  }
  return sold
}

describe('an ordinary order', () => {
  it('from stock is active immediately', async () => {
    for (const prefix of ['85', '88', '20']) {
      const order = { e164: number(prefix, '0100'), reference: newReference() }
      const placed = await carrier.order(order)
      assert.equal(placed.state, 'active')
      assert.deepEqual(await carrier.find(order), placed)
    }
  })

  it('of another area is pending for a minute, then active', async () => {
    const order = { e164: number('30', '0100'), reference: newReference() }
    const placed = await carrier.order(order)
    assert.equal(placed.state, 'pending')
    fixture.passes('59 seconds')
    assert.equal((await carrier.find(order))?.state, 'pending')
    fixture.passes('1 second')
    assert.deepEqual(await carrier.find(order), { ...placed, state: 'active' })
  })

  it('of an unknown number is refused as taken', async () => {
    for (const e164 of [
      number('85', '8000'),
      number('85', '9999'),
      '+31850010000',
      '+31991000000',
    ]) {
      await fails(carrier.order({ e164, reference: newReference() }), 'number_taken')
    }
  })

  it('with a repeated reference is one order', async () => {
    const order = { e164: number('85', '0101'), reference: newReference() }
    assert.deepEqual(await carrier.order(order), await carrier.order(order))
  })

  it('by ten concurrent clients goes to one of them', async () => {
    const e164 = number('85', '0102')
    const orders = Array.from({ length: 10 }, () => {
      return carrier.order({ e164, reference: newReference() })
    })
    const outcomes = await Promise.allSettled(orders)
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') assert.equal(outcome.reason.fault, 'number_taken')
    }
  })

  it('is found by its reference alone', async () => {
    const order = { e164: number('85', '0103'), reference: newReference() }
    const placed = await carrier.order(order)
    assert.equal(await carrier.find({ ...order, reference: newReference() }), null)
    assert.deepEqual(await carrier.find({ ...order, e164: number('85', '0104') }), placed)
    await fails(carrier.order({ ...order, e164: number('85', '0100') }), 'number_taken')
  })
})

describe('a released number', () => {
  it('is removed from the account; releasing it again succeeds', async () => {
    const order = { e164: number('85', '0200'), reference: newReference() }
    const placed = await carrier.order(order)
    await carrier.release(placed)
    assert.notEqual((await carrier.find(order))?.state, 'active')
    await carrier.release(placed)
  })

  it('that was never ordered can be released', async () => {
    await carrier.release({ carrier_id: 'none', e164: number('85', '0201') })
  })

  it('can be ordered again, although no search returns it', async () => {
    const e164 = number('88', '0000')
    for (const at of [1, 2, 3]) {
      const order = { e164, reference: newReference() }
      const placed = await carrier.order(order)
      assert.equal(placed.state, 'active', `order ${at}`)
      await fails(carrier.order({ e164, reference: newReference() }), 'number_taken')
      assert.deepEqual(await carrier.find(order), placed)
      await carrier.release(placed)
    }
    const [first] = await carrier.search({ type: 'national', area: '088', count: 1 })
    assert.equal(first?.e164, number('88', '0001'))
  })
})

describe('an order of a magic number', () => {
  const inAnyPrefix = (
    ending: string,
    promise: string,
    check: (order: { e164: string; reference: string }) => Promise<void>,
  ) => {
    it(`that ends in ${ending} ${promise}`, async () => {
      for (const prefix of ['85', '88', '20', '33']) {
        await check({ e164: number(prefix, ending), reference: newReference() })
      }
    })
  }
  const leavesNothing = async (order: { e164: string; reference: string }, fault: CarrierFault) => {
    await fails(carrier.order(order), fault)
    assert.equal(await carrier.find(order), null)
  }

  inAnyPrefix('9000', 'was taken meanwhile', (order) => leavesNothing(order, 'number_taken'))

  inAnyPrefix('9001', 'is pending for a minute, then active', async (order) => {
    assert.equal((await carrier.order(order)).state, 'pending')
    fixture.passes('59 seconds')
    assert.equal((await carrier.find(order))?.state, 'pending')
    fixture.passes('1 second')
    assert.equal((await carrier.find(order))?.state, 'active')
  })

  inAnyPrefix('9002', 'is pending for a minute, then failed', async (order) => {
    assert.equal((await carrier.order(order)).state, 'pending')
    fixture.passes('61 seconds')
    assert.equal((await carrier.find(order))?.state, 'failed')
    const { data } = await sdk.phoneNumbers.list({
      filter: { phone_number: order.e164.slice(1) },
    })
    assert.deepEqual(data, [])
  })

  inAnyPrefix('9003', 'is ordered without an answer', async (order) => {
    const placed = fails(carrier.order(order), 'unknown', closed)
    const found = await eventually(() => carrier.find(order))
    assert.equal(found.state, 'active')
    hangUp()
    await placed
  })

  it('that ends in 9004 gets no reply and orders no number', async () => {
    const orders = ['85', '88', '20', '33'].map((prefix) => {
      return { e164: number(prefix, '9004'), reference: newReference() }
    })
    await withShortTimeout(fixture.runtime, 'carrier', () =>
      Promise.all(orders.map((order) => fails(carrier.order(order), 'unknown', unanswered))),
    )
    for (const order of orders) assert.equal(await carrier.find(order), null)
  })

  inAnyPrefix('9005', 'is ordered with a 500', async (order) => {
    await fails(carrier.order(order), 'unknown', /answered 500/)
    assert.equal((await carrier.find(order))?.state, 'active')
  })

  inAnyPrefix('9006', 'is not ordered and answers 500', (order) => leavesNothing(order, 'unknown'))

  it('that ends in 9007 is refused with a reason', async () => {
    const order = { e164: number('85', '9007'), reference: newReference() }
    await fails(
      carrier.order(order),
      'refused',
      /^Telnyx refused \(422, 10027\): The number cannot be registered for this account\.$/,
    )
    assert.equal(await carrier.find(order), null)
  })

  inAnyPrefix('9008', 'is asked for too often', (order) => leavesNothing(order, 'unavailable'))
  inAnyPrefix('9009', 'is forbidden', (order) => leavesNothing(order, 'unavailable'))

  inAnyPrefix('9010', 'waits for documents for ever', async (order) => {
    assert.equal((await carrier.order(order)).state, 'pending')
    fixture.passes('30 days')
    assert.equal((await carrier.find(order))?.state, 'pending')
  })

  it('is possible, although no search returns such a number', async () => {
    const found = await carrier.search({ type: 'national', area: '088', count: 9_000 })
    assert(found.length > 0)
    assert.deepEqual(
      found.filter(({ e164 }) => /000[89]\d{3}$/.test(e164)),
      [],
    )
  })
})

describe('a search in a magic area', () => {
  const search = (area: string) => carrier.search({ type: 'geographic', area, count: 1 })

  it('0991 gets status 500', () => fails(search('0991'), 'unknown'))
  it('0992 gets no reply', () =>
    withShortTimeout(fixture.runtime, 'carrier', () =>
      fails(search('0992'), 'unknown', unanswered),
    ))
  it('0993 is refused with a reason', () => fails(search('0993'), 'refused', /no coverage/))
  it('0994 gets status 429', () => fails(search('0994'), 'unavailable'))
})

describe('the official Telnyx SDK', () => {
  it('searches numbers', async () => {
    const { data, meta } = await sdk.availablePhoneNumbers.list({
      filter: { country_code: 'NL', phone_number_type: 'national', limit: 2, features: ['voice'] },
    })
    assert.equal(data?.length, 2)
    assert.deepEqual(meta, { total_results: 2, best_effort_results: 0 })
    const [found] = data
    assert.equal(found?.record_type, 'available_phone_number')
    assert.equal(found.quickship, true)
    assert.deepEqual(found.features, [{ name: 'voice' }])
    assert.equal(found.cost_information?.currency, 'EUR')
    assert.deepEqual(found.region_information, [{ region_type: 'country_code', region_name: 'NL' }])
    const abroad = await sdk.availablePhoneNumbers.list({ filter: { country_code: 'BE' } })
    assert.deepEqual(abroad.data, [])
  })

  it('orders, and retrieves the order as it was placed', async () => {
    const { data: placed } = await sdk.numberOrders.create({
      phone_numbers: [{ phone_number: number('85', '0300') }],
      customer_reference: 'by-sdk',
      connection_id: '1234',
    })
    assert(placed?.id && placed.phone_numbers?.[0])
    assert.equal(placed.status, 'success')
    assert.equal(placed.requirements_met, true)
    assert.equal(placed.customer_reference, 'by-sdk')
    assert.equal(placed.connection_id, '1234')
    assert.equal(placed.phone_numbers_count, 1)
    assert.equal(placed.phone_numbers[0].phone_number_type, 'national')
    assert.equal(placed.phone_numbers[0].requirements_status, 'approved')
    assert.equal(Date.parse(placed.created_at ?? ''), Date.parse(placed.updated_at ?? ''))
    const { data: retrieved } = await sdk.numberOrders.retrieve(placed.id)
    assert.deepEqual(retrieved, placed)
  })

  it('lists orders by reference and by status, with pagination', async () => {
    for (const ending of ['0301', '0302', '0303']) {
      await sdk.numberOrders.create({
        phone_numbers: [{ phone_number: number('85', ending) }],
        customer_reference: 'three',
      })
    }
    const filter = { customer_reference: 'three' }
    const found: (string | undefined)[] = []
    for await (const order of sdk.numberOrders.list({ filter, 'page[size]': 2 })) {
      found.push(order.phone_numbers?.[0]?.phone_number)
    }
    const expected = ['0303', '0302', '0301'].map((ending) => number('85', ending))
    assert.deepEqual(found, expected)
    const none = await sdk.numberOrders.list({ filter: { ...filter, status: 'pending' } })
    assert.deepEqual(none.data, [])
    const all = await sdk.numberOrders.list({ 'page[size]': 200 })
    assert(all.data.length > 3)
  })

  it('lists, retrieves and deletes numbers', async () => {
    const phone_number = number('10', '0300')
    await sdk.numberOrders.create({ phone_numbers: [{ phone_number }] })
    const filter = { phone_number: phone_number.slice(1) }
    const [pending] = (await sdk.phoneNumbers.list({ filter })).data
    assert.equal(pending?.status, 'purchase-pending')
    assert.equal(pending.activated_at, null)
    fixture.passes('1 minute')
    const [active] = (await sdk.phoneNumbers.list({ filter })).data
    assert(active)
    assert.equal(active.status, 'active')
    assert.equal(active.phone_number, phone_number)
    assert.equal(active.phone_number_type, 'local')
    assert.equal(active.country_iso_alpha2, 'NL')
    assert.equal(active.external_pin, null)
    assert.deepEqual(active.tags, [])
    assert.deepEqual((await sdk.phoneNumbers.retrieve(active.id)).data, active)
    const { data: deleted } = await sdk.phoneNumbers.delete(active.id)
    assert.equal(deleted?.status, 'deleted')
    assert.deepEqual((await sdk.phoneNumbers.list({ filter })).data, [])
    await assert.rejects(sdk.phoneNumbers.delete(active.id), Telnyx.NotFoundError)
  })

  it('dials two legs, each once for its command id', async () => {
    const dial = async (command_id: string) => {
      const [from, to] = ['+447700900000', '+447700900001']
      const { data } = await sdk.calls.dial({ connection_id: '1', from, to, command_id })
      return data?.call_control_id
    }
    const [one, two] = [await dial('leg one'), await dial('leg two')]
    assert.notEqual(one, two)
    assert.deepEqual([await dial('leg one'), await dial('leg two')], [one, two])
  })

  it('finds numbers by a part of their digits, and none by a plus', async () => {
    const e164 = number('85', '0310')
    await sdk.numberOrders.create({ phone_numbers: [{ phone_number: e164 }] })
    const part = await sdk.phoneNumbers.list({ filter: { phone_number: '0310' } })
    assert.deepEqual(
      part.data.map(({ phone_number }) => phone_number),
      [e164],
    )
    assert.deepEqual((await sdk.phoneNumbers.list({ filter: { phone_number: e164 } })).data, [])
  })

  it('throws its error class for each error reply of the simulator', async () => {
    const stranger = new Telnyx({ apiKey: '', baseURL: sdk.baseURL, maxRetries: 0 })
    const unsigned = stranger.get('/phone_numbers', { headers: { authorization: null } })
    await assert.rejects(unsigned, Telnyx.AuthenticationError)
    await assert.rejects(sdk.numberOrders.retrieve('none'), Telnyx.NotFoundError)
    await assert.rejects(sdk.numberOrders.create({}), Telnyx.BadRequestError)
    const two = [number('85', '0320'), number('85', '0321')]
    const many = { phone_numbers: two.map((phone_number) => ({ phone_number })) }
    await assert.rejects(sdk.numberOrders.create(many), Telnyx.BadRequestError)
    const unknown = sdk.availablePhoneNumbers.list({ filter: { locality: 'Utrecht' } })
    await assert.rejects(unknown, /does not know filter\[locality\]/)
    await assert.rejects(sdk.post('/number_orders', { body: 'x' }), Telnyx.BadRequestError)
    await assert.rejects(sdk.get('/balance'), (error) => {
      assert(error instanceof Telnyx.NotFoundError)
      const [{ code, title, detail }] = (error.error as any).errors
      assert.deepEqual([code, title], ['10005', 'Resource not found'])
      assert.match(detail, /\.$/)
      return true
    })
  })
})
