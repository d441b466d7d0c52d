/** Tests of simulated calls through nodes that play audio, take a voicemail, send a text and jump. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eventually } from '../../../../test/fixtures/eventually.ts'
import { mailSettings, openMailServer } from '../../../../test/fixtures/external/mail-server.ts'
import { mediaFixture, newPicture, newRecording } from '../../../../test/fixtures/media/media.ts'
import { createOwnedProject } from '../../../../test/fixtures/portal/portal.ts'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'

const mailServer = await openMailServer()
const runtime = await openTestRuntime({ settings: { ...mailSettings(mailServer) } })
const { ready } = mediaFixture(runtime)

type Node = Readonly<Record<string, unknown>>

let projects = 0

/** Creates a project with a test number. */
async function openOffice() {
  const project_id = await createOwnedProject(runtime, `owner-${++projects}@office.example`)
  const key = await runtime.newKey({ project_id })
  const headers = { 'idempotency-key': project_id }
  const number = (await runtime.call('POST /numbers', { key, body: {}, headers })).body
  const put = (...nodes: Node[]) =>
    runtime.call(`PUT /numbers/${number.id}/call-plan`, {
      key,
      body: {
        entry: nodes[0]?.['id'],
        nodes: Object.fromEntries(nodes.map((node) => [node['id'], node])),
      },
    })
  return {
    key,
    e164: number.e164,
    put,
    async plan(...nodes: Node[]) {
      const { status, text } = await put(...nodes)
      assert.equal(status, 200, text)
    },
    async ring(turns: object[], from = '+447700900555') {
      const body = { number_id: number.id, turns, from }
      const made = await runtime.call('POST /test/calls', { key, body })
      assert.equal(made.status, 201, made.text)
      return (await runtime.call(`GET /calls/${made.body.id}`, { key })).body // GET /calls/{id}
    },
    messages: async () => (await runtime.call('GET /messages', { key })).body.data,
  }
}

const linesOf = (call: any) => call.transcript.map((line: any) => `${line.role}: ${line.text}`)
const bye: Node = { id: 'bye', type: 'hangup', text: 'Goodbye.' }
const mailbox = (more: Node = {}): Node => ({
  id: 'mailbox',
  type: 'voicemail',
  greeting: { text: 'Please leave a message.' },
  next: 'bye',
  ...more,
})

describe('playAudio in a call', () => {
  test('plays a file of the media library as often as it says', async () => {
    const { key, plan, ring } = await openOffice()
    const { id } = await ready(newRecording(3), { key, filename: 'welcome.wav' })
    await plan({ id: 'tune', type: 'playAudio', mediaId: id, repeat: 2, next: 'bye' }, bye)
    const call = await ring([])
    assert.deepEqual(linesOf(call), [
      'system: Played welcome.wav.',
      'system: Played welcome.wav.',
      'system: Goodbye.',
    ])
    assert.deepEqual([call.status, call.path], ['menu_ended', ['tune', 'bye']])
    assert.ok(call.duration_sec >= 6)
  })

  test('goes on without a file that was deleted', async () => {
    const { key, plan, ring } = await openOffice()
    const { id } = await ready(newRecording(), { key, filename: 'welcome.wav' })
    await plan({ id: 'tune', type: 'playAudio', mediaId: id, next: 'bye' }, bye)
    assert.equal((await runtime.call(`DELETE /media/${id}`, { key })).status, 204) // DELETE /media/{id}
    const [first, last] = linesOf(await ring([]))
    assert.match(first, /is no longer in the library/)
    assert.equal(last, 'system: Goodbye.')
  })

  test('is a fault of the plan if the file is a picture, missing, or of another project', async () => {
    const { key, put } = await openOffice()
    const picture = await ready(await newPicture().jpeg().toBuffer(), { key })
    const foreign = await ready(newRecording(), { filename: 'a.wav' })
    const { status, body } = await put(
      { id: 'a', type: 'playAudio', mediaId: picture.id, next: 'b' },
      { id: 'b', type: 'playAudio', mediaId: foreign.id, repeat: 9, next: 'c' },
      mailbox({ id: 'c', greeting: { mediaId: '01890b2c-7d4e-7a1b-9c3d-5e6f7a8b9c0d' } }),
      bye,
    )
    assert.equal(status, 422)
    const message = 'must be an MP3 or WAV file of the media library'
    assert.deepEqual(body.errors, [
      { path: '/nodes/b/repeat', message: 'must be at most 3' },
      { path: '/nodes/a/mediaId', message },
      { path: '/nodes/b/mediaId', message },
      { path: '/nodes/c/greeting/mediaId', message },
    ])
  })
})

