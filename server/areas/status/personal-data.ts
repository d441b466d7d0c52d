/** The personal data in the area status. */
import type { PersonalDataEntry } from '../../contract/catalogue/entries/personal-data-entry.ts'

export const personalData = {
  status_subscribers: {
    title: 'Subscribers of the status page',
    about: 'Addresses that get updates of the status page by mail.',
    tables: ['status_subscribers'],
    days: null,
    chosen: false,
    days_max: null,
    not_searched:
      'It belongs to the installation: subscribers remove themselves, or ask the operator.',
  },
} as const satisfies Record<string, PersonalDataEntry>
