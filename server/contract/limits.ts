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
  site_media_max: {
    value: 200,
    unit: 'files',
    about: 'Files of the media library that one site shows',
    applies_to: 'deploys',
  },
  site_body_bytes_max: {
    value: 8 * MB,
    unit: 'bytes',
    about: 'Size of the body of a deploy, base64 and all',
    applies_to: 'POST /sites, PUT /sites/{id}',
  },
  site_slug_characters_max: {
    value: 48,
    unit: 'characters',
    about: 'Length of a slug; the least is 2',
    applies_to: 'POST /sites, PUT /sites/{id}, PATCH /sites/{id}',
  },
  site_path_bytes_max: {
    value: 512,
    unit: 'bytes',
    about: 'Length of the path of a file',
    applies_to: 'deploys',
  },
  site_password_characters_min: {
    value: 6,
    unit: 'characters',
    about: 'Least length of the password of a site',
    applies_to: 'sites with a password',
  },
  site_password_characters_max: {
    value: 128,
    unit: 'characters',
    about: 'Length of the password of a site',
    applies_to: 'sites with a password',
  },
  site_versions_kept_max: {
    value: 50,
    unit: 'versions',
    about: 'Newest versions of a site that are kept, beside the live one',
    applies_to: 'sites',
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
  assistant_documents_max: {
    value: 1_000,
    unit: 'documents',
    about: 'Documents of a project that the assistant can answer from, the earliest first',
    applies_to: 'collections with assistant_facts',
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
  import_bytes_max: {
    value: 20 * MB,
    unit: 'bytes',
    about: 'Size of a file that is imported, as it is sent',
    applies_to: 'POST /collections/{name}/documents/import',
  },
  import_unpacked_bytes_max: {
    value: 100 * MB,
    unit: 'bytes',
    about: 'Size of a part of a workbook that is imported, unpacked',
    applies_to: 'POST /collections/{name}/documents/import',
  },
  import_lines_max: {
    value: 20_000,
    unit: 'lines',
    about: 'Lines of a file that is imported, the heading not counted',
    applies_to: 'POST /collections/{name}/documents/import',
  },
  import_errors_max: {
    value: 100,
    unit: 'lines',
    about: 'Refused lines that the report of an import names, the first ones',
    applies_to: 'POST /collections/{name}/documents/import',
  },
  stream_unread_s: {
    value: 120,
    unit: 'seconds',
    about: 'How long a client may read nothing of a streamed reply before it is closed',
    applies_to:
      'GET /collections/{name}/documents/export, GET /collections/{name}/documents/changes',
  },
  change_streams_per_key_max: {
    value: 10,
    unit: 'streams',
    about: 'Change feeds that one key may have open on one server',
    applies_to: 'GET /collections/{name}/documents/changes',
  },
  change_streams_per_project_max: {
    value: 50,
    unit: 'streams',
    about: 'Change feeds that one project may have open on one server',
    applies_to: 'GET /collections/{name}/documents/changes',
  },
  change_heartbeat_s: {
    value: 15,
    unit: 'seconds',
    about: 'How often a change feed without changes shows that it is alive',
    applies_to: 'GET /collections/{name}/documents/changes',
  },
  changes_kept_s: {
    value: 7 * 24 * HOUR_S,
    unit: 'seconds',
    about: 'How long changes are kept, and so how far back a feed can be resumed',
    applies_to: 'GET /collections/{name}/documents/changes',
  },
  public_token_origins_max: {
    value: 20,
    unit: 'origins',
    about: 'Allowed origins of one public token',
    applies_to: 'public tokens',
  },
  public_window_s: {
    value: 60,
    unit: 'seconds',
    about: 'Length of the sliding window in which requests of visitors are counted',
    applies_to: 'routes under /public',
  },
  public_requests_per_address_max: {
    value: 60,
    unit: 'requests',
    about: 'Requests of one address of a visitor in any one window; an IPv6 /64 is one address',
    applies_to: 'routes under /public',
  },
  public_requests_per_token_max: {
    value: 1_200,
    unit: 'requests',
    about: 'Requests with one public token in any one window',
    applies_to: 'routes under /public',
  },
  public_submissions_per_address_max: {
    value: 10,
    unit: 'submissions',
    about: 'Submissions of one address of a visitor in any one window',
    applies_to: 'POST /public/collections/{name}/documents',
  },
  public_submissions_per_token_max: {
    value: 300,
    unit: 'submissions',
    about: 'Submissions with one public token in any one window',
    applies_to: 'POST /public/collections/{name}/documents',
  },
  form_bytes_max: {
    value: MB / 4,
    unit: 'bytes',
    about: 'Size of a whole submission, however it is encoded',
    applies_to: 'POST /public/collections/{name}/documents',
  },
  form_fields_max: {
    value: 200,
    unit: 'fields',
    about: 'Fields of one submission, hidden ones included',
    applies_to: 'POST /public/collections/{name}/documents',
  },
  form_fill_s_min: {
    value: 2,
    unit: 'seconds',
    about: 'Least time between reading a form with its script and sending it',
    applies_to: 'POST /public/collections/{name}/documents',
  },
  form_challenge_lifetime_s: {
    value: 1_200,
    unit: 'seconds',
    about: 'How long a challenge can be solved and handed in, once',
    applies_to: 'GET /public/collections/{name}/challenge',
  },
  form_challenge_steps_max: {
    value: 50_000,
    unit: 'hashes',
    about: 'Most hashes that solving a challenge takes; half of them on average',
    applies_to: 'GET /public/collections/{name}/challenge',
  },
  form_files_max: {
    value: 5,
    unit: 'files',
    about: 'Files of one submission',
    applies_to: 'POST /public/collections/{name}/documents',
  },
  form_file_bytes_max: {
    value: 10 * MB,
    unit: 'bytes',
    about: 'Size of one file of a submission',
    applies_to: 'POST /public/collections/{name}/documents',
  },
  media_uploads_max: {
    value: 50,
    unit: 'files',
    about: 'Files announced in one request',
    applies_to: 'POST /media/uploads',
  },
  media_file_bytes_max: {
    value: 100 * MB,
    unit: 'bytes',
    about: 'Size of one file of the media library',
    applies_to: 'POST /media/uploads',
  },
  media_picture_bytes_max: {
    value: 40 * MB,
    unit: 'bytes',
    about: 'Size of a picture that can be read',
    applies_to: 'media',
  },
  media_pixels_max: {
    value: 50_000_000,
    unit: 'pixels',
    about: 'Pixels of a picture that can be read',
    applies_to: 'media',
  },
  media_read_s_max: {
    value: 20,
    unit: 'seconds',
    about: 'Time in which a file must have been read, or a smaller copy made',
    applies_to: 'media',
  },
  media_widths: {
    value: [160, 320, 640, 960, 1280, 1920],
    unit: 'pixels',
    about: 'Widths of the smaller copies of a picture',
    applies_to: 'GET /media/{id}/link',
  },
  media_link_lifetime_s: {
    value: 900,
    unit: 'seconds',
    about: 'How long a link to a file is valid',
    applies_to: 'GET /media/{id}/link',
  },
  media_import_bytes_max: {
    value: 20 * MB,
    unit: 'bytes',
    about: 'Size of a file that is read from an address',
    applies_to: 'POST /media/import',
  },
  media_import_s_max: {
    value: 20,
    unit: 'seconds',
    about: 'Time in which an address must have given its file, redirects included',
    applies_to: 'POST /media/import',
  },
  media_import_redirects_max: {
    value: 3,
    unit: 'redirects',
    about: 'Redirects that are followed',
    applies_to: 'POST /media/import',
  },
  media_tags_max: {
    value: 20,
    unit: 'tags',
    about: 'Tags of one file of the media library',
    applies_to: 'media',
  },
  site_static_redirects_max: {
    value: 2_000,
    unit: 'redirects',
    about: 'Lines of _redirects without * and :placeholders',
    applies_to: 'deploys',
  },
  site_dynamic_redirects_max: {
    value: 100,
    unit: 'redirects',
    about: 'Lines of _redirects with * or :placeholders',
    applies_to: 'deploys',
  },
  site_header_rules_max: {
    value: 100,
    unit: 'paths',
    about: 'Paths in _headers',
    applies_to: 'deploys',
  },
  site_rule_characters_max: {
    value: 2_000,
    unit: 'characters',
    about: 'Length of a line of _redirects or _headers',
    applies_to: 'deploys',
  },
  site_headers_characters_max: {
    value: 12_000,
    unit: 'characters',
    about: 'Headers that _headers can add to one answer, all together',
    applies_to: 'sites',
  },
  filter_characters_max: {
    value: 4_000,
    unit: 'characters',
    about: 'Length of a filter',
    applies_to: 'filter and having of documents',
  },
  filter_comparisons_max: {
    value: 50,
    unit: 'comparisons',
    about: 'Comparisons in one filter; a list after "in" is one',
    applies_to: 'filter and having of documents',
  },
  filter_depth_max: {
    value: 16,
    unit: 'levels',
    about: 'How deep parentheses and "not" of a filter may be nested',
    applies_to: 'filter and having of documents',
  },
  filter_list_values_max: {
    value: 100,
    unit: 'values',
    about: 'Values in one list after "in"',
    applies_to: 'filter and having of documents',
  },
  sort_fields_max: {
    value: 4,
    unit: 'fields',
    about: 'Fields to sort by',
    applies_to: 'sort of documents',
  },
  sort_text_bytes_max: {
    value: 200,
    unit: 'bytes',
    about: 'Bytes of a text, from its beginning, by which it is sorted',
    applies_to: 'sort of documents',
  },
  shown_fields_max: {
    value: 50,
    unit: 'fields',
    about: 'Fields that can be asked for alone',
    applies_to: 'fields of documents',
  },
  search_characters_max: {
    value: 200,
    unit: 'characters',
    about: 'Length of a search text',
    applies_to: 'q of documents',
  },
  search_words_max: {
    value: 8,
    unit: 'words',
    about: 'Words of a search text that are looked for',
    applies_to: 'q of documents',
  },
  search_bytes_max: {
    value: 32 * MB,
    unit: 'bytes',
    about: 'Size of the documents of a collection that can be searched by words',
    applies_to: 'q of documents',
  },
  query_groups_default: {
    value: 100,
    unit: 'groups',
    about: 'Groups in a reply, unless limit says otherwise',
    applies_to: 'POST /collections/{name}/documents/query',
  },
  query_groups_max: {
    value: 1_000,
    unit: 'groups',
    about: 'Most groups in a reply',
    applies_to: 'POST /collections/{name}/documents/query',
  },
  query_group_fields_max: {
    value: 4,
    unit: 'fields',
    about: 'Fields to group by',
    applies_to: 'POST /collections/{name}/documents/query',
  },
  query_aggregates_max: {
    value: 10,
    unit: 'aggregates',
    about: 'Aggregates in one query',
    applies_to: 'POST /collections/{name}/documents/query',
  },
  collection_indexes_max: {
    value: 10,
    unit: 'fields',
    about: 'Fields of a collection by which documents are found and sorted fast',
    applies_to: 'indexes of a collection',
  },
  collection_unique_max: {
    value: 5,
    unit: 'fields',
    about: 'Fields of a collection that no two documents may share a value of',
    applies_to: 'unique of a collection',
  },
  collection_readable_fields_max: {
    value: 100,
    unit: 'fields',
    about: 'Fields of a collection that websites may read',
    applies_to: 'readable_fields of a collection',
  },
  batch_operations_max: {
    value: 500,
    unit: 'operations',
    about: 'Operations of one batch',
    applies_to: 'POST /collections/{name}/documents/batch',
  },
  batch_body_bytes_max: {
    value: 10 * MB,
    unit: 'bytes',
    about: 'Size of the body of a batch',
    applies_to: 'POST /collections/{name}/documents/batch',
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
  json_schema_bytes_max: {
    value: 65_536,
    unit: 'bytes',
    about: 'Size of the JSON Schema of a collection',
    applies_to: 'POST /collections, PATCH /collections/{name}',
  },
  json_schema_depth_max: {
    value: 40,
    unit: 'levels',
    about: 'How deep objects and arrays of a JSON Schema may be nested',
    applies_to: 'POST /collections, PATCH /collections/{name}',
  },
  json_schema_schemas_max: {
    value: 500,
    unit: 'schemas',
    about: 'Schemas within one JSON Schema: each property, each branch, each definition',
    applies_to: 'POST /collections, PATCH /collections/{name}',
  },
  json_schema_enum_values_max: {
    value: 1000,
    unit: 'values',
    about: 'Values of one enum in a JSON Schema',
    applies_to: 'POST /collections, PATCH /collections/{name}',
  },
  json_schema_patterns_max: {
    value: 100,
    unit: 'patterns',
    about: 'Regular expressions in one JSON Schema',
    applies_to: 'POST /collections, PATCH /collections/{name}',
  },
  json_schema_pattern_characters_max: {
    value: 1000,
    unit: 'characters',
    about: 'Length of one regular expression in a JSON Schema',
    applies_to: 'POST /collections, PATCH /collections/{name}',
  },
  json_schema_pattern_program_max: {
    value: 10_000,
    unit: 'instructions',
    about: 'Size of all regular expressions of a JSON Schema, repetitions written out',
    applies_to: 'POST /collections, PATCH /collections/{name}',
  },
  json_schema_steps_max: {
    value: 150_000,
    unit: 'steps',
    about: 'Work of checking one document: about one step for each schema that meets a value',
    applies_to: 'data',
  },
  json_schema_faults_max: {
    value: 50,
    unit: 'faults',
    about: 'Faults of one document or schema that a reply names',
    applies_to: 'data',
  },
} as const satisfies Record<string, LimitEntry>

type LimitTable = typeof limitTable
export type LimitName = keyof LimitTable

/** The bare values: `limits.webhook_endpoints_max` is 10. */
export const limits = Object.fromEntries(
  Object.entries(limitTable).map(([name, entry]) => [name, entry.value]),
) as { readonly [Name in LimitName]: LimitTable[Name]['value'] }
