/**
 * The contract compared with facts of the specification. The facts are repeated here on purpose, so
 * that an accidental change in a catalogue fails.
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { Value } from 'typebox/value'
import * as errors from './errors.ts'
import {
  eventTypeNames,
  eventTypes,
  isCallEvent,
  isEmailEvent,
  isEventType,
} from './event-types.ts'
import { type LimitEntry, limits, limitTable } from './limits.ts'
import { nextStepAt, restPhrasing } from './next-steps.ts'
import { isPlan, planNames, plans } from './plans.ts'
import { isScope, scopeNames, scopes } from './scopes.ts'

const { errorCatalogue, errorUrl, Problem, problemDocument, ProblemSchema, statusesOf } = errors
const slugs = Object.keys(errorCatalogue).filter(isSlug)
const nextOf = (slug: errors.ErrorSlug) => nextStepAt(restPhrasing, errorCatalogue[slug].next)
const request = { request_id: 'req_0123456789abcdefghij', docs_url: 'https://example.com/docs' }

function isSlug(word: string): word is errors.ErrorSlug {
  return Object.hasOwn(errorCatalogue, word)
}

/** Splits text at whitespace. */
function words(text: string): string[] {
  return text.trim().split(/\s+/)
}

function plansWith(member: 'live_numbers' | 'live_payments' | 'dedicated_sending_ip') {
  return planNames.filter((plan) => plans[plan][member])
}

// Status and slug of every row of "All error types", in the order of the table.
const errorRows = `
  400 bad_request
  400 invalid_json
  400 invalid_parameter
  422 validation_failed
  401 unauthorized
  401 missing_api_key
  401 invalid_api_key
  401 api_key_revoked
  401 project_deleted
  403 forbidden
  403 project_not_enabled
  403 missing_scope
  403 key_mode_mismatch
  403 test_key_required
  422 test_number_limit_reached
  404 not_found
  405 method_not_allowed
  409 conflict
  409|412 version_conflict
  409 confirmation_required
  429 rate_limited
  402 payment_required
  402 payment_mandate_missing
  402 billing_blocked
  402 insufficient_balance
  402 voice_ai_not_enabled
  422 company_details_missing
  422 business_required
  422 account_type_change_blocked
  422 vat_number_invalid
  422 country_not_supported
  422 spend_cap_missing
  422 regulatory_documents_missing
  403 verification_required
  409 number_unavailable
  409 number_already_yours
  403 number_limit_reached
  422 no_numbers_available
  502 order_status_unknown
  409 number_release_not_supported
  503 telephony_unavailable
  400 idempotency_key_missing
  400 idempotency_key_invalid
  409 idempotency_key_reused
  409 idempotency_request_in_progress
  422 assistant_not_configured
  422 team_targets_not_allowed
  422 forward_target_not_allowed
  400 invalid_webhook_endpoint
  409 webhook_limit_reached
  409 webhook_endpoint_disabled
  422 destination_not_allowed
  422 message_too_long
  422 sender_not_allowed
  429 message_limit_reached
  422 number_required
  422 outside_calling_hours
  403 consent_required
  429 concurrent_call_limit
  429 call_limit_reached
  409 conversation_closed
  409 conversation_busy
  409 conversation_turn_limit_reached
  429 conversation_limit_reached
  402 test_free_replies_used
  402 test_free_calls_used
  401 invalid_chat_token
  401|409 chat_token_revoked
  403 origin_not_allowed
  403 challenge_failed
  401 invalid_conversation_token
  429 public_chat_limit_reached
  503 chat_unavailable
  422 site_limit_reached
  402|409 plan_limit_reached
  413 app_too_large
  422 app_blocked
  422 migration_failed
  413 file_too_large
  422 query_failed
  409 slug_taken
  422 slug_reserved
  422 site_too_large
  422 site_blocked
  403 site_offline
  429 deploy_limit_reached
  422 upload_not_received
  403 phone_verification_required
  403 mail_not_enabled
  403 email_paused
  403 recipient_not_allowed
  429 email_limit_reached
  422 email_blocked
  409 email_domain_not_verified
  413 attachment_too_large
  422 attachment_not_allowed
  422 email_address_invalid
  409 bimi_not_ready
  403 dedicated_ip_not_available
  422 collection_limit_reached
  409 collection_name_taken
  422 document_limit_reached
  422 document_too_large
  422 schema_mismatch
  403 collection_not_public
  500 internal_error
  502 upstream_error
  503 service_unavailable`

