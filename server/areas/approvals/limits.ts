/** Limits of approvals. */
import { HOUR_S, type LimitEntry } from '../../contract/catalogue/limit-entry.ts'

export const limits = {
  approval_s: {
    value: 72 * HOUR_S,
    unit: 'seconds',
    about: 'How long something waits for the yes of a person; then it is rejected',
    applies_to: 'approvals',
  },
  approvals_pending_max: {
    value: 50,
    unit: 'approvals',
    about: 'Things of one project that wait for the yes of a person',
    applies_to: 'approvals',
  },
  approval_arguments_bytes_max: {
    value: 32_768,
    unit: 'bytes',
    about: 'Size of the arguments of what waits for the yes of a person',
    applies_to: 'approvals',
  },
  approval_note_characters_max: {
    value: 2000,
    unit: 'characters',
    about: 'Length of what the person who decides says',
    applies_to: 'approvals',
  },
  approval_begun_s: {
    value: 300,
    unit: 'seconds',
    about: 'After how long something that was begun outside, and never ended, counts as failed',
    applies_to: 'approvals',
  },
  approval_mail_pause_s: {
    value: 900,
    unit: 'seconds',
    about: 'Least time between two mails to a team about what waits for it',
    applies_to: 'approvals',
  },
  approval_kept_s: {
    value: 90 * 24 * HOUR_S,
    unit: 'seconds',
    about: 'How long an approval is kept after it ended',
    applies_to: 'approvals',
  },
} as const satisfies Record<string, LimitEntry>
