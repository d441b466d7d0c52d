/** Tests of mail through real SMTP servers: contents, TLS and refusals. */
import assert from 'node:assert/strict'
import { createServer, type Socket } from 'node:net'
import { after, before, suite, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { createAuthority } from '../../../test/fixtures/external/certificate.ts'
import {
  mailUser,
  openMailServer,
  type MailServer,
} from '../../../test/fixtures/external/mail-server.ts'
import { MailError, type MailMessage } from './mail-contract.ts'
import { smtpMail } from './smtp.ts'
import { listen } from '../../../test/fixtures/loopback.ts'

const from = 'Homeport <homeport@home.example>'
const message: MailMessage = {
  to: 'ada@bakery.example',
  subject: 'A webhook endpoint is failing',
  text: 'Hello,\n\nthe last 25 attempts failed.\n',
  reference: '0190f1a2-0000-7000-8000-000000000001',
}

// The client uses the CAs of the process, so the test CA is added to them.
const authority = createAuthority('Mail authority')
const known = getCACertificates('default')
before(() => setDefaultCACertificates([...known, authority.cert]))
after(() => setDefaultCACertificates(known))
const login = `${encodeURIComponent(mailUser.user)}:${encodeURIComponent(mailUser.password)}@`

const plainUrl = ({ port }: { port: number }) => `smtp://127.0.0.1:${port}?tls=off`

async function sendTo(url: string, changes: Partial<MailMessage> = {}, deadline_ms = 5000) {
  await smtpMail({ url, from, deadline_ms }).send({ ...message, ...changes })
}

/** Sends a message and returns the MailError. */
async function failureOf(url: string, changes: Partial<MailMessage> = {}, deadline_ms = 5000) {
  try {
    await sendTo(url, changes, deadline_ms)
  } catch (error) {
    assert.ok(error instanceof MailError, String(error))
    return error
  }
  return assert.fail('It was taken.')
}

suite('verify', () => {
  const look = (url: string) => smtpMail({ url, from, deadline_ms: 5000 }).verify()

  test('accepts a working server without sending a mail', async () => {
    const server = await openMailServer()
    await look(plainUrl(server))
    assert.deepEqual([server.senders, server.mails], [0, []])
  })

  test('fails if the server does not listen', async () => {
    await assert.rejects(look('smtp://127.0.0.1:9?tls=off'), {
      name: 'MailError',
      message: '127.0.0.1 could not be reached.',
    })
  })

  test('fails if the server offers no TLS', async () => {
    const server = await openMailServer({ disabledCommands: ['STARTTLS'] })
    await assert.rejects(look(`smtp://127.0.0.1:${server.port}`), {
      message: '127.0.0.1 gave no TLS that can be trusted.',
    })
  })
})

suite('a message', () => {
  test('arrives with its sender, recipient, subject and text', async () => {
    const server = await openMailServer()
    await sendTo(plainUrl(server))
    const [mail] = await server.received(1)
    assert.deepEqual([mail!.from, mail!.to], ['homeport@home.example', ['ada@bakery.example']])
    assert.equal(mail!.headers['from'], 'Homeport <homeport@home.example>')
    assert.equal(mail!.headers['to'], 'ada@bakery.example')
    assert.equal(mail!.headers['subject'], message.subject)
    assert.equal(mail!.text, message.text.trimEnd())
  })

  test('has its reference as Message-ID, the same when it is repeated', async () => {
    const server = await openMailServer()
    await sendTo(plainUrl(server))
    await sendTo(plainUrl(server))
    const ids = (await server.received(2)).map(({ headers }) => headers['message-id'])
    assert.deepEqual(new Set(ids), new Set([`<${message.reference}@home.example>`]))
  })

  test('is marked as automatic, so that auto-replies are suppressed', async () => {
    const server = await openMailServer()
    await sendTo(plainUrl(server))
    assert.equal((await server.received(1))[0]!.headers['auto-submitted'], 'auto-generated')
  })

  test('keeps all scripts, long lines and lines of one dot', async () => {
    const server = await openMailServer()
    const text = `Bäckerei 面包店 🥖\n.\n..\n${'long '.repeat(400)}end`
    await sendTo(plainUrl(server), { text, subject: 'Bäckerei 🥖' })
    const [mail] = await server.received(1)
    assert.equal(mail!.text, text)
    assert.match(mail!.headers['subject']!, /^=\?UTF-8\?/)
  })

  test('cannot get a header or a second recipient from its subject', async () => {
    const server = await openMailServer()
    const subject = 'Endpoint x\r\nBcc: eve@evil.example\r\n\r\nBody\u2028\u202e\0'
    await sendTo(plainUrl(server), { subject })
    const [mail] = await server.received(1)
    assert.deepEqual(mail!.to, ['ada@bakery.example'])
    assert.equal(mail!.headers['bcc'], undefined)
    assert.equal(mail!.headers['subject'], 'Endpoint x Bcc: eve@evil.example Body')
    assert.equal(mail!.text, message.text.trimEnd())
  })

  test('has a subject of at most 200 characters', async () => {
    const server = await openMailServer()
    await sendTo(plainUrl(server), { subject: 'word '.repeat(100) })
    assert.equal((await server.received(1))[0]!.headers['subject']!.length, 199)
  })

  test('is sent to one valid address only', async () => {
    const server = await openMailServer()
    for (const to of [
      '',
      'ada',
      'ada@bakery.example, eve@evil.example',
      'ada@bakery.example\r\nRCPT TO:<eve@evil.example>',
      'Ada <ada@bakery.example>',
      'ada@bakery.example>',
      `${'a'.repeat(250)}@b.example`,
    ]) {
      const failure = await failureOf(plainUrl(server), { to })
      assert.equal(failure.retry, false)
    }
    assert.equal(server.senders, 0)
  })
})

suite('encryption', () => {
  const certificate = () => authority.issue('localhost')
  const starttls = () => openMailServer({ ...certificate(), disabledCommands: ['AUTH'] })

  test('starts TLS before any data with smtp://', async () => {
    const server = await starttls()
    await sendTo(`smtp://localhost:${server.port}`)
    assert.equal((await server.received(1))[0]!.secure, true)
  })

  test('uses TLS from the first byte with smtps://', async () => {
    const server = await openMailServer({ ...certificate(), secure: true })
    await sendTo(`smtps://localhost:${server.port}`)
    assert.equal((await server.received(1))[0]!.secure, true)
  })

  test('gives neither mail nor password to a server without STARTTLS', async () => {
    const server = await openMailServer({ disabledCommands: ['STARTTLS'] })
    const failure = await failureOf(`smtp://${login}127.0.0.1:${server.port}`)
    assert.match(failure.message, /TLS/)
    assert.equal(failure.retry, true)
    assert.equal(server.senders, 0)
  })

  test('gives neither to a server with a certificate of another host or an unknown authority', async () => {
    for (const strange of [
      authority.issue('other.example'),
      createAuthority('Stranger').issue('localhost'),
    ]) {
      for (const secure of [false, true]) {
        const server = await openMailServer({ ...strange, secure, disabledCommands: ['AUTH'] })
        const failure = await failureOf(`smtp${secure ? 's' : ''}://localhost:${server.port}`)
        assert.equal(failure.retry, true)
        assert.equal(server.senders, 0)
      }
    }
  })

  test('is off with ?tls=off, also if the server offers TLS', async () => {
    const server = await starttls()
    await sendTo(plainUrl(server))
    assert.equal((await server.received(1))[0]!.secure, false)
  })
})

suite('a user name and a password', () => {
  const asking = { authOptional: false, disabledCommands: ['STARTTLS'] } as const
  const url = (server: MailServer, who = login) => `smtp://${who}127.0.0.1:${server.port}?tls=off`

  test('can contain any characters', async () => {
    const server = await openMailServer({ ...asking, disabledCommands: ['STARTTLS'] })
    await sendTo(url(server))
    assert.equal((await server.received(1))[0]!.user, mailUser.user)
  })

  test('are retried if they are wrong, so that the operator can correct them, and are not part of the error', async () => {
    const server = await openMailServer({ ...asking, disabledCommands: ['STARTTLS'] })
    const failure = await failureOf(url(server, 'house:guessed@'))
    assert.equal(failure.retry, true)
    assert.match(failure.message, /user name and password/)
    assert.ok(!failure.message.includes('guessed'))
    assert.equal(server.senders, 0)
  })

  test('are always used if they are configured: a server without authentication is refused', async () => {
    const server = await openMailServer()
    const failure = await failureOf(url(server))
    assert.equal(failure.retry, true)
    assert.equal(server.mails.length, 0)
  })
})

suite('a refusal', () => {
  test('is permanent with 5xx for the recipient or the message', async () => {
    for (const what of ['recipient', 'message'] as const) {
      const server = await openMailServer()
      server.refuses(what, 550)
      const failure = await failureOf(plainUrl(server))
      assert.equal(failure.retry, false, what)
      assert.match(failure.message, /550/)
    }
  })

  test('is temporary with 4xx', async () => {
    for (const what of ['recipient', 'message'] as const) {
      const server = await openMailServer()
      server.refuses(what, 451)
      assert.equal((await failureOf(plainUrl(server))).retry, true, what)
      server.refuses(what, null)
      await sendTo(plainUrl(server))
    }
  })

  test('is temporary if the server refuses to connect', async () => {
    const failure = await failureOf('smtp://127.0.0.1:9?tls=off')
    assert.equal(failure.retry, true)
    assert.match(failure.message, /could not be reached/)
  })
})

suite('the deadline', () => {
  async function openTcp(serve: (socket: Socket) => void): Promise<string> {
    const server = createServer((socket) => serve(socket.on('error', () => {})))
    return plainUrl({ port: await listen({ after }, server) })
  }

  async function isLate(url: string): Promise<void> {
    const failure = await failureOf(url, {}, 300)
    assert.equal(failure.retry, true)
    assert.match(failure.message, /in time/)
  }

  test('ends the wait for a silent server', async () => {
    await isLate(await openTcp(() => {}))
  })

  test('ends the wait for a slow server', async () => {
    await isLate(
      await openTcp((socket) => {
        const drip = setInterval(() => socket.write('220-still here\r\n'), 20)
        socket.on('close', () => clearInterval(drip))
      }),
    )
  })
})
