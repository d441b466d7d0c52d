/** The mails about deleted and restored projects, in their languages. */
import type { MailLanguage, MailMessage } from '../../providers/mail/mail-contract.ts'
import { joinParagraphs, shortName } from '../../providers/mail/mail-contract.ts'

interface Notice {
  what: 'deleted' | 'restored'
  /** Written by members, so untrusted. */
  name: string
  /** Whether the operator deleted it, so that its owners cannot restore it. */
  by_operator: boolean
  kept_until: Date
  url: string
}

type Words = Pick<MailMessage, 'subject' | 'text' | 'links'>

export function writeProjectMail(language: MailLanguage, notice: Notice): Words {
  if (notice.what === 'restored') return writeRestored(language, notice)
  return notice.by_operator
    ? writeDeletedByOperator(language, notice)
    : writeDeleted(language, notice)
}

function writeDate(language: MailLanguage, date: Date): string {
  const locale = language === 'nl' ? 'nl-NL' : 'en-GB'
  return date.toLocaleDateString(locale, { dateStyle: 'long', timeZone: 'UTC' })
}

function writeDeletedByOperator(language: MailLanguage, { name, kept_until }: Notice): Words {
  const project = shortName(name)
  const day = writeDate(language, kept_until)
  if (language === 'nl')
    return {
      subject: `Het project ${project} is verwijderd`,
      text: joinParagraphs([
        `De beheerder van deze installatie heeft het project "${project}" verwijderd. De sleutels, sites en chats ervan werken niet meer.`,
        `Alleen de beheerder kan het tot ${day} herstellen. Daarna wordt het definitief verwijderd.`,
      ]),
    }
  return {
    subject: `The project ${project} was deleted`,
    text: joinParagraphs([
      `The operator of this installation deleted the project "${project}". Its keys, sites and chats no longer work.`,
      `Only the operator can restore it until ${day}. After that it is permanently deleted.`,
    ]),
  }
}

function writeDeleted(language: MailLanguage, { name, kept_until, url }: Notice): Words {
  const project = shortName(name)
  const day = writeDate(language, kept_until)
  if (language === 'nl')
    return {
      subject: `Het project ${project} is verwijderd`,
      text: joinParagraphs([
        `Het project "${project}" is verwijderd. De sleutels, sites en chats ervan werken niet meer.`,
        `Een eigenaar kan het tot ${day} herstellen. Daarna wordt het definitief verwijderd.`,
        url,
        'Was u het niet, meld u dan nu aan, herstel het project en wijzig uw wachtwoord.',
      ]),
      links: [{ url, label: 'Project herstellen' }],
    }
  return {
    subject: `The project ${project} was deleted`,
    text: joinParagraphs([
      `The project "${project}" was deleted. Its keys, sites and chats no longer work.`,
      `An owner can restore it until ${day}. After that it is permanently deleted.`,
      url,
      'If it was not you, sign in now, restore the project and change your password.',
    ]),
    links: [{ url, label: 'Restore the project' }],
  }
}

function writeRestored(language: MailLanguage, { name, url }: Notice): Words {
  const project = shortName(name)
  if (language === 'nl')
    return {
      subject: `Het project ${project} is hersteld`,
      text: joinParagraphs([
        `Het project "${project}" is hersteld. De sleutels, sites en gegevens ervan werken weer.`,
        url,
      ]),
      links: [{ url, label: 'Project openen' }],
    }
  return {
    subject: `The project ${project} was restored`,
    text: joinParagraphs([
      `The project "${project}" was restored. Its keys, sites and data work again.`,
      url,
    ]),
    links: [{ url, label: 'Open the project' }],
  }
}
