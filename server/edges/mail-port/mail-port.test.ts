/** Tests of the mail that comes back by SMTP: late bounces, spam reports, replies, forgeries and limits. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, describe, test } from 'node:test'
import { createTransport } from 'nodemailer'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import { openEmailRuntime, type Sender } from '../../../test/fixtures/email/email.ts'
import { deliveryReport, spamReport } from '../../../test/fixtures/email/reports.ts'
import { eventually } from '../../../test/fixtures/eventually.ts'
import * as projects from '../../areas/projects/service.ts'
import { openMailPort } from './mail-port.ts'

const fixture = await openEmailRuntime({ settings: { HOMEPORT_EMAIL_LISTEN: '127.0.0.1:0' } })
const { call, mail, newSender, runtime } = fixture
const mailPort = await openMailPort(runtime)
assert(mailPort)
after(() => mailPort.stop())

/** Delivers a message to the server as another mail server does. Returns the status of the reply. */
async function bring(to: string, raw: string, from = ''): Promise<number> {
  const transport = createTransport({ host: '127.0.0.1', port: mailPort!.port, ignoreTLS: true })
  try {
    const { response } = await transport.sendMail({ envelope: { from, to: [to] }, raw })
    return Number(String(response).slice(0, 3))
  } catch (error) {
    assert.ok(error instanceof Error && 'responseCode' in error, String(error))
    return Number(error.responseCode)
  }
}

interface Delivered {
  sender: Sender
  id: string
  return_path: string
}

async function deliver(changes: object = {}): Promise<Delivered> {
  const sender = await newSender()
  const { body } = await sender.send(changes)
  await sender.settled(body.id, 'delivered')
  return { sender, id: body.id, return_path: mail.mails.at(-1)!.from }
}

const read = async ({ sender, id }: Delivered) =>
  (await fixture.look(`GET /emails/${id}`, sender.project_id)).body

async function eventsOf({ sender }: Delivered): Promise<string[]> {
  const rows = await runtime.db
    .selectFrom('events')
    .select('type')
    .where('project_id', '=', sender.project_id)
    .where('type', 'like', 'email.%')
    .orderBy('id')
    .execute()
  return rows.map(({ type }) => type)
}

const suppressionsOf = async ({ sender }: Delivered) =>
  (await call('GET /email/suppressions', { key: sender.live_key })).body.data.map(
    ({ address, origin }: Record<string, string>) => [address, origin],
  )

describe('a late delivery report', () => {
  test('makes a delivered recipient bounced, with an event and a suppression, once', async () => {
    const email = await deliver()
    assert.equal(await bring(email.return_path, deliveryReport({})), 250)
    const { status, recipients } = await read(email)
    const [{ reason_code, enhanced_code, smtp_code, remote_mta, bounce_type }] = recipients
    assert.deepEqual(
      [status, reason_code, enhanced_code, smtp_code, remote_mta, bounce_type],
      ['bounced', 'mailbox_unknown', '5.1.1', 550, 'mx2.example.com', 'permanent'],
    )
    assert.equal(await bring(email.return_path.toUpperCase(), deliveryReport({})), 250)
    assert.deepEqual(await eventsOf(email), ['email.sent', 'email.delivered', 'email.bounced'])
    assert.deepEqual(await suppressionsOf(email), [['anna@example.com', 'bounce']])
  })

  test('of a full mailbox suppresses nobody, although its status is 5.0.0', async () => {
    const email = await deliver()
    await bring(email.return_path, deliveryReport({ diagnostic: '552 5.2.2 Mailbox full' }))
    const { recipients } = await read(email)
    assert.deepEqual(
      [recipients[0].reason_code, recipients[0].bounce_type],
      ['mailbox_full', 'transient'],
    )
    assert.deepEqual(await suppressionsOf(email), [])
  })

  test('has no effect if it is forged, names others, or reports no failure', async () => {
    const email = await deliver()
    const wrong = email.return_path.replace(/\.[0-9a-f]{8}@/, '.00000000@')
    assert.equal(await bring(wrong, deliveryReport({})), 550)
    assert.equal(await bring('anna@example.com', deliveryReport({})), 550)
    const others = [{ recipient: 'bo@example.com' }, { recipient: 'cy@example.com' }]
    for (const report of [deliveryReport(...others), deliveryReport({ action: 'delayed' })])
      assert.equal(await bring(email.return_path, report), 250)
    // With an envelope sender it is a message of a person.
    await bring(email.return_path, deliveryReport({}), 'eve@evil.example')
    assert.equal((await read(email)).status, 'delivered')
    assert.deepEqual(await eventsOf(email), ['email.sent', 'email.delivered'])
  })
})

