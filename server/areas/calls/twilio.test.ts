/**
 * Tests of live calls through a Twilio on loopback: TwiML, signatures of the official SDK, the
 * conversation relay, outbound calls, and a relay that breaks between two turns.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { waitForNoon } from '../../../test/fixtures/daytime.ts'
import { eventually } from '../../../test/fixtures/eventually.ts'
import { openTwilio } from '../../../test/fixtures/external/twilio-phones.ts'
import { liveFixture, slugOfProblem } from '../../../test/fixtures/live-projects.ts'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import * as projects from '../projects/service.ts'

const twilio = await openTwilio()
const runtime = await openTestRuntime({ settings: twilio.settings })
const fixture = liveFixture(runtime)
waitForNoon(runtime)
const { db } = runtime.runtime
let places = 0

async function openShop({ plan, euro = 100 }: { plan?: object; euro?: number } = {}) {
  const { project_id, key } = await fixture.readyProject({ euro })
  const body = {
    name: 'Bakkerij De Molen',
    languages: ['en', 'nl'],
    facts: [{ question: 'What does a loaf of bread cost?', answer: 'A loaf costs 3 euro.' }],
  }
  assert.equal((await runtime.call('PUT /assistant', { key, body })).status, 200)
  const ordered = await fixture.order(key)
  assert.equal(ordered.status, 201, ordered.text)
  const { body: number } = ordered
  if (plan) {
    const put = await runtime.call(`PUT /numbers/${number.id}/call-plan`, { key, body: plan })
    assert.equal(put.status, 200, put.text)
  }
  const newest = async () => {
    const { body: list } = await runtime.look('GET /calls', project_id)
    const [first] = list.data
    return first && (await runtime.look(`GET /calls/${first.id}`, project_id)).body
  }
  const ended = () =>
    eventually(async () => {
      const call = await newest()
      return call?.ended_at && call
    })
  const goLive = async () => {
    await fixture.verify(project_id, 'full')
    await projects.setRail(db, { project_id, rail: 'outbound', mode: 'live' })
  }
  const place = (more: object = {}) =>
    runtime.call('POST /calls', {
      key,
      body: {
        to: '+31612345678',
        purpose: 'transactional',
        instructions: 'Say that the cake is ready.',
        ...more,
      },
      headers: { 'idempotency-key': `twilio-${(places += 1)}` },
    })
  return { project_id, key, number, newest, ended, goLive, place }
}

const texts = (call: any) => call.transcript.map(({ role, text }: any) => `${role}: ${text}`)
const from = '+31687654321'

describe('a call through Twilio', () => {
  test('is answered, asked a price, and ends with the right cents', async () => {
    const { number, ended, key } = await openShop()
    const before = await fixture.books(key)
    const turns = [{ say: 'What does a loaf of bread cost?' }, { say: 'Thank you, goodbye.' }]
    const phone = await twilio.call({ from, to: number.e164, turns })
    const call = await ended()
    assert.equal(call.status, 'ai_handled')
    assert.match(texts(call).join('\n'), /assistant: .*3 euro/)
    await eventually(() => phone.ended)
    assert.deepEqual(phone.verbs, ['Connect', 'Hangup'])
    const after = await fixture.books(key)
    const charged = Math.round((before.balance - after.balance) * 1e6)
    assert.equal(charged, Math.round(call.cost_eur * 1e6))
    assert.ok(charged > 0 && charged <= Math.ceil((call.duration_sec + 1) * 200), `${charged}`)
  })

  test('is forwarded, and to the next phone if one is busy', async () => {
    const targets = ['+31612345002', '+31612345000'].map((e164) => ({ kind: 'external', e164 }))
    const phones = { id: 'phones', type: 'forward', strategy: 'sequential', targets }
    const plan = { entry: 'phones', nodes: { phones } }
    const { number, ended } = await openShop({ plan })
    const phone = await twilio.call({ from, to: number.e164, turns: [] })
    const call = await ended()
    assert.deepEqual([call.status, phone.verbs.slice(0, 2)], ['forwarded', ['Dial', 'Dial']])
  })

  test('survives a relay that breaks between two turns', async () => {
    const { number, newest, ended } = await openShop()
    const phone = await twilio.call({ from, to: number.e164, turns: [] })
    await eventually(async () => (await newest())?.transcript.length > 0 && phone.heard.length > 0)
    phone.turns.push({ say: 'What does a loaf of bread cost?' }, { say: 'Thank you, goodbye.' })
    phone.breakRelay()
    const call = await ended()
    assert.equal(call.status, 'ai_handled')
    assert.match(texts(call).join('\n'), /3 euro/)
    // The carrier fetches the last verb after the relay has ended the call.
    await eventually(() => phone.verbs.includes('Hangup'))
    assert.deepEqual(phone.verbs, ['Connect', 'Connect', 'Hangup'])
  })

  test('is one call however often it is announced', async () => {
    const { number, newest, project_id } = await openShop()
    const phone = await twilio.call({ from, to: number.e164, turns: [] })
    await eventually(async () => (await newest())?.status === 'in_progress')
    const [first, second] = await Promise.all([twilio.repeat(phone), twilio.repeat(phone)])
    assert.match(first, /<ConversationRelay/)
    assert.match(second, /<ConversationRelay/)
    const { body } = await runtime.look('GET /calls', project_id)
    assert.equal(body.data.length, 1)
  })

  test('is taken over by a phone while the assistant talks', async () => {
    const { number, newest, ended, key } = await openShop()
    const phone = await twilio.call({ from, to: number.e164, turns: [] })
    const call = await eventually(async () => {
      const found = await newest()
      return found?.transcript.length > 0 && found
    })
    const route = `POST /calls/${call.id}/transfer`
    const taken = await runtime.call(route, { key, body: { to: '+31612345000' } })
    assert.equal(taken.status, 200, taken.text)
    assert.equal((await ended()).status, 'forwarded')
    await eventually(() => phone.verbs.includes('Dial'))
  })

  test('is not taken from callbacks without a signature', async () => {
    const { number } = await openShop()
    const raw = new URLSearchParams({ CallSid: 'CA1', From: from, To: number.e164 }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const options = { key: null, raw, headers }
    assert.equal((await runtime.call('POST //hooks/twilio/calls', options)).status, 403)
    assert.equal((await runtime.call('POST //hooks/telnyx/calls', options)).status, 404)
  })
})

describe('an outbound call through Twilio', () => {
  test('is made, holds its price, and is charged by the second', async () => {
    const { place, ended, key, goLive } = await openShop()
    await goLive()
    const before = await fixture.books(key)
    const placed = await place({ max_duration_sec: 120 })
    assert.deepEqual([placed.status, placed.body.test], [201, false], placed.text)
    const call = await ended()
    assert.equal(call.status, 'ai_handled')
    assert.ok(texts(call).includes('caller: Hello?'))
    const after = await fixture.books(key)
    const charged = Math.round((before.balance - after.balance) * 1e6)
    assert.equal(charged, Math.round(call.cost_eur * 1e6))
    assert.ok(charged > 0)
  })

  const endings = { '001': 'no_answer', '002': 'busy', '003': 'failed', '004': 'voicemail' }
  for (const [ending, status] of Object.entries(endings)) {
    test(`to a number that ends in ${ending} ends as ${status}, and costs nothing`, async () => {
      const { place, ended, key, goLive } = await openShop()
      await goLive()
      const before = await fixture.books(key)
      await place({ to: `+31612345${ending}` })
      const call = await ended()
      assert.equal(call.status, status)
      assert.equal((await fixture.books(key)).balance, before.balance)
    })
  }

  test('needs the level full, the hours, room, and a balance', async () => {
    const { place, project_id, goLive, key } = await openShop()
    await projects.setRail(db, { project_id, rail: 'outbound', mode: 'live' })
    assert.equal(slugOfProblem(await place()), 'verification_required')
    await goLive()
    assert.equal(slugOfProblem(await place({ turns: [{ say: 'Hi' }] })), 'validation_failed')
    const { balance } = await fixture.books(key)
    const poor = await openShop({ euro: 5.2 })
    await poor.goLive()
    const refused = await poor.place({ max_duration_sec: 1800 })
    assert.deepEqual([refused.status, slugOfProblem(refused)], [402, 'insufficient_balance'])
    assert.ok(balance > 0)
  })

  test('is refused beyond ten at once', async () => {
    const { place, goLive, project_id } = await openShop({ euro: 300 })
    await goLive()
    const replies = await Promise.all(Array.from({ length: 13 }, () => place()))
    const refused = replies.filter(({ status }) => status !== 201).map(slugOfProblem)
    const { body } = await runtime.look('GET /calls?limit=100', project_id)
    assert.equal(body.data.length, 13 - refused.length)
    assert.ok(
      refused.every((slug) => slug === 'concurrent_call_limit'),
      `${refused}`,
    )
    assert.ok(refused.length >= 1)
  })
})
