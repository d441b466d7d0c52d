/** Who gets mail about alerts. */
import type { Reader } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import type { MailLanguage } from '../../../providers/mail/mail-contract.ts'
import * as people from '../../people/service.ts'

export interface Recipient {
  email: string
  language: MailLanguage
}

/** Nobody if mail is off. */
export async function listRecipients(
  db: Reader,
  { config }: Pick<Runtime, 'config'>,
): Promise<Recipient[]> {
  const { alerts, mail, operator_email } = config
  if (mail.provider === 'none' || alerts.mail[0] === 'none') return []
  const operators = alerts.mail.length > 0 ? [] : await people.listOperators(db)
  if (operators.length > 0) return operators
  const addresses = alerts.mail.length > 0 ? alerts.mail : [operator_email]
  const known = [...new Set(addresses)].filter((email) => email !== '')
  return Promise.all(
    known.map(async (email) => ({ email, language: await people.findLanguageOf(db, email) })),
  )
}
