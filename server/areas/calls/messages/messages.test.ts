/** Tests of messages that callers leave, and of the mails to the business that contain them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from '../../../kernel/log.ts'
import { openTestRuntime, type TestRuntime } from '../../../../test/fixtures/runtime.ts'
import { deadJobs, retryDeadJobs } from '../../../kernel/jobs/jobs.ts'
import { eventually } from '../../../../test/fixtures/eventually.ts'
import { mailSettings, openMailServer } from '../../../../test/fixtures/external/mail-server.ts'
import { signInDutch } from '../../../../test/fixtures/portal/language.ts'
import { createOwnedProject } from '../../../../test/fixtures/portal/portal.ts'

const mailServer = await openMailServer()
const fixture = await openTestRuntime({
  settings: {
    ...mailSettings(mailServer),
  },
})

const logged: Record<string, unknown>[] = []
fixture.runtime.log = createLog('warn', { write: (line) => void logged.push(JSON.parse(line)) })
const loggedOf = (project_id: string) =>
  logged.filter((line) => line['project_id'] === project_id && 'count' in line)

const message = 'Can you tell the owner I will be late, my number is 06 12345678?'

/** Creates a project whose assistant answers a test number. */
async function openShop(
  transfer: object,
  { at = fixture, owner = 'owner@bakery.example' as string | null } = {},
) {
  const { call, newKey } = at
  const project_id =
    owner === null ? (await at.newProject()).project_id : await createOwnedProject(at, owner)
  const key = await newKey({ project_id })
  const body = { name: 'Mill Bakery', transfer }
  assert.equal((await call('PUT /assistant', { key, body })).status, 200)
  const headers = { 'idempotency-key': project_id }
  const number = await call('POST /numbers', { key, body: {}, headers })
  const ring = async (...said: string[]) => {
    const turns = said.map((say) => ({ say }))
    const rung = await call('POST /test/calls', {
      key,
      body: { number_id: number.body.id, turns, from: '+31612345678' },
    })
    assert.equal(rung.status, 201, rung.text)
    return rung.body
  }
  const read = async (id: string) => (await call(`GET /calls/${id}`, { key })).body
  const setTransfer = (changed: object, more: object = {}) =>
    call('PUT /assistant', { key, body: { ...body, ...more, transfer: changed } })
  return { project_id, key, ring, read, setTransfer }
}

const textOf = (text: string) => text.replaceAll(/=\r?\n/g, '')

function mailJobs({ runtime }: TestRuntime, project_id: string) {
  return runtime.db
    .selectFrom('jobs')
    .select(['state', 'last_error', 'run_at'])
    .where('project_id', '=', project_id)
    .where('kind', 'in', ['calls.mail_messages', 'calls.send_messages'])
    .execute()
}

async function isIdle(project_id: string, at = fixture): Promise<boolean> {
  const jobs = await mailJobs(at, project_id)
  return jobs.every(({ run_at }) => run_at > at.clock.now())
}

test("the mailer of messages mails a message to the address in the assistant's settings, with caller, words, time and call", async () => {
  const before = mailServer.mails.length
  const { project_id, ring } = await openShop({ email: 'desk@bakery.example' })
  const call = await ring(message)
  const mail = (await mailServer.received(before + 1)).at(-1)!
  assert.deepEqual(mail.to, ['desk@bakery.example'])
  assert.match(mail.headers['subject']!, /^Test call: Message from \+31612345678 for /)
  const text = textOf(mail.text)
  assert.ok(text.includes(`> ${message}`), text)
  assert.match(text, /From: \+31612345678 \(test call\)/)
  assert.match(text, /At: .*\(Europe\/Amsterdam\)/)
  assert.match(text, /This is an automatic transcript and may contain errors\./)
  const link = `${fixture.runtime.config.public_url}/portal/app/projects/${project_id}/calls/${call.id}`
  assert.ok(text.includes(`Call: ${link}\n`), text)
})

test('the mailer of messages writes in Dutch to the address of a Dutch account', async () => {
  const before = mailServer.mails.length
  const owner = 'wim@bakery.example'
  const { project_id, ring } = await openShop({ phone: '+31201234567' }, { owner })
  await signInDutch(fixture, owner)
  const call = await ring(message)
  const mail = (await mailServer.received(before + 1)).at(-1)!
  assert.match(mail.headers['subject']!, /^Testgesprek: Bericht van \+31612345678 voor /)
  assert.match(textOf(mail.text), /heeft aan de telefoon een bericht aangenomen\./)
  assert.ok(
    textOf(mail.text).includes(
      `Gesprek: ${fixture.runtime.config.public_url}/portal/app/projects/${project_id}/calls/${call.id}`,
    ),
  )
  assert.match(mail.html, /lang="nl"/)
})

