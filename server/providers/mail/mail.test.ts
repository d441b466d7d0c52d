/**
 * Tests of the choice of the mail provider by settings, of invalid settings, and of mail in the
 * log.
 */
import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { suite, test } from 'node:test'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import { openMailServer } from '../../../test/fixtures/external/mail-server.ts'
import { readConfig } from '../../kernel/config/config.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { createLog } from '../../kernel/log.ts'
import { MailError } from './mail-contract.ts'
import { mailOf } from './mail.ts'

const message = {
  to: 'ada@bakery.example',
  subject: 'Mind\r\nthis',
  text: 'One line.\nAnother.',
  reference: 'one',
}
const smtp = {
  HOMEPORT_MAIL: 'smtp',
  HOMEPORT_MAIL_URL: 'smtps://me:secret@mail.example',
  HOMEPORT_MAIL_FROM: 'Homeport <homeport@home.example>',
}

const fixture = await openTestRuntime({ work: false })

function runtimeWith(settings: Record<string, string>, lines: string[] = []): Runtime {
  const log = createLog('info', { write: (line) => void lines.push(line) })
  return { ...fixture.runtime, log, config: readConfig(settings, tmpdir()) }
}

/** The fault of settings; empty if they are valid. */
function faultOf(settings: Record<string, string>): string {
  try {
    readConfig(settings, tmpdir())
    return ''
  } catch (error) {
    return String(error)
  }
}

suite('the configured mail provider', () => {
  test('is the log if there are no settings, with the whole message', async () => {
    const lines: string[] = []
    await mailOf(runtimeWith({}, lines))!.send(message)
    const [line] = lines.map((text) => JSON.parse(text))
    const mail = { ...message, from: '', subject: 'Mind this', language: 'en', links: [] }
    assert.deepEqual(line.mail, mail)
    assert.equal(line.msg, 'mail to ada@bakery.example: Mind this')
  })

  test('validates messages in the log like every other provider', async () => {
    const mail = mailOf(runtimeWith({}))!
    const strays = mail.send({ ...message, to: 'ada@a.example,eve@e.example' })
    await assert.rejects(strays, (error) => error instanceof MailError && !error.retry)
  })

  test('is null with HOMEPORT_MAIL=none', () => {
    assert.equal(mailOf(runtimeWith({ HOMEPORT_MAIL: 'none' })), null)
  })

  test('is the SMTP server with HOMEPORT_MAIL=smtp, with the configured sender', async () => {
    const server = await openMailServer()
    const url = `smtp://127.0.0.1:${server.port}?tls=off`
    await mailOf(runtimeWith({ ...smtp, HOMEPORT_MAIL_URL: url }))!.send(message)
    const [mail] = await server.received(1)
    assert.equal(mail!.headers['from'], 'Homeport <homeport@home.example>')
    assert.equal(mail!.from, 'homeport@home.example')
  })
})

suite('the settings', () => {
  test('accept smtp and smtps, with and without password and port', () => {
    for (const url of [
      'smtp://mail.example',
      'smtps://mail.example:2465/',
      'smtp://me:p%40ss@mail.example:587',
      'smtp://relay.internal:25?tls=off',
      'smtp://me:secret@127.0.0.1:1025?tls=off',
      'smtp://me:secret@[::1]:1025?tls=off',
    ]) {
      assert.equal(faultOf({ ...smtp, HOMEPORT_MAIL_URL: url }), '', url)
    }
  })

  test('refuse an invalid SMTP address without repeating the password', () => {
    for (const url of [
      '',
      'mail.example',
      'https://me:secret@mail.example',
      'smtp://',
      'smtp://me:secret@mail.example/inbox',
    ]) {
      const fault = faultOf({ ...smtp, HOMEPORT_MAIL_URL: url })
      assert.match(fault, /HOMEPORT_MAIL_URL/, url)
      assert.ok(!fault.includes('secret'))
    }
  })

  test('refuse to send a password over a network without TLS', () => {
    const fault = faultOf({
      ...smtp,
      HOMEPORT_MAIL_URL: 'smtp://me:secret@mail.example?tls=off',
    })
    assert.match(fault, /without TLS/)
  })

  test('refuse unknown parameters in the address', () => {
    for (const end of ['?tls=on', '?secure=false', '?tls=off&x=1']) {
      const fault = faultOf({ ...smtp, HOMEPORT_MAIL_URL: `smtp://mail.example${end}` })
      assert.match(fault, /tls=off/, end)
    }
    const smtps = faultOf({ ...smtp, HOMEPORT_MAIL_URL: 'smtps://mail.example?tls=off' })
    assert.match(smtps, /smtp:\/\//)
  })

  test('accept a sender with and without a name, and nothing else', () => {
    for (const from of ['homeport@home.example', 'The house <homeport@home.example>']) {
      assert.equal(faultOf({ ...smtp, HOMEPORT_MAIL_FROM: from }), '')
    }
    for (const from of ['', 'Homeport', 'a@b.example, c@d.example', 'A <a@b.example> x', 'a@b@c']) {
      assert.match(faultOf({ ...smtp, HOMEPORT_MAIL_FROM: from }), /HOMEPORT_MAIL_FROM/, from)
    }
  })

  test('accept three mail providers, and refuse the log in production', () => {
    assert.match(faultOf({ HOMEPORT_MAIL: 'pigeon' }), /HOMEPORT_MAIL must be one of/)
    const production = { HOMEPORT_ENV: 'production' }
    assert.match(faultOf(production), /HOMEPORT_MAIL only writes mail to the log/)
    for (const provider of [{ HOMEPORT_MAIL: 'none' }, smtp]) {
      assert.doesNotMatch(faultOf({ ...production, ...provider }), /HOMEPORT_MAIL/)
    }
  })
})
