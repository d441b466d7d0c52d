/** Limits of privacy. */
import type { LimitEntry } from '../../contract/catalogue/entries/limit-entry.ts'

export const limits = {
  retention_days_max: {
    value: 3_650,
    unit: 'days',
    about: 'Longest time that a project can choose for records, apart from keeping them',
    applies_to: 'PUT /retention',
  },
  person_records_shown_max: {
    value: 50,
    unit: 'records',
    about: 'Records of a kind that a search for one person lists; all are counted',
    applies_to: 'POST /personal-data/query',
  },
  person_export_link_s: {
    value: 900,
    unit: 'seconds',
    about: 'Lifetime of the link to the data of one person',
    applies_to: 'POST /personal-data/exports',
  },
  retention_batch_max: {
    value: 500,
    unit: 'records',
    about: 'Records that one transaction deletes',
    applies_to: 'retention',
  },
} as const satisfies Record<string, LimitEntry>
