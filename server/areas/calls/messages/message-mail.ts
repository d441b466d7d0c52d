/** Builds the mail with messages of callers. Pure; callers' words are quoted lines. */
import { toOneLine } from '../../../providers/mail/mail-contract.ts'

const NAME_CHARACTERS_MAX = 100

export interface MailedMessage {
  call_id: string
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
}

export function writeMessages(letter: Letter): { subject: string; text: string } {
  const { project_name, messages } = letter
  const [first] = messages
  const name = [...toOneLine(project_name)].slice(0, NAME_CHARACTERS_MAX).join('')
  const what =
    messages.length === 1 ? `Message from ${first?.from_number}` : `${messages.length} messages`
  const is_test = messages.every(({ test }) => test)
  const paragraphs = [
    'Hello,',
    `your assistant of "${name}" took ${messages.length === 1 ? 'a message' : 'messages'} by phone.`,
    ...messages.map((message) => paragraphOf(message, letter)),
    'This is an automatic transcript and may contain errors.',
  ]
  return {
    subject: `${is_test ? 'Test call: ' : ''}${what} for ${name}`,
    text: `${paragraphs.join('\n\n')}\n`,
  }
}

function paragraphOf(message: MailedMessage, { timezone, calls_url }: Letter): string {
  const { call_id, text, left_at, from_number, to_number, test } = message
  const time = left_at.toLocaleString('en-GB', {
    timeZone: timezone,
    dateStyle: 'full',
    timeStyle: 'short',
  })
  return [
    `From: ${from_number}${test ? ' (test call)' : ''}`,
    `To: ${to_number}`,
    `At: ${time} (${timezone})`,
    `> ${toOneLine(text)}`,
    `Call: ${calls_url}/${call_id}`,
  ].join('\n')
}