const tradeWords = words(`api http https json url dns oauth scope header slug token webhook endpoint
  schema payload id ip`)

describe('the error catalogue', () => {
  it('has the 108 rows of the specification in its order, each with its status', () => {
    const rows = slugs.map((slug) => `${statusesOf(slug).join('|')} ${slug}`)
    assert.deepEqual(rows, errorRows.trim().split(/\n\s*/))
    assert.equal(rows.length, 108)
  })

  it('marks exactly one reason as never an HTTP response', () => {
    const silent = slugs.filter((slug) => errorCatalogue[slug].http === false)
    assert.deepEqual(silent, ['test_free_calls_used'])
  })

  it('has the title of RFC 9110 for every status', () => {
    for (const slug of slugs) {
      for (const status of statusesOf(slug)) assert.match(errors.statusTitle(status), /^[A-Z]/)
    }
    assert.equal(errors.statusTitle(413), 'Content Too Large')
    assert.equal(errors.statusTitle(422), 'Unprocessable Content')
    assert.throws(() => errors.statusTitle(418), /No error has the status 418/)
  })

  it('has a user message of one sentence with a full stop for each error', () => {
    for (const slug of slugs) {
      assert.match(errorCatalogue[slug].user, /^[A-Z][^.!?:;]{15,98}\.$/, slug)
    }
  })

  it('contains no slug, status or technical term in user messages', () => {
    const trade = new RegExp(`\\b(${tradeWords.join('|')})s?\\b`, 'i')
    for (const slug of slugs) {
      const { user } = errorCatalogue[slug]
      assert.doesNotMatch(user, /[0-9_{}<>/]/, slug)
      assert.doesNotMatch(user, trade, slug)
      const named = slugs.find((other) =>
        user
          .toLowerCase()
          .split(/[^a-z_]+/)
          .includes(other),
      )
      assert.equal(named, undefined, slug)
    }
  })

  it('explains each error and its next step in whole sentences', () => {
    for (const slug of slugs) {
      const { about } = errorCatalogue[slug]
      const next = nextOf(slug)
      assert.match(about, /^[A-Z][^]{20,}\.$/, slug)
      assert.match(next, /^[A-Z][^]{20,}\.$/, slug)
      assert.doesNotMatch(about + next, /undefined|NaN|object Object| {2}| $/, slug)
    }
  })

  it('has a different user message for each error', () => {
    for (const member of ['about', 'user', 'next'] as const) {
      const said = slugs.map((slug) =>
        member === 'next' ? nextOf(slug) : errorCatalogue[slug][member],
      )
      const twice = said.filter((text, index) => said.indexOf(text) !== index)
      assert.deepEqual(twice, [], member)
    }
  })

  it('quotes limits and plans as the specification does', () => {
    const about = (slug: errors.ErrorSlug) => errorCatalogue[slug].about
    assert.match(about('rate_limited'), /more than 120 requests in 60 seconds/)
    assert.match(about('idempotency_key_invalid'), /1 to 255 visible ASCII/)
    assert.match(about('invalid_conversation_token'), /older than 6 hours/)
    assert.match(about('conversation_limit_reached'), /1000 in live mode.*25 in test mode/)
    assert.match(about('public_chat_limit_reached'), /200 unless set, up to 1000.*5 unless set, up/)
    assert.match(about('plan_limit_reached'), /3 sites, 10 MB of data, 100 MB of files/)
    assert.match(about('site_too_large'), /50 files, more than 1 MB .* more than 5 MB in total/)
    assert.match(about('deploy_limit_reached'), /120 times per hour, and 30 times/)
    assert.match(about('upload_not_received'), /within 15 minutes/)
    assert.match(about('email_paused'), /5% of the last 200 emails bounced or more than 0\.1%/)
    assert.match(about('attachment_too_large'), /10 attachments or more than 10 MB/)
    assert.match(about('dedicated_ip_not_available'), /Business and Enterprise\./)
    assert.match(
      about('collection_limit_reached'),
      /20 on Free, 50 on Online, 100 on Reachable, 200/,
    )
    assert.match(about('document_limit_reached'), /10000 documents/)
    assert.match(about('document_too_large'), /64 kB/)
    assert.match(nextOf('message_too_long'), /918 characters, or 402/)
  })
})

