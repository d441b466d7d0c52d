/** Limits of the status page. */
import { HOUR_S, type LimitEntry } from '../../contract/catalogue/entries/limit-entry.ts'

const DAY_S = 24 * HOUR_S

export const limits = {
  open_incidents_max: {
    value: 50,
    unit: 'incidents',
    about: 'Unresolved incidents and planned maintenance at once',
    applies_to: 'the status page',
  },
  incident_updates_max: {
    value: 100,
    unit: 'updates',
    about: 'Updates of one incident',
    applies_to: 'the status page',
  },
  status_days_kept_s: {
    value: 800 * DAY_S,
    unit: 'seconds',
    about: 'How long the daily results of probes are kept',
    applies_to: 'the status page',
  },
  status_subscribers_max: {
    value: 10_000,
    unit: 'addresses',
    about: 'Addresses that get the updates of the status page by mail',
    applies_to: 'the status page',
  },
  status_confirmations_per_day_max: {
    value: 3,
    unit: 'mails',
    about: 'Mails that ask one address to confirm its subscription, in a day',
    applies_to: 'the status page',
  },
  status_confirmations_per_hour_max: {
    value: 200,
    unit: 'mails',
    about: 'Mails that ask addresses to confirm their subscription, in an hour in total',
    applies_to: 'the status page',
  },
  status_unconfirmed_kept_s: {
    value: 3 * DAY_S,
    unit: 'seconds',
    about: 'How long a subscription waits for its confirmation',
    applies_to: 'the status page',
  },
} as const satisfies Record<string, LimitEntry>
