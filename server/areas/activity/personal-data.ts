/** The personal data in the area activity. */
import {
  daysOf,
  type PersonalDataEntry,
} from '../../contract/catalogue/entries/personal-data-entry.ts'
import { limits } from '../../contract/limits.ts'

export const personalData = {
  activity: {
    title: 'Activity',
    about: 'Which member of the team or program changed what, and when.',
    tables: ['activity'],
    days: daysOf(limits.activity_kept_s),
    chosen: false,
    days_max: null,
    not_searched: 'It names members of the team and programs, not customers.',
  },
} as const satisfies Record<string, PersonalDataEntry>
