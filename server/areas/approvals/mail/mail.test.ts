/** Tests of mails to owners and admins about pending approvals, and of their rate limit. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  propose,
  decide,
  addTeamMember,
  readApproval,
} from '../../../../test/fixtures/mcp/approvals.ts'
import { eventually } from '../../../../test/fixtures/eventually.ts'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import { mailSettings, openMailServer } from '../../../../test/fixtures/external/mail-server.ts'
import { signInDutch } from '../../../../test/fixtures/portal/language.ts'
import { createOwnedProject, signIn } from '../../../../test/fixtures/portal/portal.ts'
import { describeIn } from './mail-texts.ts'

const mailServer = await openMailServer()
const fixture = await openTestRuntime({
  settings: {
    ...mailSettings(mailServer),
  },
})

/** Proposes to delete a new collection. */
async function proposeIn(project_id: string): Promise<string> {
  const key = await fixture.newKey({ project_id })
  const name = `c-${crypto.randomUUID().slice(0, 12)}`
  await fixture.call('POST /collections', { key, body: { name } })
  return propose(fixture, 'collections.delete', { name }, key)
}

async function isIdle(): Promise<boolean> {
  const jobs = await fixture.runtime.db
    .selectFrom('jobs')
    .select('id')
    .where('kind', 'in', ['approvals.tell_team', 'approvals.send_waiting'])
    .where('run_at', '<=', fixture.clock.now())
    .execute()
  return jobs.length === 0
}

const recipients = () => mailServer.mails.map(({ to }) => to[0]).toSorted()

test('the mailer of approvals sends owners and admins one mail in 15 minutes about all pending approvals', async () => {
  const project_id = await createOwnedProject(fixture, 'owner@bakery.example')
  const owner = await signIn(fixture, 'owner@bakery.example')
  const team = [
    ['admin', 'admin'],
    ['member', 'member'],
  ] as const
  for (const [name, role] of team)
    await addTeamMember(fixture, project_id, { email: `${name}@bakery.example`, role })
  const limited = { role: 'admin' as const, access: { sites: [], apps: [] } }
  await addTeamMember(fixture, project_id, { email: 'limited@bakery.example', ...limited })
  await proposeIn(project_id)
  await mailServer.received(2)
  assert.deepEqual(recipients(), ['admin@bakery.example', 'owner@bakery.example'])
  const [mail] = mailServer.mails
  assert.match(mail!.headers['subject']!, /^1 action waits for your approval: /)
  const page = `${fixture.runtime.config.public_url}/portal/app/projects/${project_id}/approvals`
  const text = mail!.text.replaceAll(/=\r?\n/g, '')
  assert.ok(text.includes(page), text)
  assert.match(text, /Deletes a collection/)

  const [decided, waits] = [await proposeIn(project_id), await proposeIn(project_id)]
  await proposeIn(project_id)
  await eventually(isIdle)
  assert.equal(mailServer.mails.length, 2)
  const { input_hash } = await readApproval(fixture, decided, await fixture.newKey({ project_id }))
  await decide(fixture, owner, { project_id, id: decided, verb: 'reject', input_hash })
  fixture.passes('14 minutes')
  await eventually(isIdle)
  assert.equal(mailServer.mails.length, 2)
  fixture.passes('2 minutes')
  await mailServer.received(4)
  assert.match(mailServer.mails[3]!.headers['subject']!, /^3 actions wait/)
  assert.equal(
    (await readApproval(fixture, waits, await fixture.newKey({ project_id }))).status,
    'pending',
  )
  fixture.passes('1 hour')
  await eventually(isIdle)
  assert.equal(mailServer.mails.length, 4)
})

test("the mailer of approvals mails the project's owner email while the project has no team", async () => {
  const before = mailServer.mails.length
  const project_id = await createOwnedProject(fixture, 'named@bakery.example')
  await proposeIn(project_id)
  await mailServer.received(before + 1)
  assert.deepEqual(mailServer.mails.at(-1)!.to, ['named@bakery.example'])
})

test('the mailer of approvals writes in Dutch to a person who signed in with a Dutch browser', async () => {
  const before = mailServer.mails.length
  const project_id = await createOwnedProject(fixture, 'wim@bakery.example')
  await signInDutch(fixture, 'wim@bakery.example')
  await proposeIn(project_id)
  const mail = (await mailServer.received(before + 1)).at(-1)!
  assert.match(mail.headers['subject']!, /^1 actie wacht op uw goedkeuring: /)
  assert.match(mail.text, /- Verwijdert een collectie met alle documenten\./)
  assert.match(mail.html, /lang="nl"[\s\S]*Bekijken en beslissen/)
})

test('the mailer of approvals states the cost in the language of the mail', () => {
  const cost = 'It costs 2.5 euro a month without VAT. The first month is paid from it at once.'
  const row = { operation: 'numbers.order', about: 'Orders a phone number.', cost }
  assert.equal(describeIn('en', row), `Orders a phone number. ${cost}`)
  assert.match(describeIn('nl', row), /kosten per maand\. Het kost 2,5 euro per maand zonder btw\./)
  const test_row = { ...row, cost: 'Nothing real happens and nothing is paid: it is in test.' }
  assert.match(describeIn('nl', test_row), /Er gebeurt niets echts/)
})
