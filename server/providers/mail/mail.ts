/**
 * Who sends mail for this installation: an SMTP server, the log, or nobody. It is mail of the
 * service itself to the owner of a project; what projects send to their customers goes elsewhere.
 */
import type { Runtime } from '../../kernel/runtime.ts'
import { readMessage, type Mail } from './mail-contract.ts'
import { smtpMail } from './smtp.ts'

/** Null when the operator wants no mail. */
export function mailOf(runtime: Runtime): Mail | null {
  const { provider, url, from } = runtime.config.mail
  if (provider === 'none') return null
  return provider === 'smtp' ? smtpMail({ url, from }) : logMail(runtime)
}

/** For development: the whole message as a line of the log, where a developer reads it. */
function logMail({ log, config }: Runtime): Mail {
  return {
    async send(message) {
      const mail = { from: config.mail.from, ...readMessage(message) }
      log.info({ mail }, `mail to ${mail.to}: ${mail.subject}`)
    },
    async verify() {},
  }
}
