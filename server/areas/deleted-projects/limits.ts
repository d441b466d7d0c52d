/** Limits of the deletion and restoration of projects. */
import { HOUR_S, type LimitEntry } from '../../contract/catalogue/entries/limit-entry.ts'

export const limits = {
  deleted_project_kept_s: {
    value: 30 * 24 * HOUR_S,
    unit: 'seconds',
    about: 'How long a deleted project can be restored; after that it is permanently deleted',
    applies_to: 'project',
  },
} as const satisfies Record<string, LimitEntry>
