/**
 * Creates the mail provider: an SMTP server, the log, or none. It sends notifications of the
 * service to project owners; mail of projects to their customers is separate.
 */
import type { Runtime } from '../../kernel/runtime.ts'
import { readMessage, type Mail } from './mail-contract.ts'
import { smtpMail } from './smtp.ts'

/** Null if the operator chose none. */
export function mailOf(runtime: Runtime): Mail | null {
  const { provider, url, from } = runtime.config.mail
  if (provider === 'none') return null
  return provider === 'smtp' ? smtpMail({ url, from }) : logMail(runtime)
}

/** For development: writes the whole message to the log. */
function logMail({ log, config }: Runtime): Mail {
  return {
    async send(message) {
      const mail = { from: config.mail.from, ...readMessage(message) }
      log.info({ mail }, `mail to ${mail.to}: ${mail.subject}`)
    },
    async verify() {},
  }
}
