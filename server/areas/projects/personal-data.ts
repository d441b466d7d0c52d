/** The personal data in the area projects. */
import type { PersonalDataEntry } from '../../contract/catalogue/entries/personal-data-entry.ts'

export const personalData = {
  company: {
    title: 'Company details',
    about: 'Name, address and registration of the business, and the name of its contact.',
    tables: ['companies', 'projects'],
    days: null,
    chosen: false,
    days_max: null,
    not_searched: 'Details of the business itself.',
  },
} as const satisfies Record<string, PersonalDataEntry>
