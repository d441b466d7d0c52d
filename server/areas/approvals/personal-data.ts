/** The personal data in the area approvals. */
import {
  daysOf,
  type PersonalDataEntry,
} from '../../contract/catalogue/entries/personal-data-entry.ts'
import { limits } from '../../contract/limits.ts'

export const personalData = {
  approvals: {
    title: 'Approvals',
    about: 'What programs asked permission for, with the contents of the request.',
    tables: ['approvals'],
    days: daysOf(limits.approval_kept_s),
    chosen: false,
    days_max: null,
    not_searched: 'It shows what was approved, and is deleted after its days.',
  },
} as const satisfies Record<string, PersonalDataEntry>
