/** Limits of calls. */
import type { LimitEntry } from '../../contract/catalogue/entries/limit-entry.ts'

export const limits = {
  call_message_mail_pause_s: {
    value: 300,
    unit: 'seconds',
    about: 'Shortest interval between two mails to a business with messages that callers left',
    applies_to: 'calls',
  },
  call_search_characters_max: {
    value: 200,
    unit: 'characters',
    about: 'Longest text to search for in calls',
    applies_to: 'calls',
  },
  call_search_calls_max: {
    value: 1_000,
    unit: 'calls',
    about: 'Calls whose transcripts a search reads',
    applies_to: 'calls',
  },
  call_search_s_max: {
    value: 3,
    unit: 'seconds',
    about: 'Time for a search with q or a filter',
    applies_to: 'calls',
  },
} as const satisfies Record<string, LimitEntry>
