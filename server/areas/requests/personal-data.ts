/** The personal data in the area requests. */
import {
  daysOf,
  type PersonalDataEntry,
} from '../../contract/catalogue/entries/personal-data-entry.ts'
import { limits } from '../../contract/limits.ts'

export const personalData = {
  request_log: {
    title: 'Request log',
    about: 'Addresses of programs that use the API, and the paths that they request.',
    tables: ['request_log'],
    days: daysOf(limits.requests_kept_s),
    chosen: true,
    days_max: daysOf(limits.requests_kept_s),
    not_searched:
      'It has addresses of programs and paths, and is deleted after a week at the latest.',
  },
} as const satisfies Record<string, PersonalDataEntry>
