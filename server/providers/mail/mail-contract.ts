/**
 * What a mail provider is to us: it takes one plain-text message to one person. That it took it is
 * all it says; whether the message arrives is another matter.
 */
import assert from 'node:assert/strict'

export interface Message {
  /** One address and nothing else: no name, no list. */
  to: string
  /** One line. */
  subject: string
  text: string
  /**
   * Our own id of the message: letters, digits and hyphens. Sent twice, it carries the same
   * Message-ID, by which mailboxes know it for the same.
   */
  reference: string
}

export interface Mail {
  /** May throw a MailError. */
  send(message: Message): Promise<void>
  /** Goes as far as a mail would, the password included, and sends none. May throw a MailError. */
  verify(): Promise<void>
}

/** The message was not taken, or not surely. Its text is one sentence for the operator. */
export class MailError extends Error {
  override readonly name = 'MailError'
  /** Whether it may be taken later, as it is. */
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
 * The message as it may be handed on. Callers put words of strangers into it, so none of them can
 * become a header, a second recipient or a line of its own in the subject.
 */
export function readMessage({ to, subject, text, reference }: Message): Message {
  if (to.length > ADDRESS_CHARACTERS_MAX || !address.test(to)) {
    throw new MailError('The recipient is not one email address.', { retry: false })
  }
  assert.match(reference, /^[\w-]{1,100}$/)
  const line = oneLine(subject)
  const short = [...line].slice(0, SUBJECT_CHARACTERS_MAX).join('')
  return { to, subject: short, text: text.replaceAll(/\r\n?/g, '\n'), reference }
}

/**
 * Words of a stranger as part of one line: line breaks, controls and what turns the direction of
 * writing become spaces.
 */
export function oneLine(words: string): string {
  return words.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim()
}