describe('a spam report', () => {
  test('makes the recipient complained, with an event and a suppression; those of five people pause sending', async () => {
    const email = await deliver()
    const feedback = 'feedback@bounces.home.example'
    for (const kind of ['not-spam', 'auth-failure'])
      await bring(feedback, spamReport(kind, email.return_path), 'fbl@provider.example')
    const forged = email.return_path.replace(/\.[0-9a-f]{8}@/, '.00000000@')
    await bring(feedback, spamReport('abuse', forged), 'fbl@provider.example')
    assert.equal((await read(email)).status, 'delivered')
    const real = spamReport('abuse', email.return_path)
    assert.equal(await bring(feedback, real, 'fbl@provider.example'), 250)
    assert.equal((await read(email)).status, 'complained')
    assert.deepEqual(await eventsOf(email), ['email.sent', 'email.delivered', 'email.complained'])
    assert.deepEqual(await suppressionsOf(email), [['anna@example.com', 'complaint']])
    const { body } = await call('GET /email/status', { key: email.sender.live_key })
    assert.deepEqual([body.reputation.complaints, body.paused_at], [1, null])
    const { sender } = email
    const reasons: unknown[] = []
    for (const name of ['bo', 'cy', 'di', 'ed']) {
      await sender.know(`${name}@example.com`)
      const { body: next } = await sender.send({ to: [`${name}@example.com`] })
      await sender.settled(next.id, 'delivered')
      const place = mail.mails.at(-1)!.from
      await bring(place, spamReport('abuse', place), 'a@fbl.example')
      const status = await call('GET /email/status', { key: sender.live_key })
      reasons.push(status.body.paused_reason)
    }
    assert.deepEqual(reasons, [null, null, null, 'complaints'])
    assert.equal(await bring('feedback@elsewhere.example', real, 'fbl@provider.example'), 550)
    assert.equal(await bring(`feedback@bounce.${sender.domain}`, real, 'fbl@provider.example'), 250)
  })
})

describe('a reply to the return path', () => {
  const reply = (...headers: string[]) =>
    ['From: Anna <anna@example.com>', 'Subject: Re: Bröd', ...headers, '', 'Thanks! 🥖'].join(
      '\r\n',
    )

  test('is forwarded to the reply address, signed, with the person in Reply-To', async () => {
    const email = await deliver({ reply_to: ['shop@example.com'] })
    const before = mail.mails.length
    // The project does not know this address.
    assert.equal(await bring(email.return_path, reply(), 'anna@example.com'), 550)
    await email.sender.know('shop@example.com')
    assert.equal(await bring(email.return_path, reply(), 'anna@example.com'), 250)
    const forwarded = (await mail.received(before + 1)).at(-1)!
    assert.deepEqual([forwarded.from, forwarded.to], ['', ['shop@example.com']])
    assert.deepEqual(
      [forwarded.headers['from'], forwarded.headers['reply-to'], forwarded.text],
      [`"anna@example.com" <orders@${email.sender.domain}>`, '<anna@example.com>', 'Thanks! 🥖'],
    )
    const route = `GET /sending-domains/${email.sender.domain_id}`
    const { body } = await call(route, { key: email.sender.live_key })
    const key = body.records.find(({ purpose }: { purpose: string }) => purpose === 'dkim')
    const { results } = await dkimVerify(forwarded.raw, { resolver: async () => [[key.value]] })
    assert.equal(results[0]?.status.result, 'pass')
    // It came back, for example by a forwarding address.
    assert.equal(await bring(email.return_path, forwarded.raw, 'anna@example.com'), 550)
    assert.equal((await read(email)).status, 'delivered')
  })

  test('is not forwarded if a program wrote it, and is tried again if the other server refuses', async () => {
    const email = await deliver()
    const before = mail.mails.length
    const absence = reply('Auto-Submitted: auto-replied')
    assert.equal(await bring(email.return_path, absence, 'anna@example.com'), 250)
    assert.equal(await bring(email.return_path, reply()), 250)
    mail.refuses('recipient', 451)
    assert.equal(await bring(email.return_path, reply(), 'anna@example.com'), 451)
    mail.refuses('recipient', null)
    assert.equal(mail.mails.length, before)
    await projects.setRail(runtime.db, {
      project_id: email.sender.project_id,
      rail: 'email',
      mode: 'test',
    })
    assert.equal(await bring(email.return_path, reply(), 'anna@example.com'), 550)
  })

  test('is not forwarded thirty days after the email', async () => {
    const email = await deliver()
    fixture.passes('31 days')
    assert.equal(await bring(email.return_path, reply(), 'anna@example.com'), 550)
  })
})

