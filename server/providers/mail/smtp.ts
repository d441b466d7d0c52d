/**
 * Mail through an SMTP server, one connection per message. The URL determines TLS: from the first
 * byte with `smtps`, by STARTTLS before any data with `smtp`, none with `?tls=off`. An invalid
 * certificate ends the connection. One deadline covers everything, because some servers send a byte
 * now and then.
 */
import { MailError, readMessage, type Mail } from './mail-contract.ts'
import { renderMailHtml } from './mail-layout.ts'

const DEADLINE_MS = 30_000
const PORTS: Record<string, number> = { 'smtp:': 587, 'smtps:': 465 }

export interface SmtpServer {
  /** smtp://user:password@host:port or smtps://…, as validated by the settings. */
  url: string
  /** `Name <address>` or an address. */
  from: string
  deadline_ms?: number
}

export function smtpMail({ url, from, deadline_ms = DEADLINE_MS }: SmtpServer): Mail {
  const server = new URL(url)
  const sender = readSender(from)
  return {
    async send(message) {
      const read = readMessage(message)
      const { to, subject, text, reference, unsubscribe_url } = read
      const transport = await openTransport(server, deadline_ms)
      try {
        await transport.sendMail({
          from: sender,
          // An object, because a string would be parsed as a list of recipients.
          to: { name: '', address: to },
          subject,
          text,
          html: renderMailHtml(read),
          messageId: `<${reference}@${domainOf(sender.address)}>`,
          headers: headersOf(unsubscribe_url),
          signal: AbortSignal.timeout(deadline_ms),
        })
      } catch (error) {
        throw readFailure(error, server.hostname)
      }
    },
    async verify() {
      const transport = await openTransport(server, deadline_ms)
      try {
        await transport.verify()
      } catch (error) {
        throw readFailure(error, server.hostname)
      }
    },
  }
}

/** Suppresses auto-replies, and offers to unsubscribe with one click. */
function headersOf(unsubscribe_url: string | undefined): Record<string, string> {
  return {
    'Auto-Submitted': 'auto-generated',
    ...(unsubscribe_url !== undefined && {
      'List-Unsubscribe': `<${unsubscribe_url}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    }),
  }
}

async function openTransport(server: URL, deadline_ms: number) {
  // Imported at the first mail, because it takes a quarter of a second.
  const { createTransport } = await import('nodemailer')
  return createTransport({
    ...optionsOf(server),
    connectionTimeout: deadline_ms,
    greetingTimeout: deadline_ms,
    socketTimeout: deadline_ms,
    dnsTimeout: deadline_ms,
    // A message must not read files or URLs.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

function optionsOf(server: URL) {
  const host = server.hostname.replace(/^\[|\]$/g, '')
  const user = decodeURIComponent(server.username)
  const plain = server.searchParams.get('tls') === 'off'
  const secure = server.protocol === 'smtps:'
  return {
    host,
    port: Number(server.port) || PORTS[server.protocol],
    secure,
    requireTLS: !secure && !plain,
    ignoreTLS: plain,
    tls: { minVersion: 'TLSv1.2' as const, rejectUnauthorized: true },
    ...(user === '' ? {} : { auth: { user, pass: decodeURIComponent(server.password) } }),
    // Otherwise the message would also go to a server that requires no password.
    forceAuth: user !== '',
  }
}

interface Sender {
  name: string
  address: string
}

function readSender(from: string): Sender {
  const [, name = '', address = from] = /^(.*)<([^<>]+)>$/.exec(from) ?? []
  return { name: name.trim().replaceAll(/^"|"$/g, ''), address: address.trim() }
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1)
}

/**
 * Only a 5xx reply to the message or its recipient is permanent. All other failures are temporary:
 * silence, and wrong passwords or expired certificates, which the operator can fix.
 */
function readFailure(error: unknown, host: string): MailError {
  if (!(error instanceof Error)) return failure(`${host} took no mail.`, true, error)
  const code = 'code' in error ? error.code : ''
  const status = 'responseCode' in error ? Number(error.responseCode) : 0
  if (code === 'EABORT' || code === 'ETIMEDOUT') {
    return failure(`${host} did not take the mail in time.`, true, error)
  }
  if (code === 'EAUTH' || code === 'ENOAUTH') {
    return failure(`${host} did not accept the user name and password.`, true, error)
  }
  if (code === 'ETLS') return failure(`${host} gave no TLS that can be trusted.`, true, error)
  const refused = code === 'EENVELOPE' || code === 'EMESSAGE'
  if (refused && status > 0) {
    const lasting = status >= 500 && status !== 503
    return failure(`${host} refused the mail with ${status}.`, !lasting, error)
  }
  return failure(`${host} could not be reached.`, true, error)
}

function failure(message: string, retry: boolean, cause: unknown): MailError {
  return new MailError(message, { retry, cause })
}
