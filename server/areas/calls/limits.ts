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
  outbound_calls_per_day_max: {
    value: 100,
    unit: 'calls',
    about: 'Outbound calls started per day',
    applies_to: 'POST /calls',
  },
  outbound_calls_at_once_max: {
    value: 2,
    unit: 'calls',
    about: 'Outbound calls of a project at the same time',
    applies_to: 'POST /calls',
  },
  outbound_calls_at_once_full_max: {
    value: 10,
    unit: 'calls',
    about: 'Outbound calls at the same time of a project with the verification level full',
    applies_to: 'POST /calls',
  },
  inbound_calls_at_once_max: {
    value: 50,
    unit: 'calls',
    about: 'Calls to the numbers of a project at the same time; further callers hear busy',
    applies_to: 'calls',
  },
  call_s_max: {
    value: 1_800,
    unit: 'seconds',
    about: 'Longest call',
    applies_to: 'calls',
  },
} as const satisfies Record<string, LimitEntry>
