/** Limits of approvals. */
import { HOUR_S, type LimitEntry } from '../../contract/catalogue/entries/limit-entry.ts'

export const limits = {
  approval_s: {
    value: 72 * HOUR_S,
    unit: 'seconds',
    about: 'How long an approval waits for a decision before it is rejected',
    applies_to: 'approvals',
  },
  approvals_pending_max: {
    value: 50,
    unit: 'approvals',
    about: 'Pending approvals per project',
    applies_to: 'approvals',
  },
  approval_arguments_bytes_max: {
    value: 32_768,
    unit: 'bytes',
    about: 'Size of the arguments of an operation that needs approval',
    applies_to: 'approvals',
  },
  approval_note_characters_max: {
    value: 2000,
    unit: 'characters',
    about: 'Length of the note of the person who decides',
    applies_to: 'approvals',
  },
  approval_begun_s: {
    value: 300,
    unit: 'seconds',
    about: 'Time after which an operation that started but never finished counts as failed',
    applies_to: 'approvals',
  },
  approval_mail_pause_s: {
    value: 900,
    unit: 'seconds',
    about: 'Shortest interval between two mails to a team about pending approvals',
    applies_to: 'approvals',
  },
  approval_kept_s: {
    value: 90 * 24 * HOUR_S,
    unit: 'seconds',
    about: 'How long an approval is kept after it ends',
    applies_to: 'approvals',
  },
} as const satisfies Record<string, LimitEntry>
