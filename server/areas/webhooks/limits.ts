/** Limits of webhooks. */
import { HOUR_S, type LimitEntry } from '../../contract/catalogue/limit-entry.ts'

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
  webhook_attempts_max: {
    value: 8,
    unit: 'attempts',
    about: 'Attempts per delivery, the first one included',
    applies_to: 'deliveries',
  },
  webhook_retry_delays_s: {
    value: [60, 300, 1_800, 7_200, 21_600, 43_200, 86_400],
    unit: 'seconds',
    about: 'Wait after each failed attempt before the next one',
    applies_to: 'deliveries',
  },
  webhook_response_timeout_s: {
    value: 10,
    unit: 'seconds',
    about: 'Time in which a receiver must answer with a 2xx',
    applies_to: 'deliveries',
  },
  webhook_signature_tolerance_s: {
    value: 300,
    unit: 'seconds',
    about: "Largest difference between a signature's time and the receiver's clock",
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
    about: 'How long a replaced secret goes on signing beside the new one',
    applies_to: 'POST /webhooks/{id}/rotate-secret',
  },
  webhook_failures_before_pauses: {
    value: 5,
    unit: 'attempts',
    about:
      'Failed attempts in a row from which an endpoint gets one attempt at a time, each after a pause',
    applies_to: 'deliveries',
  },
  webhook_pause_s_first: {
    value: 1,
    unit: 'seconds',
    about:
      'Pause after a failure from there on; it doubles with each failure past the 14th in a row',
    applies_to: 'deliveries',
  },
  webhook_pause_s_max: {
    value: 60,
    unit: 'seconds',
    about: 'Longest such pause, so that half an hour of failing at least comes before disabling',
    applies_to: 'deliveries',
  },
  webhook_history_s: {
    value: 30 * 24 * HOUR_S,
    unit: 'seconds',
    about:
      'How long events, deliveries and their attempts are kept, and how far a replay goes back',
    applies_to: 'GET /webhooks/{id}/deliveries, POST /webhooks/{id}/replay',
  },
  webhook_answer_bytes_max: {
    value: 1024,
    unit: 'bytes',
    about: "Bytes of a receiver's answer that are kept with an attempt, from its beginning",
    applies_to: 'deliveries',
  },
  webhook_attempts_logged_max: {
    value: 100,
    unit: 'attempts',
    about: 'Attempts of one delivery, in all, after which none can be asked for',
    applies_to: 'POST /deliveries/{id}/redeliver, POST /webhooks/{id}/replay',
  },
  webhook_replay_events_max: {
    value: 10_000,
    unit: 'events',
    about: 'Events in the time span of one replay',
    applies_to: 'POST /webhooks/{id}/replay',
  },
} as const satisfies Record<string, LimitEntry>
