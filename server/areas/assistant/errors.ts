/** Errors of the assistant. */
import type { ErrorEntry } from '../../contract/catalogue/entries/error-entry.ts'

export const errors = {
  assistant_source_limit_reached: {
    status: 409,
    about: 'The project has the most sources of the knowledge of the assistant that it can have.',
    user: 'The assistant has the most sources of knowledge that are possible.',
    next: 'Delete a source that is no longer needed with DELETE /assistant/sources/{id}, then try again.',
  },
  assistant_source_busy: {
    status: 409,
    about: 'The source of the assistant is being indexed, so it cannot be indexed again yet.',
    user: 'This source is being read at the moment.',
    next: 'Wait until GET /assistant/sources/{id} no longer gives the status pending, then try again.',
  },
  test_free_replies_used: {
    status: 402,
    about:
      'In test mode the assistant gives real replies, and the free daily budget for them is ' +
      'used up.',
    user: 'The free replies for testing are used up for today.',
    next:
      'Continue tomorrow. Or ask the owner to top up the balance of the live project in the ' +
      'portal under Billing, which pays for replies above the free budget.',
  },
} as const satisfies Record<string, ErrorEntry>
