/** The personal data in the area verification. */
import type { PersonalDataEntry } from '../../contract/catalogue/entries/personal-data-entry.ts'

export const personalData = {
  verification: {
    title: 'Verification',
    about:
      'Confirmed phone numbers, documents for the review, and the names and birth dates of the ' +
      'director and the beneficial owners. The documents are deleted after the decision, on the day ' +
      'that the page Verification shows.',
    tables: [
      'verification_reviews',
      'verification_documents',
      'verification_declarations',
      'verification_phone_codes',
    ],
    days: null,
    chosen: false,
    days_max: null,
    not_searched: 'Evidence about the business itself.',
  },
} as const satisfies Record<string, PersonalDataEntry>
