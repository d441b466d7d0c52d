/** Messages that callers leave, as the business gets them by mail. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestHouse } from '../../../test/ground/house.ts'
import { eventually } from '../../../test/ground/eventually.ts'
import { openMailServer } from '../../../test/ground/mail-server.ts'

const mailServer = await openMailServer()
const ground = await openTestHouse({
  settings: {
    HOMEPORT_MAIL: 'smtp',
    HOMEPORT_MAIL_URL: `smtp://127.0.0.1:${mailServer.port}?tls=off`,
    HOMEPORT_MAIL_FROM: 'Homeport <homeport@home.example>',
  },
})

const message = 'Can you tell the owner I will be late, my number is 06 12345678?'

/** A project whose assistant answers a test number. */
async function openShop(transfer: object) {
  const { project_id } = await ground.newProject()
  const key = await ground.newKey({ project_id })
  const body = { name: 'Mill Bakery', transfer }
  assert.equal((await ground.call('PUT /assistant', { key, body })).status, 200)
  const headers = { 'idempotency-key': project_id }
  const number = await ground.call('POST /numbers', { key, body: {}, headers })
  const ring = async (...said: string[]) => {
    const turns = said.map((say) => ({ say }))
    const call = await ground.call('POST /test/calls', {
      key,
      body: { number_id: number.body.id, turns, from: '+31612345678' },
    })
    assert.equal(call.status, 201, call.text)
    return call.body
  }
  return { project_id, ring }
}

const textOf = (text: string) => text.replaceAll(/=\r?\n/g, '')

async function isIdle(project_id: string): Promise<boolean> {
  const jobs = await ground.house.db
    .selectFrom('jobs')
    .select('id')
    .where('project_id', '=', project_id)
    .where('kind', 'in', ['calls.mail_messages', 'calls.send_messages'])
    .where('run_at', '<=', ground.clock.now())
    .execute()
  return jobs.length === 0
}

test('mails a message to the address of the assistant, with caller, words, time and call', async () => {
  const before = mailServer.mails.length
  const { ring } = await openShop({ email: 'desk@bakery.example' })
  const call = await ring(message)
  const mail = (await mailServer.received(before + 1)).at(-1)!
  assert.deepEqual(mail.to, ['desk@bakery.example'])
  assert.match(mail.headers['subject']!, /^Test call: Message from \+31612345678 for /)
  const text = textOf(mail.text)
  assert.ok(text.includes(`> ${message}`), text)
  assert.match(text, /From: \+31612345678 \(test call\)/)
  assert.match(text, /At: .*\(Europe\/Amsterdam\)/)
  assert.ok(text.includes(`/api/v1/calls/${call.id}`), text)
})

test('sends one mail in five minutes for a project, with all messages that came meanwhile', async () => {
  const before = mailServer.mails.length
  const { project_id, ring } = await openShop({ email: 'desk@bakery.example' })
  await ring(message)
  await mailServer.received(before + 1)
  await ring('Please let Anna know that I cannot make it tomorrow.')
  await ring('Please let Peter know that the parts have arrived.')
  await eventually(() => isIdle(project_id))
  assert.equal(mailServer.mails.length, before + 1)
  ground.clock.advance(301)
  const mail = (await mailServer.received(before + 2)).at(-1)!
  assert.match(mail.headers['subject']!, /2 messages for /)
  assert.match(textOf(mail.text), /let Anna know[\s\S]*let Peter know/)
})

test('sends no mail about a call without a message', async () => {
  const before = mailServer.mails.length
  const { project_id, ring } = await openShop({ email: 'desk@bakery.example' })
  await ring('Hello', 'Goodbye')
  await eventually(() => isIdle(project_id))
  assert.equal(mailServer.mails.length, before)
})
