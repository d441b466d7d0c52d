/** Errors of phone numbers. */
import type { ErrorEntry } from '../../contract/catalogue/entries/error-entry.ts'
import { limits } from '../../contract/limits.ts'

export const errors = {
  test_number_limit_reached: {
    status: 422,
    about: `The test project already has its maximum of ${limits.test_numbers_max} test numbers.`,
    user: 'This project already has its maximum of test phone numbers.',
    next:
      'Use a number from GET /numbers, or release one with DELETE /numbers/{id} and a test ' +
      'key, then order again.',
  },
  company_details_missing: {
    status: 422,
    about: 'The details of the company are incomplete. The member missing lists the fields.',
    user: 'Some details of the company are still missing.',
    next:
      'Ask the user for the fields in missing and save them with PUT /project/company, ' +
      'together with the details that were already there, because it replaces all of them. ' +
      'Then send this request again.',
  },
  business_required: {
    status: 422,
    about: 'A personal account asked for a national number, and only a business can have one.',
    user: 'A national phone number is only for businesses, and this is a personal account.',
    next:
      'Offer a geographic number instead (GET /numbers/available with type=geographic and an ' +
      'area). If the user does have a business, save its details with PUT /project/company and ' +
      'account_type business.',
  },
  spend_cap_missing: {
    status: 422,
    about: 'The project has no spending cap, and it needs one before a number can be ordered.',
    user: 'Please set a monthly spending limit for this project first.',
    next:
      'Ask the owner to set a monthly spending cap in the portal under Billing, then send the ' +
      'request again.',
  },
  regulatory_documents_missing: {
    status: 422,
    about:
      'A geographic number needs proof of address, a copy of an ID and, for a business, an ' +
      'extract from its register.',
    user: 'A local phone number needs proof of address and identity, and that is still missing.',
    next:
      'Ask the owner to give the documents to the operator of this server; they cannot be ' +
      'uploaded through the API. A business can order a national number meanwhile, which ' +
      'needs none of them.',
  },
  number_unavailable: {
    status: 409,
    about: 'Someone else took the number between the search and the order. Nothing was charged.',
    user: 'Someone else has just taken that phone number.',
    next: {
      rest:
        'Search again with GET /numbers/available and order with POST /numbers and a new ' +
        'Idempotency-Key.',
      mcp:
        'Search again with GET /numbers/available and order with POST /numbers and a new ' +
        'idempotency_key.',
      portal: 'Search again with GET /numbers/available and choose another number.',
    },
  },
  number_already_yours: {
    status: 409,
    about: 'The number is already in this project, so there is nothing to order.',
    user: 'That phone number already belongs to this project.',
    next: 'Do not order it again. Find it in GET /numbers and continue with its id.',
  },
  number_limit_reached: {
    status: 403,
    about:
      `A live project has at most ${limits.live_numbers_max} numbers during the beta. Released ` +
      'numbers do not count.',
    user: 'This project already has as many phone numbers as it may have for now.',
    next:
      'Do not retry. Use a number from GET /numbers; each can have a plan of its own with PUT ' +
      '/numbers/{id}/call-plan. For more numbers the owner can ask support.',
  },
  no_numbers_available: {
    status: 422,
    about: 'There are no free numbers in this area.',
    user: 'There are no free phone numbers in that area right now.',
    next:
      'Try a neighboring area in GET /numbers/available, or offer a national number by leaving ' +
      'area out.',
  },
  order_status_unknown: {
    status: 502,
    about:
      'The carrier did not answer the order in time, or answered with an error of its own, so ' +
      'it is not known yet whether the number was ordered.',
    user:
      'It is not certain yet whether the phone number was ordered, so please do not order ' +
      'another.',
    next: {
      rest:
        'Wait a minute and repeat POST /numbers with the same Idempotency-Key and the same ' +
        'body, which never orders a second number. Look in GET /numbers as well before you ' +
        'tell the user that it failed.',
      mcp:
        'Wait a minute and repeat POST /numbers with the same idempotency_key and the same ' +
        'arguments, which never orders a second number. Look in GET /numbers as well before ' +
        'you tell the user that it failed.',
      portal:
        'Wait a minute and look in GET /numbers. The order is settled by itself; the number is ' +
        'listed if it was ordered, and nothing is charged if it was not.',
    },
  },
  number_release_not_supported: {
    status: 409,
    about:
      'DELETE /numbers/{id} releases only test numbers, and only with a test key. A live ' +
      'number stays.',
    user: 'A real phone number cannot be given up this way.',
    next:
      'Do not retry. To change what callers hear, use PUT /numbers/{id}/call-plan; to give the ' +
      'number up, the owner has to ask support.',
  },
  telephony_unavailable: {
    status: 503,
    about:
      'Searching or ordering numbers, sending SMS and making outbound calls are temporarily ' +
      'unavailable.',
    user: 'The phone network cannot be reached at the moment, so please try again later.',
    next: {
      rest:
        'Wait {wait} and send the same request again, with the same Idempotency-Key if it had ' +
        'one. GET /status lists known problems.',
      mcp:
        'Wait {wait} and make the same call again, with the same idempotency_key if it had ' +
        'one. GET /status lists known problems.',
      portal: 'Wait {wait} and try again. GET /status lists known problems.',
    },
  },
  upstream_error: {
    status: 502,
    about: 'The carrier refused the request, or did not answer a search.',
    user: 'The phone company could not do this, so please try again in a few minutes.',
    next: {
      rest:
        'Try again in a few minutes, with the same Idempotency-Key if there was one. If it ' +
        'happens again, look at GET /status or search for another number with GET ' +
        '/numbers/available.',
      mcp:
        'Try again in a few minutes, with the same idempotency_key if there was one. If it ' +
        'happens again, look at GET /status or search for another number with GET ' +
        '/numbers/available.',
      portal:
        'Try again in a few minutes. If it happens again, look at GET /status or search for ' +
        'another number with GET /numbers/available.',
    },
  },
} as const satisfies Record<string, ErrorEntry>
