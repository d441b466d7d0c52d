/** Errors of projects. */
import type { ErrorEntry } from '../../contract/catalogue/entries/error-entry.ts'

export const errors = {
  account_type_change_blocked: {
    status: 422,
    about: 'The account cannot become a personal one while the project has a national number.',
    user: 'This account cannot become a personal one while it has a national phone number.',
    next:
      'Keep account_type business in PUT /project/company. A test number can be released first ' +
      'with DELETE /numbers/{id}; for a live number the owner has to ask support.',
  },
  vat_number_invalid: {
    status: 422,
    about:
      'The VAT validation service of the EU says that vat_number is not valid. Nothing was ' +
      'saved.',
    user: 'This VAT number is not valid according to the EU, so please check it.',
    next:
      'Ask the user for the VAT number as it stands on their invoices, with the country ' +
      'letters in front, and send PUT /project/company again. If they have none, send null.',
  },
  country_not_supported: {
    status: 422,
    about: 'The address is in a country that cannot be served: RU, BY, KP, IR, SY or CU.',
    user: 'This service is not available in that country.',
    next:
      'Check address.country with the user and correct it in PUT /project/company if it is a ' +
      'mistake. Otherwise do not retry.',
  },
  verification_required: {
    status: 403,
    about:
      'The project has not reached a verification level that this needs. The member missing ' +
      'lists what is still open.',
    user: 'This account has to be verified before that is possible.',
    next:
      'Read missing here and verification.levels in GET /project, and ask the owner to open ' +
      'Verification in the portal, where each missing step is done.',
  },
} as const satisfies Record<string, ErrorEntry>
