/**
 * Every fixed limit that the service promises, by area: code reads `limits.<name>`, the documentation
 * prints `limitTable`. Limits that a plan decides are in plans.ts.
 */

/**
 * An entry of the table of limits. A name ends with the unit, then max, first or default; durations
 * are in seconds. A kB is 1,024 bytes and a MB 1,048,576 bytes.
 */
export interface LimitEntry {
  readonly value: number | string | readonly number[]
  readonly unit: string
  readonly about: string
  readonly applies_to: string
}

export const MB = 1_048_576
const HOUR_S = 3_600
const DAY_S = 24 * HOUR_S

export const limitTable = {
  // Shared
  requests_max: {
    value: 120,
    unit: 'requests',
    about: 'Requests per key in one window; further ones get 429 with Retry-After in seconds',
    applies_to: 'every authenticated request, including ones that fail on scope',
  },
  request_window_s: {
    value: 60,
    unit: 'seconds',
    about: 'Length of the sliding window in which requests are counted',
    applies_to: 'every authenticated request, including ones that fail on scope',
  },
  person_requests_max: {
    value: 600,
    unit: 'requests',
    about:
      'Requests per signed-in person in one window, because a page of the portal sends several; ' +
      'further ones get 429 with Retry-After in seconds',
    applies_to: 'every request to the API of the portal',
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
    about: 'An idempotency key: visible ASCII characters, no spaces, at least one',
    applies_to: 'POST /numbers, POST /calls',
  },
  idempotency_key_remembered_s: {
    value: 24 * HOUR_S,
    unit: 'seconds',
    about: 'How long an idempotency key is remembered',
    applies_to: 'POST /numbers, POST /calls',
  },
  json_body_bytes_max: {
    value: 1 * MB,
    unit: 'bytes',
    about: 'Size of a JSON body, unless the route says otherwise',
    applies_to: 'every route with a body',
  },
  json_values_max: {
    value: 35_000,
    unit: 'values',
    about: 'Values in a JSON body or message, including nested objects and arrays',
    applies_to: 'every route with a body, POST /mcp',
  },
  json_depth_max: {
    value: 64,
    unit: 'levels',
    about: 'Nesting depth of objects and arrays in a JSON body',
    applies_to: 'every route with a body',
  },
  stream_unread_s: {
    value: 120,
    unit: 'seconds',
    about: "Time without reading after which a client's streamed reply is closed",
    applies_to:
      'GET /collections/{name}/documents/export, GET /collections/{name}/documents/changes',
  },
  export_bytes_per_s_min: {
    value: 32_768,
    unit: 'bytes per second',
    about:
      'Average speed below which the download of an export is closed, after the time without reading',
    applies_to: 'The page Settings of the portal, POST /personal-data/exports',
  },
  page_limit_default: {
    value: 20,
    unit: 'records',
    about: 'Records per page of a list, unless limit is given',
    applies_to: 'lists with limit and cursor',
  },
  page_limit_max: {
    value: 100,
    unit: 'records',
    about: 'Highest value of limit; the lowest is 1',
    applies_to: 'lists with limit and cursor',
  },
  page_bytes_max: {
    value: 1 * MB,
    unit: 'bytes',
    about: 'Size of a page as JSON: it ends earlier than limit says, but has at least one record',
    applies_to:
      'lists of documents, collections, approvals, conversations and messages, groups of documents',
  },

  // Activity
  activity_kept_s: {
    value: 90 * 24 * HOUR_S,
    unit: 'seconds',
    about: 'How long the activity of a project is kept',
    applies_to: 'GET /activity',
  },
  activity_kept_max: {
    value: 100_000,
    unit: 'entries',
    about: 'Newest entries of the activity of a project that are kept; older ones are deleted',
    applies_to: 'GET /activity',
  },
  record_streams_per_caller_max: {
    value: 10,
    unit: 'streams',
    about: 'Open streams of changed kinds of records of a key or a person, per process',
    applies_to: 'GET /activity/stream',
  },
  record_streams_per_project_max: {
    value: 100,
    unit: 'streams',
    about: 'Open streams of changed kinds of records of a project, per process',
    applies_to: 'GET /activity/stream',
  },
  record_events_pause_s: {
    value: 5,
    unit: 'seconds',
    about:
      'Pause after an event of the stream of changed kinds of records, which gathers further ones',
    applies_to: 'GET /activity/stream',
  },

  // Agents
  agents_max: {
    value: 20,
    unit: 'agents',
    about: 'Agents per project',
    applies_to: 'POST /agents',
  },
  agent_steps_max: {
    value: 20,
    unit: 'steps',
    about: 'Steps of an agent',
    applies_to: 'POST /agents, PATCH /agents/{id}',
  },
  agent_definition_bytes_max: {
    value: 65_536,
    unit: 'bytes',
    about: 'Size of an agent as JSON: its name, instructions, trigger, steps and limits',
    applies_to: 'POST /agents, PATCH /agents/{id}',
  },
  agent_runs_per_day_max: {
    value: 1000,
    unit: 'runs',
    about: 'Runs of one agent in 24 hours, if it has no lower limit of its own',
    applies_to: 'runs of agents',
  },
  agent_emails_per_day_max: {
    value: 1000,
    unit: 'steps',
    about: 'Steps of one agent in 24 hours that send email, if it has no lower limit of its own',
    applies_to: 'runs of agents',
  },
  agent_queued_runs_max: {
    value: 1000,
    unit: 'runs',
    about: 'Runs of one agent that wait to start; beyond it, events and requests start no run',
    applies_to: 'runs of agents',
  },
  agent_dry_runs_per_day_max: {
    value: 200,
    unit: 'runs',
    about: 'Dry runs of one agent in 24 hours',
    applies_to: 'POST /agents/{id}/run',
  },
  agent_failures_in_a_row_max: {
    value: 5,
    unit: 'runs',
    about: 'Failed runs in a row after which an agent is paused',
    applies_to: 'runs of agents',
  },
  agent_depth_max: {
    value: 3,
    unit: 'agents',
    about: 'Agents that may start each other in a row by their events',
    applies_to: 'runs of agents',
  },
  agent_run_timeout_s: {
    value: 300,
    unit: 'seconds',
    about:
      'Time that a run may work without a pause; it begins again after a step that waited for a person',
    applies_to: 'runs of agents',
  },
  agent_output_bytes_max: {
    value: 65_536,
    unit: 'bytes',
    about: 'Size of the stored arguments or reply of a step; larger ones are not stored',
    applies_to: 'runs of agents',
  },
  agent_auto_approvals_per_day_max: {
    value: 200,
    unit: 'steps',
    about: 'Steps of one action in 24 hours that a person can approve in advance',
    applies_to: 'runs of agents',
  },
  agent_model_requests_max: {
    value: 20,
    unit: 'requests',
    about: 'Requests of one run to a language model, if the agent has no lower limit of its own',
    applies_to: 'runs of agents',
  },
  agent_url_bytes_max: {
    value: 65_536,
    unit: 'bytes',
    about: 'Size of a signed request that starts an agent',
    applies_to: 'POST /hooks/agents/{project_id}/{id}',
  },
  agent_inserted_characters_max: {
    value: 262_144,
    unit: 'characters',
    about: 'Characters that all templates of a step insert together',
    applies_to: 'runs of agents',
  },
  agent_runs_kept_s: {
    value: 90 * 24 * HOUR_S,
    unit: 'seconds',
    about: 'How long ended runs of agents are kept',
    applies_to: 'GET /agents/{id}/runs',
  },

  // Approvals
  approval_s: {
    value: 72 * HOUR_S,
    unit: 'seconds',
    about: 'How long an approval waits for a decision before it is rejected',
    applies_to: 'approvals',
  },
  approvals_pending_max: {
    value: 50,
    unit: 'approvals',
    about: 'Pending approvals per project',
    applies_to: 'approvals',
  },
  approval_arguments_bytes_max: {
    value: 32_768,
    unit: 'bytes',
    about: 'Size of the arguments of an operation that needs approval',
    applies_to: 'approvals',
  },
  approval_note_characters_max: {
    value: 2000,
    unit: 'characters',
    about: 'Length of the note of the person who decides',
    applies_to: 'approvals',
  },
  approval_begun_s: {
    value: 300,
    unit: 'seconds',
    about: 'Time after which an operation that started but never finished counts as failed',
    applies_to: 'approvals',
  },
  approval_mail_pause_s: {
    value: 900,
    unit: 'seconds',
    about: 'Shortest interval between two mails to a team about pending approvals',
    applies_to: 'approvals',
  },
  approval_kept_s: {
    value: 90 * 24 * HOUR_S,
    unit: 'seconds',
    about: 'How long an approval is kept after it ends',
    applies_to: 'approvals',
  },

  // Apps
  app_modules_max: {
    value: 100,
    unit: 'modules',
    about: 'Modules of one app',
    applies_to: 'POST /apps, PUT /apps/{id}',
  },
  app_versions_kept: {
    value: 20,
    unit: 'versions',
    about: 'Newest versions of an app that are kept, and the live one',
    applies_to: 'POST /apps/{id}/rollback',
  },
  app_hosts_max: {
    value: 20,
    unit: 'hosts',
    about: 'Hosts that one app may fetch from',
    applies_to: 'POST /apps, PUT /apps/{id}',
  },
  app_schedules_max: {
    value: 10,
    unit: 'schedules',
    about: 'Schedules of one app',
    applies_to: 'POST /apps, PUT /apps/{id}',
  },
  app_secrets_max: {
    value: 50,
    unit: 'secrets',
    about: 'Secrets of one app',
    applies_to: 'PUT /apps/{id}/secrets',
  },
  app_secret_bytes_max: {
    value: 8_192,
    unit: 'bytes',
    about: 'Size of the value of a secret',
    applies_to: 'PUT /apps/{id}/secrets',
  },
  app_query_rows_max: {
    value: 1000,
    unit: 'rows',
    about: 'Rows of a reply; further ones are left out',
    applies_to: 'POST /apps/{id}/query, env.DB',
  },
  app_query_s_max: {
    value: 5,
    unit: 'seconds',
    about: 'Time that one query of an app may take',
    applies_to: 'POST /apps/{id}/query, env.DB',
  },
  app_migration_s_max: {
    value: 30,
    unit: 'seconds',
    about: 'Time that one migration may take',
    applies_to: 'POST /apps/{id}/migrations',
  },
  app_sql_bytes_max: {
    value: 262_144,
    unit: 'bytes',
    about: 'Size of the SQL of one migration or query',
    applies_to: 'POST /apps/{id}/migrations, POST /apps/{id}/query',
  },
  app_logs_kept_s: {
    value: 7 * 24 * HOUR_S,
    unit: 'seconds',
    about: 'How long lines of the log of an app are kept',
    applies_to: 'GET /apps/{id}/logs',
  },
  app_log_lines_per_minute_max: {
    value: 1000,
    unit: 'lines',
    about: 'Lines that one app can log in a minute; further ones are counted, not kept',
    applies_to: 'console of an app',
  },
  app_log_streams_max: {
    value: 10,
    unit: 'streams',
    about: 'Open streams of logs of the apps of a project, per process',
    applies_to: 'GET /apps/{id}/logs',
  },
  app_request_bytes_max: {
    value: 10 * MB,
    unit: 'bytes',
    about: 'Size of the body of a request to an app',
    applies_to: '/api/ of a site',
  },
  app_codes_per_day_max: {
    value: 10,
    unit: 'codes',
    about:
      'Codes for signing in to one app that one address can get in 24 hours; twice as many with a browser in which it signed in before',
    applies_to: '/api/_auth/code of a site',
  },

  // Assistant
  assistant_documents_max: {
    value: 1_000,
    unit: 'documents',
    about: 'Documents of a project that the assistant can answer from, oldest first',
    applies_to: 'collections with assistant_facts',
  },
  assistant_sources_max: {
    value: 50,
    unit: 'sources',
    about: 'Sources of the knowledge of the assistant, without collections and website_url',
    applies_to: 'projects',
  },
  assistant_source_pages_max: {
    value: 200,
    unit: 'pages',
    about: 'Pages of a website or site that the assistant reads',
    applies_to: 'sources of the assistant',
  },
  assistant_source_bytes_max: {
    value: 5 * MB,
    unit: 'bytes',
    about: 'Size of all pages of a website together that are read in one crawl',
    applies_to: 'sources of the assistant',
  },
  assistant_source_text_characters_max: {
    value: 100_000,
    unit: 'characters',
    about: 'Length of a text that is a source',
    applies_to: 'sources of the assistant',
  },
  assistant_document_bytes_max: {
    value: 20 * MB,
    unit: 'bytes',
    about: 'Size of a PDF or DOCX file that is a source',
    applies_to: 'sources of the assistant',
  },
  document_read_s_max: {
    value: 30,
    unit: 'seconds',
    about: 'Time to read the text of a PDF or DOCX file',
    applies_to: 'sources of the assistant',
  },
  assistant_chunks_max: {
    value: 20_000,
    unit: 'chunks',
    about: 'Chunks of text of all sources together, without collections',
    applies_to: 'projects',
  },
  assistant_search_characters_max: {
    value: 300,
    unit: 'characters',
    about: 'Part of a question that is searched for in projects with over 3,000 chunks',
    applies_to: 'the assistant',
  },
  assistant_search_s_max: {
    value: 2,
    unit: 'seconds',
    about:
      'Time for the search in projects with over 3,000 chunks, by words and then by spelling; the ' +
      'assistant answers from what was found until then',
    applies_to: 'the assistant',
  },
  knowledge_searches_max: {
    value: 30,
    unit: 'searches',
    about: 'Searches of the knowledge by a person in `knowledge_searches_window_s`, per process',
    applies_to: 'people',
  },
  knowledge_searches_window_s: {
    value: 60,
    unit: 'seconds',
    about: 'Window of `knowledge_searches_max`',
    applies_to: 'people',
  },
  assistant_look_ups_per_conversation: {
    value: 30,
    unit: 'uses',
    about:
      'Uses of each tool of the assistant that returns data: records of collections, opening hours',
    applies_to: 'conversations and calls',
  },
  assistant_look_ups_per_day: {
    value: 5_000,
    unit: 'uses',
    about: 'Uses of each tool of the assistant that returns data, in each mode',
    applies_to: 'projects',
  },
  assistant_failed_identifications_per_conversation: {
    value: 3,
    unit: 'look-ups',
    about:
      'Look-ups in which a visitor gave values that identify no record; then the assistant looks up ' +
      'no more records that need identification',
    applies_to: 'conversations and calls',
  },
  assistant_failed_identifications_per_day: {
    value: 200,
    unit: 'look-ups',
    about:
      'Look-ups in which visitors gave values that identify no record, in each mode; then the ' +
      'assistant looks up no more records that need identification until the next day',
    applies_to: 'projects',
  },
  assistant_messages_per_conversation: {
    value: 5,
    unit: 'messages',
    about: 'Messages for the business that the assistant takes, and hand-overs to a person',
    applies_to: 'conversations and calls',
  },
  assistant_messages_per_day: {
    value: 1_000,
    unit: 'messages',
    about: 'Messages for the business that the assistant takes, and hand-overs, in each mode',
    applies_to: 'projects',
  },
  assistant_look_up_collections_max: {
    value: 10,
    unit: 'collections',
    about: 'Collections that the assistant may look up in conversations',
    applies_to: 'projects',
  },
  test_replies_free_per_day: {
    value: 100,
    unit: 'replies',
    about:
      'Free requests of test calls and test chats to a configured language model per day; further ones are ' +
      'charged to the balance of the live project',
    applies_to: 'projects',
  },

  // Billing
  balance_transactions_max: {
    value: 20,
    unit: 'transactions',
    about: 'Latest transactions returned with the balance, newest first',
    applies_to: 'GET /balance',
  },
  top_up_open_s: {
    value: HOUR_S,
    unit: 'seconds',
    about: 'How long the payment page of a top-up stays open',
    applies_to: 'the portal',
  },
  top_ups_open_max: {
    value: 10,
    unit: 'top-ups',
    about: 'Unpaid top-ups per project',
    applies_to: 'the portal',
  },

  // Calls
  call_message_mail_pause_s: {
    value: 300,
    unit: 'seconds',
    about: 'Shortest interval between two mails to a business with messages that callers left',
    applies_to: 'calls',
  },
  call_search_characters_max: {
    value: 200,
    unit: 'characters',
    about: 'Longest text to search for in calls',
    applies_to: 'calls',
  },
  call_search_calls_max: {
    value: 1_000,
    unit: 'calls',
    about: 'Calls whose transcripts a search reads',
    applies_to: 'calls',
  },
  call_search_s_max: {
    value: 3,
    unit: 'seconds',
    about: 'Time for a search with q or a filter',
    applies_to: 'calls',
  },
  outbound_calls_per_day_max: {
    value: 100,
    unit: 'calls',
    about: 'Outbound calls started per day',
    applies_to: 'POST /calls',
  },
  outbound_calls_at_once_max: {
    value: 2,
    unit: 'calls',
    about: 'Outbound calls of a project at the same time',
    applies_to: 'POST /calls',
  },
  outbound_calls_at_once_full_max: {
    value: 10,
    unit: 'calls',
    about: 'Outbound calls at the same time of a project with the verification level full',
    applies_to: 'POST /calls',
  },
  inbound_calls_at_once_max: {
    value: 50,
    unit: 'calls',
    about: 'Calls to the numbers of a project at the same time; further callers hear busy',
    applies_to: 'calls',
  },
  call_s_max: {
    value: 1_800,
    unit: 'seconds',
    about: 'Longest call',
    applies_to: 'calls',
  },

  // Connections
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

  // Conversations
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
  conversation_idle_s: {
    value: 1_800,
    unit: 'seconds',
    about: 'A conversation with the assistant is closed after so long without a message',
    applies_to: 'chat',
  },
  conversation_handed_off_idle_s: {
    value: 24 * HOUR_S,
    unit: 'seconds',
    about: 'A conversation that a person took over is closed after so long without a message',
    applies_to: 'chat',
  },
  conversation_lease_s: {
    value: 60,
    unit: 'seconds',
    about: 'Longest time for one answer; afterwards the next message is accepted',
    applies_to: 'chat',
  },
  chat_message_characters_max: {
    value: 4_000,
    unit: 'characters',
    about: 'Length of one chat message',
    applies_to: 'chat',
  },
  conversation_metadata_max: {
    value: 20,
    unit: 'entries',
    about: 'Entries in the metadata of a conversation',
    applies_to: 'POST /conversations',
  },
  conversation_messages_max: {
    value: 500,
    unit: 'messages',
    about: 'Messages of one conversation, those of people included',
    applies_to: 'chat',
  },
  conversation_characters_max: {
    value: 200_000,
    unit: 'characters',
    about: 'Text of one conversation in which people write',
    applies_to: 'chat',
  },
  conversation_waiting_messages_max: {
    value: 20,
    unit: 'messages',
    about: 'Messages of a visitor who waits for a person, until a person replies',
    applies_to: 'chat',
  },
  conversation_messages_left_max: {
    value: 10,
    unit: 'messages',
    about: 'Messages in messages_left, the newest; all are in the conversation',
    applies_to: 'GET /conversations',
  },
  conversation_search_characters_max: {
    value: 200,
    unit: 'characters',
    about: 'Length of the words to search for in conversations (q)',
    applies_to: 'GET /conversations',
  },
  conversation_search_max: {
    value: 300,
    unit: 'conversations',
    about: 'The newest conversations that a search with q covers',
    applies_to: 'GET /conversations',
  },
  conversation_search_messages_max: {
    value: 200,
    unit: 'messages',
    about: 'The newest messages of a conversation that a search with q covers',
    applies_to: 'GET /conversations',
  },
  conversation_search_text_characters_max: {
    value: 50_000,
    unit: 'characters',
    about: 'The newest text of a conversation that a search with q covers',
    applies_to: 'GET /conversations',
  },
  conversation_search_s_max: {
    value: 3,
    unit: 'seconds',
    about: 'Time for a search with q',
    applies_to: 'GET /conversations',
  },
  unanswered_questions_max: {
    value: 500,
    unit: 'questions',
    about: 'Unanswered questions of a project; the one that was asked least often makes room',
    applies_to: 'GET /assistant/unanswered',
  },
  chat_challenge_lifetime_s: {
    value: 300,
    unit: 'seconds',
    about: 'How long the challenge of a chat is valid; it can be used once',
    applies_to: 'GET /public/chat/challenge',
  },
  chat_challenge_steps_max: {
    value: 16_000,
    unit: 'hashes',
    about: 'Maximum number of hashes to solve the challenge of a chat; the average is half',
    applies_to: 'GET /public/chat/challenge',
  },
  chat_verifications_per_project_max: {
    value: 4,
    unit: 'checks',
    about: 'Human verifications of one project that a provider checks at once; further ones wait',
    applies_to: 'POST /public/conversations',
  },

  // Data
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
  document_expanded_bytes_max: {
    value: 262_144,
    unit: 'bytes',
    about: 'Size of one document with its numbers written without exponents, 1e21 as 22 digits',
    applies_to: 'data',
  },
  overwritten_documents_max: {
    value: 20,
    unit: 'documents',
    about: 'Documents that a batch of an assistant overwrites without the approval of a person',
    applies_to: 'POST /collections/{name}/documents/batch',
  },
  batch_values_max: {
    value: 100_000,
    unit: 'values',
    about: 'Values in the body of a batch; of these, members of one object at most json_values_max',
    applies_to: 'POST /collections/{name}/documents/batch',
  },
  change_streams_per_key_max: {
    value: 10,
    unit: 'streams',
    about: 'Open change feeds per key and server',
    applies_to: 'GET /collections/{name}/documents/changes',
  },
  change_streams_per_project_max: {
    value: 50,
    unit: 'streams',
    about: 'Open change feeds per project and server',
    applies_to: 'GET /collections/{name}/documents/changes',
  },
  change_heartbeat_s: {
    value: 15,
    unit: 'seconds',
    about: 'Interval of keep-alive comments on a change feed',
    applies_to: 'GET /collections/{name}/documents/changes',
  },
  document_versions_kept_max: {
    value: 20,
    unit: 'versions',
    about: 'Newest earlier versions of a document that are kept',
    applies_to: 'GET /collections/{name}/documents/{id}/versions',
  },
  document_versions_kept_s: {
    value: 90 * 24 * HOUR_S,
    unit: 'seconds',
    about:
      'How long earlier versions of documents are kept; the oldest ones are deleted before, if all ' +
      'versions of a project are larger than the data that its plan allows',
    applies_to: 'GET /collections/{name}/documents/{id}/versions',
  },
  changes_kept_s: {
    value: 7 * 24 * HOUR_S,
    unit: 'seconds',
    about: 'How long changes are kept; a feed can be resumed within this time',
    applies_to: 'GET /collections/{name}/documents/changes',
  },
  form_fill_s_min: {
    value: 2,
    unit: 'seconds',
    about: 'Shortest time between loading a form with its script and sending it',
    applies_to: 'POST /public/collections/{name}/documents',
  },
  form_challenge_lifetime_s: {
    value: 1_200,
    unit: 'seconds',
    about: 'How long a challenge is valid; it can be used once',
    applies_to: 'GET /public/collections/{name}/challenge',
  },
  form_challenge_steps_max: {
    value: 50_000,
    unit: 'hashes',
    about: 'Maximum number of hashes to solve a challenge; the average is half',
    applies_to: 'GET /public/collections/{name}/challenge',
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
    about: 'Comparisons in one filter; a list after "in" counts as one',
    applies_to: 'filter and having of documents',
  },
  filter_depth_max: {
    value: 16,
    unit: 'levels',
    about: 'Nesting depth of parentheses and "not" in a filter',
    applies_to: 'filter and having of documents',
  },
  filter_list_values_max: {
    value: 100,
    unit: 'values',
    about: 'Values in one list after "in"',
    applies_to: 'filter and having of documents',
  },
  query_s_max: {
    value: 5,
    unit: 'seconds',
    about: 'Query timeout for filters, sorting, searches and group queries',
    applies_to: 'lists, queries and exports of documents',
  },
  sort_fields_max: {
    value: 4,
    unit: 'fields',
    about: 'Fields in sort',
    applies_to: 'sort of documents',
  },
  sort_text_bytes_max: {
    value: 200,
    unit: 'bytes',
    about: 'Leading bytes of a text that are used to sort it',
    applies_to: 'sort of documents',
  },
  shown_fields_max: {
    value: 50,
    unit: 'fields',
    about: 'Fields in fields',
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
    about: 'Words of a search text that are used',
    applies_to: 'q of documents',
  },
  search_bytes_max: {
    value: 32 * MB,
    unit: 'bytes',
    about: 'Total size of the documents of a collection that can be searched by words',
    applies_to: 'q of documents',
  },
  query_groups_default: {
    value: 100,
    unit: 'groups',
    about: 'Groups in a reply, unless limit is given',
    applies_to: 'POST /collections/{name}/documents/query',
  },
  query_groups_max: {
    value: 1_000,
    unit: 'groups',
    about: 'Highest value of limit for groups',
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
    about: 'Indexed fields of a collection',
    applies_to: 'indexes of a collection',
  },
  collection_unique_max: {
    value: 5,
    unit: 'fields',
    about: 'Unique fields of a collection',
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

  // Deleted projects
  deleted_project_kept_s: {
    value: 30 * 24 * HOUR_S,
    unit: 'seconds',
    about: 'How long a deleted project can be restored; after that it is permanently deleted',
    applies_to: 'project',
  },

  // Email
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
  email_complaints_window_emails: {
    value: 1_000,
    unit: 'emails',
    about: 'How many of the latest emails the spam complaints are counted in',
    applies_to: 'email',
  },
  email_complainers_min: {
    value: 5,
    unit: 'people',
    about: 'Fewer people than this who mark emails as spam never pause sending',
    applies_to: 'email',
  },
  email_recipients_max: {
    value: 50,
    unit: 'recipients',
    about: 'Recipients of one email: to, cc and bcc together',
    applies_to: 'email',
  },
  emails_per_batch_max: {
    value: 100,
    unit: 'emails',
    about: 'Emails in one batch',
    applies_to: 'POST /emails/batch',
  },
  email_recipients_per_day_max: {
    value: 2_000,
    unit: 'recipients',
    about: 'Recipients of emails per day',
    applies_to: 'email',
  },
  email_new_recipients_per_day_max: {
    value: 50,
    unit: 'recipients',
    about:
      'People per day who get a first email and are known only from records written by software',
    applies_to: 'email',
  },
  email_text_characters_max: {
    value: 200_000,
    unit: 'characters',
    about: 'Length of the text of an email, and of its HTML',
    applies_to: 'email',
  },
  email_html_tags_max: {
    value: 5_000,
    unit: 'tags',
    about: 'Tags in the HTML of an email',
    applies_to: 'email',
  },
  email_request_bytes_max: {
    value: 16 * MB,
    unit: 'bytes',
    about: 'Size of a request with emails and attachments',
    applies_to: 'email',
  },
  email_scheduled_s_max: {
    value: 30 * DAY_S,
    unit: 'seconds',
    about: 'How far ahead an email can be scheduled',
    applies_to: 'email',
  },
  sending_domains_max: {
    value: 10,
    unit: 'domains',
    about: 'Sending domains per project',
    applies_to: 'email',
  },
  sending_domain_check_interval_s: {
    value: DAY_S,
    unit: 'seconds',
    about:
      'How often the records of a verified sending domain are checked; others every hour, and every minute on their first day',
    applies_to: 'email',
  },
  sending_domain_missing_s: {
    value: 3 * DAY_S,
    unit: 'seconds',
    about: 'How long a required record of a verified domain may be missing before sending stops',
    applies_to: 'email',
  },
  email_suppressions_max: {
    value: 50_000,
    unit: 'addresses',
    about: 'Suppressed addresses that a project can add by itself',
    applies_to: 'email',
  },
  email_known_recipients_max: {
    value: 10_000,
    unit: 'addresses',
    about: 'Recipients that the owner confirmed or is asked to confirm',
    applies_to: 'email',
  },
  email_replies_per_recipient_per_day_max: {
    value: 20,
    unit: 'messages',
    about: 'Replies of a recipient to the return path of an email that are forwarded per day',
    applies_to: 'email',
  },
  email_received_bytes_max: {
    value: 16 * MB,
    unit: 'bytes',
    about: 'Size of a message that comes back by SMTP',
    applies_to: 'email',
  },
  email_outbox_messages_max: {
    value: 200,
    unit: 'messages',
    about: 'Messages that the outbox of a project in development keeps',
    applies_to: 'email',
  },

  // Files
  upload_link_lifetime_s: {
    value: 900,
    unit: 'seconds',
    about: 'How long an upload link is valid',
    applies_to: 'POST /sites/uploads',
  },

  // Import export
  import_bytes_max: {
    value: 20 * MB,
    unit: 'bytes',
    about: 'Size of an import file, as sent',
    applies_to: 'POST /collections/{name}/documents/import',
  },
  import_text_bytes_max: {
    value: MB / 16,
    unit: 'bytes',
    about: 'Size of a table that is imported as an argument over MCP',
    applies_to: 'documents.import over MCP',
  },
  import_unpacked_bytes_max: {
    value: 100 * MB,
    unit: 'bytes',
    about: 'Uncompressed size of one part of an imported workbook',
    applies_to: 'POST /collections/{name}/documents/import',
  },
  import_cells_max: {
    value: 2_000_000,
    unit: 'cells',
    about: 'Cells of an imported table, empty ones in filled rows included',
    applies_to: 'POST /collections/{name}/documents/import',
  },
  import_columns_max: {
    value: 2_000,
    unit: 'columns',
    about: 'Columns of an imported table',
    applies_to: 'POST /collections/{name}/documents/import',
  },
  import_lines_max: {
    value: 20_000,
    unit: 'lines',
    about: 'Lines of an import file, without the heading',
    applies_to: 'POST /collections/{name}/documents/import',
  },
  import_preview_max: {
    value: 10,
    unit: 'documents',
    about: 'Documents in the preview of a dry run of an import',
    applies_to: 'POST /collections/{name}/documents/import',
  },
  import_errors_max: {
    value: 100,
    unit: 'lines',
    about: 'Refused lines listed in an import report; the first ones are listed',
    applies_to: 'POST /collections/{name}/documents/import',
  },

  // JSON Schema
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
    about: 'Subschemas in one JSON Schema: each property, branch and definition counts',
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
    about: 'Total size of the regular expressions of a JSON Schema, with repetitions expanded',
    applies_to: 'POST /collections, PATCH /collections/{name}',
  },
  json_schema_steps_max: {
    value: 100_000,
    unit: 'steps',
    about: 'Validation steps for one document: about one for each schema applied to a value',
    applies_to: 'data',
  },
  json_schema_faults_max: {
    value: 50,
    unit: 'faults',
    about: 'Errors of one document or schema listed in a reply',
    applies_to: 'data',
  },

  // Keys
  key_name_characters_max: {
    value: 100,
    unit: 'characters',
    about: 'Length of the name of a key',
    applies_to: 'the portal',
  },
  keys_max: {
    value: 100,
    unit: 'keys',
    about: 'Keys of a project that are neither revoked nor expired',
    applies_to: 'the portal',
  },
  key_sites_max: {
    value: 100,
    unit: 'sites',
    about: 'Sites, and apps, that a key can be limited to',
    applies_to: 'the portal',
  },

  // Media
  site_picture_copies_bytes_max: {
    value: 200 * MB,
    unit: 'bytes',
    about: 'Total size of resized pictures after which requests of visitors create no new ones',
    applies_to: 'project',
  },
  media_search_s_max: {
    value: 3,
    unit: 'seconds',
    about: 'Time for a search of the media library',
    applies_to: 'GET /media',
  },
  visitors_part: {
    value: 5,
    unit: 'parts',
    about:
      'What visitors send may use one of this many equal parts of the files, and of the data, of ' +
      'the plan',
    applies_to: 'POST /public/collections/{name}/documents',
  },
  form_file_bytes_max: {
    value: 10 * MB,
    unit: 'bytes',
    about: 'Size of one file of a form submission',
    applies_to: 'POST /public/collections/{name}/documents',
  },
  media_uploads_max: {
    value: 50,
    unit: 'files',
    about: 'Files announced in one request',
    applies_to: 'POST /media/uploads',
  },
  media_batch_files_max: {
    value: 100,
    unit: 'files',
    about: 'Files changed or deleted by one request',
    applies_to: 'POST /media/batch',
  },
  media_file_bytes_max: {
    value: 100 * MB,
    unit: 'bytes',
    about: 'Size of one file of the media library',
    applies_to: 'POST /media/uploads',
  },
  media_recording_index_bytes_max: {
    value: 16 * MB,
    unit: 'bytes',
    about: 'Size of the metadata of an MP4 or QuickTime file',
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
  media_avif_pixels_max: {
    value: 20_000_000,
    unit: 'pixels',
    about: 'Pixels of an AVIF picture that can be read; each costs as much as ten of another',
    applies_to: 'media',
  },
  media_read_s_max: {
    value: 20,
    unit: 'seconds',
    about: 'Time limit for reading a file or resizing a picture',
    applies_to: 'media',
  },
  media_widths: {
    value: [160, 320, 640, 960, 1280, 1920, 2560],
    unit: 'pixels',
    about: 'Widths of resized pictures',
    applies_to: 'GET /media/{id}/link, pictures of sites',
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
    about: 'Size of a file imported from a URL',
    applies_to: 'POST /media/import',
  },
  media_import_s_max: {
    value: 20,
    unit: 'seconds',
    about: 'Time limit for an import from a URL, redirects included',
    applies_to: 'POST /media/import',
  },
  media_import_redirects_max: {
    value: 3,
    unit: 'redirects',
    about: 'Redirects followed by an import from a URL',
    applies_to: 'POST /media/import',
  },
  media_tags_max: {
    value: 20,
    unit: 'tags',
    about: 'Tags of one file of the media library',
    applies_to: 'media',
  },

  // Messages
  sms_segments_max: {
    value: 6,
    unit: 'segments',
    about: 'Segments per SMS message',
    applies_to: 'messages',
  },
  sms_per_day_max: {
    value: 200,
    unit: 'messages',
    about: 'SMS messages per day during the beta, counted apart in test mode',
    applies_to: 'messages',
  },
  message_text_characters_max: {
    value: 5_000,
    unit: 'characters',
    about: 'Longest text of a message in a request, before its segments are counted',
    applies_to: 'messages',
  },
  message_unconfirmed_s: {
    value: 3 * 24 * 3_600,
    unit: 'seconds',
    about: 'Time after which a message that no carrier has confirmed counts as failed',
    applies_to: 'messages',
  },
  message_chart_days_max: {
    value: 90,
    unit: 'days',
    about: 'Longest period of the chart of messages in the portal',
    applies_to: 'messages',
  },

  // Numbers
  test_numbers_max: {
    value: 3,
    unit: 'numbers',
    about: 'Test numbers per test project',
    applies_to: 'test mode',
  },
  test_number_first: {
    value: '+447700900000',
    unit: 'phone number',
    about: 'First number of the fictional range of test numbers',
    applies_to: 'test mode',
  },
  test_number_last: {
    value: '+447700900999',
    unit: 'phone number',
    about: 'Last number of the fictional range of test numbers',
    applies_to: 'test mode',
  },
  live_numbers_max: {
    value: 3,
    unit: 'numbers',
    about: 'Numbers per live project during the beta; released ones do not count',
    applies_to: 'POST /numbers',
  },

  // Operator
  operator_list_s_max: {
    value: 5,
    unit: 'seconds',
    about: 'Time for a page of a list of all projects, reviews or acts',
    applies_to: 'the operator console',
  },
  queue_samples_kept_s: {
    value: 31 * 24 * HOUR_S,
    unit: 'seconds',
    about: 'How long the samples of waiting jobs and deliveries are kept',
    applies_to: 'the operator console',
  },

  // Payments
  order_items_max: {
    value: 50,
    unit: 'lines',
    about: 'Lines of one order',
    applies_to: 'POST /orders',
  },
  order_quantity_max: {
    value: 999,
    unit: 'pieces',
    about: 'Quantity of one line of an order',
    applies_to: 'POST /orders',
  },
  order_amount_eur_max: {
    value: 50_000,
    unit: 'euro',
    about: 'Amount of one order, with VAT',
    applies_to: 'POST /orders',
  },
  order_lifetime_default_s: {
    value: 3_600,
    unit: 'seconds',
    about: 'Time in which an order can be paid, unless it says otherwise',
    applies_to: 'POST /orders',
  },
  order_lifetime_min_s: {
    value: 1_800,
    unit: 'seconds',
    about: 'Shortest time in which an order can be paid',
    applies_to: 'POST /orders',
  },
  order_lifetime_max_s: {
    value: 86_400,
    unit: 'seconds',
    about: 'Longest time in which an order can be paid',
    applies_to: 'POST /orders',
  },
  order_refunds_max: {
    value: 50,
    unit: 'refunds',
    about: 'Refunds of one order',
    applies_to: 'POST /orders/{id}/refunds',
  },
  order_metadata_max: {
    value: 20,
    unit: 'fields',
    about: 'Fields in the metadata of an order',
    applies_to: 'POST /orders',
  },
  customer_list_orders_max: {
    value: 20_000,
    unit: 'orders',
    about: 'Orders that fit the filters, in which one page of customers is looked for',
    applies_to: 'GET /customers',
  },
  customer_search_s_max: {
    value: 3,
    unit: 'seconds',
    about: 'Time to read a page of customers',
    applies_to: 'GET /customers',
  },
  payment_links_max: {
    value: 500,
    unit: 'links',
    about: 'Payment links of a project that are not turned off',
    applies_to: 'POST /payment-links',
  },
  payment_link_amount_eur_min: {
    value: 1,
    unit: 'euro',
    about: 'Smallest amount that a customer can choose',
    applies_to: 'pages of payment links',
  },
  payment_link_orders_per_hour_max: {
    value: 120,
    unit: 'orders',
    about: 'Orders of customers by one payment link in any hour',
    applies_to: 'pages of payment links',
  },
  payment_link_orders_per_address_max: {
    value: 10,
    unit: 'orders',
    about: 'Orders of customers by payment links from one address in a minute',
    applies_to: 'pages of payment links',
  },
  shop_item_quantity_max: {
    value: 99,
    unit: 'pieces',
    about: 'Pieces of one product in an order of a visitor',
    applies_to: 'POST /public/orders',
  },
  shop_order_amount_eur_max: {
    value: 5_000,
    unit: 'euro',
    about: 'Amount of one order of a visitor',
    applies_to: 'POST /public/orders',
  },
  shop_order_lifetime_s: {
    value: 1_800,
    unit: 'seconds',
    about: 'Time in which a visitor can pay an order, while it holds its pieces',
    applies_to: 'POST /public/orders',
  },
  shop_open_orders_max: {
    value: 500,
    unit: 'orders',
    about: 'Orders of visitors of a project that are not paid yet',
    applies_to: 'POST /public/orders',
  },
  shop_orders_per_address_max: {
    value: 10,
    unit: 'orders',
    about: 'Orders of one address at one project in any 10 minutes; an IPv6 /64 is one address',
    applies_to: 'POST /public/orders',
  },
  shop_orders_per_token_max: {
    value: 300,
    unit: 'orders',
    about: 'Orders with one public token in any minute',
    applies_to: 'POST /public/orders',
  },
  shop_plain_orders_per_hour_max: {
    value: 60,
    unit: 'orders',
    about: 'Orders by forms without a script at one project in any hour',
    applies_to: 'POST /public/orders',
  },
  shop_failed_payments_per_hour_max: {
    value: 10,
    unit: 'payments',
    about:
      'Failed payments of visitors in any hour after which orders are refused, if more than twice as many failed as were paid',
    applies_to: 'POST /public/orders',
  },
  order_refusals_kept_days: {
    value: 90,
    unit: 'days',
    about: 'How long the counts of refused orders of visitors are kept',
    applies_to: 'GET /order-refusals',
  },
  checkout_requests_per_address_max: {
    value: 60,
    unit: 'requests',
    about: 'Requests for checkout pages by one address in a minute; an IPv6 /64 is one address',
    applies_to: 'checkout pages',
  },

  // People
  person_name_characters_max: {
    value: 80,
    unit: 'characters',
    about: 'Length of the name of a person',
    applies_to: 'the portal',
  },
  sign_in_link_s: {
    value: 24 * HOUR_S,
    unit: 'seconds',
    about: 'Lifetime of a one-time sign-in link from the operator',
    applies_to: 'the portal',
  },
  sign_ups_per_network_max: {
    value: 10,
    unit: 'mails',
    about: 'Mails with a sign-up code per hour, asked for from one IPv4 address or IPv6 /64',
    applies_to: 'the portal',
  },
  sign_ups_per_large_network_max: {
    value: 30,
    unit: 'mails',
    about: 'Mails with a sign-up code per hour, asked for from one IPv6 /48',
    applies_to: 'the portal',
  },
  sign_ups_per_hour_max: {
    value: 500,
    unit: 'mails',
    about:
      'Mails with a sign-up code per hour, asked for by all visitors without an invitation link',
    applies_to: 'the portal',
  },
  sign_up_invitation_s: {
    value: 14 * 24 * HOUR_S,
    unit: 'seconds',
    about: 'Lifetime of an invitation of the operator to create an account',
    applies_to: 'the portal',
  },
  sign_up_invitations_max: {
    value: 1000,
    unit: 'invitations',
    about: 'Open invitations of the operator to create an account',
    applies_to: 'the portal',
  },
  sign_in_s: {
    value: 1800,
    unit: 'seconds',
    about: 'Time in which a started sign-in must be finished',
    applies_to: 'the portal',
  },
  sign_in_code_s: {
    value: 600,
    unit: 'seconds',
    about: 'Lifetime of a sign-in code sent by mail',
    applies_to: 'the portal',
  },
  sign_in_code_tries_max: {
    value: 5,
    unit: 'tries',
    about: 'Attempts per sign-in code; after them the right code is refused too',
    applies_to: 'the portal',
  },
  sign_in_codes_per_hour_max: {
    value: 5,
    unit: 'codes',
    about:
      'Sign-in codes per hour sent to one address, asked for from one network, or by browsers in ' +
      'which it signed in before',
    applies_to: 'the portal',
  },
  sign_in_codes_all_per_hour_max: {
    value: 20,
    unit: 'codes',
    about:
      'Sign-in codes per hour sent to one address at once, asked for from all other networks; further ' +
      'ones are sent later, at most one for each network',
    applies_to: 'the portal',
  },
  sign_in_code_delay_s_max: {
    value: 600,
    unit: 'seconds',
    about:
      'Longest delay of a sign-in code; it grows by 30 seconds with each code above the limit of all networks',
    applies_to: 'the portal',
  },
  sign_in_tries_max: {
    value: 10,
    unit: 'tries',
    about:
      'Attempts with a password or second factor per account from one network, or by browsers in ' +
      'which it signed in before',
    applies_to: 'the portal, /api/_auth/ of a site',
  },
  sign_in_tries_all_max: {
    value: 50,
    unit: 'tries',
    about: 'Attempts with a password or second factor per account from all other networks',
    applies_to: 'the portal, /api/_auth/ of a site',
  },
  known_browser_s: {
    value: 180 * 24 * HOUR_S,
    unit: 'seconds',
    about: 'How long a browser in which an account signed in has attempts of its own',
    applies_to: 'the portal',
  },
  sign_in_network_tries_max: {
    value: 60,
    unit: 'tries',
    about: 'Sign-in attempts from one IPv4 address or IPv6 /64',
    applies_to: 'the portal',
  },
  sign_in_tries_window_s: {
    value: 900,
    unit: 'seconds',
    about: 'Length of the sliding window in which sign-in attempts are counted',
    applies_to: 'the portal, /api/_auth/ of a site',
  },
  password_characters_min: {
    value: 12,
    unit: 'characters',
    about: 'Shortest password',
    applies_to: 'the portal, /api/_auth/ of a site',
  },
  password_characters_max: {
    value: 200,
    unit: 'characters',
    about: 'Longest password',
    applies_to: 'the portal, /api/_auth/ of a site',
  },
  passkeys_max: {
    value: 20,
    unit: 'passkeys',
    about: 'Passkeys of one person',
    applies_to: 'the portal, /api/_auth/ of a site',
  },
  passkey_name_characters_max: {
    value: 100,
    unit: 'characters',
    about: 'Length of the name of a passkey',
    applies_to: 'the portal, /api/_auth/ of a site',
  },
  passkey_challenge_s: {
    value: 600,
    unit: 'seconds',
    about: 'Lifetime of a passkey challenge; it can be used once',
    applies_to: 'the portal, /api/_auth/ of a site',
  },
  invitation_s: {
    value: 7 * 24 * HOUR_S,
    unit: 'seconds',
    about: 'Lifetime of a team invitation',
    applies_to: 'the portal',
  },
  invitations_per_hour_max: {
    value: 20,
    unit: 'invitations',
    about: 'Invitations per project and hour',
    applies_to: 'the portal',
  },
  projects_owned_max: {
    value: 10,
    unit: 'projects',
    about: 'Projects a person can own; the operator can create more',
    applies_to: 'the portal',
  },
  projects_created_per_day_max: {
    value: 20,
    unit: 'projects',
    about: 'Projects a person can create in 24 hours, deleted ones included',
    applies_to: 'the portal',
  },
  project_name_characters_max: {
    value: 200,
    unit: 'characters',
    about: 'Length of the name of a project',
    applies_to: 'the portal',
  },
  session_s: {
    value: 30 * 24 * HOUR_S,
    unit: 'seconds',
    about: 'Maximum lifetime of a session',
    applies_to: 'the portal',
  },
  session_idle_s: {
    value: 7 * 24 * HOUR_S,
    unit: 'seconds',
    about: 'Time without use after which a session ends',
    applies_to: 'the portal',
  },
  session_fresh_s: {
    value: 900,
    unit: 'seconds',
    about: 'How long a confirmed identity is valid for keys, passwords and second factors',
    applies_to: 'the portal, /api/_auth/ of a site',
  },
  sessions_max: {
    value: 50,
    unit: 'sessions',
    about: 'Sessions per person; a further one ends the oldest',
    applies_to: 'the portal',
  },

  // Plans
  plan_payment_tries_max: {
    value: 3,
    unit: 'attempts',
    about: 'Attempts to charge a month of a plan before the project gets the limits of Free',
    applies_to: 'plans',
  },
  lowered_plan_versions_kept_s: {
    value: 30 * 24 * HOUR_S,
    unit: 'seconds',
    about: 'How long earlier versions of documents beyond the quota of a smaller plan are kept',
    applies_to: 'documents',
  },

  // Portal assistant
  portal_message_characters_max: {
    value: 4_000,
    unit: 'characters',
    about: 'Length of a message to the portal assistant',
    applies_to: 'the portal assistant',
  },
  portal_messages_max: {
    value: 200,
    unit: 'messages',
    about: 'Messages of a conversation with the portal assistant, its answers included',
    applies_to: 'the portal assistant',
  },
  portal_conversations_max: {
    value: 100,
    unit: 'conversations',
    about:
      'Conversations with the portal assistant of a person in a project and mode; a new one deletes ' +
      'the oldest',
    applies_to: 'the portal assistant',
  },
  portal_conversations_kept_s: {
    value: 90 * 24 * HOUR_S,
    unit: 'seconds',
    about: 'How long a conversation with the portal assistant is kept after its last message',
    applies_to: 'the portal assistant',
  },
  portal_questions_max: {
    value: 30,
    unit: 'messages',
    about:
      'Messages to the portal assistant of a person in `portal_questions_window_s`, per process',
    applies_to: 'the portal assistant',
  },
  portal_questions_window_s: {
    value: 300,
    unit: 'seconds',
    about: 'Window of `portal_questions_max`',
    applies_to: 'the portal assistant',
  },
  portal_answers_running_max: {
    value: 5,
    unit: 'answers',
    about: 'Answers of the portal assistant under way in a project at once, per process',
    applies_to: 'the portal assistant',
  },
  portal_answer_s: {
    value: 180,
    unit: 'seconds',
    about: 'Longest time that an answer of the portal assistant takes',
    applies_to: 'the portal assistant',
  },
  portal_answer_requests_max: {
    value: 8,
    unit: 'requests',
    about: 'Requests to the language model for one answer of the portal assistant',
    applies_to: 'the portal assistant',
  },
  portal_proposals_per_answer_max: {
    value: 5,
    unit: 'proposals',
    about: 'Operations that one answer of the portal assistant proposes',
    applies_to: 'the portal assistant',
  },
  portal_proposals_max: {
    value: 100,
    unit: 'proposals',
    about: 'Proposals of a conversation with the portal assistant, submitted forms included',
    applies_to: 'the portal assistant',
  },
  portal_proposal_s: {
    value: HOUR_S / 2,
    unit: 'seconds',
    about: 'How long a proposal of the portal assistant can be run',
    applies_to: 'the portal assistant',
  },

  // Privacy
  retention_days_max: {
    value: 3_650,
    unit: 'days',
    about: 'Longest time that a project can choose for records, apart from keeping them',
    applies_to: 'PUT /retention',
  },
  person_records_shown_max: {
    value: 50,
    unit: 'records',
    about: 'Records of a kind that a search for one person lists; all are counted',
    applies_to: 'POST /personal-data/query',
  },
  person_export_link_s: {
    value: 900,
    unit: 'seconds',
    about: 'Lifetime of the link to the data of one person',
    applies_to: 'POST /personal-data/exports',
  },
  retention_batch_max: {
    value: 500,
    unit: 'records',
    about: 'Records that one transaction deletes',
    applies_to: 'retention',
  },

  // Project exports
  project_export_link_s: {
    value: 900,
    unit: 'seconds',
    about: 'Lifetime of the link to the export of a whole project',
    applies_to: 'The page Settings of the portal',
  },
  project_export_rows_s: {
    value: 1_800,
    unit: 'seconds',
    about: 'Time in which the rows of a project export must be downloaded; its files follow',
    applies_to: 'The page Settings of the portal',
  },

  // Projects
  spending_cap_unverified_eur_max: {
    value: 500,
    unit: 'euro',
    about: 'Highest monthly spending cap before the verification level full is reached',
    applies_to: 'project',
  },

  // Public tokens
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
  public_tokens_max: {
    value: 50,
    unit: 'tokens',
    about: 'Active public tokens per project',
    applies_to: 'POST /chat-tokens',
  },
  public_token_origins_max: {
    value: 20,
    unit: 'origins',
    about: 'Allowed origins of one public token',
    applies_to: 'POST /chat-tokens',
  },

  // Requests
  requests_kept_s: {
    value: 7 * 24 * HOUR_S,
    unit: 'seconds',
    about: 'How long the request log keeps a request',
    applies_to: 'GET /requests',
  },
  requests_kept_max: {
    value: 20_000,
    unit: 'requests',
    about: 'Newest requests of a project that the request log keeps; older ones are deleted',
    applies_to: 'GET /requests',
  },

  // Sites
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
    about: 'Files of the media library used on one site',
    applies_to: 'deploys',
  },
  site_body_bytes_max: {
    value: 8 * MB,
    unit: 'bytes',
    about: 'Size of the body of a deploy, including base64',
    applies_to: 'POST /sites, PUT /sites/{id}',
  },
  site_slug_characters_max: {
    value: 48,
    unit: 'characters',
    about: 'Length of a slug; at least 2',
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
    about: 'Newest versions of a site that are kept, in addition to the live one',
    applies_to: 'sites',
  },
  site_review_kept_s: {
    value: 90 * 86_400,
    unit: 'seconds',
    about: 'Time within which a refused deploy can be appealed',
    applies_to: 'sites',
  },
  site_appeal_characters_max: {
    value: 4000,
    unit: 'characters',
    about: 'Length of the text of an appeal',
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
    about: "Length of a project's first week",
    applies_to: 'sites',
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
    about: 'Headers that _headers can add to one response',
    applies_to: 'sites',
  },

  // Status
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

  // Verification
  phone_code_s: {
    value: 600,
    unit: 'seconds',
    about: 'Lifetime of a code that verifies a phone number',
    applies_to: 'verification',
  },
  phone_code_tries_max: {
    value: 5,
    unit: 'tries',
    about: 'Attempts per code; after them the right code is refused too',
    applies_to: 'verification',
  },
  phone_codes_per_project_max: {
    value: 10,
    unit: 'codes',
    about: 'Codes by phone in 24 hours, asked for by one project',
    applies_to: 'verification',
  },
  phone_codes_per_person_max: {
    value: 10,
    unit: 'codes',
    about: 'Codes by phone in 24 hours, asked for by one person',
    applies_to: 'verification',
  },
  phone_codes_per_number_max: {
    value: 6,
    unit: 'codes',
    about: 'Codes by phone in 24 hours, sent to one phone number',
    applies_to: 'verification',
  },
  phone_codes_per_network_max: {
    value: 20,
    unit: 'codes',
    about: 'Codes by phone in 24 hours, asked for from one IPv4 address or IPv6 /64',
    applies_to: 'verification',
  },
  phone_codes_per_hour_max: {
    value: 300,
    unit: 'codes',
    about: 'Codes by phone in an hour, of all projects together',
    applies_to: 'the installation',
  },
  phone_number_projects_max: {
    value: 5,
    unit: 'projects',
    about: 'Projects that one phone number can verify',
    applies_to: 'verification',
  },
  phone_codes_kept_s: {
    value: 90 * DAY_S,
    unit: 'seconds',
    about: 'How long codes that were not confirmed are kept for these limits and against abuse',
    applies_to: 'verification',
  },
  verification_document_bytes_max: {
    value: 10 * 1_048_576,
    unit: 'bytes',
    about: 'Size of a verification document',
    applies_to: 'verification',
  },
  verification_documents_per_day_max: {
    value: 40,
    unit: 'links',
    about: 'Upload links for verification documents in 24 hours',
    applies_to: 'project',
  },
  verification_submissions_per_day_max: {
    value: 10,
    unit: 'submissions',
    about: 'Levels sent for review in 24 hours',
    applies_to: 'project',
  },
  verification_unsent_kept_s: {
    value: 90 * DAY_S,
    unit: 'seconds',
    about: 'How long evidence is kept that was not sent for review',
    applies_to: 'project',
  },
  declared_owners_max: {
    value: 20,
    unit: 'persons',
    about: 'Beneficial owners in a declaration',
    applies_to: 'project',
  },

  // Visits
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

  // Webhooks
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

  // Edge: Docs
  docs_searches_max: {
    value: 60,
    unit: 'searches',
    about: 'Searches of one IPv4 address or IPv6 /64 in any one window',
    applies_to: 'GET {origin}/docs/search',
  },
  docs_searches_window_s: {
    value: 60,
    unit: 'seconds',
    about: 'Length of that window',
    applies_to: 'GET {origin}/docs/search',
  },

  // Edge: MCP
  mcp_envelope_bytes_max: {
    value: 65_536,
    unit: 'bytes',
    about: 'What a message of MCP may have beside the largest body of an operation',
    applies_to: 'POST /mcp',
  },
  mcp_result_bytes_max: {
    value: 131_072,
    unit: 'bytes',
    about:
      'Size of the reply of an operation in the result of a tool, which has it as text and as data',
    applies_to: 'tools of MCP',
  },
  mcp_page_bytes_max: {
    value: 98_304,
    unit: 'bytes',
    about: 'Size of a page of documents as JSON, as page_bytes_max for the other ways in',
    applies_to: 'tools of MCP',
  },
  mcp_messages_max: {
    value: 600,
    unit: 'messages',
    about:
      'Messages per key in any one window, those included that count as no request: initialize, ' +
      'notifications, lists and answers to questions. Each tools/call and resources/read is a request',
    applies_to: '/mcp',
  },
  mcp_messages_window_s: {
    value: 60,
    unit: 'seconds',
    about: 'Length of that window',
    applies_to: '/mcp',
  },
  mcp_question_valid_s: {
    value: 300,
    unit: 'seconds',
    about: 'How long a person may take to agree to what an assistant wants to do',
    applies_to: 'tools of MCP that ask the person first',
  },
  mcp_session_idle_s: {
    value: 3600,
    unit: 'seconds',
    about:
      'How long a session is kept in which nothing happens, and how long a stream of it is before ' +
      'its client has to open it again',
    applies_to: 'clients of MCP of 2025 that ask the person',
  },
  mcp_sessions_per_key_max: {
    value: 20,
    unit: 'sessions',
    about:
      'Sessions at one time; one more ends the one that was quiet for longest, and is served ' +
      'without a session where all are in use',
    applies_to: 'each API key and connection, with MCP of 2025',
  },
  mcp_sessions_max: {
    value: 2000,
    unit: 'sessions',
    about: 'Sessions at one time; one more is served without a session',
    applies_to: 'the whole service, with MCP of 2025',
  },
  mcp_session_questions_max: {
    value: 5,
    unit: 'questions',
    about: 'Questions that wait for the person at one time; one more waits as an approval',
    applies_to: 'each session of MCP',
  },
  mcp_question_value_characters_max: {
    value: 500,
    unit: 'characters',
    about: 'How much of each value the question to the person shows',
    applies_to: 'tools of MCP that ask the person first',
  },
  mcp_step_up_s: {
    value: 600,
    unit: 'seconds',
    about:
      'How long a connection that lacks a scope is answered in words after a 403 asked it for that ' +
      'scope',
    applies_to: 'POST /mcp',
  },

  // Edge: OAuth
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

  // Edge: Portal
  site_appeals_per_hour_max: {
    value: 20,
    unit: 'appeals',
    about: 'Appeals from one address in an hour',
    applies_to: 'sites',
  },
  portal_form_bytes_max: {
    value: 262_144,
    unit: 'bytes',
    about: 'Size of a form that is sent to the portal',
    applies_to: 'the portal',
  },

  // Edge: Public
  connections_per_address_max: {
    value: 1_000,
    unit: 'connections',
    about:
      'Open connections of one address, at most a quarter of those that the open files of the process ' +
      'allow; an IPv6 /64 is one address',
    applies_to: 'every connection that comes from no trusted proxy',
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
  public_submissions_per_address_day_max: {
    value: 300,
    unit: 'submissions',
    about: 'Submissions of one address of a visitor to one project in any 24 hours',
    applies_to: 'POST /public/collections/{name}/documents',
  },
  public_submissions_per_token_max: {
    value: 300,
    unit: 'submissions',
    about: 'Submissions with one public token in any one window',
    applies_to: 'POST /public/collections/{name}/documents',
  },
  public_chat_starts_per_address_max: {
    value: 10,
    unit: 'conversations',
    about: 'Conversations that one address of a visitor starts in any one window',
    applies_to: 'POST /public/conversations',
  },
  public_chat_starts_per_address_hour_max: {
    value: 20,
    unit: 'conversations',
    about: 'Conversations that one address of a visitor starts with one project in any hour',
    applies_to: 'POST /public/conversations',
  },
  public_chat_starts_per_address_day_max: {
    value: 40,
    unit: 'conversations',
    about: 'Conversations that one address of a visitor starts with one project in any 24 hours',
    applies_to: 'POST /public/conversations',
  },
  public_chat_starts_per_token_max: {
    value: 600,
    unit: 'conversations',
    about: 'Conversations started with one public token in any one window',
    applies_to: 'POST /public/conversations',
  },
  public_chat_messages_per_address_max: {
    value: 30,
    unit: 'messages',
    about: 'Chat messages of one address of a visitor in any one window, and closed conversations',
    applies_to: 'POST /public/conversations/{id}/messages',
  },
  public_chat_messages_per_token_max: {
    value: 1_200,
    unit: 'messages',
    about: 'Chat messages with one public token in any one window, and closed conversations',
    applies_to: 'POST /public/conversations/{id}/messages',
  },
  public_chat_reads_per_address_max: {
    value: 240,
    unit: 'requests',
    about: 'Requests for the messages of a conversation by one address in any one window',
    applies_to: 'GET /public/conversations/{id}/messages',
  },
  public_chat_reads_per_token_max: {
    value: 12_000,
    unit: 'requests',
    about: 'Requests for the messages of conversations with one public token in any one window',
    applies_to: 'GET /public/conversations/{id}/messages',
  },
  public_body_bytes_max: {
    value: 16_384,
    unit: 'bytes',
    about: 'Size of a JSON body from a chat widget',
    applies_to: 'POST /public/conversations',
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
  form_files_max: {
    value: 5,
    unit: 'files',
    about: 'Files of one submission',
    applies_to: 'POST /public/collections/{name}/documents',
  },

  // Edge: Sites
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

  // Edge: Status page
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

type LimitTable = typeof limitTable

/** The values alone: `limits.webhook_endpoints_max` is 10. */
export const limits = Object.fromEntries(
  Object.entries(limitTable).map(([name, entry]) => [name, entry.value]),
) as { readonly [Name in keyof LimitTable]: LimitTable[Name]['value'] }
