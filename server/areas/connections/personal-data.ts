/** The personal data in the area connections. */
import type { PersonalDataEntry } from '../../contract/catalogue/entries/personal-data-entry.ts'

export const personalData = {
  connections: {
    title: 'Connected programs',
    about: 'Which member connected which program, and when it was used last.',
    tables: ['connections', 'access_tokens', 'oauth_clients', 'oauth_records'],
    days: null,
    chosen: false,
    days_max: null,
    not_searched: 'Programs of the team.',
  },
} as const satisfies Record<string, PersonalDataEntry>
