/** Limits of webhooks. */
import { HOUR_S, type LimitEntry } from '../../contract/catalogue/entries/limit-entry.ts'

export const limits = {
  webhook_endpoints_max: {
    value: 10,
    unit: 'endpoints',
    about: 'Webhook endpoints per project',
    applies_to: 'POST /webhooks',
  },
  webhook_url_characters_max: {
    value: 2048,
    unit: 'characters',
    about: 'Length of the URL of a webhook endpoint',
    applies_to: 'POST /webhooks, PATCH /webhooks/{id}',
  },
  webhook_pending_max: {
    value: 20_000,
    unit: 'deliveries',
    about: 'Pending deliveries per project; documents whose events would exceed them are refused',
    applies_to: 'document.created, except from forms',
  },
  webhook_history_deliveries_max: {
    value: 50_000,
    unit: 'deliveries',
    about:
      'Finished deliveries that are kept per project, and events; the oldest are deleted first',
    applies_to: 'GET /webhooks/{id}/deliveries',
  },
  webhook_attempts_max: {
    value: 8,
    unit: 'attempts',
    about: 'Attempts per delivery, including the first',
    applies_to: 'deliveries',
  },
  webhook_retry_delays_s: {
    value: [60, 300, 1_800, 7_200, 21_600, 43_200, 86_400],
    unit: 'seconds',
    about: 'Delay after each failed attempt before the next one',
    applies_to: 'deliveries',
  },
  webhook_response_timeout_s: {
    value: 10,
    unit: 'seconds',
    about: 'Time within which a receiver must answer with a 2xx',
    applies_to: 'deliveries',
  },
  webhook_signature_tolerance_s: {
    value: 300,
    unit: 'seconds',
    about: "Maximum difference between the time of a signature and the receiver's clock",
    applies_to: 'deliveries',
  },
  webhook_failures_in_a_row_max: {
    value: 50,
    unit: 'attempts',
    about: 'Failed attempts in a row after which an endpoint is disabled',
    applies_to: 'endpoint',
  },
  webhook_warning_failures: {
    value: [25, 35, 45],
    unit: 'attempts',
    about: 'Failed attempts in a row at which the owner is warned by email',
    applies_to: 'endpoint',
  },
  webhook_secret_overlap_s: {
    value: 24 * HOUR_S,
    unit: 'seconds',
    about: 'How long a rotated secret still signs, together with the new one',
    applies_to: 'POST /webhooks/{id}/rotate-secret',
  },
  webhook_failures_before_pauses: {
    value: 5,
    unit: 'attempts',
    about: 'Consecutive failures from which an endpoint gets one attempt at a time, with pauses',
    applies_to: 'deliveries',
  },
  webhook_pause_s_first: {
    value: 1,
    unit: 'seconds',
    about:
      'First pause between attempts of a failing endpoint; it doubles with each ' +
      'failure past the 14th in a row',
    applies_to: 'deliveries',
  },
  webhook_pause_s_max: {
    value: 60,
    unit: 'seconds',
    about:
      'Longest pause between attempts, so that an endpoint fails for at least half an ' +
      'hour before it is disabled',
    applies_to: 'deliveries',
  },
  webhook_history_s: {
    value: 30 * 24 * HOUR_S,
    unit: 'seconds',
    about: 'How long events, deliveries and attempts are kept; also how far back a replay can go',
    applies_to: 'GET /webhooks/{id}/deliveries, POST /webhooks/{id}/replay',
  },
  webhook_response_bytes_max: {
    value: 1_048_576,
    unit: 'bytes',
    about: "Size of a receiver's response; a larger one fails as response_too_large",
    applies_to: 'deliveries',
  },
  webhook_answer_bytes_max: {
    value: 1024,
    unit: 'bytes',
    about: "Leading bytes of a receiver's response that are stored with an attempt",
    applies_to: 'deliveries',
  },
  webhook_attempts_logged_max: {
    value: 100,
    unit: 'attempts',
    about: 'Total attempts of one delivery, including requested redeliveries',
    applies_to: 'POST /deliveries/{id}/redeliver, POST /webhooks/{id}/replay',
  },
  webhook_replay_events_max: {
    value: 10_000,
    unit: 'events',
    about: 'Events in the time span of one replay',
    applies_to: 'POST /webhooks/{id}/replay',
  },
} as const satisfies Record<string, LimitEntry>
