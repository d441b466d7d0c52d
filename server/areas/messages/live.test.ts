/**
 * Tests of real messages over the simulated carrier, which speaks Telnyx's protocol over HTTP and calls
 * back with signatures: charges, every outcome, callbacks that repeat, and lost replies.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { standingClock } from '../../../test/fixtures/bare-runtime.ts'
import { eventually } from '../../../test/fixtures/eventually.ts'
import { withShortTimeout } from '../../../test/fixtures/external/impatience.ts'
import { liveFixture, slugOfProblem } from '../../../test/fixtures/live-projects.ts'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import * as projects from '../projects/service.ts'

const runtime = await openTestRuntime({ clock: standingClock() })
const fixture = liveFixture(runtime)
const { db } = runtime.runtime

async function openShop({ euro = 100, cap = 500, number = true } = {}) {
  const { project_id, key } = await fixture.readyProject({ euro, cap })
  await projects.setRail(db, { project_id, rail: 'sms', mode: 'live' })
  const e164: string = number ? (await fixture.order(key)).body.e164 : ''
  const send = (ending: string, more: object = {}) => {
    const body = { to: `+31612345${ending}`, text: 'Your order is ready.', ...more }
    return runtime.call('POST /messages', { key, body })
  }
  const find = async (id: string) => (await runtime.call(`GET /messages/${id}`, { key })).body
  const until = (id: string, status: string) =>
    eventually(async () => {
      const body = (await runtime.look(`GET /messages/${id}`, project_id)).body
      return body.status === status && body
    })
  const spent = async () => (await fixture.books(key)).spent
  return { project_id, key, e164, send, find, until, spent }
}

describe('a real message', () => {
  test('is charged by segment when the carrier takes it, and is delivered', async () => {
    const { key, e164, send, until } = await openShop()
    const { status, body } = await send('000', { text: 'a'.repeat(200) })
    assert.equal(status, 201)
    assert.deepEqual([body.test, body.from, body.segments, body.cost_eur], [false, e164, 2, 0.168])
    await until(body.id, 'delivered')
    const { transactions, balance_eur } = (await runtime.call('GET /balance', { key })).body
    const [charge] = transactions
    assert.deepEqual(
      [charge.type, charge.source, charge.amount_eur, charge.quantity, charge.unit],
      ['charge', 'sms', -0.168, 2, 'segment'],
    )
    assert.equal(charge.reference_id, body.id)
    assert.equal(balance_eur, 94.832)
  })

  const failures = { '001': 'unreachable', '002': 'landline', '003': 'blocked_by_carrier' }
  const more = { '008': 'expired', '009': 'unknown_number' }
  for (const [ending, reason] of Object.entries({ ...failures, ...more })) {
    test(`that ends in ${ending} fails with ${reason}, and is charged`, async () => {
      const { send, until, spent } = await openShop()
      const { body } = await send(ending)
      const done = await until(body.id, 'failed')
      assert.deepEqual([done.failure_reason, done.cost_eur], [reason, 0.084])
      assert.equal(await spent(), 5.084)
    })
  }

  test('that no network confirms stays sent', async () => {
    const { send, until } = await openShop()
    const { body } = await send('004')
    await until(body.id, 'sent')
  })

  test('that the carrier refuses at once fails, and costs nothing', async () => {
    const { send, until, spent } = await openShop()
    const { body } = await send('007')
    const done = await until(body.id, 'failed')
    assert.deepEqual(
      [done.failure_reason, done.cost_eur, done.sent_at],
      ['refused_by_carrier', 0, null],
    )
    assert.equal(await spent(), 5)
  })

  test('is tried for an hour while the carrier takes none, then fails and costs nothing', async () => {
    const { send, spent, find } = await openShop()
    const { body } = await send('010')
    runtime.passes('10 minutes')
    assert.equal((await find(body.id)).status, 'queued')
    const done = await eventually(async () => {
      runtime.passes('10 minutes')
      const now = await find(body.id)
      return now.status === 'failed' && now
    })
    assert.deepEqual([done.failure_reason, done.cost_eur], ['carrier_unavailable', 0])
    assert.equal(await spent(), 5)
  })

  test('that waits for the carrier is not sent after STOP, or back in test mode', async () => {
    const stopped = await openShop()
    const { body } = await stopped.send('010')
    const stop = { from: body.to, to: stopped.e164, text: 'STOP' }
    const received = await runtime.call('POST //dev/simulators/telnyx/inbound_messages', {
      key: 'any',
      body: stop,
    })
    assert.equal(received.status, 200, received.text)
    const endOf = ({ find }: typeof stopped, id: string) =>
      eventually(async () => {
        runtime.passes('1 minute')
        const now = await find(id)
        return now.status === 'failed' && now
      })
    const blocked = await endOf(stopped, body.id)
    assert.deepEqual([blocked.failure_reason, blocked.cost_eur], ['blocked_by_carrier', 0])
    const undone = await openShop()
    const { body: other } = await undone.send('010')
    await projects.setRail(db, { project_id: undone.project_id, rail: 'sms', mode: 'test' })
    const ended = await endOf(undone, other.id)
    assert.deepEqual([ended.failure_reason, ended.cost_eur], ['carrier_unavailable', 0])
    assert.deepEqual([await stopped.spent(), await undone.spent()], [5, 5])
  })

  test('whose reply is lost is confirmed by the callbacks, and charged once', async () => {
    const { send, until, spent } = await openShop()
    const { body } = await withShortTimeout(runtime.runtime, 'carrier', async () => {
      const sent = await send('011')
      await until(sent.body.id, 'delivered')
      return sent
    })
    assert(body.id)
    assert.equal(await spent(), 5.084)
  })

  test('that nobody confirms after an error fails after three days, and costs nothing', async () => {
    const { send, until, spent, find } = await openShop()
    const { body } = await send('005')
    await eventually(async () => {
      const row = db.selectFrom('messages').select('handed_over_at').where('id', '=', body.id)
      return (await row.executeTakeFirstOrThrow()).handed_over_at !== null
    })
    runtime.passes('1 hour')
    assert.equal((await find(body.id)).status, 'queued')
    runtime.passes('3 days')
    runtime.passes('2 hours')
    const done = await until(body.id, 'failed')
    assert.deepEqual([done.failure_reason, done.cost_eur], ['unknown', 0])
    assert.equal(await spent(), 5)
  })

  test('may have a name as sender, without any number', async () => {
    const { send, until } = await openShop({ number: false })
    const { body } = await send('000', { from: 'MillBakery' })
    await until(body.id, 'delivered')
  })
})

describe('a real message is refused', () => {
  test('without a number or a name with 422 sender_not_allowed', async () => {
    const { send } = await openShop({ number: false })
    const answer = await send('000')
    assert.deepEqual([answer.status, slugOfProblem(answer)], [422, 'sender_not_allowed'])
  })

  test('from a test number with 422 sender_not_allowed', async () => {
    const { project_id, send } = await openShop()
    const test_key = await runtime.newKey({ project_id })
    const { e164 } = (await fixture.order(test_key)).body
    const answer = await send('000', { from: e164 })
    assert.deepEqual([answer.status, slugOfProblem(answer)], [422, 'sender_not_allowed'])
  })

  test('to a fictional number with 422 destination_not_allowed', async () => {
    const { send } = await openShop()
    const answer = await send('000', { to: '+447700900000' })
    assert.deepEqual([answer.status, slugOfProblem(answer)], [422, 'destination_not_allowed'])
  })

  test('if the balance does not cover it with 402 insufficient_balance, storing nothing', async () => {
    const { send, key } = await openShop({ euro: 5.1 })
    const answers = await Promise.all([send('000'), send('000'), send('000')])
    assert.equal(answers.filter(({ status }) => status === 201).length, 1)
    const refused = answers.find(({ status }) => status !== 201)!
    assert.deepEqual([refused.status, slugOfProblem(refused)], [402, 'insufficient_balance'])
    assert.equal((await runtime.call('GET /messages', { key })).body.data.length, 1)
  })

  test('if its price exceeds the spending cap with 402 billing_blocked', async () => {
    const { send } = await openShop({ cap: 5.05 })
    const answer = await send('000')
    assert.deepEqual([answer.status, slugOfProblem(answer)], [402, 'billing_blocked'])
  })

  test('without a carrier with 503 telephony_unavailable', async (t) => {
    const none = await openTestRuntime({
      work: false,
      settings: { HOMEPORT_CARRIER: 'none' },
      atEnd: (close) => t.after(close),
    })
    const live = await liveFixture(none).readyProject()
    await projects.setRail(none.runtime.db, { ...live, rail: 'sms', mode: 'live' })
    const body = { to: '+31612345000', text: 'Hello', from: 'MillBakery' }
    const answer = await none.call('POST /messages', { key: live.key, body })
    assert.deepEqual([answer.status, slugOfProblem(answer)], [503, 'telephony_unavailable'])
    assert(answer.headers.get('retry-after'))
  })
})

describe('a message from a person to a live number', () => {
  const receive = (from: string, to: string, text: string) =>
    runtime.call('POST //dev/simulators/telnyx/inbound_messages', {
      key: 'any',
      body: { from, to, text },
    })

  test('is received, and opts the person out with STOP', async () => {
    const { key, e164, send } = await openShop()
    await receive('+31612345000', e164, 'Is it ready?')
    await receive('+31612345000', e164, 'STOP')
    const { body } = await runtime.call('GET /messages?direction=inbound', { key })
    assert.deepEqual(
      body.data.map(({ text, from, test: is_test }: any) => [text, from, is_test]),
      [
        ['STOP', '+31612345000', false],
        ['Is it ready?', '+31612345000', false],
      ],
    )
    const refused = await send('000')
    assert.deepEqual([refused.status, slugOfProblem(refused)], [422, 'destination_not_allowed'])
    await receive('+31612345000', e164, 'start')
    assert.equal((await send('000')).status, 201)
  })

  test('is received without characters that cannot be stored', async () => {
    const { key, e164 } = await openShop()
    await receive('+31612345000', e164, 'Table for\u0000 two \ud83d')
    const { body } = await runtime.call('GET /messages?direction=inbound', { key })
    assert.equal(body.data[0]?.text, 'Table for two \ufffd')
  })

  test('to a number that no project has is ignored', async () => {
    assert.equal((await receive('+31612345000', '+31850009999', 'Hello')).status, 200)
  })
})
