/** The personal data in the area webhooks. */
import type { PersonalDataEntry } from '../../contract/catalogue/entries/personal-data-entry.ts'

export const personalData = {
  deliveries: {
    title: 'Deliveries of events',
    about: 'Addresses of receivers, and the beginning of their replies.',
    tables: ['events', 'webhook_endpoints', 'webhook_deliveries', 'webhook_attempts'],
    days: 30,
    chosen: false,
    days_max: null,
    not_searched: 'It names records by their ids, and is deleted after its days.',
  },
} as const satisfies Record<string, PersonalDataEntry>
