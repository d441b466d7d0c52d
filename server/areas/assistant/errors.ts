/** Errors of the assistant. */
import type { ErrorEntry } from '../../contract/catalogue/error-entry.ts'

export const errors = {
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