describe('a problem', () => {
  it('is an Error with its slug, status, detail and cause', () => {
    const cause = new Error('The socket closed.')
    const problem = new Problem('upstream_error', 'The carrier did not answer.', { cause })
    assert.ok(problem instanceof Error)
    assert.equal(problem.name, 'Problem')
    assert.equal(problem.message, 'The carrier did not answer.')
    assert.equal(problem.detail, 'The carrier did not answer.')
    assert.equal(problem.slug, 'upstream_error')
    assert.equal(problem.status, 502)
    assert.equal(problem.cause, cause)
    assert.equal('cause' in new Problem('not_found', 'No such call.'), false)
  })

  it('defaults to the first of two statuses', () => {
    for (const [slug, first, second] of [
      ['version_conflict', 409, 412],
      ['chat_token_revoked', 401, 409],
      ['plan_limit_reached', 402, 409],
    ] as const) {
      assert.equal(new Problem(slug, 'Once.').status, first)
      assert.equal(new Problem(slug, 'Once.', { status: first }).status, first)
      assert.equal(new Problem(slug, 'Once.', { status: second }).status, second)
    }
  })

  it('refuses a status that its error does not have', () => {
    assert.throws(() => new Problem('version_conflict', 'Once.', { status: 404 }), /never has/)
    assert.throws(() => new Problem('not_found', 'Once.', { status: 409 }), /never has/)
    assert.equal(new Problem('not_found', 'Once.', { status: 404 }).status, 404)
  })

  it('refuses an empty detail, and extra members that shadow a standard one', () => {
    assert.throws(() => new Problem('conflict', ' '), /needs a detail/)
    for (const member of Object.keys(ProblemSchema.properties)) {
      const extra = { fields: { [member]: 1 } }
      assert.throws(() => new Problem('conflict', 'Once.', extra), /Not a further member/, member)
    }
  })
})

describe('a problem document', () => {
  it('has exactly the required members and the next step by default', () => {
    const problem = new Problem('webhook_limit_reached', 'This project has 10 endpoints.')
    assert.deepEqual(problemDocument(problem, request), {
      type: 'https://example.com/docs/errors/webhook_limit_reached',
      title: 'Conflict',
      status: 409,
      detail: 'This project has 10 endpoints.',
      request_id: 'req_0123456789abcdefghij',
      user_message: errorCatalogue.webhook_limit_reached.user,
      next_step: nextOf('webhook_limit_reached'),
    })
  })

  it('includes extra members, but never cause, headers or retry time', () => {
    const faults = [{ path: '/name', message: 'is required' }]
    const problem = new Problem('version_conflict', 'It is at version 7.', {
      status: 412,
      errors: faults,
      missing: ['vat_number'],
      current_version: 7,
      retry_after_s: 3,
      headers: { allow: 'GET' },
      cause: new Error('secret'),
      user_message: 'Only the site Bakery can be changed here.',
      fields: { limit: 200, used_today: 200 },
    })
    assert.deepEqual(problemDocument(problem, request), {
      type: 'https://example.com/docs/errors/version_conflict',
      title: 'Precondition Failed',
      status: 412,
      detail: 'It is at version 7.',
      request_id: 'req_0123456789abcdefghij',
      user_message: 'Only the site Bakery can be changed here.',
      next_step: nextOf('version_conflict'),
      errors: faults,
      missing: ['vat_number'],
      current_version: 7,
      limit: 200,
      used_today: 200,
    })
  })

  it('includes version 0', () => {
    const problem = new Problem('version_conflict', 'Read it again.', { current_version: 0 })
    assert.equal(problemDocument(problem, request).current_version, 0)
  })

  it('matches its own schema for every error and status', () => {
    for (const slug of slugs) {
      for (const status of statusesOf(slug)) {
        const document = problemDocument(new Problem(slug, 'Once.', { status }), request)
        assert.deepEqual(Value.Errors(ProblemSchema, document), [], slug)
        assert.equal(document.status, status)
      }
    }
  })

  it('can be serialized with any detail', () => {
    fc.assert(
      fc.property(fc.constantFrom(...slugs), fc.string({ minLength: 1 }), (slug, text) => {
        const document = problemDocument(new Problem(slug, `${text}.`), request)
        assert.deepEqual(JSON.parse(JSON.stringify(document)), document)
      }),
    )
  })

  it('documents each member, six of them as required', () => {
    const described = Object.entries(ProblemSchema.properties)
    for (const [name, schema] of described) assert.ok('description' in schema, name)
    assert.deepEqual(
      described.map(([name]) => name),
      words(`type title status detail request_id user_message next_step errors missing
        current_version`),
    )
    assert.deepEqual(
      ProblemSchema.required,
      words('type title status detail request_id user_message'),
    )
  })

  it('links to its page for a docs_url with or without a trailing slash', () => {
    const page = 'http://localhost:4400/docs/errors/slug_taken'
    assert.equal(errorUrl('slug_taken', 'http://localhost:4400/docs'), page)
    assert.equal(errorUrl('slug_taken', 'http://localhost:4400/docs/'), page)
  })
})