describe('the port', () => {
  /** Speaks SMTP line by line; returns the status of each reply. */
  async function speak(lines: readonly string[], socket: Socket = open()): Promise<number[]> {
    const statuses: number[] = []
    for (const line of ['', ...lines]) {
      if (line !== '') socket.write(`${line}\r\n`)
      let text = ''
      while (!/^\d{3} .*\r\n$/m.test(text)) text += String((await once(socket, 'data'))[0])
      statuses.push(Number(text.trim().split('\r\n').at(-1)?.slice(0, 3)))
    }
    return statuses
  }
  const open = () => connect(mailPort.port, '127.0.0.1')

  test('takes one recipient for a message, and none that is too large', async () => {
    const { return_path } = await deliver()
    const rcpt = `RCPT TO:<${return_path}>`
    const socket = open()
    assert.deepEqual(
      await speak(['EHLO a.example', 'MAIL FROM:<>', rcpt, rcpt, 'AUTH PLAIN AGEAYg=='], socket),
      [220, 250, 250, 250, 452, 500],
    )
    socket.destroy()
    const large = open()
    const announced = 'MAIL FROM:<> SIZE=99999999'
    assert.deepEqual(await speak(['EHLO a.example', announced], large), [220, 250, 552])
    large.destroy()
  })

  test('goes on after a client that ends its connection within a message', async () => {
    const { return_path } = await deliver()
    const begin = ['EHLO a.example', 'MAIL FROM:<>', `RCPT TO:<${return_path}>`, 'DATA']
    for (const text of ['Subject: half', `${deliveryReport({})}\r\n.\r\n`]) {
      const socket = open()
      await speak(begin, socket)
      await new Promise((written) => socket.write(text, written))
      socket.destroy()
    }
    await eventually(async () => (await bring(return_path, deliveryReport({}))) === 250)
  })

  test('reads a lone line feed as the end of a header, so that none is smuggled in', async () => {
    const { return_path } = await deliver()
    const before = mail.mails.length
    const socket = open()
    const begin = ['EHLO a.example', 'MAIL FROM:<anna@example.com>', `RCPT TO:<${return_path}>`]
    const text = 'From: anna@example.com\r\nSubject: Hi\nX-Smuggled: yes\r\n\r\nThanks.\r\n.'
    assert.equal((await speak([...begin, 'DATA', text], socket)).at(-1), 250)
    socket.destroy()
    const { headers } = (await mail.received(before + 1)).at(-1)!
    assert.deepEqual([headers['subject'], headers['x-smuggled']], ['Hi', undefined])
  })

  test('receives two messages of one network at once', async () => {
    const { return_path } = await deliver()
    const begin = ['EHLO a.example', 'MAIL FROM:<>', `RCPT TO:<${return_path}>`, 'DATA']
    const sockets = [open(), open(), open()]
    for (const socket of sockets.slice(1)) await speak(begin, socket)
    const whole = [...begin, 'Subject: x\r\n\r\nHello\r\n.']
    assert.equal((await speak(whole, sockets[0])).at(-1), 451)
    for (const socket of sockets) socket.destroy()
    await eventually(async () => (await bring(return_path, deliveryReport({}))) === 250)
  })

  test('ends connections that send a byte now and then, and takes the next message', async () => {
    const { return_path } = await deliver()
    const strict = await openMailPort(runtime, { command_ms: 400, message_ms: 400 })
    assert(strict)
    after(() => strict.stop())
    const begin = ['EHLO a.example', 'MAIL FROM:<>', `RCPT TO:<${return_path}>`, 'DATA']
    for (const lines of [[], begin]) {
      const socket = connect(strict.port, '127.0.0.1').on('error', () => {})
      await speak(lines, socket)
      const drops = setInterval(() => socket.write('x'), 50)
      await once(socket, 'close')
      clearInterval(drops)
    }
    const socket = connect(strict.port, '127.0.0.1')
    const whole = [...begin, 'Subject: x\r\n\r\nHello\r\n.']
    assert.equal((await speak(whole, socket)).at(-1), 250)
    socket.destroy()
  })

  test('takes ten connections of one address', async () => {
    const sockets = Array.from({ length: 10 }, open)
    for (const socket of sockets) assert.deepEqual(await speak([], socket), [220])
    assert.deepEqual(await speak([]), [421])
    for (const socket of sockets) socket.destroy()
  })
})
