/** Limits of the assistant. */
import type { LimitEntry } from '../../contract/catalogue/limit-entry.ts'

export const limits = {
  assistant_documents_max: {
    value: 1_000,
    unit: 'documents',
    about: 'Documents of a project that the assistant can answer from, the earliest first',
    applies_to: 'collections with assistant_facts',
  },
} as const satisfies Record<string, LimitEntry>
