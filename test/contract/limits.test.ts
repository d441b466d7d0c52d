/** Compares the limits with the specification's table, and checks the rules for their names. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { LimitEntry } from '../../server/contract/limits.ts'
import { limits, limitTable } from '../../server/contract/limits.ts'
import { planNames, plans } from '../../server/contract/plans.ts'
import { rowsOf } from './specification.ts'

const MB = 1_048_576
const of = limits
const { free } = plans

/** By row of the specification, the parts of its text that are built from limits and plans. */
const phrases: Readonly<Record<string, readonly string[]>> = {
  'Request rate': [`${of.requests_max} requests per ${of.request_window_s} seconds per key`],
  'Request id from caller': [`1 to ${of.request_id_characters_max} characters`],
  'Idempotency key': [
    `1 to ${of.idempotency_key_characters_max} visible`,
    `remembered ${of.idempotency_key_remembered_s / 3600} hours`,
  ],
  'Test numbers': [
    `at most ${of.test_numbers_max} per`,
    `range ${of.test_number_first} to ${of.test_number_last}`,
  ],
  'Live numbers': [`at most ${of.live_numbers_max} per live project`],
  'Balance transactions returned': [`latest ${of.balance_transactions_max},`],
  [`Spending cap above ${of.spending_cap_unverified_eur_max} euro`]: [],
  'Webhook endpoints': [`${of.webhook_endpoints_max} per project`],
  'Webhook URL': [`at most ${of.webhook_url_characters_max} characters`],
  'Webhook attempts': [
    `${of.webhook_attempts_max} per delivery`,
    `response timeout ${of.webhook_response_timeout_s} seconds`,
    `signature tolerance ${of.webhook_signature_tolerance_s / 60} minutes`,
  ],
  'Webhook disabling': [`after ${of.webhook_failures_in_a_row_max} consecutive`],
  SMS: [`at most ${of.sms_segments_max} segments`, `${of.sms_per_day_max} messages per day`],
  'Outbound calls': [`${of.outbound_calls_per_day_max} started per day`],
  'Chat conversation': [
    `max_turns ${of.conversation_turns_max};`,
    `valid ${of.conversation_token_lifetime_s / 3600} hours`,
  ],
  'Conversations per day': [
    `${of.live_conversations_per_day_max} live (beta), ${of.test_conversations_per_day_max} test`,
  ],
  'Public chat token': [
    `default ${of.chat_token_conversations_per_day_default} new conversations per day`,
    `up to ${of.chat_token_conversations_per_day_max}, set per token`,
    `default ${of.chat_token_spending_per_day_eur_default} euro`,
    `up to ${of.chat_token_spending_per_day_eur_max}, 0 turns`,
  ],
  'Free plan': [
    `${free.sites_max} sites, ${free.data_bytes_max / MB} MB data`,
    `${free.files_bytes_max / MB} MB files`,
  ],
  'Site size': [
    `at most ${of.site_files_max} files, ${of.site_file_bytes_max / MB} MB per file`,
    `${of.site_bytes_max / MB} MB total`,
  ],
  'Deploy rate': [
    `${of.deploys_per_hour_max} per hour; ${of.first_week_deploys_per_hour_max} in the first`,
  ],
  'Upload link': [`valid ${of.upload_link_lifetime_s / 60} minutes`],
  Collections: planNames
    .slice(0, 4)
    .map((plan) => `${plans[plan].collections_max} ${plans[plan].title}`),
  Documents: [
    `${of.documents_per_collection_max.toLocaleString('en')} per collection`,
    `${of.document_bytes_max / 1024} kB each`,
  ],
  'Email attachments': [
    `at most ${of.email_attachments_max} and ${of.email_attachments_bytes_max / MB} MB`,
  ],
  'Email pause thresholds': [
    `over ${of.email_bounces_percent_max}% of the last ${of.email_bounces_window_emails}`,
    `over ${of.email_complaints_percent_max}%`,
  ],
}

describe('the limits', () => {
  it('equal those of the specification', () => {
    const rows = rowsOf('limits')
    assert.deepEqual(
      rows.map(([title]) => title),
      Object.keys(phrases),
    )
    for (const [title = '', value = ''] of rows) {
      for (const phrase of phrases[title] ?? [])
        assert.ok(value.includes(phrase), `${title}: ${phrase}`)
    }
  })

  it('give the attempts of a delivery about 45 hours in total', () => {
    const waits = limits.webhook_retry_delays_s
    assert.equal(waits.length, limits.webhook_attempts_max - 1)
    assert.equal(Math.round(waits.reduce((sum, wait) => sum + wait, 0) / 3600), 45)
  })

  it('have a unit that matches their name, a description and a place', () => {
    const units = {
      _bytes_per_s: 'bytes per second',
      _s: 'seconds',
      _bytes: 'bytes',
      _eur: 'euro',
      _percent: 'percent',
    }
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
