/** Tests of the delivery to the mail servers of recipients, found by a DNS server of the test. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openEmailRuntime } from '../../../../test/fixtures/email/email.ts'
import { eventually } from '../../../../test/fixtures/eventually.ts'
import { openMailServer } from '../../../../test/fixtures/external/mail-server.ts'

const fixture = await openEmailRuntime({ mode: 'direct' })
const { dns, mail, newSender, passes } = fixture
const sender = await newSender()

/** Sends to a new address of a domain with these servers; returns the recipient in the status. */
async function sendTo(domain: string, status: string) {
  await sender.know(`bo@${domain}`)
  const sent = await sender.send({ to: [`bo@${domain}`] })
  assert.equal(sent.status, 201, sent.text)
  return (await sender.settled(sent.body.id, status)).recipients[0]
}

describe('an email that is delivered directly', () => {
  test('goes to the server with the lowest preference that answers', async () => {
    dns.set('several.example', 'MX', ['20 last.example', '10 second.example', '5 first.example'])
    // Nothing listens there.
    dns.set('first.example', 'A', ['127.0.0.99'])
    dns.set('second.example', 'A', ['127.0.0.1'])
    dns.set('last.example', 'A', ['127.0.0.99'])
    const { remote_mta, smtp_code } = await sendTo('several.example', 'delivered')
    assert.deepEqual([remote_mta, smtp_code], ['second.example', 250])
    assert.deepEqual(mail.mails.at(-1)?.to, ['bo@several.example'])
  })

  test('goes to the address of a domain without MX records', async () => {
    dns.set('bare.example', 'A', ['127.0.0.1'])
    assert.equal((await sendTo('bare.example', 'delivered')).remote_mta, 'bare.example')
  })

  test('is encrypted if the server offers STARTTLS, whatever its certificate', async () => {
    const secure = await openMailServer({ disabledCommands: ['AUTH'] })
    const own = await openEmailRuntime({
      mode: 'direct',
      settings: { HOMEPORT_EMAIL_MX_PORT: String(secure.port) },
    })
    const other = await own.newSender()
    const { body } = await other.send()
    await other.settled(body.id, 'delivered')
    assert.deepEqual(
      secure.mails.map((one) => one.secure),
      [true],
    )
  })

  test('never connects to an address that is not public', async () => {
    dns.set('inside.example', 'MX', ['10 private.example'])
    dns.set('private.example', 'A', ['10.0.0.1'])
    const { reason_code, bounce_type, smtp_code } = await sendTo('inside.example', 'bounced')
    assert.deepEqual([reason_code, bounce_type, smtp_code], ['routing_failed', 'transient', 550])
  })

  test('bounces if the domain began to refuse mail, and suppresses the address', async () => {
    dns.set('closed.example', 'MX', ['10 mx.example.com'])
    await sender.know('bo@closed.example')
    const { live_key: key } = sender
    await fixture.call('POST /email/check-address', { key, body: { address: 'bo@closed.example' } })
    dns.set('closed.example', 'MX', ['0 .'])
    const { reason_code } = await sendTo('closed.example', 'bounced')
    assert.equal(reason_code, 'domain_takes_no_mail')
    const { body } = await fixture.call('GET /email/suppressions', { key })
    assert.equal(body.data[0].address, 'bo@closed.example')
  })

  test('is tried again if no server and no name server answers', async () => {
    dns.set('away.example', 'MX', ['10 away.example'])
    dns.set('away.example', 'A', ['127.0.0.99'])
    await sender.know('bo@away.example')
    const { body } = await sender.send({ to: ['bo@away.example'] })
    const [waiting] = (await sender.settled(body.id, 'delayed')).recipients
    assert.equal(waiting.reason_code, 'server_unreachable')
    dns.silent.add('away.example')
    passes('61 seconds')
    await eventually(async () => {
      const { body: email } = await fixture.look(`GET /emails/${body.id}`, sender.project_id)
      return email.recipients[0].attempts === 2
    })
    dns.silent.delete('away.example')
    dns.set('away.example', 'A', ['127.0.0.1'])
    passes('6 minutes')
    await sender.settled(body.id, 'delivered')
  })
})
