/** The command for the email of projects, with a real mail server. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { databaseUrl, runInProcess, temporaryFolder } from '../../../test/fixtures/command-line.ts'
import { openEmailRuntime } from '../../../test/fixtures/email/email.ts'

test('email test sends a signed email, and exits with 1 if it is refused', async () => {
  const fixture = await openEmailRuntime({ work: false })
  const { mail } = fixture
  const sender = await fixture.newSender()
  const settings = {
    DATABASE_URL: databaseUrl(fixture.connection),
    HOMEPORT_DATA_DIR: temporaryFolder(),
    HOMEPORT_SECRET: 'a master key for tests that is long enough',
    HOMEPORT_EMAIL: 'smarthost',
    HOMEPORT_EMAIL_URL: `smtp://127.0.0.1:${mail.port}?tls=off`,
  }
  const line = ['email', 'test', '--project', sender.project_id, '--to', 'ops@example.com']
  const sent = await runInProcess([...line, '--json'], settings)
  const { from, result, smtp_code } = sent.json
  assert.deepEqual([from, result, smtp_code], [`test@${sender.domain}`, 'delivered', 250])
  assert.deepEqual(mail.mails.at(-1)?.to, ['ops@example.com'])
  assert.match(mail.mails.at(-1)?.raw ?? '', /^DKIM-Signature: /)
  mail.refuses('recipient', 550)
  const refused = await runInProcess(line, settings)
  assert.equal(refused.code, 1)
  assert.match(refused.said, /The email was not delivered: The mail server refused/)
  const off = await runInProcess(line, { ...settings, HOMEPORT_EMAIL: 'log' })
  assert.match(off.said, /HOMEPORT_EMAIL is log, so nothing leaves this server/)
})
