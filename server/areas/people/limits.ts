/** Limits of people. */
import { HOUR_S, type LimitEntry } from '../../contract/catalogue/limit-entry.ts'

export const limits = {
  sign_in_link_s: {
    value: 24 * HOUR_S,
    unit: 'seconds',
    about: 'How long a one-time link of the operator signs somebody in',
    applies_to: 'the portal',
  },
  sign_in_s: {
    value: 1800,
    unit: 'seconds',
    about: 'How long a sign-in that has begun can be finished',
    applies_to: 'the portal',
  },
  sign_in_code_s: {
    value: 600,
    unit: 'seconds',
    about: 'How long a code that was sent by mail signs somebody in',
    applies_to: 'the portal',
  },
  sign_in_code_tries_max: {
    value: 5,
    unit: 'tries',
    about: 'Tries to type one code; the right one after them is refused too',
    applies_to: 'the portal',
  },
  sign_in_codes_per_hour_max: {
    value: 5,
    unit: 'codes',
    about: 'Codes per hour that are sent to one address',
    applies_to: 'the portal',
  },
  sign_in_tries_max: {
    value: 10,
    unit: 'tries',
    about: 'Passwords, and codes of a second factor, that can be tried for one account',
    applies_to: 'the portal',
  },
  sign_in_network_tries_max: {
    value: 60,
    unit: 'tries',
    about: 'Steps of signing in from one IPv4 address or IPv6 /64',
    applies_to: 'the portal',
  },
  sign_in_tries_window_s: {
    value: 900,
    unit: 'seconds',
    about: 'Length of the sliding window in which tries to sign in are counted',
    applies_to: 'the portal',
  },
  password_characters_min: {
    value: 12,
    unit: 'characters',
    about: 'Shortest password',
    applies_to: 'the portal',
  },
  password_characters_max: {
    value: 200,
    unit: 'characters',
    about: 'Longest password',
    applies_to: 'the portal',
  },
  passkeys_max: {
    value: 20,
    unit: 'passkeys',
    about: 'Passkeys of one person',
    applies_to: 'the portal',
  },
  passkey_name_characters_max: {
    value: 100,
    unit: 'characters',
    about: 'Length of the name of a passkey',
    applies_to: 'the portal',
  },
  passkey_challenge_s: {
    value: 600,
    unit: 'seconds',
    about: 'How long a page that asks for a passkey can be answered, once',
    applies_to: 'the portal',
  },
  invitation_s: {
    value: 7 * 24 * HOUR_S,
    unit: 'seconds',
    about: 'How long an invitation to a team can be taken',
    applies_to: 'the portal',
  },
  invitations_per_hour_max: {
    value: 20,
    unit: 'invitations',
    about: 'Invitations per hour that one project sends',
    applies_to: 'the portal',
  },
  projects_owned_max: {
    value: 10,
    unit: 'projects',
    about: 'Projects that one person owns; the operator makes more',
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
    about: 'How long somebody stays signed in at most',
    applies_to: 'the portal',
  },
  session_idle_s: {
    value: 7 * 24 * HOUR_S,
    unit: 'seconds',
    about: 'How long somebody stays signed in without using it',
    applies_to: 'the portal',
  },
  session_fresh_s: {
    value: 900,
    unit: 'seconds',
    about: 'How long a proof of who one is holds for keys, passwords and second factors',
    applies_to: 'the portal',
  },
  sessions_max: {
    value: 50,
    unit: 'sessions',
    about: 'Sessions of one person; the oldest ends when there is one more',
    applies_to: 'the portal',
  },
} as const satisfies Record<string, LimitEntry>
