/** The personal data in the area sites. */
import type { PersonalDataEntry } from '../../contract/catalogue/entries/personal-data-entry.ts'

export const personalData = {
  sites: {
    title: 'Sites',
    about: 'Pages of the websites of the project, and the versions before them.',
    tables: ['sites', 'site_versions', 'site_reviews'],
    days: null,
    chosen: false,
    days_max: null,
    not_searched: 'The business published it.',
  },
} as const satisfies Record<string, PersonalDataEntry>
