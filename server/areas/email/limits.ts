/** Limits of email. */
import { HOUR_S, MB, type LimitEntry } from '../../contract/catalogue/entries/limit-entry.ts'

const DAY_S = 24 * HOUR_S

export const limits = {
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
} as const satisfies Record<string, LimitEntry>
