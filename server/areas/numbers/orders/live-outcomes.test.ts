/**
 * Tests of failing orders: the reply, the effect of a retry, and the work of the reconcilers. The
 * last digits of a number select the behaviour of the simulated carrier
 * (server/providers/carrier/README.md).
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { standingClock } from '../../../../test/fixtures/bare-runtime.ts'
import { eventually } from '../../../../test/fixtures/eventually.ts'
import { openTestRuntime, type Answer } from '../../../../test/fixtures/runtime.ts'
import {
  withShortTimeout,
  trackPendingLines,
} from '../../../../test/fixtures/external/impatience.ts'
import { carrierOf } from '../../../providers/carrier/carrier.ts'
import * as projects from '../../projects/service.ts'
import { liveFixture, slugOfProblem } from '../../../../test/fixtures/live-projects.ts'
import { updateRegistrations, returnLateNumbers, settleOpenOrders } from './reconcile.ts'

const runtime = await openTestRuntime({ work: false, clock: standingClock() })
const { hangUp } = trackPendingLines(runtime)
const opened = carrierOf(runtime.runtime)
assert(opened)
const carrier = opened
const fixture = liveFixture(runtime)
const { order, readyProject, books, listed, verify } = fixture

// Prefixes of numbers. Each prefix has every ending once, and a number can be ordered once.
const prefixes = '85 88 20 10 30 40 50'.split(' ')
const used = new Map<string, number>()
function magic(ending: string): string {
  const at = used.get(ending) ?? 0
  used.set(ending, at + 1)
  assert(prefixes[at], `No prefix is left for ${ending}.`)
  return `+31${prefixes[at]}000${ending}`
}

const priceOf = (e164: string) => (/^\+318[58]/.test(e164) ? 5 : 3)

/** Returns the balance after the top-up and the first month of a number, charged or only held. */
const paid = (e164: string, { held = false } = {}) => {
  const price = priceOf(e164)
  return { balance: 100 - price, spent: price, amounts: held ? [100] : [100, -price] }
}

/** Creates a project that may order numbers of any prefix. */
async function project() {
  const made = await readyProject()
  await verify(made.project_id, 'number_documents')
  return made
}

/** Orders a number and closes the connection once the silent carrier has the order. */
async function orderAndHangUp(order: () => Promise<Answer>, e164: string): Promise<Answer> {
  const answer = order()
  await eventually(async () => {
    const placed = await runtime.runtime.db
      .selectFrom('number_orders')
      .select('id')
      .where('e164', '=', e164)
      .executeTakeFirst()
    return placed && carrier.find({ e164, reference: placed.id })
  })
  hangUp()
  return answer
}

const untouched = { spent: 0, amounts: [100], balance: 100 }
let keys = 0
const newKey = () => `outcome-${++keys}`

describe('a refusal by the carrier', () => {
  test('is 409 number_unavailable if the number was sold meanwhile', async () => {
    const { key } = await project()
    const answer = await order(key, { e164: magic('9000') })
    assert.deepEqual([answer.status, slugOfProblem(answer)], [409, 'number_unavailable'])
    assert.deepEqual(await books(key), untouched)
  })
  test('is 502 upstream_error for another reason', async () => {
    const { key } = await project()
    const answer = await order(key, { e164: magic('9007') })
    assert.deepEqual([answer.status, slugOfProblem(answer)], [502, 'upstream_error'])
    assert.deepEqual(await books(key), untouched)
  })
  for (const ending of ['9008', '9009']) {
    test(`is 503 telephony_unavailable if the carrier accepts no orders (${ending})`, async () => {
      const { key } = await project()
      const answer = await order(key, { e164: magic(ending) })
      assert.deepEqual([answer.status, slugOfProblem(answer)], [503, 'telephony_unavailable'])
      assert.equal(answer.headers.get('retry-after'), '60')
      assert.deepEqual(await books(key), untouched)
    })
  }
  test('allows another try with the same key', async () => {
    const { key } = await project()
    const idempotency_key = newKey()
    await order(key, { e164: magic('9000') }, idempotency_key)
    assert.equal((await order(key, {}, idempotency_key)).status, 201)
  })
})

