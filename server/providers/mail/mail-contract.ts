/**
 * The interface of a mail provider: sends a plain-text message to one recipient. Success means that
 * the provider accepted the message, not that it arrived.
 */
import assert from 'node:assert/strict'

export interface MailMessage {
  /** A single address, without a name. */
  to: string
  /** A single line. */
  subject: string
  text: string
  /**
   * Our id of the message: letters, digits and hyphens. It determines the Message-ID, so mailboxes
   * recognize a repeated message.
   */
  reference: string
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
export function readMessage({ to, subject, text, reference }: MailMessage): MailMessage {
  if (to.length > ADDRESS_CHARACTERS_MAX || !address.test(to)) {
    throw new MailError('The recipient is not one email address.', { retry: false })
  }
  assert.match(reference, /^[\w-]{1,100}$/)
  const line = toOneLine(subject)
  const short = [...line].slice(0, SUBJECT_CHARACTERS_MAX).join('')
  return { to, subject: short, text: text.replaceAll(/\r\n?/g, '\n'), reference }
}

/**
 * Makes untrusted text part of one line: replaces line breaks, control characters and bidirectional
 * controls by spaces.
 */
export function toOneLine(words: string): string {
  return words.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim()
}
