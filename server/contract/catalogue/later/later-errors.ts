/**
 * Errors of the specification for areas that this server does not have. An area that is added takes
 * over its entries.
 */
import type { ErrorEntry } from '../entries/error-entry.ts'

export const laterErrors = {
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
} as const satisfies Record<string, ErrorEntry>
