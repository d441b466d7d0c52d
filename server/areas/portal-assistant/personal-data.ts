/** The personal data in the area portal-assistant. */
import {
  daysOf,
  type PersonalDataEntry,
} from '../../contract/catalogue/entries/personal-data-entry.ts'
import { limits } from '../../contract/limits.ts'

export const personalData = {
  portal_conversations: {
    title: 'Portal assistant',
    about: 'What members of the team asked the assistant of the portal.',
    tables: ['portal_conversations', 'portal_messages', 'portal_proposals'],
    days: daysOf(limits.portal_conversations_kept_s),
    chosen: false,
    days_max: null,
    not_searched: 'Questions of the team, deleted after their days.',
  },
} as const satisfies Record<string, PersonalDataEntry>
