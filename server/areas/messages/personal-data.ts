/** The personal data in text messages. */
import type { PersonalDataEntry } from '../../contract/catalogue/entries/personal-data-entry.ts'

export const personalData = {
  messages: {
    title: 'Text messages',
    about: 'Texts that were sent and received by SMS, with the numbers and times.',
    tables: ['messages'],
    days: 365,
    chosen: true,
    days_max: null,
    not_searched: null,
  },
  message_opt_outs: {
    title: 'People who opted out of text messages',
    about: 'Numbers of people who replied STOP, so that they get no more messages.',
    tables: ['message_opt_outs'],
    days: null,
    chosen: false,
    days_max: null,
    not_searched: 'Kept so that these people are not sent messages again.',
  },
} as const satisfies Record<string, PersonalDataEntry>
