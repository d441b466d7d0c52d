/**
 * Errors of the specification for areas that this server does not have. An area that is added takes
 * over its entries.
 */
import type { ErrorEntry } from '../entries/error-entry.ts'
import { limits } from '../../limits.ts'
import { planNames, plans } from '../../plans.ts'

const plansWithDedicatedIp = planNames
  .filter((plan) => plans[plan].dedicated_sending_ip)
  .map((plan) => plans[plan].title)
  .join(' and ')

export const laterErrors = {
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
  test_free_calls_used: {
    status: 402,
    http: false,
    about:
      'Never a reply to a request: a run of an agent in a test project is logged as skipped ' +
      'with this reason when the free daily budget for its model calls is used up.',
    user: 'The agent skipped this run because its free budget for testing is used up for today.',
    next:
      'Look for the skipped runs in the history of the agent. They resume tomorrow, or once ' +
      'the owner has topped up the balance of the live project in the portal under Billing.',
  },
  bimi_not_ready: {
    status: 409,
    about:
      'A logo in the inbox needs a DMARC policy of p=quarantine or p=reject for all mail of ' +
      'the domain, with no pct below 100.',
    user: 'The logo cannot be shown in inboxes until the domain is better protected.',
    next:
      'First make sure that all mail of the domain passes DMARC. Then change its DMARC record ' +
      'to p=quarantine or p=reject without pct, wait until the change is visible, and try ' +
      'again.',
  },
  dedicated_ip_not_available: {
    status: 403,
    about: `A dedicated sending IP is only part of the plans ${plansWithDedicatedIp}.`,
    user: 'The current plan does not include a separate line for sending email.',
    next:
      'Continue with the shared sending addresses, which work without any setup, or ask the ' +
      `owner to choose ${plansWithDedicatedIp.replace(' and ', ' or ')} in the portal under ` +
      'Billing, at Plan.',
  },
} as const satisfies Record<string, ErrorEntry>
