/** Tests of a server that writes emails to the outbox instead of sending them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openEmailRuntime } from '../../../../test/fixtures/email/email.ts'
import { newSession } from '../../../../test/fixtures/portal/sessions.ts'

const fixture = await openEmailRuntime({ mode: 'log' })

test('a live email is in the outbox, signed, and counts as delivered', async () => {
  const sender = await fixture.newSender()
  const { project_id, team } = sender
  const attachments = [{ filename: 'a.txt', content: Buffer.from('Hello').toString('base64') }]
  const { body } = await sender.send({ html: '<p>Hello</p>', attachments })
  const email = await sender.settled(body.id, 'delivered')
  assert.equal(email.recipients[0].remote_mta, 'outbox')
  assert.deepEqual(fixture.mail.mails, [])
  const root = `/projects/${project_id}/email/outbox`
  const listed = await team.viewer.call(`GET ${root}`)
  assert.equal(listed.status, 200, listed.text)
  assert.equal(listed.body.data[0].subject, 'Your order 1042')
  const shown = await team.viewer.call(`GET ${root}/${listed.body.data[0].id}`)
  assert.match(shown.body.source, /^DKIM-Signature: v=1/)
  assert.deepEqual([shown.body.html, shown.body.is_cut], ['<p>Hello</p>', false])
  const left = await fixture.runtime.db
    .selectFrom('email_attachments')
    .select('content')
    .where('project_id', '=', project_id)
    .execute()
  assert.deepEqual(left, [{ content: null }], 'the bytes are deleted once nobody waits')
})

test('the owner alone turns email on and off, with a fresh confirmation', async () => {
  const { team, project_id } = await fixture.newSender()
  const route = `PUT /projects/${project_id}/email/module`
  const body = { enabled: false }
  assert.equal((await team.admin.call(route, { body })).status, 403)
  const off = await team.owner.call(route, { body })
  assert.deepEqual([off.status, off.body.enabled], [200, false], off.text)
  const old = await newSession(fixture, team.owner.email)
  fixture.passes('16 minutes')
  const late = await old.call(route, { body: { enabled: true } })
  assert.equal(late.status, 403)
  assert.ok(late.body.confirm_url)
})