describe('a missing reply or an error of the carrier', () => {
  for (const [ending, how] of [
    ['9003', 'silence after ordering'],
    ['9005', '500 after ordering'],
  ] as const) {
    test(`gets 502 order_status_unknown (${how}), and a retry with the key gets the number`, async () => {
      const { key } = await project()
      const [body, idempotency_key] = [{ e164: magic(ending) }, newKey()]
      const place = () => order(key, body, idempotency_key)
      const answer = await (ending === '9003' ? orderAndHangUp(place, body.e164) : place())
      assert.deepEqual([answer.status, slugOfProblem(answer)], [502, 'order_status_unknown'])
      assert.deepEqual(await books(key), paid(body.e164, { held: true }))
      assert.deepEqual(await listed(key), [])
      const again = await order(key, body, idempotency_key)
      assert.equal(again.status, 201)
      assert.equal(again.headers.get('idempotent-replayed'), 'true')
      assert.equal(again.body.e164, body.e164)
      const third = await order(key, body, idempotency_key)
      assert.equal(third.headers.get('idempotent-replayed'), 'true')
      assert.equal(third.text, again.text)
      assert.equal((await listed(key)).length, 1)
      assert.deepEqual(await books(key), paid(body.e164))
    })
  }
  for (const [ending, how] of [
    ['9004', 'silence without ordering'],
    ['9006', '500 without ordering'],
  ] as const) {
    test(`is unknown for a minute (${how}), then refunded`, async () => {
      const { key } = await project()
      const [body, idempotency_key] = [{ e164: magic(ending) }, newKey()]
      const place = () => order(key, body, idempotency_key)
      const silent = ending === '9004'
      const first = await (silent ? withShortTimeout(runtime.runtime, 'carrier', place) : place())
      assert.equal(slugOfProblem(first), 'order_status_unknown')
      assert.equal(slugOfProblem(await place()), 'order_status_unknown')
      assert.deepEqual(await books(key), paid(body.e164, { held: true }))
      runtime.passes('61 seconds')
      await settleOpenOrders(runtime.runtime)
      assert.deepEqual(await books(key), untouched)
      assert.deepEqual(await listed(key), [])
    })
  }
  test('lets a retry after a minute start a new order, of which only one is paid', async () => {
    const { key } = await project()
    const [body, idempotency_key] = [{ e164: magic('9006') }, newKey()]
    await order(key, body, idempotency_key)
    runtime.passes('61 seconds')
    assert.equal(slugOfProblem(await order(key, body, idempotency_key)), 'order_status_unknown')
    assert.deepEqual(await books(key), paid(body.e164, { held: true }))
    runtime.passes('61 seconds')
    await settleOpenOrders(runtime.runtime)
    assert.deepEqual(await books(key), untouched)
  })
  test('keeps the key for the same request: another body is refused with 409 idempotency_key_reused', async () => {
    const { key } = await project()
    const idempotency_key = newKey()
    await order(key, { e164: magic('9005') }, idempotency_key)
    const answer = await order(key, {}, idempotency_key)
    assert.deepEqual([answer.status, slugOfProblem(answer)], [409, 'idempotency_key_reused'])
  })
  test('lets a later retry return the result of the reconciler', async () => {
    const { key } = await project()
    const [body, idempotency_key] = [{ e164: magic('9005') }, newKey()]
    await order(key, body, idempotency_key)
    runtime.passes('61 seconds')
    await Promise.all([settleOpenOrders(runtime.runtime), settleOpenOrders(runtime.runtime)])
    const [number] = await listed(key)
    assert.equal(number.e164, body.e164)
    const again = await order(key, body, idempotency_key)
    assert.deepEqual([again.status, again.body.id], [201, number.id])
    assert.deepEqual(await books(key), paid(body.e164))
  })
  test('is settled once by any number of concurrent retries and reconcilers', async () => {
    const { key } = await project()
    const [body, idempotency_key] = [{ e164: magic('9005') }, newKey()]
    await order(key, body, idempotency_key)
    runtime.passes('61 seconds')
    await Promise.all([
      order(key, body, idempotency_key),
      settleOpenOrders(runtime.runtime),
      order(key, body, idempotency_key),
      settleOpenOrders(runtime.runtime),
    ])
    assert.equal((await listed(key)).length, 1)
    assert.deepEqual(await books(key), paid(body.e164))
    assert.equal((await runtime.call('GET /project', { key })).body.numbers_count, 1)
  })
  test('counts the open order against the limit of three', async () => {
    const { key } = await project()
    for (let count = 0; count < 2; count++) assert.equal((await order(key)).status, 201)
    await order(key, { e164: magic('9005') })
    const answer = await order(key)
    assert.deepEqual([answer.status, slugOfProblem(answer)], [403, 'number_limit_reached'])
  })
  test('blocks the number for other projects until it is settled', async () => {
    const [one, other] = [await project(), await project()]
    const e164 = magic('9005')
    await order(one.key, { e164 })
    assert.equal(slugOfProblem(await order(other.key, { e164 })), 'number_unavailable')
    assert.equal(slugOfProblem(await order(one.key, { e164 })), 'number_already_yours')
  })
})