describe('the scopes', () => {
  it('are the 16 of the specification in its order, the first seven read-only', () => {
    const expected = words(`project:read numbers:read calls:read messages:read chat:read sites:read
      data:read project:write numbers:write assistant:write webhooks:write messages:write
      calls:write chat:write sites:write data:write`)
    assert.deepEqual(scopeNames, expected)
    assert.deepEqual(Object.keys(scopes), expected)
    assert.equal(expected.length, 16)
    assert.deepEqual(
      scopeNames.filter((scope) => scopes[scope].read_only),
      expected.slice(0, 7),
    )
  })

  it('are described as in the specification', () => {
    assert.deepEqual(
      scopeNames.map((scope) => scopes[scope].about),
      [
        'GET /project, the balance, the agents (read), the MCP server',
        'GET /numbers, GET /numbers/available, GET /numbers/{id}/call-plan',
        'GET /calls, GET /calls/{id} with transcripts, POST /test/calls in test mode',
        'SMS messages and emails with status',
        'chat conversations and chat widget tokens',
        'sites, versions, domains, apps, media library, sending domains',
        'collections and documents',
        'company details, managing agents',
        'claiming/releasing numbers, call plans',
        'configuring the voice assistant',
        'create, list, delete, enable, test webhook endpoints',
        'sending SMS and email',
        'outbound calls by the assistant',
        'starting chats, managing chat widget tokens',
        'publishing sites; domains, apps, media library, sending domains',
        'creating collections, writing documents',
      ],
    )
  })

  it('are recognized by isScope', () => {
    assert.ok(scopeNames.every(isScope))
    for (const word of ['', 'project', 'assistant:read', 'toString', '__proto__', 'DATA:READ']) {
      assert.equal(isScope(word), false, word)
    }
  })
})

