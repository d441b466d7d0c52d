/** The mail about pending approvals, in English and Dutch. Pure. */
import { limits } from '../../../contract/limits.ts'
import {
  joinParagraphs,
  type MailLanguage,
  type MailMessage,
} from '../../../providers/mail/mail-contract.ts'
import type { ApprovalRow } from '../store.ts'
import { costInDutch, describeInDutch } from './dutch-effects.ts'

/** Describes an operation and its cost, without its arguments, which the portal shows. */
export function describeIn(
  language: MailLanguage,
  row: Pick<ApprovalRow, 'operation' | 'about' | 'cost'>,
): string {
  const about = language === 'nl' ? describeInDutch(row) : row.about
  if (row.cost === null) return about
  return `${about} ${language === 'nl' ? costInDutch(row.cost) : row.cost}`
}

interface Waiting {
  /** The name of the project. */
  name: string
  url: string
  /** The operations, in the language of the mail. */
  what: readonly string[]
  /** The number of all pending approvals. */
  waiting: number
}

const hours = limits.approval_s / 3600

export function writeWaiting(
  language: MailLanguage,
  { name, url, what, waiting }: Waiting,
): Pick<MailMessage, 'subject' | 'text' | 'links' | 'language'> {
  const list = what.map((one) => `- ${one}`).join('\n')
  if (language === 'nl') {
    const actions =
      waiting === 1
        ? '1 actie wacht op uw goedkeuring'
        : `${waiting} acties wachten op uw goedkeuring`
    return {
      language,
      subject: `${actions}: ${name}`,
      text: joinParagraphs([
        'Hallo,',
        `een assistent die met uw project "${name}" is verbonden, vraagt goedkeuring voor:`,
        list,
        `${actions}. Er gebeurt niets voordat iemand beslist. Bekijk de details en beslis hier:\n${url}`,
        `Een actie waarover binnen ${hours} uur niet is beslist, wordt niet uitgevoerd.`,
      ]),
      links: [{ url, label: 'Bekijken en beslissen' }],
    }
  }
  const actions =
    waiting === 1 ? '1 action waits for your approval' : `${waiting} actions wait for your approval`
  return {
    language,
    subject: `${actions}: ${name}`,
    text: joinParagraphs([
      'Hello,',
      `an assistant that is connected to your project "${name}" requests approval for:`,
      list,
      `${actions}. Nothing is done before a person decides. See the details and decide here:\n${url}`,
      `An action without a decision within ${hours} hours is not executed.`,
    ]),
    links: [{ url, label: 'Review and decide' }],
  }
}
