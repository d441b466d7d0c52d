/**
 * Creates the mail provider: an SMTP server, the log, or none. It sends notifications of the
 * service to project owners; mail of projects to their customers is separate.
 */
import type { Runtime } from '../../kernel/runtime.ts'
import { readMessage, type Mail, type MailMessage } from './mail-contract.ts'
import { smtpMail } from './smtp.ts'

/** Null if the operator chose none. */
export function mailOf(runtime: Runtime): Mail | null {
  const { provider, url, from } = runtime.config.mail
  if (provider === 'none') return null
  return provider === 'smtp' ? smtpMail({ url, from }) : logMail(runtime)
}

export interface LoggedMail extends MailMessage {
  sent_at: Date
}

const LOGGED_MAX = 100
const loggedMails = new WeakMap<Runtime, LoggedMail[]>()

/** The latest mails of this process that were written to the log, newest first. */
export function listLoggedMails(runtime: Runtime): readonly LoggedMail[] {
  return loggedMails.get(runtime) ?? []
}

/** For development: writes the whole message to the log, and keeps it for /dev/mail. */
function logMail(runtime: Runtime): Mail {
  const { log, config, clock } = runtime
  return {
    async send(message) {
      const mail = { from: config.mail.from, ...readMessage(message) }
      log.info({ mail }, `mail to ${mail.to}: ${mail.subject}`)
      const kept = [{ ...mail, sent_at: clock.now() }, ...listLoggedMails(runtime)]
      loggedMails.set(runtime, kept.slice(0, LOGGED_MAX))
    },
    async verify() {},
  }
}
