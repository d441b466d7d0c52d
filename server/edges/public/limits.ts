/** Limits of requests from visitors’ pages. */
import { MB, type LimitEntry } from '../../contract/catalogue/limit-entry.ts'

export const limits = {
  public_window_s: {
    value: 60,
    unit: 'seconds',
    about: 'Length of the sliding window in which requests of visitors are counted',
    applies_to: 'routes under /public',
  },
  public_requests_per_address_max: {
    value: 60,
    unit: 'requests',
    about: 'Requests of one address of a visitor in any one window; an IPv6 /64 is one address',
    applies_to: 'routes under /public',
  },
  public_requests_per_token_max: {
    value: 1_200,
    unit: 'requests',
    about: 'Requests with one public token in any one window',
    applies_to: 'routes under /public',
  },
  public_submissions_per_address_max: {
    value: 10,
    unit: 'submissions',
    about: 'Submissions of one address of a visitor in any one window',
    applies_to: 'POST /public/collections/{name}/documents',
  },
  public_submissions_per_token_max: {
    value: 300,
    unit: 'submissions',
    about: 'Submissions with one public token in any one window',
    applies_to: 'POST /public/collections/{name}/documents',
  },
  form_bytes_max: {
    value: MB / 4,
    unit: 'bytes',
    about: 'Size of a whole submission, however it is encoded',
    applies_to: 'POST /public/collections/{name}/documents',
  },
  form_fields_max: {
    value: 200,
    unit: 'fields',
    about: 'Fields of one submission, hidden ones included',
    applies_to: 'POST /public/collections/{name}/documents',
  },
  form_files_max: {
    value: 5,
    unit: 'files',
    about: 'Files of one submission',
    applies_to: 'POST /public/collections/{name}/documents',
  },
} as const satisfies Record<string, LimitEntry>