describe('the event types', () => {
  it('are the 16 of the specification in its order, with their description', () => {
    assert.deepEqual(Object.entries(eventTypes), [
      ['call.completed', 'a call has ended'],
      ['call.summary.ready', 'the summary of a call is ready; arrives after call.completed'],
      ['message.delivered', 'an SMS reached the phone'],
      ['message.failed', 'an SMS could not be delivered'],
      ['conversation.summary.ready', 'a chat conversation was closed and its summary is ready'],
      [
        'document.created',
        'a new document in a collection with webhook_on_insert, from the API or a site form',
      ],
      ['balance.low', 'the prepaid balance dropped below the threshold'],
      ['balance.topped_up', 'a top-up was added'],
      ['balance.reload_failed', 'an automatic top-up failed'],
      ['order.paid', 'an order on a site was paid'],
      ['email.sent', 'an email was accepted for delivery; one event per recipient'],
      ['email.delivered', "an email reached the recipient's mail server"],
      ['email.delayed', 'delivery is delayed; retried automatically'],
      ['email.bounced', 'an email bounced, with a short reason'],
      ['email.complained', 'the recipient marked an email as spam'],
      ['webhook.test', 'only when requested with POST /webhooks/{id}/test'],
    ])
    assert.deepEqual(eventTypeNames, Object.keys(eventTypes))
    assert.equal(eventTypeNames.length, 16)
  })

  it('contain two call events and five email events', () => {
    assert.deepEqual(eventTypeNames.filter(isCallEvent), ['call.completed', 'call.summary.ready'])
    assert.deepEqual(
      eventTypeNames.filter(isEmailEvent),
      words('email.sent email.delivered email.delayed email.bounced email.complained'),
    )
  })

  it('are recognized by isEventType', () => {
    assert.ok(isEventType('webhook.test'))
    for (const word of ['', 'call', 'email.', 'email.opened', 'constructor']) {
      assert.equal(isEventType(word), false, word)
    }
  })
})

