/** Limits of project exports. */
import type { LimitEntry } from '../../contract/catalogue/entries/limit-entry.ts'

export const limits = {
  project_export_link_s: {
    value: 900,
    unit: 'seconds',
    about: 'Lifetime of the link to the export of a whole project',
    applies_to: 'The page Settings of the portal',
  },
  project_export_rows_s: {
    value: 1_800,
    unit: 'seconds',
    about: 'Time in which the rows of a project export must be downloaded; its files follow',
    applies_to: 'The page Settings of the portal',
  },
} as const satisfies Record<string, LimitEntry>
