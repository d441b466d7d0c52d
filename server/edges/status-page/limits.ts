/** Rate limits of the status page, per process. */
import type { LimitEntry } from '../../contract/catalogue/entries/limit-entry.ts'

export const limits = {
  status_page_requests_max: {
    value: 240,
    unit: 'requests',
    about: 'Requests for the status page and its documents from one network in any one window',
    applies_to: 'the status page',
  },
  status_page_window_s: {
    value: 60,
    unit: 'seconds',
    about: 'Length of that window',
    applies_to: 'the status page',
  },
  status_subscriptions_per_network_max: {
    value: 10,
    unit: 'requests',
    about: 'Requests to subscribe to the status page from one network in an hour',
    applies_to: 'the status page',
  },
  status_subscriptions_per_hour_max: {
    value: 1_000,
    unit: 'requests',
    about: 'Requests to subscribe to the status page in an hour in total',
    applies_to: 'the status page',
  },
} as const satisfies Record<string, LimitEntry>
