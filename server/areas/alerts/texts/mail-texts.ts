/** The mails about alerts, in English and Dutch. Pure. */
import {
  joinParagraphs,
  toOneLine,
  type MailLanguage,
  type MailMessage,
} from '../../../providers/mail/mail-contract.ts'
import type { Notice } from '../evaluate.ts'
import { describeAlert, writeMoment, type Wording } from './alert-texts.ts'

export type MailWords = Required<Pick<MailMessage, 'subject' | 'text' | 'language' | 'links'>>

interface Phrases {
  event: Readonly<Record<Notice['event'], string>>
  more(count: number): string
  since(time: string): string
  resolved(from: string, until: string): string
  open: string
  why: string
  test: { subject: string; text: string }
}

const phrases: Readonly<Record<MailLanguage, Phrases>> = {
  en: {
    event: { firing: 'Alert', reminder: 'Reminder', resolved: 'Resolved' },
    more: (count) => ` (and ${count} more)`,
    since: (time) => `Since ${time}.`,
    resolved: (from, until) => `It lasted from ${from} until ${until}.`,
    open: 'Open the alerts',
    why: 'You get this mail as an operator of this installation. HOMEPORT_ALERT_MAIL sets who gets it.',
    test: {
      subject: 'Test alert',
      text: 'An operator sent this test. Alerts of this installation arrive at this address, so there is nothing to do.',
    },
  },
  nl: {
    event: { firing: 'Melding', reminder: 'Herinnering', resolved: 'Opgelost' },
    more: (count) => ` (en nog ${count})`,
    since: (time) => `Sinds ${time}.`,
    resolved: (from, until) => `Het duurde van ${from} tot ${until}.`,
    open: 'Meldingen openen',
    why: 'U krijgt deze mail als beheerder van deze installatie. HOMEPORT_ALERT_MAIL bepaalt wie hem krijgt.',
    test: {
      subject: 'Testmelding',
      text: 'Een beheerder stuurde deze test. Meldingen van deze installatie komen op dit adres aan. U hoeft niets te doen.',
    },
  },
}

export interface MailPlace extends Wording {
  /** The page of alerts. */
  url: string
}

/** One mail about everything that changed in one evaluation. */
export function writeAlertMail(notices: readonly Notice[], place: MailPlace): MailWords {
  const { event, more } = phrases[place.language]
  const [first] = notices
  const title = first ? `${event[first.event]}: ${describeAlert(first.alert, place).title}` : ''
  const rest = notices.length > 1 ? more(notices.length - 1) : ''
  return mailOf(place, {
    subject: title + rest,
    paragraphs: notices.flatMap((notice) => paragraphsOf(notice, place)),
  })
}

function paragraphsOf({ event, alert }: Notice, place: MailPlace): string[] {
  const words = phrases[place.language]
  const { title, about, advice } = describeAlert(alert, place)
  const from = writeMoment(alert.began_at, place)
  const heading = `${words.event[event]}: ${toOneLine(title)}.`
  if (event === 'resolved') {
    const until = writeMoment(alert.cleared_at ?? alert.seen_at, place)
    return [`${heading}\n${words.resolved(from, until)}`]
  }
  return [`${heading}\n${toOneLine(about)}\n${words.since(from)}`, advice]
}

export function writeTestMail(place: MailPlace): MailWords {
  const { subject, text } = phrases[place.language].test
  return mailOf(place, { subject, paragraphs: [text] })
}

function mailOf(
  { language, url }: MailPlace,
  { subject, paragraphs }: { subject: string; paragraphs: readonly string[] },
): MailWords {
  const { open, why } = phrases[language]
  const text = joinParagraphs([...paragraphs, url, why])
  return { subject, text, language, links: [{ url, label: open }] }
}
