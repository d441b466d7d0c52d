/** Limits of calls. */
import type { LimitEntry } from '../../contract/catalogue/limit-entry.ts'

export const limits = {
  call_message_mail_pause_s: {
    value: 300,
    unit: 'seconds',
    about: 'Shortest interval between two mails to a business with messages that callers left',
    applies_to: 'calls',
  },
} as const satisfies Record<string, LimitEntry>