test('the mailer of messages writes in the language of the assistant to an address without an account', async () => {
  const before = mailServer.mails.length
  const { setTransfer, ring } = await openShop({})
  await setTransfer({ email: 'balie@bakery.example' }, { languages: ['nl'] })
  await ring('Kunt u doorgeven dat ik later kom? Mijn nummer is 06 12345678.')
  const mail = (await mailServer.received(before + 1)).at(-1)!
  assert.match(mail.headers['subject']!, /^Testgesprek: Bericht van /)
})

test('the mailer of messages mails the whole wish, also what was said before the offer to pass it on', async () => {
  const before = mailServer.mails.length
  const { ring } = await openShop({ email: 'desk@bakery.example' })
  const conversations = [
    [
      'I would like to order a wedding cake for 80 people on 12 June.',
      'Yes, my name is Jo Smit, 06 12345678.',
    ],
    [
      'Hello, this is Jo Smit.',
      'Can you deliver a wedding cake for 80 people on 12 June?',
      'Yes please.',
      'Call me tomorrow at 9 on 06 12345678, please.',
    ],
    [
      'I want to speak to an employee about a wedding cake for 80 people on 12 June.',
      'My name is Jo Smit.',
      '06 12345678',
    ],
  ]
  for (const [at, said] of conversations.entries()) {
    const { started_at } = await ring(...said)
    const mail = (await mailServer.received(before + at + 1)).at(-1)!
    const text = textOf(mail.text)
    assert.match(text, /^> .*wedding cake for 80 people on 12 June.*06 12345678/m, text)
    assert.match(text, /^> .*Jo Smit/m, text)
    assert.match(text, /From: \+31612345678[\s\S]*To: \+[\s\S]*At: /, text)
    assert.equal(text.match(/wedding cake/g)?.length, 1, started_at)
    fixture.passes('301 seconds')
  }
})

test('the mailer of messages sends one mail in five minutes per project, with all messages since the previous one', async () => {
  const before = mailServer.mails.length
  const { project_id, ring } = await openShop({ email: 'desk@bakery.example' })
  await ring(message)
  await mailServer.received(before + 1)
  await ring('Please let Anna know that I cannot make it tomorrow.')
  await ring('Please let Peter know that the parts have arrived.')
  await eventually(() => isIdle(project_id))
  assert.equal(mailServer.mails.length, before + 1)
  fixture.passes('301 seconds')
  const mail = (await mailServer.received(before + 2)).at(-1)!
  assert.match(mail.headers['subject']!, /2 messages for /)
  assert.match(textOf(mail.text), /let Anna know[\s\S]*let Peter know/)
})

test('the mailer of messages sends no mail about a call without a message', async () => {
  const before = mailServer.mails.length
  const { project_id, ring } = await openShop({ email: 'desk@bakery.example' })
  await ring('Hello', 'Goodbye')
  await eventually(() => isIdle(project_id))
  assert.equal(mailServer.mails.length, before)
})

test("the mailer of messages sends the message to the owner if the assistant's settings have no address", async () => {
  const before = mailServer.mails.length
  const { ring } = await openShop({ phone: '+31201234567' }, { owner: 'els@bakery.example' })
  await ring(message)
  const mail = (await mailServer.received(before + 1)).at(-1)!
  assert.deepEqual(mail.to, ['els@bakery.example'])
  assert.ok(textOf(mail.text).includes(`> ${message}`), mail.text)
})

for (const status of [451, 550])
  test(`retries a mail that the server refused with ${status}`, async () => {
    const before = mailServer.mails.length
    const { project_id, ring } = await openShop({ email: 'desk@bakery.example' })
    mailServer.refuses('message', status)
    await ring(message)
    await eventually(async () => {
      const [job] = await mailJobs(fixture, project_id)
      return job?.last_error?.includes(`refused the mail with ${status}`) ?? false
    })
    mailServer.refuses('message', null)
    fixture.passes('31 seconds')
    const mail = (await mailServer.received(before + 1)).at(-1)!
    assert.ok(textOf(mail.text).includes(`> ${message}`), mail.text)
    await eventually(async () => (await mailJobs(fixture, project_id)).length === 0)
    assert.equal(mailServer.mails.length, before + 1)
  })

test('the mailer of messages sends the next attempt to the corrected address of the owner', async () => {
  const before = mailServer.mails.length
  const { project_id, ring, setTransfer } = await openShop({ email: 'dessk@bakery.example' })
  mailServer.refuses('recipient', 550)
  await ring(message)
  await eventually(async () => (await mailJobs(fixture, project_id))[0]?.last_error !== null)
  mailServer.refuses('recipient', null)
  assert.equal((await setTransfer({ email: 'desk@bakery.example' })).status, 200)
  fixture.passes('31 seconds')
  const mail = (await mailServer.received(before + 1)).at(-1)!
  assert.deepEqual(mail.to, ['desk@bakery.example'])
})

