/** Limits of page views. */
import { HOUR_S, type LimitEntry } from '../../contract/catalogue/entries/limit-entry.ts'

export const limits = {
  visits_kept_s: {
    value: 400 * 24 * HOUR_S,
    unit: 'seconds',
    about: 'How long the page views of a day are kept',
    applies_to: 'GET /sites/{id}/visits',
  },
  visits_days_max: {
    value: 400,
    unit: 'days',
    about: 'Days between from and to',
    applies_to: 'GET /sites/{id}/visits',
  },
  visits_pages_max: {
    value: 200,
    unit: 'paths',
    about: 'Paths of a site counted by themselves on one day; further ones are counted together',
    applies_to: 'sites',
  },
  visits_referrers_max: {
    value: 100,
    unit: 'hosts',
    about: 'Referring hosts counted by themselves for a site on one day',
    applies_to: 'sites',
  },
} as const satisfies Record<string, LimitEntry>
