/** A message for one recipient, and the result of its hand-over. */
export interface Parcel {
  /** Envelope sender. */
  from: string
  /** Envelope recipient. */
  to: string
  /** The signed message. */
  source: Buffer
  /** Called before the first byte of the message is sent. */
  onData(): Promise<void>
}

/** The reason of recipients in cc and bcc that were not sent the email. */
export const ALL_TO_SUPPRESSED = 'Every recipient in to is suppressed, so nobody got the email.'

export type Outcome =
  | {
      kind: 'delivered'
      smtp_code: number | null
      enhanced_code: string | null
      remote_mta: string | null
    }
  | { kind: 'refused'; code: number; text: string; remote_mta: string }
  /** Nothing of the message was accepted. */
  | { kind: 'unreachable'; remote_mta: string | null }
  /** The message was sent, and no reply came. */
  | { kind: 'unknown'; remote_mta: string | null }
