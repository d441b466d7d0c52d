/** Limits of verification. */
import { HOUR_S, type LimitEntry } from '../../contract/catalogue/entries/limit-entry.ts'

const DAY_S = 24 * HOUR_S

export const limits = {
  phone_code_s: {
    value: 600,
    unit: 'seconds',
    about: 'Lifetime of a code that verifies a phone number',
    applies_to: 'verification',
  },
  phone_code_tries_max: {
    value: 5,
    unit: 'tries',
    about: 'Attempts per code; after them the right code is refused too',
    applies_to: 'verification',
  },
  phone_codes_per_project_max: {
    value: 10,
    unit: 'codes',
    about: 'Codes by phone in 24 hours, asked for by one project',
    applies_to: 'verification',
  },
  phone_codes_per_person_max: {
    value: 10,
    unit: 'codes',
    about: 'Codes by phone in 24 hours, asked for by one person',
    applies_to: 'verification',
  },
  phone_codes_per_number_max: {
    value: 6,
    unit: 'codes',
    about: 'Codes by phone in 24 hours, sent to one phone number',
    applies_to: 'verification',
  },
  phone_codes_per_network_max: {
    value: 20,
    unit: 'codes',
    about: 'Codes by phone in 24 hours, asked for from one IPv4 address or IPv6 /64',
    applies_to: 'verification',
  },
  phone_codes_per_hour_max: {
    value: 300,
    unit: 'codes',
    about: 'Codes by phone in an hour, of all projects together',
    applies_to: 'the installation',
  },
  phone_number_projects_max: {
    value: 5,
    unit: 'projects',
    about: 'Projects that one phone number can verify',
    applies_to: 'verification',
  },
  phone_codes_kept_s: {
    value: 90 * DAY_S,
    unit: 'seconds',
    about: 'How long codes that were not confirmed are kept for these limits and against abuse',
    applies_to: 'verification',
  },
  verification_document_bytes_max: {
    value: 10 * 1_048_576,
    unit: 'bytes',
    about: 'Size of a verification document',
    applies_to: 'verification',
  },
  verification_documents_per_day_max: {
    value: 40,
    unit: 'links',
    about: 'Upload links for verification documents in 24 hours',
    applies_to: 'project',
  },
  verification_submissions_per_day_max: {
    value: 10,
    unit: 'submissions',
    about: 'Levels sent for review in 24 hours',
    applies_to: 'project',
  },
  verification_unsent_kept_s: {
    value: 90 * DAY_S,
    unit: 'seconds',
    about: 'How long evidence is kept that was not sent for review',
    applies_to: 'project',
  },
  declared_owners_max: {
    value: 20,
    unit: 'persons',
    about: 'Beneficial owners in a declaration',
    applies_to: 'project',
  },
} as const satisfies Record<string, LimitEntry>
