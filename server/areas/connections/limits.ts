/** Limits of connections. */
import { HOUR_S, type LimitEntry } from '../../contract/catalogue/entries/limit-entry.ts'

export const limits = {
  access_token_s: {
    value: HOUR_S,
    unit: 'seconds',
    about: 'Lifetime of an access token of a connection',
    applies_to: 'connections',
  },
  refresh_token_s: {
    value: 30 * 24 * HOUR_S,
    unit: 'seconds',
    about: 'Lifetime of a refresh token; a connection that is not refreshed within it ends',
    applies_to: 'connections',
  },
  refresh_token_repeatable_s: {
    value: 60,
    unit: 'seconds',
    about: 'Time after its first use in which a refresh token can be used again',
    applies_to: 'POST {origin}/oauth/token',
  },
  oauth_code_s: {
    value: 60,
    unit: 'seconds',
    about: 'Lifetime of an authorization code',
    applies_to: 'POST {origin}/oauth/token',
  },
  oauth_registration_repeated_s: {
    value: 600,
    unit: 'seconds',
    about: 'Time in which a repeated registration of the same client returns the same client_id',
    applies_to: 'POST {origin}/oauth/register',
  },
  oauth_registration_unused_s: {
    value: 7 * 24 * HOUR_S,
    unit: 'seconds',
    about: 'Time after which a registered client without a connection is deleted',
    applies_to: 'POST {origin}/oauth/register',
  },
  oauth_redirect_uris_max: {
    value: 20,
    unit: 'addresses',
    about: 'Redirect URIs of one client',
    applies_to: 'POST {origin}/oauth/register, metadata documents',
  },
  connections_max: {
    value: 50,
    unit: 'connections',
    about: 'Connections of one person in one project; a further one ends the least recently used',
    applies_to: 'connections',
  },
  connection_forgotten_s: {
    value: 30 * 24 * HOUR_S,
    unit: 'seconds',
    about: 'How long the reason is kept why a connection ended',
    applies_to: 'connections',
  },
} as const satisfies Record<string, LimitEntry>
