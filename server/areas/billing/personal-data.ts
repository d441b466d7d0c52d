/** The personal data in the area billing. */
import type { PersonalDataEntry } from '../../contract/catalogue/entries/personal-data-entry.ts'

export const personalData = {
  payments: {
    title: 'Payments',
    about: 'Charges, invoices and the reference of the saved card at the payment provider.',
    tables: [
      'billing_checkouts',
      'billing_reloads',
      'billing_settings',
      'ledger_accounts',
      'ledger_entries',
      'ledger_holds',
      'ledger_postings',
    ],
    days: null,
    chosen: false,
    days_max: null,
    not_searched: 'Payments of the business itself, which it must keep by law.',
  },
} as const satisfies Record<string, PersonalDataEntry>
