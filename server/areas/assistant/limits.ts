/** Limits of the assistant. */
import type { LimitEntry } from '../../contract/catalogue/limit-entry.ts'

export const limits = {
  assistant_documents_max: {
    value: 1_000,
    unit: 'documents',
    about: 'Documents of a project that the assistant can answer from, oldest first',
    applies_to: 'collections with assistant_facts',
  },
  test_replies_free_per_day: {
    value: 100,
    unit: 'replies',
    about:
      'Free requests of test calls to a configured language model per day; further ones are ' +
      'charged to the balance of the live project',
    applies_to: 'projects',
  },
} as const satisfies Record<string, LimitEntry>
