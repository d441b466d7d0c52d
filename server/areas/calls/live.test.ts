/**
 * Tests of live calls through the simulated carrier, which speaks Telnyx's protocol over HTTP and
 * WebSocket: who answers, what it costs, forged and repeated callbacks, and lost connections.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { waitForNoon } from '../../../test/fixtures/daytime.ts'
import { eventually } from '../../../test/fixtures/eventually.ts'
import { liveFixture } from '../../../test/fixtures/live-projects.ts'
import { mediaFixture, newRecording } from '../../../test/fixtures/media/media.ts'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import * as projects from '../projects/service.ts'

const runtime = await openTestRuntime()
const fixture = liveFixture(runtime)
waitForNoon(runtime)
const { ready } = mediaFixture(runtime)
const simulator = '//dev/simulators/telnyx'

async function openShop({ plan, euro = 100 }: { plan?: object; euro?: number } = {}) {
  const { project_id, key } = await fixture.readyProject({ euro })
  const assistant = {
    name: 'Bakkerij De Molen',
    languages: ['en'],
    facts: [{ question: 'What does a loaf of bread cost?', answer: 'A loaf costs 3 euro.' }],
  }
  const saved = await runtime.call('PUT /assistant', { key, body: assistant })
  assert.equal(saved.status, 200, saved.text)
  const { body: number } = await fixture.order(key)
  const put = async (body: object) => {
    const { status, text } = await runtime.call(`PUT /numbers/${number.id}/call-plan`, {
      key,
      body,
    })
    assert.equal(status, 200, text)
  }
  if (plan) await put(plan)
  const ring = async (turns: object[] | undefined, from = '+31687654321') => {
    const body = { from, to: number.e164, ...(turns && { turns }) }
    const started = await runtime.call(`POST ${simulator}/inbound_calls`, { key: 'any', body })
    assert.equal(started.status, 201, started.text)
    return started.body.data.call_control_id as string
  }
  const look = async (id: string) =>
    (await runtime.call(`GET ${simulator}/inbound_calls/${id}`, { key: 'any' })).body.data
  const say = (id: string, ...turns: object[]) =>
    runtime.call(`POST ${simulator}/inbound_calls/${id}/turns`, { key: 'any', body: { turns } })
  const list = async () => (await runtime.look('GET /calls', project_id)).body.data
  const newest = async () => {
    const [{ id }] = await list()
    return (await runtime.look(`GET /calls/${id}`, project_id)).body
  }
  const until = (holds: (call: any) => unknown) =>
    eventually(async () => {
      const [listed] = await list()
      if (!listed) return false
      const call = await newest()
      return holds(call) && call
    })
  const ended = () =>
    eventually(async () => {
      runtime.passes('1 second')
      const [listed] = await list()
      return listed?.ended_at && newest()
    })
  return { project_id, key, number, put, ring, look, say, list, newest, until, ended }
}

const texts = (call: any) => call.transcript.map(({ role, text }: any) => `${role}: ${text}`)

describe('a call to a live number', () => {
  test('is answered by the assistant, which knows the price, and is charged by the second', async () => {
    const { ring, ended, key, number } = await openShop()
    const before = await fixture.books(key)
    await ring([{ say: 'What does a loaf of bread cost?' }, { hangup: true }])
    const call = await ended()
    assert.deepEqual(
      [call.direction, call.status, call.from, call.to, call.test, call.hangup_by],
      ['inbound', 'ai_handled', '+31687654321', number.e164, false, 'caller'],
    )
    const said = texts(call).join('\n')
    assert.match(said, /caller: What does a loaf of bread cost\?\nassistant: .*3 euro/)
    const after = await fixture.books(key)
    const expected = Math.round(((call.duration_sec + 1) * 0.012 * 1e6) / 60) / 1e6
    const charged = Math.round((before.balance - after.balance) * 1e6) / 1e6
    assert.ok(charged > 0 && charged <= expected, `${charged} of ${expected}`)
  })

  test('is shown while it runs, and can be hung up', async () => {
    const { ring, until, look, key } = await openShop()
    const id = await ring(undefined)
    const running = await until(({ transcript }) => transcript.length > 0)
    assert.deepEqual([running.status, running.ended_at], ['in_progress', null])
    const removed = await runtime.call(`DELETE /calls/${running.id}`, { key })
    assert.equal(removed.status, 409)
    const hung = await runtime.call(`POST /calls/${running.id}/hangup`, { key })
    assert.deepEqual([hung.status, hung.body.hangup_by], [200, 'system'], hung.text)
    await eventually(async () => (await look(id)).state === 'ended')
    assert.equal((await runtime.call(`POST /calls/${running.id}/hangup`, { key })).status, 409)
  })
})

const forward = (strategy: string, ...targets: string[]) => ({
  entry: 'phones',
  nodes: {
    phones: {
      id: 'phones',
      type: 'forward',
      strategy,
      targets: targets.map((e164) => ({ kind: 'external', e164 })),
      ringSeconds: 5,
      onNoAnswer: 'sorry',
      onBusy: 'busy',
    },
    sorry: { id: 'sorry', type: 'hangup', text: 'Nobody can answer.' },
    busy: { id: 'busy', type: 'hangup', text: 'Everybody is busy.' },
  },
})

describe('a plan over a carrier', () => {
  test('rings phones in turn, and charges both legs of the one that answers', async () => {
    const plan = forward('sequential', '+31612345001', '+31612345000')
    const { ring, ended, key } = await openShop({ plan })
    const before = await fixture.books(key)
    await ring([])
    const call = await ended()
    assert.deepEqual([call.status, call.hangup_by], ['forwarded', 'callee'])
    assert.match(texts(call).join(), /\+31612345000 answered and was connected/)
    const after = await fixture.books(key)
    assert.ok(after.spent > before.spent)
  })

  test('rings phones at once, and stops the others when one answers', async () => {
    const { ring, ended, look } = await openShop({
      plan: forward('parallel', '+31612345000', '+31612345678'),
    })
    const id = await ring([])
    const call = await ended()
    assert.equal(call.status, 'forwarded')
    await eventually(async () => (await look(id)).state === 'ended')
  })

  test('says that everybody is busy, or that nobody answers', async () => {
    for (const [target, words] of [
      ['+31612345002', 'Everybody is busy.'],
      ['+31612345001', 'Nobody can answer.'],
    ] as const) {
      const { ring, ended, look } = await openShop({ plan: forward('parallel', target) })
      const id = await ring([])
      const call = await ended()
      assert.equal(call.status, 'missed', words)
      assert.deepEqual((await look(id)).heard, [words])
    }
  })

  test('offers a menu, and takes keys', async () => {
    const plan = {
      entry: 'menu',
      nodes: {
        menu: {
          id: 'menu',
          type: 'menu',
          prompt: { text: 'Press 1 for bread.' },
          options: { '1': 'bread' },
        },
        bread: { id: 'bread', type: 'hangup', text: 'Bread it is.' },
      },
    }
    const { ring, ended, look } = await openShop({ plan })
    const id = await ring([{ digits: '1' }])
    const call = await ended()
    assert.deepEqual([call.status, call.path], ['menu_ended', ['menu', 'bread']])
    assert.deepEqual((await look(id)).heard, ['Press 1 for bread.', 'Bread it is.'])
  })

  test('plays a file, and keeps a voicemail of a caller who hangs up', async () => {
    const { ring, ended, look, say, until, put, key } = await openShop()
    const { id: media_id } = await ready(newRecording(), { key, filename: 'welcome.wav' })
    const mailbox = { id: 'mailbox', type: 'voicemail', greeting: { text: 'Please speak.' } }
    const tune = { id: 'tune', type: 'playAudio', mediaId: media_id, next: 'mailbox' }
    await put({ entry: 'tune', nodes: { tune, mailbox } })
    const id = await ring(undefined)
    const heard = await eventually(async () => {
      const { heard } = await look(id)
      return heard.length === 3 && heard
    })
    assert.equal(heard[1], 'Please speak.')
    for (const url of [heard[0], heard[2]]) {
      const file = await fetch(url)
      assert.deepEqual([file.status, file.headers.get('content-type')], [200, 'audio/wav'])
      await file.body?.cancel()
    }
    await say(id, { say: 'Call me back.' })
    await until(({ transcript }) => transcript.at(-1).text === 'Call me back.')
    await say(id, { hangup: true })
    const call = await ended()
    assert.deepEqual([call.status, call.hangup_by], ['voicemail', 'caller'])
    assert.deepEqual(
      call.messages.map(({ kind, text }: any) => [kind, text]),
      [['voicemail', 'Call me back.']],
    )
  })

  test('sends a text message without answering', async () => {
    const { ring, ended, put, key } = await openShop()
    const sms = { id: 'sms', type: 'sendSms', text: 'We call {{caller}} back.', next: 'no' }
    await put({ entry: 'sms', nodes: { sms, no: { id: 'no', type: 'hangup', cause: 'busy' } } })
    await ring([])
    const call = await ended()
    assert.deepEqual([call.status, call.answered_at], ['busy', null])
    assert.match(texts(call)[0], /A text message to \+31687654321 is queued/)
    const { data } = (await runtime.call('GET /messages', { key })).body
    assert.deepEqual(
      data.map(({ to, text }: any) => [to, text]),
      [['+31687654321', 'We call +31687654321 back.']],
    )
  })

  test('rejects or is busy without answering', async () => {
    for (const cause of ['busy', 'reject']) {
      const plan = { entry: 'no', nodes: { no: { id: 'no', type: 'hangup', cause } } }
      const { ring, ended, look, key } = await openShop({ plan })
      const before = await fixture.books(key)
      const id = await ring([])
      const call = await ended()
      assert.equal(call.status, cause === 'busy' ? 'busy' : 'blocked')
      assert.equal((await look(id)).hangup_cause, 'call_rejected')
      assert.equal((await fixture.books(key)).balance, before.balance)
    }
  })
})

describe('a running call', () => {
  test('is taken over by a phone; if nobody answers, the assistant goes on', async () => {
    const { ring, until, key, say, ended } = await openShop()
    const id = await ring(undefined)
    const running = await until(({ transcript }) => transcript.length > 0)
    const route = `POST /calls/${running.id}/transfer`
    const refused = await runtime.call(route, { key, body: { to: '+31112' } })
    assert.equal(refused.status, 422)
    const unanswered = await runtime.call(route, { key, body: { to: '+31612345001' } })
    assert.equal(unanswered.status, 200, unanswered.text)
    await until((call) => call.transcript.some(({ text }: any) => /nobody answered/.test(text)))
    await until(({ transcript }) => transcript.at(-1).role === 'assistant')
    await say(id, { say: 'Never mind.' })
    await until(({ transcript }) => transcript.some(({ text }: any) => text === 'Never mind.'))
    const taken = await runtime.call(route, { key, body: { to: '+31612345000' } })
    assert.equal(taken.status, 200, taken.text)
    const call = await ended()
    assert.equal(call.status, 'forwarded')
  })

  test('keeps only what the caller heard of an interrupted sentence', async () => {
    const { ring, until } = await openShop()
    await ring([{ interrupt: 'What does a loaf of bread cost?', heard: 'Hello' }])
    const call = await until(({ transcript }) =>
      transcript.some(({ role }: any) => role === 'caller'),
    )
    const before = call.transcript.findIndex(({ role }: any) => role === 'caller') - 1
    assert.equal(call.transcript[before].text, 'Hello')
  })

  test('ends when the carrier says nothing more, and the reserved money is free again', async () => {
    const { ring, until, list, key } = await openShop()
    const before = await fixture.books(key)
    await ring(undefined)
    await until(({ transcript }) => transcript.length > 0)
    runtime.passes('31 minutes')
    const [call] = await eventually(async () => {
      runtime.passes('1 minute')
      const calls = await list()
      return calls[0].ended_at !== null && calls
    })
    assert.equal(call.status, 'ai_handled')
    const after = await fixture.books(key)
    assert.ok(before.balance - after.balance <= 2.17, `${before.balance - after.balance}`)
  })

  test('is one of fifty, and each is answered and charged once', async () => {
    const { ring, project_id, key } = await openShop({ euro: 300 })
    const before = await fixture.books(key)
    const ids = await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        ring([{ say: 'Thank you, goodbye.' }], `+316876543${String(at).padStart(2, '0')}`),
      ),
    )
    assert.equal(new Set(ids).size, 50)
    const calls = await eventually(async () => {
      runtime.passes('2 seconds')
      const { body } = await runtime.look('GET /calls?limit=100', project_id)
      return body.data.length === 50 && body.data.every((one: any) => one.ended_at) && body.data
    })
    assert.deepEqual([...new Set(calls.map(({ status }: any) => status))], ['ai_handled'])
    const cents = (euro: number) => Math.round(euro * 1e6)
    const costs = calls.reduce((sum: number, { cost_eur }: any) => sum + cents(cost_eur), 0)
    assert.ok(calls.every(({ cost_eur }: any) => cost_eur > 0))
    assert.equal(cents(before.balance) - cents((await fixture.books(key)).balance), costs)
  })
})

describe('an outbound call', () => {
  test('is made through the carrier, and ends at an answering machine', async () => {
    const { project_id, key, ended } = await openShop()
    await fixture.verify(project_id, 'full')
    await projects.setRail(runtime.runtime.db, { project_id, rail: 'outbound', mode: 'live' })
    const place = (to: string, id: string) => {
      const body = { to, purpose: 'transactional', instructions: 'Say that the cake is ready.' }
      return runtime.call('POST /calls', { key, body, headers: { 'idempotency-key': id } })
    }
    const before = await fixture.books(key)
    const machine = await place('+31612345004', 'machine')
    assert.equal(machine.status, 201, machine.text)
    assert.equal((await ended()).status, 'voicemail')
    const person = await place('+31612345678', 'person')
    const call = await eventually(async () => {
      runtime.passes('1 second')
      const { body } = await runtime.look(`GET /calls/${person.body.id}`, project_id)
      return body.ended_at && body
    })
    assert.deepEqual([call.status, call.test], ['ai_handled', false])
    assert.ok(texts(call).includes('caller: Hello?'))
    assert.ok((await fixture.books(key)).balance < before.balance)
  })
})

describe('calls that must not be answered', () => {
  test('to numbers that are nobody\u2019s, and of a project without balance', async () => {
    const body = { from: '+31687654321', to: '+31850009999' }
    const { body: started } = await runtime.call(`POST ${simulator}/inbound_calls`, {
      key: 'any',
      body,
    })
    const { look } = await openShop()
    await eventually(async () => (await look(started.data.call_control_id)).state === 'ended')
    const poor = await openShop({ euro: 5 })
    const left = (await fixture.books(poor.key)).balance
    assert.ok(left < 0.1, `${left}`)
    const id = await poor.ring([])
    const call = await poor.ended()
    assert.deepEqual([call.status, call.hangup_cause], ['failed', 'call_rejected'])
    await eventually(async () => (await poor.look(id)).state === 'ended')
  })

  test('by callbacks that are forged, and repeated ones change nothing', async () => {
    const { number, list } = await openShop()
    const payload = {
      call_control_id: 'v3:forged',
      direction: 'incoming',
      from: '+31687654321',
      to: number.e164,
    }
    const raw = JSON.stringify({ data: { event_type: 'call.initiated', payload } })
    const headers = {
      'content-type': 'application/json',
      'telnyx-timestamp': String(Math.floor(runtime.clock.now_ms() / 1000)),
      'telnyx-signature-ed25519': Buffer.alloc(64).toString('base64'),
    }
    const forged = await runtime.call('POST //hooks/telnyx/calls', { key: null, raw, headers })
    assert.equal(forged.status, 403)
    assert.deepEqual(await list(), [])
    for (const path of ['/hooks/telnyx/relay?call=a.b.c', '//', '/']) {
      const refused = new WebSocket(runtime.url.replace('http', 'ws') + path)
      await new Promise((done) => refused.addEventListener('error', done))
    }
  })
})
