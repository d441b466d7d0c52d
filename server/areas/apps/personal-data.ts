/** The personal data in the area apps. */
import {
  daysOf,
  type PersonalDataEntry,
} from '../../contract/catalogue/entries/personal-data-entry.ts'
import { limits } from '../../contract/limits.ts'

export const personalData = {
  app_logs: {
    title: 'Logs of apps',
    about: 'What the code of an app logs, which may name visitors.',
    tables: ['app_logs'],
    days: daysOf(limits.app_logs_kept_s),
    chosen: false,
    days_max: null,
    not_searched: 'It is text of programs, and is deleted after a week.',
  },
  app_users: {
    title: 'Users of apps',
    about:
      'Email addresses of people who signed in to an app, their passwords as hashes, passkeys, sessions and codes.',
    tables: ['app_users', 'app_passkeys', 'app_sessions', 'app_codes'],
    days: null,
    chosen: false,
    days_max: null,
    not_searched: null,
  },
} as const satisfies Record<string, PersonalDataEntry>
