/** Limits of text messages. */
import type { LimitEntry } from '../../contract/catalogue/entries/limit-entry.ts'

export const limits = {
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
} as const satisfies Record<string, LimitEntry>