describe('a number that appears after its order was given up', () => {
  test('is returned to the carrier and costs nothing', async () => {
    const { project_id, key } = await project()
    const e164 = magic('9006')
    await order(key, { e164 })
    runtime.passes('61 seconds')
    await settleOpenOrders(runtime.runtime)
    // Simulates a late order at the carrier. The simulated carrier never completes this number, so
    // the order gets the reference of another.
    const late = '+31850004321'
    const { id: reference } = await runtime.runtime.db.transact((tx) =>
      tx
        .updateTable('number_orders')
        .set({ e164: late })
        .where('project_id', '=', project_id)
        .returning('id')
        .executeTakeFirstOrThrow(),
    )
    assert.equal((await carrier.order({ e164: late, reference })).state, 'active')
    await returnLateNumbers(runtime.runtime)
    await returnLateNumbers(runtime.runtime)
    const after = await carrier.find({ e164: late, reference })
    assert.notEqual(after?.state, 'active', 'the number went back')
    assert.deepEqual(await books(key), untouched)
    assert.deepEqual(await listed(key), [])
  })
})

describe('a pending registration', () => {
  test('makes a number pending, and active when the carrier confirms', async () => {
    const { key } = await project()
    const { status, body } = await order(key, { e164: magic('9001') })
    assert.deepEqual([status, body.status, body.from_stock], [201, 'pending', false])
    await updateRegistrations(runtime.runtime)
    assert.equal((await listed(key))[0].status, 'pending')
    runtime.passes('61 seconds')
    await updateRegistrations(runtime.runtime)
    assert.equal((await listed(key))[0].status, 'active')
    assert.deepEqual(await books(key), paid(body.e164))
  })
  test('makes a geographic number outside the stock pending in the same way', async () => {
    const { key } = await project()
    const { body } = await order(key, { area: '030' })
    assert.deepEqual([body.type, body.status], ['geographic', 'pending'])
    runtime.passes('61 seconds')
    await updateRegistrations(runtime.runtime)
    assert.equal((await listed(key))[0].status, 'active')
  })
  test('removes the number and refunds the first month if it is refused', async () => {
    const { key } = await project()
    const { body } = await order(key, { e164: magic('9002') })
    assert.equal(body.status, 'pending')
    runtime.passes('61 seconds')
    await Promise.all([updateRegistrations(runtime.runtime), updateRegistrations(runtime.runtime)])
    assert.deepEqual(await listed(key), [])
    const { balance, amounts } = await books(key)
    const price = priceOf(body.e164)
    assert.deepEqual([balance, amounts], [100, [100, -price, price]])
    assert.equal((await runtime.call('GET /project', { key })).body.numbers_count, 0)
  })
  test('stays pending for ninety days if it waits for documents, and is then given up', async () => {
    const { key } = await project()
    await order(key, { e164: magic('9010') })
    runtime.passes('89 days')
    await updateRegistrations(runtime.runtime)
    assert.equal((await listed(key))[0].status, 'pending')
    runtime.passes('2 days')
    await updateRegistrations(runtime.runtime)
    assert.deepEqual(await listed(key), [])
    assert.equal((await books(key)).balance, 100)
  })
})

describe('a search that fails at the carrier', () => {
  const search = (key: string, area: string) =>
    runtime.call(`GET /numbers/available?area=${area}`, { key })

  for (const [area, status, expected] of [
    ['0991', 502, 'upstream_error'],
    ['0992', 502, 'upstream_error'],
    ['0993', 502, 'upstream_error'],
    ['0994', 503, 'telephony_unavailable'],
  ] as const) {
    test(`gets ${status} ${expected} in area ${area}, and so does an order`, async () => {
      const { key } = await project()
      const ask = () => Promise.all([search(key, area), order(key, { area })])
      const silent = area === '0992'
      const answers = await (silent ? withShortTimeout(runtime.runtime, 'carrier', ask) : ask())
      for (const answer of answers) {
        assert.deepEqual([answer.status, slugOfProblem(answer)], [status, expected])
        if (status === 503) assert.equal(answer.headers.get('retry-after'), '60')
      }
      assert.deepEqual(await books(key), untouched)
    })
  }
})

test('a live order gets 503 telephony_unavailable with Retry-After without a carrier', async () => {
  const none = await openTestRuntime({ settings: { HOMEPORT_CARRIER: 'none' }, work: false })
  const { project_id } = await none.newProject()
  await projects.setRail(none.runtime.db, { project_id, rail: 'phone', mode: 'live' })
  const key = await none.newKey({ project_id, mode: 'live' })
  const test_key = await none.newKey({ project_id })
  const headers = { 'idempotency-key': 'none' }
  for (const answer of [
    await none.call('GET /numbers/available', { key }),
    await none.call('POST /numbers', { key, body: {}, headers }),
  ]) {
    assert.deepEqual([answer.status, slugOfProblem(answer)], [503, 'telephony_unavailable'])
    assert(Number(answer.headers.get('retry-after')) >= 1)
  }
  assert.equal((await none.call('POST /numbers', { key: test_key, body: {}, headers })).status, 201)
})
