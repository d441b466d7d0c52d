/** Check of the mail server: whether it accepts a mail. */
import type { Config } from '../../kernel/config/config-types.ts'
import { MailError } from '../../providers/mail/mail-contract.ts'
import { smtpMail } from '../../providers/mail/smtp.ts'
import type { DoctorCheck } from './doctor-check.ts'

const DEADLINE_MS = 5000

export async function checkMail({ mail: { provider, url, from } }: Config): Promise<DoctorCheck> {
  const name = 'mail'
  if (provider !== 'smtp') {
    const detail =
      provider === 'log' ? 'Mail to owners is written to the log only.' : 'Owners get no mail.'
    return { name, status: 'ok', detail, next_step: null }
  }
  const { hostname } = new URL(url)
  try {
    await smtpMail({ url, from, deadline_ms: DEADLINE_MS }).verify()
  } catch (error) {
    if (!(error instanceof MailError)) throw error
    const next_step =
      'Check HOMEPORT_MAIL_URL, and that this server accepts connections from this machine.'
    return { name, status: 'fail', detail: error.message, next_step }
  }
  return { name, status: 'ok', detail: `${hostname} would take a mail.`, next_step: null }
}
