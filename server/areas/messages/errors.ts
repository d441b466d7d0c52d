/** Errors of text messages. */
import type { ErrorEntry } from '../../contract/catalogue/entries/error-entry.ts'
import { limits } from '../../contract/limits.ts'

export const errors = {
  destination_not_allowed: {
    status: 422,
    about: 'No SMS is sent to this number, for example because it is not a mobile number.',
    user: 'Text messages cannot be sent to that phone number.',
    next:
      'Do not retry with this number. Ask the user for a mobile number and write it in E.164 ' +
      'form (beginning with +).',
  },
  message_too_long: {
    status: 422,
    about: `The text takes more than ${limits.sms_segments_max} SMS segments.`,
    user: 'The text message is too long, so please make it shorter.',
    next:
      `Shorten the text: ${limits.sms_segments_max} segments hold ` +
      `${limits.sms_segments_max * 153} characters, or ${limits.sms_segments_max * 67} as soon ` +
      'as one of them is an emoji or a letter outside the SMS alphabet.',
  },
  sender_not_allowed: {
    status: 422,
    about: 'The from of the message is not a sender that this project can use.',
    user: 'The text message cannot be sent under that name or number.',
    next: 'Send it again with from set to an active number of the project from GET /numbers.',
  },
  message_limit_reached: {
    status: 429,
    about:
      `The project has sent its daily maximum of ${limits.sms_per_day_max} messages, which ` +
      'holds during the beta.',
    user: 'This project has sent as many text messages as it may send in one day.',
    next: 'Do not retry today. Send the rest tomorrow, the most important ones first.',
  },
} as const satisfies Record<string, ErrorEntry>
