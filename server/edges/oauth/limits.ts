/** Limits of OAuth. */
import { HOUR_S, type LimitEntry } from '../../contract/catalogue/entries/limit-entry.ts'

export const limits = {
  oauth_request_s: {
    value: HOUR_S,
    unit: 'seconds',
    about: 'How long a request to connect waits for a person to sign in and decide',
    applies_to: 'GET {origin}/oauth/authorize',
  },
  oauth_requests_max: {
    value: 120,
    unit: 'requests',
    about: 'Requests to connect from one IPv4 address or IPv6 /64 in ten minutes',
    applies_to: 'GET {origin}/oauth/authorize',
  },
  oauth_requests_window_s: {
    value: 600,
    unit: 'seconds',
    about: 'Length of that window',
    applies_to: 'GET {origin}/oauth/authorize',
  },
  oauth_registrations_per_hour_max: {
    value: 30,
    unit: 'programs',
    about: 'Programs that may register from one IPv4 address or IPv6 /64 in an hour',
    applies_to: 'POST {origin}/oauth/register',
  },
  oauth_document_bytes_max: {
    value: 10_240,
    unit: 'bytes',
    about: 'Size of a metadata document of a program, and of a registration',
    applies_to: 'POST {origin}/oauth/register, metadata documents',
  },
} as const satisfies Record<string, LimitEntry>
