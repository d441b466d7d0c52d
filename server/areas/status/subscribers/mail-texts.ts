/** The mails to subscribers of the status page, in its languages. */
import {
  joinParagraphs,
  toOneLine,
  type MailLink,
  type MailMessage,
} from '../../../providers/mail/mail-contract.ts'
import type { IncidentState } from '../incident-schema.ts'
import { automaticMessages, stateNames } from '../page/state-names.ts'
import type { PageLanguage } from '../page/component-names.ts'

type MailWords = Pick<MailMessage, 'subject' | 'text' | 'language' | 'links'>

interface Links {
  url: string
  page_url: string
}

export function writeConfirmation(language: PageLanguage, { url, page_url }: Links): MailWords {
  if (language === 'nl')
    return mailOf(language, {
      link: { url, label: 'Bevestigen' },
      subject: 'Bevestig uw abonnement op de statuspagina',
      paragraphs: [
        `U vraagt om mail over storingen en onderhoud van ${page_url}.`,
        `Bevestig dat hier:\n${url}`,
        'Hebt u dit niet gevraagd, doe dan niets: zonder bevestiging krijgt u geen mail.',
      ],
    })
  return mailOf(language, {
    link: { url, label: 'Confirm' },
    subject: 'Confirm your subscription to the status page',
    paragraphs: [
      `You asked for mail about incidents and maintenance of ${page_url}.`,
      `Confirm that here:\n${url}`,
      'If you did not ask for this, do nothing: without a confirmation you get no mail.',
    ],
  })
}

export function writeKnown(language: PageLanguage, { url, page_url }: Links): MailWords {
  if (language === 'nl')
    return mailOf(language, {
      link: { url, label: 'Afmelden' },
      subject: 'U bent al geabonneerd op de statuspagina',
      paragraphs: [
        `Dit adres krijgt al mail over storingen en onderhoud van ${page_url}.`,
        `Geen mail meer? Meld u hier af:\n${url}`,
      ],
    })
  return mailOf(language, {
    link: { url, label: 'Unsubscribe' },
    subject: 'You already subscribe to the status page',
    paragraphs: [
      `This address already gets mail about incidents and maintenance of ${page_url}.`,
      `No more mail? Unsubscribe here:\n${url}`,
    ],
  })
}

export interface MailedUpdate {
  title: string
  state: IncidentState
  message: string | null
  incident_url: string
  unsubscribe_url: string
}

export function writeUpdate(language: PageLanguage, update: MailedUpdate): MailWords {
  const { title, state, message, incident_url, unsubscribe_url } = update
  const line = toOneLine(title)
  const said =
    message ?? automaticMessages[language][state === 'completed' ? 'completed' : 'in_progress']
  const leave = language === 'nl' ? 'Geen mail meer' : 'Unsubscribe'
  return mailOf(language, {
    link: { url: incident_url, label: language === 'nl' ? 'Bekijken' : 'View' },
    subject: `[${stateNames[language][state]}] ${line}`,
    paragraphs: [
      line,
      `${stateNames[language][state]}: ${said}`,
      incident_url,
      `${leave}: ${unsubscribe_url}`,
    ],
  })
}

interface Draft {
  link: MailLink
  subject: string
  paragraphs: readonly string[]
}

function mailOf(language: PageLanguage, { link, subject, paragraphs }: Draft): MailWords {
  return { subject, text: joinParagraphs(paragraphs), language, links: [link] }
}
