/** The personal data in the area people. */
import type { PersonalDataEntry } from '../../contract/catalogue/entries/personal-data-entry.ts'

export const personalData = {
  team: {
    title: 'Team',
    about: 'Names and addresses of members and of invited people, and how they sign in.',
    tables: [
      'people',
      'members',
      'invitations',
      'sessions',
      'sign_ins',
      'sign_in_links',
      'sign_up_invitations',
      'accepted_terms',
      'passkeys',
      'recovery_codes',
    ],
    days: null,
    chosen: false,
    days_max: null,
    not_searched: 'Members of the team, who change and delete their accounts themselves.',
  },
} as const satisfies Record<string, PersonalDataEntry>
