/** Limits of sites. */
import { HOUR_S, type LimitEntry } from '../../contract/catalogue/entries/limit-entry.ts'

export const limits = {
  site_password_remembered_s: {
    value: 7 * 24 * HOUR_S,
    unit: 'seconds',
    about: 'How long a visitor who gave the password of a site is not asked for it again',
    applies_to: 'sites with a password',
  },
  site_password_tries_per_address_max: {
    value: 10,
    unit: 'tries',
    about: 'Passwords that may be tried from one address at one site in a minute',
    applies_to: 'sites with a password',
  },
  site_password_tries_max: {
    value: 120,
    unit: 'tries',
    about: 'Passwords that may be tried at one site in a minute, from all addresses together',
    applies_to: 'sites with a password',
  },
} as const satisfies Record<string, LimitEntry>
