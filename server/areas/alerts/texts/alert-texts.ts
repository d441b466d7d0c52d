/** What an alert says, in English and Dutch. Pure. */
import type { MailLanguage } from '../../../providers/mail/mail-contract.ts'
import type { AlertKind } from '../condition.ts'
import type { AlertRow } from '../store.ts'
import { dutch } from './dutch.ts'
import { english } from './english.ts'

export interface AlertWords {
  title: string
  /** What was found. */
  about: string
  /** What to do. */
  advice: string
}

export interface WrittenFacts {
  subject: string
  text(name: string): string
  number(name: string): number
  /** A size, such as `1.2 GB`. */
  size(name: string): string
  /** A time in the time zone of the installation. */
  moment(name: string): string
}

export type KindTexts = Readonly<Record<AlertKind, (facts: WrittenFacts) => AlertWords>>

const texts: Readonly<Record<MailLanguage, KindTexts>> = { en: english, nl: dutch }
const locales: Readonly<Record<MailLanguage, string>> = { en: 'en-GB', nl: 'nl-NL' }

type Described = Pick<AlertRow, 'kind' | 'subject' | 'detail'>
export interface Wording {
  language: MailLanguage
  timezone: string
}

export function describeAlert({ kind, subject, detail }: Described, wording: Wording): AlertWords {
  const text = (name: string) => String(detail[name] ?? '')
  const number = (name: string) => Number(detail[name] ?? 0)
  return texts[wording.language][kind]({
    subject: subject.split('@')[0] ?? '',
    text,
    number,
    size: (name) => writeBytes(number(name), wording.language),
    moment: (name) => writeMoment(new Date(text(name)), wording),
  })
}

export function writeMoment(time: Date, { language, timezone }: Wording): string {
  return new Intl.DateTimeFormat(locales[language], {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: timezone,
  }).format(time)
}

const GIGABYTE = 1e9

function writeBytes(bytes: number, language: MailLanguage): string {
  const format = new Intl.NumberFormat(locales[language], { maximumFractionDigits: 1 })
  return `${format.format(bytes / GIGABYTE)} GB`
}
