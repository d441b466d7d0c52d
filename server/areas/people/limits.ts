/** Limits of people. */
import { HOUR_S, type LimitEntry } from '../../contract/catalogue/entries/limit-entry.ts'

export const limits = {
  person_name_characters_max: {
    value: 80,
    unit: 'characters',
    about: 'Length of the name of a person',
    applies_to: 'the portal',
  },
  sign_in_link_s: {
    value: 24 * HOUR_S,
    unit: 'seconds',
    about: 'Lifetime of a one-time sign-in link from the operator',
    applies_to: 'the portal',
  },
  sign_ups_per_network_max: {
    value: 10,
    unit: 'mails',
    about: 'Mails with a sign-up code per hour, asked for from one IPv4 address or IPv6 /64',
    applies_to: 'the portal',
  },
  sign_ups_per_large_network_max: {
    value: 30,
    unit: 'mails',
    about: 'Mails with a sign-up code per hour, asked for from one IPv6 /48',
    applies_to: 'the portal',
  },
  sign_ups_per_hour_max: {
    value: 500,
    unit: 'mails',
    about:
      'Mails with a sign-up code per hour, asked for by all visitors without an invitation link',
    applies_to: 'the portal',
  },
  sign_up_invitation_s: {
    value: 14 * 24 * HOUR_S,
    unit: 'seconds',
    about: 'Lifetime of an invitation of the operator to create an account',
    applies_to: 'the portal',
  },
  sign_up_invitations_max: {
    value: 1000,
    unit: 'invitations',
    about: 'Open invitations of the operator to create an account',
    applies_to: 'the portal',
  },
  sign_in_s: {
    value: 1800,
    unit: 'seconds',
    about: 'Time in which a started sign-in must be finished',
    applies_to: 'the portal',
  },
  sign_in_code_s: {
    value: 600,
    unit: 'seconds',
    about: 'Lifetime of a sign-in code sent by mail',
    applies_to: 'the portal',
  },
  sign_in_code_tries_max: {
    value: 5,
    unit: 'tries',
    about: 'Attempts per sign-in code; after them the right code is refused too',
    applies_to: 'the portal',
  },
  sign_in_codes_per_hour_max: {
    value: 5,
    unit: 'codes',
    about:
      'Sign-in codes per hour sent to one address, asked for from one network, or by browsers in ' +
      'which it signed in before',
    applies_to: 'the portal',
  },
  sign_in_codes_all_per_hour_max: {
    value: 20,
    unit: 'codes',
    about:
      'Sign-in codes per hour sent to one address at once, asked for from all other networks; further ' +
      'ones are sent later, at most one for each network',
    applies_to: 'the portal',
  },
  sign_in_code_delay_s_max: {
    value: 600,
    unit: 'seconds',
    about:
      'Longest delay of a sign-in code; it grows by 30 seconds with each code above the limit of all networks',
    applies_to: 'the portal',
  },
  sign_in_tries_max: {
    value: 10,
    unit: 'tries',
    about:
      'Attempts with a password or second factor per account from one network, or by browsers in ' +
      'which it signed in before',
    applies_to: 'the portal, /api/_auth/ of a site',
  },
  sign_in_tries_all_max: {
    value: 50,
    unit: 'tries',
    about: 'Attempts with a password or second factor per account from all other networks',
    applies_to: 'the portal, /api/_auth/ of a site',
  },
  known_browser_s: {
    value: 180 * 24 * HOUR_S,
    unit: 'seconds',
    about: 'How long a browser in which an account signed in has attempts of its own',
    applies_to: 'the portal',
  },
  sign_in_network_tries_max: {
    value: 60,
    unit: 'tries',
    about: 'Sign-in attempts from one IPv4 address or IPv6 /64',
    applies_to: 'the portal',
  },
  sign_in_tries_window_s: {
    value: 900,
    unit: 'seconds',
    about: 'Length of the sliding window in which sign-in attempts are counted',
    applies_to: 'the portal, /api/_auth/ of a site',
  },
  password_characters_min: {
    value: 12,
    unit: 'characters',
    about: 'Shortest password',
    applies_to: 'the portal, /api/_auth/ of a site',
  },
  password_characters_max: {
    value: 200,
    unit: 'characters',
    about: 'Longest password',
    applies_to: 'the portal, /api/_auth/ of a site',
  },
  passkeys_max: {
    value: 20,
    unit: 'passkeys',
    about: 'Passkeys of one person',
    applies_to: 'the portal, /api/_auth/ of a site',
  },
  passkey_name_characters_max: {
    value: 100,
    unit: 'characters',
    about: 'Length of the name of a passkey',
    applies_to: 'the portal, /api/_auth/ of a site',
  },
  passkey_challenge_s: {
    value: 600,
    unit: 'seconds',
    about: 'Lifetime of a passkey challenge; it can be used once',
    applies_to: 'the portal, /api/_auth/ of a site',
  },
  invitation_s: {
    value: 7 * 24 * HOUR_S,
    unit: 'seconds',
    about: 'Lifetime of a team invitation',
    applies_to: 'the portal',
  },
  invitations_per_hour_max: {
    value: 20,
    unit: 'invitations',
    about: 'Invitations per project and hour',
    applies_to: 'the portal',
  },
  projects_owned_max: {
    value: 10,
    unit: 'projects',
    about: 'Projects a person can own; the operator can create more',
    applies_to: 'the portal',
  },
  projects_created_per_day_max: {
    value: 20,
    unit: 'projects',
    about: 'Projects a person can create in 24 hours, deleted ones included',
    applies_to: 'the portal',
  },
  project_name_characters_max: {
    value: 200,
    unit: 'characters',
    about: 'Length of the name of a project',
    applies_to: 'the portal',
  },
  session_s: {
    value: 30 * 24 * HOUR_S,
    unit: 'seconds',
    about: 'Maximum lifetime of a session',
    applies_to: 'the portal',
  },
  session_idle_s: {
    value: 7 * 24 * HOUR_S,
    unit: 'seconds',
    about: 'Time without use after which a session ends',
    applies_to: 'the portal',
  },
  session_fresh_s: {
    value: 900,
    unit: 'seconds',
    about: 'How long a confirmed identity is valid for keys, passwords and second factors',
    applies_to: 'the portal, /api/_auth/ of a site',
  },
  sessions_max: {
    value: 50,
    unit: 'sessions',
    about: 'Sessions per person; a further one ends the oldest',
    applies_to: 'the portal',
  },
} as const satisfies Record<string, LimitEntry>
