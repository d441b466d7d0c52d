/** The personal data in the area data. */
import {
  daysOf,
  type PersonalDataEntry,
} from '../../contract/catalogue/entries/personal-data-entry.ts'
import { limits } from '../../contract/limits.ts'

export const personalData = {
  documents: {
    title: 'Records',
    about: 'Records of collections, such as the messages that visitors send with a form.',
    tables: ['documents', 'document_keys', 'document_changes'],
    days: null,
    chosen: false,
    days_max: null,
    not_searched: null,
  },
  document_versions: {
    title: 'Earlier versions of records',
    about: 'Records as they were before they were changed or deleted.',
    tables: ['document_versions'],
    days: daysOf(limits.document_versions_kept_s),
    chosen: false,
    days_max: null,
    not_searched: null,
  },
} as const satisfies Record<string, PersonalDataEntry>
