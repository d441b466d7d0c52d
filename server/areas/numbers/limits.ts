/** Limits of phone numbers. */
import type { LimitEntry } from '../../contract/catalogue/entries/limit-entry.ts'

export const limits = {
  test_numbers_max: {
    value: 3,
    unit: 'numbers',
    about: 'Test numbers per test project',
    applies_to: 'test mode',
  },
  test_number_first: {
    value: '+447700900000',
    unit: 'phone number',
    about: 'First number of the fictional range of test numbers',
    applies_to: 'test mode',
  },
  test_number_last: {
    value: '+447700900999',
    unit: 'phone number',
    about: 'Last number of the fictional range of test numbers',
    applies_to: 'test mode',
  },
  live_numbers_max: {
    value: 3,
    unit: 'numbers',
    about: 'Numbers per live project during the beta; released ones do not count',
    applies_to: 'POST /numbers',
  },
} as const satisfies Record<string, LimitEntry>
