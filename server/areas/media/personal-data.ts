/** The personal data in the area media. */
import type { PersonalDataEntry } from '../../contract/catalogue/entries/personal-data-entry.ts'

export const personalData = {
  media: {
    title: 'Files',
    about: 'Pictures and documents that the team uploaded, with their descriptions.',
    tables: ['media', 'media_uses', 'picture_copies'],
    days: null,
    chosen: false,
    days_max: null,
    not_searched: 'The team uploaded it. Search the page Media by name.',
  },
} as const satisfies Record<string, PersonalDataEntry>
