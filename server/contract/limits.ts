/**
 * Every fixed limit that the service promises, once: code reads `limits.<name>`, the documentation
 * prints `limitTable`. What a plan decides (collections, data, files, people) is in plans.ts.
 *
 * The unit stands last in a name, before max, first or default; durations are in seconds. A kB is
 * 1,024 bytes and a MB 1,048,576, which is the reading that refuses less.
 */
export interface LimitEntry {
  readonly value: number | string | readonly number[]
  readonly unit: string
  readonly about: string
  readonly applies_to: string
}

const MB = 1_048_576
const HOUR_S = 3_600

export const limitTable = {
  requests_max: {
    value: 120,
    unit: 'requests',
    about: 'Requests per key in any one window; more get 429 with Retry-After in seconds',
    applies_to: 'every authenticated request, including ones that fail on scope',
  },
  request_window_s: {
    value: 60,
    unit: 'seconds',
    about: 'Length of the sliding window in which requests are counted',
    applies_to: 'every authenticated request, including ones that fail on scope',
  },
  request_id_characters_max: {
    value: 64,
    unit: 'characters',
    about: "A request id from the caller: at least one of letters, digits, '-' and '_'",
    applies_to: 'X-Request-Id',
  },
  idempotency_key_characters_max: {
    value: 255,
    unit: 'characters',
    about: 'An idempotency key: at least one visible ASCII character, no spaces',
    applies_to: 'POST /numbers, POST /calls',
  },
  idempotency_key_remembered_s: {
    value: 24 * HOUR_S,
    unit: 'seconds',
    about: 'How long an idempotency key is remembered',
    applies_to: 'POST /numbers, POST /calls',
  },
  test_numbers_max: {
    value: 3,
    unit: 'numbers',
    about: 'Test numbers per test project',
    applies_to: 'test mode',
  },
  test_number_first: {
    value: '+447700900000',
    unit: 'phone number',
    about: 'Start of the fictional range that test numbers come from',
    applies_to: 'test mode',
  },
  test_number_last: {
    value: '+447700900999',
    unit: 'phone number',
    about: 'End of that range, itself included',
    applies_to: 'test mode',
  },
  live_numbers_max: {
    value: 3,
    unit: 'numbers',
    about: 'Numbers per live project during the beta; released ones do not count',
    applies_to: 'POST /numbers',
  },
  balance_transactions_max: {
    value: 20,
    unit: 'transactions',
    about: 'Latest transactions returned with the balance, newest first',
    applies_to: 'GET /balance',
  },
  spending_cap_unverified_eur_max: {
    value: 500,
    unit: 'euro',
    about: 'Highest monthly spending cap before the verification level full is reached',
    applies_to: 'project',
  },
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
  sms_segments_max: {
    value: 6,
    unit: 'segments',
    about: 'Segments per SMS message',
    applies_to: 'messages',
  },
  sms_per_day_max: {
    value: 200,
    unit: 'messages',
    about: 'SMS messages per day during the beta',
    applies_to: 'messages',
  },
  outbound_calls_per_day_max: {
    value: 100,
    unit: 'calls',
    about: 'Outbound calls started per day',
    applies_to: 'POST /calls',
  },
  conversation_turns_max: {
    value: 30,
    unit: 'turns',
    about: 'Turns of one chat conversation (max_turns)',
    applies_to: 'chat',
  },
  conversation_token_lifetime_s: {
    value: 6 * HOUR_S,
    unit: 'seconds',
    about: 'How long a conversation token is valid',
    applies_to: 'chat',
  },
  live_conversations_per_day_max: {
    value: 1000,
    unit: 'conversations',
    about: 'Conversations per day of a live project during the beta',
    applies_to: 'chat',
  },
  test_conversations_per_day_max: {
    value: 25,
    unit: 'conversations',
    about: 'Conversations per day of a test project',
    applies_to: 'chat',
  },
  chat_token_conversations_per_day_default: {
    value: 200,
    unit: 'conversations',
    about: 'New conversations per day of a public chat token, unless set otherwise',
    applies_to: 'chat widget',
  },
  chat_token_conversations_per_day_max: {
    value: 1000,
    unit: 'conversations',
    about: 'Most new conversations per day that can be set for a public chat token',
    applies_to: 'chat widget',
  },
  chat_token_spending_per_day_eur_default: {
    value: 5,
    unit: 'euro',
    about: 'Spending per day on replies of a public chat token, unless set otherwise',
    applies_to: 'chat widget',
  },
  chat_token_spending_per_day_eur_max: {
    value: 1000,
    unit: 'euro',
    about: 'Most spending per day that can be set; 0 turns the live widget off',
    applies_to: 'chat widget',
  },
  sites_max: {
    value: 3,
    unit: 'sites',
    about: 'Sites per project, on every plan',
    applies_to: 'POST /sites',
  },
  site_files_max: {
    value: 50,
    unit: 'files',
    about: 'Files of one site',
    applies_to: 'deploys',
  },
  site_file_bytes_max: {
    value: 1 * MB,
    unit: 'bytes',
    about: 'Size of one file of a site, after base64 decoding',
    applies_to: 'deploys',
  },
  site_bytes_max: {
    value: 5 * MB,
    unit: 'bytes',
    about: 'Size of all files of a site together, after base64 decoding',
    applies_to: 'deploys',
  },
  deploys_per_hour_max: {
    value: 120,
    unit: 'deploys',
    about: 'Deploys per hour',
    applies_to: 'sites',
  },
  first_week_deploys_per_hour_max: {
    value: 30,
    unit: 'deploys',
    about: 'Deploys per hour in the first week, until a first top-up or approved verification',
    applies_to: 'sites',
  },
  first_week_s: {
    value: 7 * 24 * HOUR_S,
    unit: 'seconds',
    about: 'How long the first week of a project lasts',
    applies_to: 'sites',
  },
  upload_link_lifetime_s: {
    value: 900,
    unit: 'seconds',
    about: 'How long an upload link is valid',
    applies_to: 'POST /sites/uploads',
  },
  documents_per_collection_max: {
    value: 10_000,
    unit: 'documents',
    about: 'Documents in one collection',
    applies_to: 'data',
  },
  document_bytes_max: {
    value: 65_536,
    unit: 'bytes',
    about: 'Size of one document as UTF-8 JSON',
    applies_to: 'data',
  },
  email_attachments_max: {
    value: 10,
    unit: 'attachments',
    about: 'Attachments of one email',
    applies_to: 'email',
  },
  email_attachments_bytes_max: {
    value: 10 * MB,
    unit: 'bytes',
    about: 'Size of all attachments of one email together',
    applies_to: 'email',
  },
  email_bounces_percent_max: {
    value: 5,
    unit: 'percent',
    about: 'Share of the latest emails that may bounce; above it sending is paused',
    applies_to: 'email',
  },
  email_bounces_window_emails: {
    value: 200,
    unit: 'emails',
    about: 'How many of the latest emails the bounces are counted in',
    applies_to: 'email',
  },
  email_complaints_percent_max: {
    value: 0.1,
    unit: 'percent',
    about: 'Share of emails that may be marked as spam; above it sending is paused',
    applies_to: 'email',
  },

  // The specification promises no numbers for the following; these are our own choice.
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
  json_body_bytes_max: {
    value: 1 * MB,
    unit: 'bytes',
    about: 'Size of a JSON body, unless the route says otherwise',
    applies_to: 'every route with a body',
  },
  json_depth_max: {
    value: 64,
    unit: 'levels',
    about: 'How deep objects and arrays of a JSON body may be nested',
    applies_to: 'every route with a body',
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
  page_limit_default: {
    value: 20,
    unit: 'records',
    about: 'Records on one page of a list, unless limit says otherwise',
    applies_to: 'lists with limit and cursor',
  },
  page_limit_max: {
    value: 100,
    unit: 'records',
    about: 'Most records on one page; the least is 1',
    applies_to: 'lists with limit and cursor',
  },
} as const satisfies Record<string, LimitEntry>

type LimitTable = typeof limitTable
export type LimitName = keyof LimitTable

/** The bare values: `limits.webhook_endpoints_max` is 10. */
export const limits = Object.fromEntries(
  Object.entries(limitTable).map(([name, entry]) => [name, entry.value]),
) as { readonly [Name in LimitName]: LimitTable[Name]['value'] }