describe('a voicemail', () => {
  test('is stored with the call and mailed to the owner', async () => {
    const before = mailServer.mails.length
    const { plan, ring } = await openOffice()
    await plan(mailbox(), bye)
    const call = await ring([
      { say: 'This is Jo.' },
      { silence_ms: 1_000 },
      { say: 'Please call me back on 06 12345678.' },
      { digits: '#' },
    ])
    assert.deepEqual(
      [call.status, call.hangup_by, call.has_summary],
      ['voicemail', 'system', false],
    )
    assert.deepEqual(linesOf(call), [
      'system: Please leave a message.',
      'system: Beep.',
      'caller: This is Jo.',
      'caller: Please call me back on 06 12345678.',
      'caller: Pressed #.',
      'system: Goodbye.',
    ])
    const [{ id: _id, left_at, ...message }] = call.messages
    const text = 'This is Jo. Please call me back on 06 12345678.'
    assert.deepEqual(message, { kind: 'voicemail', text })
    assert.ok(call.started_at < left_at && left_at < call.ended_at)
    const [mail] = (await mailServer.received(before + 1)).slice(before)
    assert(mail)
    assert.match(mail.text, /has a new voicemail\./)
    assert.ok(mail.text.includes(`> ${text}`), mail.text)
  })

  test('is kept if the caller hangs up, and ends at a pause or after maxSeconds', async () => {
    const { plan, ring } = await openOffice()
    await plan(mailbox({ maxSeconds: 5, beep: false }), bye)
    const gone = await ring([{ say: 'Call me.' }, { hangup: true }])
    assert.deepEqual(
      [gone.status, gone.hangup_by, gone.messages.length],
      ['voicemail', 'caller', 1],
    )
    const paused = await ring([{ say: 'One.' }, { silence_ms: 9_000 }, { say: 'Two.' }])
    assert.deepEqual([paused.messages[0].text, paused.path.at(-1)], ['One.', 'bye'])
    const long = await ring([{ say: 'x'.repeat(150) }, { say: 'Never heard.' }])
    assert.equal(long.messages[0].text, 'x'.repeat(150))
  })

  test('is nothing if the caller says nothing', async () => {
    const { plan, ring } = await openOffice()
    await plan(mailbox(), bye)
    const call = await ring([{ silence_ms: 60_000 }])
    assert.deepEqual([call.status, call.messages], ['menu_ended', []])
  })

  test('is not mailed with notify.email false, and does not delay the mail of the next', async () => {
    const { plan, ring } = await openOffice()
    await plan(mailbox({ notify: { email: false } }), bye)
    const quiet = await ring([{ say: 'A quiet message.' }])
    assert.equal(quiet.messages.length, 1)
    await plan(mailbox(), bye)
    await ring([{ say: 'A mailed message.' }])
    const has = (words: string) => mailServer.mails.some(({ text }) => text.includes(words))
    await eventually(() => has('> A mailed message.'))
    assert.equal(has('quiet'), false)
  })
})

describe('sendSms in a call', () => {
  const sms: Node = { id: 'sms', type: 'sendSms', text: 'You called {{number}}, {{caller}}.' }

  test('queues a simulated message to the caller, once per call, without answering', async () => {
    const { e164, plan, ring, messages } = await openOffice()
    await plan(
      { ...sms, next: 'ring' },
      {
        id: 'ring',
        type: 'forward',
        strategy: 'sequential',
        targets: [{ kind: 'external', e164: '+31612345678' }],
      },
    )
    const call = await ring([])
    assert.deepEqual([call.status, call.answered_at], ['missed', null])
    assert.match(linesOf(call)[0], /^system: A text message to \+447700900555 is queued/)
    const [message, ...others] = await messages()
    assert.deepEqual(
      [message.from, message.to, message.text, message.test, others.length],
      [e164, '+447700900555', `You called ${e164}, +447700900555.`, true, 0],
    )
    await eventually(async () => (await messages())[0].status === 'delivered')
  })

  test('notes a refusal, and goes on', async () => {
    const { plan, ring, messages } = await openOffice()
    await plan({ ...sms, next: 'bye' }, bye)
    const call = await ring([], '+31201234567')
    assert.match(linesOf(call)[0], /^system: No text message is sent to \+31201234567: .*mobile/)
    assert.deepEqual([call.path, await messages()], [['sms', 'bye'], []])
  })
})

describe('goto in a call', () => {
  test("continues in the project's plan, which asks to try later if there is none", async () => {
    const { plan, ring } = await openOffice()
    await plan({ id: 'leave', type: 'goto', plan: 'project' })
    const call = await ring([])
    assert.deepEqual(call.path, ['leave', 'goodbye'])
    assert.match(linesOf(call)[0], /Please try again later/)
  })
})

describe('a call that could loop', () => {
  test('is not forwarded if it comes from a number of the project', async () => {
    const { e164, plan, ring } = await openOffice()
    await plan(
      {
        id: 'ring',
        type: 'forward',
        strategy: 'sequential',
        targets: [{ kind: 'external', e164: '+31612345000' }],
        onFailed: 'bye',
      },
      bye,
    )
    assert.equal((await ring([], '+447700900556')).status, 'forwarded')
    const call = await ring([], e164)
    assert.deepEqual(call.path, ['ring', 'bye'])
    assert.match(linesOf(call)[0], /comes from a number of this project and could loop/)
  })
})
