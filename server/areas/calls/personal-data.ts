/** The personal data in calls. */
import type { PersonalDataEntry } from '../../contract/catalogue/entries/personal-data-entry.ts'

export const personalData = {
  calls: {
    title: 'Calls',
    about: 'Numbers of callers, with the time, duration and outcome of each call.',
    tables: ['calls', 'live_calls'],
    days: 730,
    chosen: true,
    days_max: null,
    not_searched: null,
  },
  call_contents: {
    title: 'Transcripts of calls',
    about: 'What was said in calls: transcripts, summaries and messages that callers left.',
    tables: ['call_messages'],
    days: 365,
    chosen: true,
    days_max: null,
    not_searched: null,
  },
  call_consents: {
    title: 'People who agreed to marketing calls',
    about: 'Numbers of people who agreed to be called, with how they agreed.',
    tables: ['call_consents'],
    days: null,
    chosen: false,
    days_max: null,
    not_searched: 'Kept as proof of the consent, until it is withdrawn.',
  },
} as const satisfies Record<string, PersonalDataEntry>