test('the mailer of messages shows a mail that failed permanently to the operator, who can retry it', async () => {
  const before = mailServer.mails.length
  const { project_id, ring } = await openShop({ email: 'desk@bakery.example' })
  mailServer.refuses('message', 550)
  await ring(message)
  const isDead = async () => {
    const [job] = await mailJobs(fixture, project_id)
    // Moves the clock only between runs, because the lease of a running job would expire.
    if (job?.state === 'waiting' && job.run_at > fixture.clock.now()) fixture.passes('6 hours')
    return job?.state === 'dead'
  }
  await eventually(isDead)
  const { jobs } = await deadJobs(fixture.runtime.db)
  const dead = jobs.find((one) => one.project_id === project_id)
  assert.equal(dead?.job, 'calls.send_messages')
  assert.match(dead.last_error ?? '', /refused the mail with 550/)
  mailServer.refuses('message', null)
  await fixture.runtime.db.transact((tx) => retryDeadJobs(tx, fixture.runtime, [dead.id]))
  const mail = (await mailServer.received(before + 1)).at(-1)!
  assert.ok(textOf(mail.text).includes(`> ${message}`), mail.text)
})

test('the mailer of messages shows every message in its call, with the words and the time', async () => {
  const { ring, read } = await openShop({})
  const other = 'Please let Anna know that I cannot make it tomorrow.'
  const { id, started_at, ended_at } = await ring(message, other, 'Goodbye.')
  const { messages } = await read(id)
  assert.deepEqual(
    messages.map(({ text }: { text: string }) => text),
    [message, other],
  )
  for (const { left_at } of messages) assert.ok(left_at >= started_at && left_at <= ended_at)
  assert.ok(messages[0].left_at < messages[1].left_at)
  const quiet = await ring('Hello', 'Goodbye.')
  assert.deepEqual((await read(quiet.id)).messages, [])
})

test('the mailer of messages keeps messages in their calls if mail is turned off', async () => {
  const silent = await openTestRuntime({ settings: { HOMEPORT_MAIL: 'none' } })
  const { project_id, ring, read } = await openShop({ email: 'a@bakery.example' }, { at: silent })
  const { id } = await ring(message)
  await eventually(async () => (await mailJobs(silent, project_id)).length === 0)
  assert.equal((await read(id)).messages[0].text, message)
  assert.equal((await deadJobs(silent.runtime.db)).count, 0)
})

test('the mailer of messages puts at most 20 messages into a mail and the others into the next', async () => {
  const before = mailServer.mails.length
  const { project_id, ring } = await openShop({ email: 'desk@bakery.example' })
  await ring(message)
  await mailServer.received(before + 1)
  for (let count = 0; count < 21; count++) await ring(message)
  fixture.passes('301 seconds')
  const first = (await mailServer.received(before + 2)).at(-1)!
  assert.match(first.headers['subject']!, /20 messages for /)
  await eventually(() => isIdle(project_id))
  fixture.passes('301 seconds')
  const second = (await mailServer.received(before + 3)).at(-1)!
  assert.match(second.headers['subject']!, /Message from /)
  assert.deepEqual(loggedOf(project_id), [])
})

test('the mailer of messages mails a message that waited 23 hours for an address, and logs the wait', async () => {
  const before = mailServer.mails.length
  const { project_id, ring, setTransfer } = await openShop({}, { owner: null })
  await ring(message)
  await eventually(() => isIdle(project_id))
  assert.match(String(loggedOf(project_id)[0]?.['msg']), /have no address/)
  assert.equal(loggedOf(project_id)[0]?.['count'], 1)
  fixture.passes('23 hours')
  assert.equal((await setTransfer({ email: 'desk@bakery.example' })).status, 200)
  await ring(message)
  const mail = (await mailServer.received(before + 1)).at(-1)!
  assert.match(mail.headers['subject']!, /2 messages for /)
})

test('the mailer of messages does not mail messages older than 24 hours, and logs their number once', async () => {
  const before = mailServer.mails.length
  const { project_id, ring, setTransfer } = await openShop({}, { owner: null })
  await ring(message)
  await ring(message)
  await eventually(() => isIdle(project_id))
  fixture.passes('25 hours')
  assert.equal((await setTransfer({ email: 'desk@bakery.example' })).status, 200)
  await ring(message)
  const mail = (await mailServer.received(before + 1)).at(-1)!
  assert.match(mail.headers['subject']!, /Message from /)
  fixture.passes('301 seconds')
  await ring(message)
  await mailServer.received(before + 2)
  const dropped = loggedOf(project_id).filter(({ msg }) => /too old/.test(String(msg)))
  assert.deepEqual(
    dropped.map(({ count }) => count),
    [2],
  )
})

test('the mailer of messages sends no mail for a project deleted meanwhile', async () => {
  const before = mailServer.mails.length
  const { project_id, ring } = await openShop({ email: 'desk@bakery.example' })
  await ring(message)
  await mailServer.received(before + 1)
  await ring(message)
  const deleted_at = fixture.clock.now()
  await fixture.runtime.db.transact((tx) =>
    tx.updateTable('projects').set({ deleted_at }).where('id', '=', project_id).execute(),
  )
  fixture.passes('301 seconds')
  await eventually(() => isIdle(project_id))
  assert.equal(mailServer.mails.length, before + 1)
})
