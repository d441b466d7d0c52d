/** The personal data in emails. */
import type { PersonalDataEntry } from '../../contract/catalogue/entries/personal-data-entry.ts'

export const personalData = {
  emails: {
    title: 'Emails',
    about: 'Sent emails with their recipients, texts and attachments.',
    tables: ['emails', 'email_attachments', 'email_recipients', 'email_events', 'email_outbox'],
    days: 365,
    chosen: true,
    days_max: null,
    not_searched: null,
  },
  email_recipients: {
    title: 'Confirmed recipients of email',
    about: 'Addresses that the owner confirmed, or is asked to confirm.',
    tables: ['email_known_recipients'],
    days: null,
    chosen: false,
    days_max: null,
    not_searched: null,
  },
  email_suppressions: {
    title: 'Addresses that get no email',
    about: 'Addresses that bounced or asked for no more email.',
    tables: ['email_suppressions'],
    days: null,
    chosen: false,
    days_max: null,
    not_searched: 'Kept so that the address gets no more email.',
  },
} as const satisfies Record<string, PersonalDataEntry>