describe('the limits', () => {
  it('are those of the specification, followed by our own', () => {
    assert.deepEqual(limits, {
      requests_max: 120,
      request_window_s: 60,
      request_id_characters_max: 64,
      idempotency_key_characters_max: 255,
      idempotency_key_remembered_s: 86_400,
      test_numbers_max: 3,
      test_number_first: '+447700900000',
      test_number_last: '+447700900999',
      live_numbers_max: 3,
      balance_transactions_max: 20,
      spending_cap_unverified_eur_max: 500,
      webhook_endpoints_max: 10,
      webhook_url_characters_max: 2048,
      webhook_attempts_max: 8,
      webhook_retry_delays_s: [60, 300, 1800, 7200, 21_600, 43_200, 86_400],
      webhook_response_timeout_s: 10,
      webhook_signature_tolerance_s: 300,
      webhook_failures_in_a_row_max: 50,
      sms_segments_max: 6,
      sms_per_day_max: 200,
      outbound_calls_per_day_max: 100,
      conversation_turns_max: 30,
      conversation_token_lifetime_s: 21_600,
      live_conversations_per_day_max: 1000,
      test_conversations_per_day_max: 25,
      chat_token_conversations_per_day_default: 200,
      chat_token_conversations_per_day_max: 1000,
      chat_token_spending_per_day_eur_default: 5,
      chat_token_spending_per_day_eur_max: 1000,
      sites_max: 3,
      site_files_max: 50,
      site_file_bytes_max: 1_048_576,
      site_bytes_max: 5_242_880,
      site_static_redirects_max: 2000,
      site_dynamic_redirects_max: 100,
      site_header_rules_max: 100,
      site_headers_characters_max: 12_000,
      site_rule_characters_max: 2000,
      site_password_remembered_s: 604_800,
      site_password_tries_max: 120,
      site_password_tries_per_address_max: 10,
      site_media_max: 200,
      site_picture_copies_bytes_max: 209_715_200,
      site_body_bytes_max: 8_388_608,
      site_slug_characters_max: 48,
      site_path_bytes_max: 512,
      site_password_characters_min: 6,
      site_password_characters_max: 128,
      site_versions_kept_max: 50,
      site_review_kept_s: 7_776_000,
      site_appeals_per_hour_max: 20,
      site_appeal_characters_max: 4000,
      deploys_per_hour_max: 120,
      first_week_deploys_per_hour_max: 30,
      first_week_s: 604_800,
      upload_link_lifetime_s: 900,
      documents_per_collection_max: 10_000,
      document_bytes_max: 65_536,
      email_attachments_max: 10,
      email_attachments_bytes_max: 10_485_760,
      email_bounces_percent_max: 5,
      email_bounces_window_emails: 200,
      email_complaints_percent_max: 0.1,
      webhook_warning_failures: [25, 35, 45],
      webhook_secret_overlap_s: 86_400,
      webhook_failures_before_pauses: 5,
      webhook_pause_s_first: 1,
      webhook_pause_s_max: 60,
      json_body_bytes_max: 1_048_576,
      json_values_max: 35_000,
      batch_values_max: 100_000,
      json_depth_max: 64,
      mcp_envelope_bytes_max: 65_536,
      mcp_messages_max: 600,
      mcp_messages_window_s: 60,
      mcp_question_valid_s: 300,
      mcp_session_idle_s: 3600,
      mcp_sessions_per_key_max: 20,
      mcp_sessions_max: 2000,
      mcp_session_questions_max: 5,
      mcp_question_value_characters_max: 500,
      mcp_step_up_s: 600,
      webhook_history_s: 2_592_000,
      webhook_answer_bytes_max: 1024,
      webhook_attempts_logged_max: 100,
      webhook_replay_events_max: 10_000,
      assistant_documents_max: 1000,
      import_bytes_max: 20_971_520,
      import_unpacked_bytes_max: 104_857_600,
      import_columns_max: 2_000,
      import_lines_max: 20_000,
      import_preview_max: 10,
      import_errors_max: 100,
      stream_unread_s: 120,
      change_streams_per_key_max: 10,
      change_streams_per_project_max: 50,
      change_heartbeat_s: 15,
      changes_kept_s: 604_800,
      docs_searches_max: 60,
      docs_searches_window_s: 60,
      public_tokens_max: 50,
      public_token_origins_max: 20,
      public_window_s: 60,
      public_requests_per_address_max: 60,
      public_requests_per_token_max: 1200,
      public_submissions_per_address_max: 10,
      public_submissions_per_token_max: 300,
      form_bytes_max: 262_144,
      form_fields_max: 200,
      form_fill_s_min: 2,
      form_challenge_lifetime_s: 1200,
      form_challenge_steps_max: 50_000,
      form_files_max: 5,
      form_file_bytes_max: 10_485_760,
      media_uploads_max: 50,
      media_file_bytes_max: 104_857_600,
      media_recording_index_bytes_max: 16_777_216,
      media_picture_bytes_max: 41_943_040,
      media_pixels_max: 50_000_000,
      media_read_s_max: 20,
      media_widths: [160, 320, 640, 960, 1280, 1920, 2560],
      media_link_lifetime_s: 900,
      media_import_bytes_max: 20_971_520,
      media_import_s_max: 20,
      media_import_redirects_max: 3,
      media_tags_max: 20,
      filter_characters_max: 4000,
      filter_comparisons_max: 50,
      filter_depth_max: 16,
      filter_list_values_max: 100,
      query_s_max: 5,
      sort_fields_max: 4,
      sort_text_bytes_max: 200,
      shown_fields_max: 50,
      search_characters_max: 200,
      search_words_max: 8,
      search_bytes_max: 33_554_432,
      query_groups_default: 100,
      query_groups_max: 1000,
      query_group_fields_max: 4,
      query_aggregates_max: 10,
      collection_indexes_max: 10,
      collection_unique_max: 5,
      collection_readable_fields_max: 100,
      batch_operations_max: 500,
      batch_body_bytes_max: 10_485_760,
      json_schema_bytes_max: 65_536,
      json_schema_depth_max: 40,
      json_schema_schemas_max: 500,
      json_schema_enum_values_max: 1000,
      json_schema_patterns_max: 100,
      json_schema_pattern_characters_max: 1000,
      json_schema_pattern_program_max: 10_000,
      json_schema_steps_max: 150_000,
      json_schema_faults_max: 50,
      page_limit_default: 20,
      page_limit_max: 100,
      approval_s: 259_200,
      approvals_pending_max: 50,
      approval_arguments_bytes_max: 32_768,
      approval_note_characters_max: 2000,
      approval_begun_s: 300,
      approval_mail_pause_s: 900,
      call_message_mail_pause_s: 300,
      approval_kept_s: 7_776_000,
      sign_in_link_s: 86_400,
      sign_in_s: 1800,
      sign_in_code_s: 600,
      sign_in_code_tries_max: 5,
      sign_in_codes_per_hour_max: 5,
      sign_in_tries_max: 10,
      sign_in_network_tries_max: 60,
      sign_in_tries_window_s: 900,
      password_characters_min: 12,
      password_characters_max: 200,
      invitation_s: 604_800,
      invitations_per_hour_max: 20,
      projects_owned_max: 10,
      project_name_characters_max: 200,
      top_up_open_s: 3600,
      top_ups_open_max: 10,
      session_s: 2_592_000,
      session_idle_s: 604_800,
      session_fresh_s: 900,
      sessions_max: 50,
      portal_form_bytes_max: 262_144,
      access_token_s: 3600,
      refresh_token_s: 2_592_000,
      oauth_code_s: 60,
      oauth_request_s: 3600,
      oauth_requests_max: 120,
      oauth_requests_window_s: 600,
      oauth_registrations_per_hour_max: 30,
      oauth_registration_repeated_s: 600,
      oauth_registration_unused_s: 604_800,
      oauth_redirect_uris_max: 20,
      oauth_document_bytes_max: 10_240,
      connections_max: 50,
      connection_forgotten_s: 2_592_000,
      passkeys_max: 20,
      passkey_name_characters_max: 100,
      passkey_challenge_s: 600,
      key_name_characters_max: 100,
      key_sites_max: 100,
    })
  })

  it('wait about 45 hours in total between the attempts of a delivery', () => {
    const waits = limits.webhook_retry_delays_s
    assert.equal(waits.length, limits.webhook_attempts_max - 1)
    assert.equal(Math.round(waits.reduce((sum, wait) => sum + wait, 0) / 3600), 45)
  })

  it('have a unit that matches their name, a description and a place', () => {
    const units = { _s: 'seconds', _bytes: 'bytes', _eur: 'euro', _percent: 'percent' }
    for (const [name, entry] of Object.entries<LimitEntry>(limitTable)) {
      const stem = name.replace(/_(max|min|default|first|last)$/, '')
      const suffix = Object.entries(units).find(([end]) => stem.endsWith(end))
      assert.equal(entry.unit, suffix?.[1] ?? entry.unit, name)
      assert.equal(Object.values(units).includes(entry.unit), suffix !== undefined, name)
      assert.match(entry.about, /^[A-Z].*[^.]$/, name)
      assert.notEqual(entry.applies_to, '', name)
    }
  })
})

