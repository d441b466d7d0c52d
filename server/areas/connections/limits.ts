/** Limits of connections. */
import { HOUR_S, type LimitEntry } from '../../contract/catalogue/limit-entry.ts'

export const limits = {
  access_token_s: {
    value: HOUR_S,
    unit: 'seconds',
    about: 'How long an access token of a connection works before it is renewed',
    applies_to: 'connections',
  },
  refresh_token_s: {
    value: 30 * 24 * HOUR_S,
    unit: 'seconds',
    about: 'After so long without being renewed a connection ends',
    applies_to: 'connections',
  },
  oauth_code_s: {
    value: 60,
    unit: 'seconds',
    about: 'How long the code works that a program gets when a person allows it',
    applies_to: 'POST {origin}/oauth/token',
  },
  oauth_registration_repeated_s: {
    value: 600,
    unit: 'seconds',
    about: 'Who registers the same again within this time gets the same program',
    applies_to: 'POST {origin}/oauth/register',
  },
  oauth_registration_unused_s: {
    value: 7 * 24 * HOUR_S,
    unit: 'seconds',
    about: 'A registered program that nobody connected is forgotten after this time',
    applies_to: 'POST {origin}/oauth/register',
  },
  oauth_redirect_uris_max: {
    value: 20,
    unit: 'addresses',
    about: 'Addresses that a program may be sent back to',
    applies_to: 'POST {origin}/oauth/register, metadata documents',
  },
  connections_max: {
    value: 50,
    unit: 'connections',
    about: 'Connections of one person in one project; one more ends the one unused for longest',
    applies_to: 'connections',
  },
  connection_forgotten_s: {
    value: 30 * 24 * HOUR_S,
    unit: 'seconds',
    about: 'How long it is remembered why a connection that ended no longer works',
    applies_to: 'connections',
  },
} as const satisfies Record<string, LimitEntry>
