/**
 * The interface of a mail provider: sends a message to one recipient, as text and as HTML. Success means that
 * the provider accepted the message, not that it arrived.
 */
import assert from 'node:assert/strict'

export const mailLanguages = ['en', 'nl'] as const
export type MailLanguage = (typeof mailLanguages)[number]

export interface MailLink {
  url: string
  /** The text of the button. */
  label: string
}

export interface MailMessage {
  /** A single address, without a name. */
  to: string
  /** A single line. */
  subject: string
  /** Paragraphs, separated by empty lines. The HTML part of the mail is made of them. */
  text: string
  /** English by default. */
  language?: MailLanguage
  /** Lines of the text that are one of these URLs are buttons in the HTML part. */
  links?: readonly MailLink[]
  /**
   * Our id of the message: letters, digits and hyphens. It determines the Message-ID, so mailboxes
   * recognize a repeated message.
   */
  reference: string
  /**
   * URL where one POST request unsubscribes the recipient (RFC 8058). Required for mail to a list.
   */
  unsubscribe_url?: string
}

export interface Mail {
  /** Throws a MailError on failure. */
  send(message: MailMessage): Promise<void>
  /** Connects and authenticates without sending a message. Throws a MailError on failure. */
  verify(): Promise<void>
}

/**
 * The message was refused, or may not have been accepted. The text is one sentence for the
 * operator.
 */
export class MailError extends Error {
  override readonly name = 'MailError'
  /** Whether the unchanged message may be accepted later. */
  readonly retry: boolean
  constructor(message: string, { retry, cause }: { retry: boolean; cause?: unknown }) {
    super(message, { cause })
    this.retry = retry
  }
}

const ADDRESS_CHARACTERS_MAX = 254
const SUBJECT_CHARACTERS_MAX = 200
const address = /^[^\s<>()[\]\\,;:"@\p{C}]+@[^\s<>()[\]\\,;:"@\p{C}]+$/u

/**
 * Validates a message and normalizes its subject. Parts of it come from untrusted users, so no text
 * may become a header, a second recipient or an additional line of the subject.
 */
export function readMessage(message: MailMessage): MailMessage {
  const { to, subject, text, reference, unsubscribe_url, language = 'en', links = [] } = message
  if (to.length > ADDRESS_CHARACTERS_MAX || !address.test(to)) {
    throw new MailError('The recipient is not one email address.', { retry: false })
  }
  assert.match(reference, /^[\w-]{1,100}$/)
  const line = toOneLine(subject)
  const short = [...line].slice(0, SUBJECT_CHARACTERS_MAX).join('')
  assert.ok(unsubscribe_url === undefined || /^https?:\/\/[!-;=?-~]+$/.test(unsubscribe_url))
  return {
    to,
    subject: short,
    text: text.replaceAll(/\r\n?/g, '\n'),
    reference,
    language,
    links,
    ...(unsubscribe_url !== undefined && { unsubscribe_url }),
  }
}

/** Joins paragraphs to the text of a mail. */
export function joinParagraphs(paragraphs: readonly string[]): string {
  return `${paragraphs.join('\n\n')}\n`
}

const NAME_CHARACTERS_MAX = 100

/** Shortens a user-chosen name and makes it safe for a sentence or a subject line. */
export function shortName(name: string): string {
  return [...toOneLine(name)].slice(0, NAME_CHARACTERS_MAX).join('')
}

/**
 * Makes untrusted text part of one line: replaces line breaks, control characters and bidirectional
 * controls by spaces.
 */
export function toOneLine(words: string): string {
  return words.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim()
}
