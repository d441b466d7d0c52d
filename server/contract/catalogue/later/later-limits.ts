/**
 * Limits of the specification for areas that this server does not have. An area that is added takes
 * over its entries.
 */
import { HOUR_S, MB, type LimitEntry } from '../limit-entry.ts'

export const laterLimits = {
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
} as const satisfies Record<string, LimitEntry>
