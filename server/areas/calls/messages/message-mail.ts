/** Builds the mail with messages of callers. Pure; callers' words are quoted lines. */
import {
  joinParagraphs,
  shortName,
  toOneLine,
  type MailLanguage,
  type MailMessage,
} from '../../../providers/mail/mail-contract.ts'

export interface MailedMessage {
  call_id: string
  kind: 'assistant' | 'voicemail'
  text: string
  left_at: Date
  from_number: string
  to_number: string
  test: boolean
}

interface Letter {
  project_name: string
  messages: readonly MailedMessage[]
  /** IANA time zone of the business. */
  timezone: string
  /** Page of the portal that lists the calls of the project. */
  calls_url: string
  language: MailLanguage
}

export function writeMessages(letter: Letter): Pick<MailMessage, 'subject' | 'text' | 'language'> {
  const { project_name, messages, language } = letter
  const t = language === 'nl' ? dutch : english
  const [first] = messages
  const name = shortName(project_name)
  const { length } = messages
  const what = length === 1 ? t.message_from(first?.from_number ?? '') : t.messages(length)
  const is_test = messages.every(({ test }) => test)
  const is_voicemail = messages.every(({ kind }) => kind === 'voicemail')
  const paragraphs = [
    t.hello,
    is_voicemail ? t.voicemail(name, length) : length === 1 ? t.took_one(name) : t.took_many(name),
    ...messages.map((message) => paragraphOf(message, letter, t)),
    t.automatic,
  ]
  return {
    language,
    subject: `${is_test ? `${t.test_call}: ` : ''}${t.for(what, name)}`,
    text: joinParagraphs(paragraphs),
  }
}

function paragraphOf(
  message: MailedMessage,
  { timezone, calls_url }: Letter,
  t: typeof english,
): string {
  const { call_id, text, left_at, from_number, to_number, test } = message
  const time = left_at.toLocaleString(t.locale, {
    timeZone: timezone,
    dateStyle: 'full',
    timeStyle: 'short',
  })
  return [
    `${t.from}: ${from_number}${test ? ` (${t.test_call.toLowerCase()})` : ''}`,
    `${t.to}: ${to_number}`,
    `${t.at}: ${time} (${timezone})`,
    `> ${toOneLine(text)}`,
    `${t.call}: ${calls_url}/${call_id}`,
  ].join('\n')
}

const english = {
  locale: 'en-GB',
  hello: 'Hello,',
  message_from: (number: string) => `Message from ${number}`,
  messages: (count: number) => `${count} messages`,
  for: (what: string, name: string) => `${what} for ${name}`,
  took_one: (name: string) => `your assistant of "${name}" took a message by phone.`,
  took_many: (name: string) => `your assistant of "${name}" took messages by phone.`,
  voicemail: (name: string, count: number) =>
    `"${name}" has ${count === 1 ? 'a new voicemail' : 'new voicemails'}.`,
  automatic: 'This is an automatic transcript and may contain errors.',
  test_call: 'Test call',
  from: 'From',
  to: 'To',
  at: 'At',
  call: 'Call',
}

const dutch: typeof english = {
  locale: 'nl-NL',
  hello: 'Hallo,',
  message_from: (number) => `Bericht van ${number}`,
  messages: (count) => `${count} berichten`,
  for: (what, name) => `${what} voor ${name}`,
  took_one: (name) => `uw assistent van "${name}" heeft aan de telefoon een bericht aangenomen.`,
  took_many: (name) => `uw assistent van "${name}" heeft aan de telefoon berichten aangenomen.`,
  voicemail: (name, count) =>
    `"${name}" heeft ${count === 1 ? 'een nieuwe voicemail' : 'nieuwe voicemails'}.`,
  automatic: 'Dit is een automatisch transcript en kan fouten bevatten.',
  test_call: 'Testgesprek',
  from: 'Van',
  to: 'Aan',
  at: 'Tijdstip',
  call: 'Gesprek',
}
