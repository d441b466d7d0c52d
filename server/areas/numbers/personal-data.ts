/** The personal data in the area numbers. */
import type { PersonalDataEntry } from '../../contract/catalogue/entries/personal-data-entry.ts'

export const personalData = {
  numbers: {
    title: 'Phone numbers',
    about:
      'Phone numbers of the business, and the call plans with the numbers that they forward to.',
    tables: ['numbers', 'call_plans', 'number_orders', 'number_reservations'],
    days: null,
    chosen: false,
    days_max: null,
    not_searched: 'Numbers of the business itself.',
  },
} as const satisfies Record<string, PersonalDataEntry>
