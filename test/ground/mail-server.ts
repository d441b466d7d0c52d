/**
 * A mail server for tests: a real SMTP server on loopback that keeps what it was sent. It can be
 * told to ask for a password, to speak TLS or not, and to refuse.
 */
import assert from 'node:assert/strict'
import { EventEmitter, on, once } from 'node:events'
import { after } from 'node:test'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

const WAIT_MS_MAX = 10_000

export interface ReceivedMail {
  /** Addresses of the envelope. */
  from: string
  to: string[]
  /** Lowercase names; a folded line is one line again. */
  headers: Record<string, string>
  text: string
  /** As it came. */
  raw: string
  secure: boolean
  user: string | null
}

export interface MailServer {
  port: number
  mails: ReceivedMail[]
  /** How many connections got as far as naming a sender. */
  senders: number
  /** Waits until there have been this many mails in all, and gives them. */
  received(count: number): Promise<ReceivedMail[]>
  /** From now on a recipient, or a message, is refused with this status; null: taken. */
  refuses(what: 'recipient' | 'message', status: number | null): void
}

export const mailUser = { user: 'house@mail.example', password: 'a pass: w@rd/' }

/** Opens a server that is closed when the test file ends. It asks for nothing unless told to. */
export async function openMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const arrivals = new EventEmitter()
  const refusals = new Map<string, number | null>()
  const refusal = (what: string) => {
    const status = refusals.get(what) ?? null
    return status === null ? null : Object.assign(new Error('Refused.'), { responseCode: status })
  }
  const mails: ReceivedMail[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    logger: false,
    onAuth({ username, password }, _session, done) {
      const known = username === mailUser.user && password === mailUser.password
      done(known ? null : new Error('Wrong.'), known ? { user: username } : {})
    },
    onMailFrom(_address, _session, done) {
      opened.senders += 1
      done()
    },
    onRcptTo: (_address, _session, done) => done(refusal('recipient')),
    async onData(stream, { envelope, secure, user }, done) {
      const raw = await textOf(stream)
      const refused = refusal('message')
      if (refused) return done(refused)
      const from = envelope.mailFrom ? envelope.mailFrom.address : ''
      const to = envelope.rcptTo.map(({ address }) => address)
      mails.push({ from, to, ...parse(raw), raw, secure, user: user ?? null })
      done()
      arrivals.emit('mail')
    },
    ...options,
  })
  // Clients that turn away from a certificate make an error of the connection here.
  server.on('error', () => {})
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  after(() => new Promise<void>((closed) => server.close(closed)))
  const address = listening.address()
  assert(typeof address === 'object' && address !== null)
  const opened: MailServer = {
    port: address.port,
    mails,
    senders: 0,
    refuses: (what, status) => void refusals.set(what, status),
    async received(count) {
      if (mails.length >= count) return mails
      const signal = AbortSignal.timeout(WAIT_MS_MAX)
      for await (const _ of on(arrivals, 'mail', { signal })) if (mails.length >= count) break
      return mails
    },
  }
  return opened
}

async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

function parse(raw: string): Pick<ReceivedMail, 'headers' | 'text'> {
  const end = raw.indexOf('\r\n\r\n')
  const lines = raw
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  const body = raw.slice(end + 4)
  const encoding = headers['content-transfer-encoding']
  const text = encoding === 'quoted-printable' ? readQuotedPrintable(body) : body
  assert.notEqual(encoding, 'base64', 'A plain text is expected.')
  return { headers, text: text.replaceAll('\r\n', '\n').trimEnd() }
}

function readQuotedPrintable(body: string): string {
  const bytes = body
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
