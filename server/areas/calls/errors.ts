/** Errors of outbound calls. */
import type { ErrorEntry } from '../../contract/catalogue/entries/error-entry.ts'
import { limits } from '../../contract/limits.ts'

export const errors = {
  number_required: {
    status: 422,
    about: 'The assistant calls from a number of the project, and the project has no active one.',
    user: 'The assistant needs a phone number before it can call anyone.',
    next:
      'Order a number with POST /numbers, wait until GET /numbers shows it as active, then ' +
      'start the call again.',
  },
  outside_calling_hours: {
    status: 422,
    about:
      'It is outside the hours in which this person may be called, in their own time zone. ' +
      'Nobody was called.',
    user: 'It is too early or too late to call this person, so nobody was called.',
    next:
      'Start the call again during the calling hours where the person is, which detail ' +
      'names, or ask the user whether a text message or an email will do.',
  },
  consent_required: {
    status: 403,
    about:
      "A call with purpose 'marketing' needs the recorded consent of this person, and there is " +
      'none. Nobody was called.',
    user: 'This person has not agreed to such a call, so nobody was called.',
    next:
      'Do not call this person. Only if they did agree, have the owner record the consent ' +
      'first; never state another purpose to get around this.',
  },
  concurrent_call_limit: {
    status: 429,
    about: 'Too many outbound calls of this project are running at the same time.',
    user: 'Too many calls are going on at the same time, so please wait until one has ended.',
    next:
      'Wait for the call.completed event, or until GET /calls shows that a call has ended, ' +
      'then start the call again. The verification level full in GET /project allows more ' +
      'calls at once.',
  },
  call_limit_reached: {
    status: 429,
    about:
      `The project has started its daily maximum of ${limits.outbound_calls_per_day_max} ` +
      'outbound calls.',
    user: 'This project has made as many calls as it may make in one day.',
    next: 'Do not retry today. Make the remaining calls tomorrow, the most important ones first.',
  },
} as const satisfies Record<string, ErrorEntry>