describe('the plans', () => {
  it('are five, with the collections and the Free limits of the specification', () => {
    assert.deepEqual(planNames, ['free', 'online', 'reachable', 'business', 'enterprise'])
    assert.deepEqual(Object.keys(plans), planNames)
    const collections = planNames.map((plan) => plans[plan].collections_max)
    assert.deepEqual(collections.slice(0, 4), [20, 50, 100, 200])
    const { app_bytes_max: _ours, ...given } = plans.free
    assert.deepEqual(given, {
      title: 'Free',
      sites_max: 3,
      collections_max: 20,
      data_bytes_max: 10_485_760,
      files_bytes_max: 104_857_600,
      team_members_max: 1,
      live_numbers: false,
      live_payments: false,
      dedicated_sending_ip: false,
    })
  })

  it('exclude live numbers and payments from Free, and a dedicated sending IP from all but the largest two', () => {
    assert.deepEqual(plansWith('live_numbers'), planNames.slice(1))
    assert.deepEqual(plansWith('live_payments'), planNames.slice(1))
    assert.deepEqual(plansWith('dedicated_sending_ip'), ['business', 'enterprise'])
  })

  it('never include less than the smaller plan, and three sites each', () => {
    const amounts = words('collections_max data_bytes_max files_bytes_max team_members_max')
    for (const [index, plan] of planNames.entries()) {
      assert.equal(plans[plan].sites_max, 3)
      const before = planNames[index - 1]
      if (before === undefined) continue
      const smaller = new Map<string, unknown>(Object.entries(plans[before]))
      for (const [member, amount] of Object.entries(plans[plan])) {
        if (amounts.includes(member)) assert.ok(Number(amount) > Number(smaller.get(member)), plan)
      }
      assert.ok(plans[plan].app_bytes_max > plans[before].app_bytes_max)
    }
  })

  it('are recognized by isPlan', () => {
    assert.ok(planNames.every(isPlan))
    for (const word of ['', 'Free', 'pro', 'valueOf']) assert.equal(isPlan(word), false, word)
  })
})
