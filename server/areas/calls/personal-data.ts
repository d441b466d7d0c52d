/** The personal data in calls. */
import type { PersonalDataEntry } from '../../contract/catalogue/entries/personal-data-entry.ts'

export const personalData = {
  calls: {
    title: 'Calls',
    about: 'Numbers of callers, with the time, duration and outcome of each call.',
    tables: ['calls'],
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
} as const satisfies Record<string, PersonalDataEntry>
