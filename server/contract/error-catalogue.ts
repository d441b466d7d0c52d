/**
 * The errors that clients see: those of the specification in its order, then ours by area. Clients
 * branch on the slug, so a slug is never renamed; the texts may change.
 */
import { formatSize } from '../kernel/values/size.ts'
import { askTheOwnerStep } from './access.ts'
import { limits } from './limits.ts'
import { planNames, plans } from './plans.ts'
import type { NextStep } from './problems/next-steps.ts'

export interface ErrorEntry {
  /** A pair if the specification has two statuses; the first is the default. */
  readonly status: number | readonly [number, number]
  /** The meaning of the error on its documentation page, in one or two sentences. */
  readonly about: string
  /** One plain sentence for the user, shown as it is. */
  readonly user: string
  /** What a chat or an agent does next, naming the route, header or portal page. */
  readonly next: NextStep
  /** False for the one reason that is logged and never sent. */
  readonly http?: false
}

const signIn = 'Let the person sign in to the portal, then send the request again.'

/** Pages of the portal create a new Idempotency-Key for every order and call when they load. */
const loadAgain = 'Load the page again and try once more: it protects every order by itself.'

const collectionsByPlan = planNames
  .map((plan) => `${plans[plan].collections_max} on ${plans[plan].title}`)
  .join(', ')

const askForCollection =
  'Use a collection from GET /collections, ask the user which one can be deleted, or ask the owner ' +
  'to choose a larger plan in the portal under Billing, at Plan; plan_url is the address of that ' +
  'page.'

const plansWithDedicatedIp = planNames
  .filter((plan) => plans[plan].dedicated_sending_ip)
  .map((plan) => plans[plan].title)
  .join(' and ')

const askForPlan =
  'Tell the user what the plan allows, as detail says it. Offer to make room, or ask the owner to ' +
  'choose a larger plan in the portal under Billing, at Plan; plan_url is the address of that page.'

const catalogue = {
  bad_request: {
    status: 400,
    about:
      'The request could not be understood: for example its body is missing, is not sent as ' +
      'application/json, or is larger than the route takes.',
    user: 'Something in this step was not clear enough to carry out, so nothing was done.',
    next: {
      rest:
        'Compare the request with the entry of the route in GET /openapi.json: the path, the ' +
        'header Content-Type: application/json, and a body of at most ' +
        `${formatSize(limits.json_body_bytes_max)} unless the route says otherwise. Correct it ` +
        'before sending it again.',
      mcp:
        'Compare the arguments with those that search_operations shows for this operation, ' +
        `which take at most ${formatSize(limits.json_body_bytes_max)} together unless it says ` +
        'otherwise. Correct them before calling it again.',
    },
  },
  invalid_json: {
    status: 400,
    about: 'The body was sent as JSON, but it cannot be read as exactly one JSON document.',
    user: 'The details were sent in a broken form, so nothing was saved.',
    next: {
      rest:
        'Build the body with a JSON library instead of by hand and send it again: one ' +
        'document, no name twice in an object, nothing after the end, at most ' +
        `${limits.json_depth_max} levels deep.`,
      mcp:
        'Send the arguments again as one JSON object: no name twice in an object, at most ' +
        `${limits.json_depth_max} levels deep.`,
    },
  },
  invalid_parameter: {
    status: 400,
    about:
      'A query parameter or a header has a value that cannot be used, such as a limit out of ' +
      'range, a cursor that the service did not issue, or an If-Match that is not a version.',
    user: 'One of the choices made for this step does not work, so nothing was done.',
    next: {
      rest:
        'Read in detail which parameter or header it is. Use a limit from 1 to ' +
        `${limits.page_limit_max}, a cursor exactly as the last page gave it, and in If-Match ` +
        'the ETag of the last read.',
      mcp:
        `Read in detail which argument it is. Use a limit from 1 to ${limits.page_limit_max}, ` +
        'a cursor exactly as the last page gave it, and in if_match the version of the last ' +
        'read (of a site, its revision).',
    },
  },
  validation_failed: {
    status: 422,
    about:
      'The body is valid JSON, but fields are missing or have values that are not allowed. The ' +
      'member errors lists every one of them.',
    user: 'Some of the details are missing or not filled in correctly.',
    next:
      'Go through errors: path says where and message says what is wrong. Correct all of them, ' +
      'ask the user for what you do not know, and send the request again.',
  },
  unauthorized: {
    status: 401,
    about:
      'The request carries no API key or OAuth token that is valid, for example because an ' +
      'access token has expired.',
    user: 'The connection to this project has ended, so please connect it again.',
    next: {
      rest:
        'Send the header Authorization: Bearer with an API key or a fresh OAuth access token. ' +
        'If a connected chat gets this error, ask the user to connect it again.',
      mcp: 'Ask the user to connect this chat to the project again, then repeat the call.',
      portal: signIn,
    },
  },
  missing_api_key: {
    status: 401,
    about:
      'The request has no Authorization header. A key in the address, in the body or in a ' +
      'cookie is never read.',
    user: 'This needs a connection to the project, and there is none yet.',
    next: {
      rest:
        'Add the header Authorization: Bearer <API_KEY>. The owner makes keys in the portal ' +
        'under Keys.',
      mcp:
        'Ask the user to connect this chat to the project: the client opens the sign-in by ' +
        'itself, or takes an API key that the owner makes in the portal under Keys.',
      portal: signIn,
    },
  },
  invalid_api_key: {
    status: 401,
    about:
      'The key in the Authorization header is not recognized: it is mistyped, cut off, or was ' +
      'made by another service.',
    user: 'The key that connects to this project is not recognized.',
    next: {
      rest:
        'Copy the whole key again: hm_live_ or hm_test_ followed by 32 letters and digits. If ' +
        'it is lost, ask the owner for a new one from the portal, under Keys.',
      mcp:
        'Ask the user to check the key in the settings of this connection: hm_live_ or ' +
        'hm_test_ followed by 32 letters and digits. If it is lost, the owner makes a new one ' +
        'in the portal under Keys.',
      portal: signIn,
    },
  },
  api_key_revoked: {
    status: 401,
    about: 'The key was valid once and has been revoked. A revoked key never works again.',
    user: 'The key that connects to this project has been switched off.',
    next: {
      rest:
        'Stop using this key and do not retry. Ask the owner for a new key from the portal, ' +
        'under Keys, and replace the old one wherever it is used.',
      mcp:
        'Do not retry. Ask the user to connect this chat again, or to put a new key into the ' +
        'settings of this connection; the owner makes keys in the portal under Keys.',
      portal: signIn,
    },
  },
  project_deleted: {
    status: 401,
    about: 'The project that the key belongs to no longer exists.',
    user: 'This project has been deleted.',
    next: {
      rest:
        'Stop using this key and do not retry. Ask the user which project they mean, and use a ' +
        'key that was made in that project.',
      mcp:
        'Do not retry. Ask the user which project they mean, and to connect this chat to that ' +
        'one.',
      portal: 'Choose a project from GET /projects.',
    },
  },
  forbidden: {
    status: 403,
    about:
      'The key is valid but may not do this. A key limited to some sites and apps also gets ' +
      'this error outside them and for anything that concerns the whole project, and so does a ' +
      'request with the header Service-Project: this server has no client projects of agencies.',
    user: 'This connection is not allowed to do that in this project.',
    next: {
      rest:
        'Read access in GET /project for the sites, apps and collections this key may use, and ' +
        'stay within them. If more is needed, ask an owner or admin to widen the key in the ' +
        'portal under Keys.',
      mcp:
        'Read project.access in get_state for the sites, apps and collections this connection ' +
        'may use, and stay within them. If more is needed, ask an owner or admin to widen it ' +
        'in the portal under Keys or Connections.',
      portal: askTheOwnerStep,
    },
  },
  project_not_enabled: {
    status: 403,
    about: 'The key is known, but the account behind it is not a project that may use the API.',
    user: 'This account is not set up for connections like this one.',
    next: {
      rest:
        'Do not retry. Ask the owner to have the API turned on for this account, or use a key ' +
        'of a project that has it.',
      mcp:
        'Do not retry. Ask the owner to have the API turned on for this account, or to connect ' +
        'this chat to a project that has it.',
      portal:
        'Ask the operator of this server to turn the project on, or choose another one from GET /projects.',
    },
  },
  missing_scope: {
    status: 403,
    about: 'The key lacks the scope that this route needs. The detail names the scope.',
    user: 'This connection was not given permission for that.',
    next: {
      rest:
        'Read the name of the scope in detail. Ask the owner for a key with that scope from ' +
        'the portal, under Keys, or ask the user to connect the chat again and grant it.',
      mcp:
        'Tell the user which scope detail names and that this connection does not have it. Ask ' +
        'them to connect this chat again and tick that permission on the page that opens, or, ' +
        'with an API key, for a key that has it (portal, under Keys). get_state lists the ' +
        'scopes that this connection has.',
      portal: `Your role does not include this. ${askTheOwnerStep}`,
    },
  },
  key_mode_mismatch: {
    status: 403,
    about:
      'A test key was used on a live project or to change something live, or a live key on a test ' +
      'project.',
    user: 'A key for trying things out was used on the real project, or the other way round.',
    next: {
      rest:
        'Look at how the key begins: hm_test_ is for a test project, hm_live_ for a live one. ' +
        'Send the request again with a key of the mode that fits, made in the portal under ' +
        'Keys.',
      mcp:
        'Ask the user to connect this chat with a key of the mode that fits (hm_test_ for a ' +
        'test project, hm_live_ for a live one), made in the portal under Keys.',
      portal:
        'Send the request again without the header Homeport-Mode, or with the mode that the project has.',
    },
  },
  test_key_required: {
    status: 403,
    about: 'This route exists only in test mode and was called with a live key.',
    user: 'That is only possible while testing, not in the real project.',
    next: {
      rest:
        'Send the request with a test key (it begins with hm_test_). The owner can make one at ' +
        'any time in the portal under Keys.',
      mcp:
        'Do not retry with this connection: it is live. To try things out, ask the user to ' +
        'connect with a test key (it begins with hm_test_), which the owner can make at any ' +
        'time in the portal under Keys.',
      portal: 'Send it again with the header Homeport-Mode: test.',
    },
  },
  test_number_limit_reached: {
    status: 422,
    about: `The test project already has its maximum of ${limits.test_numbers_max} test numbers.`,
    user: 'This project already has its maximum of test phone numbers.',
    next:
      'Use a number from GET /numbers, or release one with DELETE /numbers/{id} and a test ' +
      'key, then order again.',
  },
  not_found: {
    status: 404,
    about: 'Nothing exists at this path or with this id, or it belongs to another project.',
    user: 'That could not be found in this project.',
    next: {
      rest:
        'Check the path against GET /openapi.json and the id against the list it came from, ' +
        'for example GET /numbers, GET /calls or GET /sites. Do not guess ids.',
      mcp:
        'Check the id against the list it came from, for example GET /numbers, GET /calls or ' +
        'GET /sites. Do not guess ids.',
    },
  },
  method_not_allowed: {
    status: 405,
    about: 'The path exists, but not with this method.',
    user: 'That is not something that can be done here.',
    next: {
      rest:
        'Use one of the methods in the Allow header of this reply, or look the route up in GET ' +
        '/openapi.json.',
      mcp: 'Find the operation with search_operations.',
    },
  },
  conflict: {
    status: 409,
    about: 'The request clashes with the state that things are in now.',
    user: 'That does not fit with how things stand right now, so nothing was changed.',
    next:
      'Read the current state again and detail with it, decide whether the change is still ' +
      'wanted, and only then send a request that fits.',
  },
  version_conflict: {
    status: [409, 412],
    about:
      'The resource was changed after it was read; current_version is its version now. The ' +
      'status is 412 when the outdated version came in If-Match and 409 when it came in any ' +
      'other way.',
    user: 'This was changed in the meantime, so your change was not saved.',
    next: {
      rest:
        'Read the resource again (a call plan with GET /numbers/{id}/call-plan), make the ' +
        'change in what is there now, and send it with the new ETag in If-Match.',
      mcp:
        'Read it again (a call plan with GET /numbers/{id}/call-plan), make the change in what ' +
        'is there now, and send it with its version (of a site, its revision) as if_match.',
    },
  },
  confirmation_required: {
    status: 409,
    about:
      'The change would replace or delete something live: a DNS record of an active domain, an ' +
      'old record on a subdomain, the nameservers of a domain whose records do not match yet, a ' +
      'collection that has documents, or a project. Over MCP: a person was asked and did not agree. What ' +
      'waits for a person in the portal is no error there, but a result with status waits_for_approval.',
    user: 'This would change something that is in use right now, so please confirm it first.',
    next:
      'Tell the user what would be replaced or deleted, as detail says it. Send the request ' +
      'again with its confirmation only after the user has agreed.',
  },
  rate_limited: {
    status: 429,
    about:
      `The key made more than ${limits.requests_max} requests in ${limits.request_window_s} ` +
      'seconds. Requests that fail on scope count too. Routes under /public count per address ' +
      'of a visitor and per public token, and detail says which of the two it was. Searches of ' +
      'the documentation count per address. Over MCP, what runs a tool or reads a resource counts ' +
      'as a request, and all messages together have a wider limit of their own.',
    user: 'Too much was asked for in a short time, so please wait a moment.',
    next: {
      rest: 'Wait {wait}, then continue more slowly. The limit counts per key.',
      mcp:
        'Wait {wait} before the next call of any tool, then continue more slowly. The limit ' +
        'counts per connection.',
      portal: 'Wait {wait}, then continue more slowly. The limit counts per person.',
    },
  },
  payment_required: {
    status: 402,
    about:
      'Billing blocks the request for a reason that has no error type of its own. The detail ' +
      'names it.',
    user: 'This cannot go ahead until the billing of this project is in order.',
    next:
      'Tell the owner what detail says and ask them to settle it in the portal under Billing, ' +
      'then send the request again.',
  },
  payment_mandate_missing: {
    status: 402,
    about: 'The project has no saved card and no prepaid balance, so nothing can be charged.',
    user: 'There is no payment method and no balance yet to pay for this.',
    next:
      'Ask the owner to save a card or top up the balance in the portal under Billing, then ' +
      'send the same request again.',
  },
  billing_blocked: {
    status: 402,
    about: 'The project has reached its spending cap for this month.',
    user: 'The spending limit for this month has been reached.',
    next:
      'Compare spent_this_month_eur with spend_cap_eur in GET /balance. Ask the owner to raise ' +
      'the cap in the portal under Billing, or wait until the next month begins.',
  },
  insufficient_balance: {
    status: 402,
    about:
      'The balance would go below zero by this SMS, number order, chat reply or outbound call. ' +
      'Nothing was done and nothing was charged.',
    user: 'The balance is too low for this, so nothing was done and nothing was charged.',
    next:
      'Tell the user the balance_eur of GET /balance and ask the owner to top up in the portal ' +
      'under Billing. Then send the same request again.',
  },
  voice_ai_not_enabled: {
    status: 402,
    about:
      'The call plan hands calls to the assistant, but voice AI is unavailable for this ' +
      'project.',
    user: 'The assistant cannot answer phone calls for this project yet.',
    next:
      'Ask the owner to have voice AI turned on for this project by the operator of this ' +
      'server. Until then send PUT /numbers/{id}/call-plan with a plan that has no ai_agent ' +
      'node.',
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
  idempotency_key_missing: {
    status: 400,
    about:
      'What costs money, such as POST /numbers, needs an Idempotency-Key header, so that a retry ' +
      'never orders or calls twice.',
    user: 'Nothing was done, because this was sent without protection against happening twice.',
    next: {
      rest:
        'Send the request again with the header Idempotency-Key: a new UUID for every new ' +
        'order or call, and the same one whenever you repeat it.',
      mcp:
        'Call it again with the argument idempotency_key: a new UUID for every new order or ' +
        'call, and the same one whenever you repeat it.',
      portal: loadAgain,
    },
  },
  idempotency_key_invalid: {
    status: 400,
    about:
      'The Idempotency-Key header is present, but it is not 1 to ' +
      `${limits.idempotency_key_characters_max} visible ASCII characters without spaces.`,
    user:
      'Nothing was done, because the protection against doing this twice was not set up ' +
      'properly.',
    next: {
      rest: 'Put a UUID into the Idempotency-Key header and send the request again.',
      mcp: 'Put a UUID into the argument idempotency_key and call it again.',
      portal: loadAgain,
    },
  },
  idempotency_key_reused: {
    status: 409,
    about: 'The same Idempotency-Key was used before with a different body.',
    user: 'This was asked for before with other details, so nothing was done now.',
    next: {
      rest:
        'For a new order or call use a new Idempotency-Key. To repeat the earlier one, send ' +
        'exactly the body it had.',
      mcp:
        'For a new order or call use a new idempotency_key. To repeat the earlier one, send ' +
        'exactly the arguments it had.',
      portal:
        'Load the page again and look whether the earlier order or call is there. If it is not, ' +
        'order or call once more.',
    },
  },
  idempotency_request_in_progress: {
    status: 409,
    about: 'The first request with this Idempotency-Key is still running.',
    user: 'This is already being done, so please wait a moment.',
    next: {
      rest:
        'Wait {wait}, then send the same request with the same Idempotency-Key to get its ' +
        'result.',
      mcp: 'Wait {wait}, then make the same call with the same idempotency_key to get its result.',
      portal: 'Wait {wait}, then load the page again to see the result.',
    },
  },
  assistant_not_configured: {
    status: 422,
    about:
      'The assistant was never set up, and this needs it: a call plan with an ai_agent node, a ' +
      'chat, or a call by the assistant.',
    user: 'The assistant of this project has not been set up yet.',
    next:
      'Ask the user how the assistant should introduce itself and what it should know, set it ' +
      'up with PUT /assistant, then send this request again.',
  },
  team_targets_not_allowed: {
    status: 422,
    about:
      "A forward node has a target of kind 'user', and calls can be forwarded to phone numbers " +
      'only.',
    user: 'Calls can be forwarded to a phone number, but not to a member of the team.',
    next:
      "Ask for the phone number of that person, replace the target by one with kind 'external' " +
      'and the number as e164, and send PUT /numbers/{id}/call-plan again.',
  },
  forward_target_not_allowed: {
    status: 422,
    about:
      'A forward node has a target number that calls are not forwarded to, such as a ' +
      'premium-rate, satellite or emergency number.',
    user: 'Calls cannot be forwarded to that phone number.',
    next:
      'Ask the user for an ordinary landline or mobile number, write it in E.164 form ' +
      '(beginning with +), and send PUT /numbers/{id}/call-plan again.',
  },
  invalid_webhook_endpoint: {
    status: 400,
    about:
      'The url or the events of a webhook endpoint cannot be used. A url is https with a ' +
      'domain name on the default port, has no username or password and at most ' +
      `${limits.webhook_url_characters_max} characters, and resolves to a public address.`,
    user: 'Notifications cannot be sent to that address, or not of that kind.',
    next: {
      rest:
        'Correct url or events as detail says and send POST /webhooks again. The event types ' +
        'are listed in GET /openapi.json; an endpoint with an app_id takes email events only.',
      mcp:
        'Correct url or events as detail says and send POST /webhooks again. search_operations ' +
        'shows the event types it takes; an endpoint with an app_id takes email events only.',
    },
  },
  webhook_limit_reached: {
    status: 409,
    about:
      `The project already has its maximum of ${limits.webhook_endpoints_max} webhook ` +
      'endpoints.',
    user: 'This project already sends notifications to as many addresses as it may.',
    next:
      'Read GET /webhooks, ask the user which endpoint is no longer needed, remove it with ' +
      'DELETE /webhooks/{id}, then send POST /webhooks again.',
  },
  webhook_endpoint_disabled: {
    status: 409,
    about:
      `The endpoint was switched off after ${limits.webhook_failures_in_a_row_max} failed ` +
      'attempts in a row.',
    user: 'Notifications to this address were switched off because they kept failing.',
    next:
      'Have the receiver repaired first, then switch the endpoint on with POST ' +
      '/webhooks/{id}/enable and try it with POST /webhooks/{id}/test. Events from the time it ' +
      'was off are not sent again.',
  },
  destination_not_allowed: {
    status: 422,
    about: 'No SMS is sent to this number, for example because it is not a mobile number.',
    user: 'Text messages cannot be sent to that phone number.',
    next:
      'Do not retry with this number. Ask the user for a mobile number and write it in E.164 ' +
      'form (beginning with +).',
  },
  message_too_long: {
    status: 422,
    about: `The text takes more than ${limits.sms_segments_max} SMS segments.`,
    user: 'The text message is too long, so please make it shorter.',
    next:
      `Shorten the text: ${limits.sms_segments_max} segments hold ` +
      `${limits.sms_segments_max * 153} characters, or ${limits.sms_segments_max * 67} as soon ` +
      'as one of them is an emoji or a letter outside the SMS alphabet.',
  },
  sender_not_allowed: {
    status: 422,
    about: 'The from of the message is not a sender that this project can use.',
    user: 'The text message cannot be sent under that name or number.',
    next: 'Send it again with from set to an active number of the project from GET /numbers.',
  },
  message_limit_reached: {
    status: 429,
    about:
      `The project has sent its daily maximum of ${limits.sms_per_day_max} messages, which ` +
      'holds during the beta.',
    user: 'This project has sent as many text messages as it may send in one day.',
    next: 'Do not retry today. Send the rest tomorrow, the most important ones first.',
  },
  number_required: {
    status: 422,
    about: 'The assistant calls from a number of the project, and the project has no active one.',
    user: 'The assistant needs a phone number before it can call anyone.',
    next:
      'Order a number with POST /numbers, wait until GET /numbers shows it as active, then ' +
      'start the call again.',
  },
  outside_calling_hours: {
    status: 422,
    about:
      'It is outside the hours in which this person may be called, in their own time zone. ' +
      'Nobody was called.',
    user: 'It is too early or too late to call this person, so nobody was called.',
    next:
      'Start the call again during the calling hours where the person is, which detail ' +
      'names, or ask the user whether a text message or an email will do.',
  },
  consent_required: {
    status: 403,
    about:
      "A call with purpose 'marketing' needs the recorded consent of this person, and there is " +
      'none. Nobody was called.',
    user: 'This person has not agreed to such a call, so nobody was called.',
    next:
      'Do not call this person. Only if they did agree, have the owner record the consent ' +
      'first; never state another purpose to get around this.',
  },
  concurrent_call_limit: {
    status: 429,
    about: 'Too many outbound calls of this project are running at the same time.',
    user: 'Too many calls are going on at the same time, so please wait until one has ended.',
    next:
      'Wait for the call.completed event, or until GET /calls shows that a call has ended, ' +
      'then start the call again. The verification level full in GET /project allows more ' +
      'calls at once.',
  },
  call_limit_reached: {
    status: 429,
    about:
      `The project has started its daily maximum of ${limits.outbound_calls_per_day_max} ` +
      'outbound calls.',
    user: 'This project has made as many calls as it may make in one day.',
    next: 'Do not retry today. Make the remaining calls tomorrow, the most important ones first.',
  },
  conversation_closed: {
    status: 409,
    about: 'The conversation is closed and takes no more messages.',
    user: 'This chat has ended, so please start a new one.',
    next: 'Start a new conversation and send the message there.',
  },
  conversation_busy: {
    status: 409,
    about:
      'The assistant is still answering an earlier message of this conversation, or the ' +
      'conversation was closed at that very moment.',
    user: 'The assistant is still answering, so please wait a moment.',
    next:
      'Wait for the answer, then send the message again, once. If the conversation turns ' +
      'out to be closed, start a new one.',
  },
  conversation_turn_limit_reached: {
    status: 409,
    about:
      `The conversation has reached max_turns, which is ${limits.conversation_turns_max}, or with ` +
      `messages of people ${limits.conversation_messages_max} messages or ` +
      `${limits.conversation_characters_max} characters.`,
    user: 'This chat has become very long, so please start a new one.',
    next: 'Start a new conversation and begin it with a short summary of what matters.',
  },
  conversation_limit_reached: {
    status: 429,
    about:
      'The project has started its daily maximum of conversations: ' +
      `${limits.live_conversations_per_day_max} in live mode during the beta, ` +
      `${limits.test_conversations_per_day_max} in test mode.`,
    user: 'No more new chats can be started today.',
    next: 'Continue in a conversation that is still open, or start new ones tomorrow.',
  },
  test_free_replies_used: {
    status: 402,
    about:
      'In test mode the assistant gives real replies, and the free daily budget for them is ' +
      'used up.',
    user: 'The free replies for testing are used up for today.',
    next:
      'Continue tomorrow. Or ask the owner to top up the balance of the live project in the ' +
      'portal under Billing, which pays for replies above the free budget.',
  },
  test_free_calls_used: {
    status: 402,
    http: false,
    about:
      'Never a reply to a request: a run of an agent in a test project is logged as skipped ' +
      'with this reason when the free daily budget for its model calls is used up.',
    user: 'The agent skipped this run because its free budget for testing is used up for today.',
    next:
      'Look for the skipped runs in the history of the agent. They resume tomorrow, or once ' +
      'the owner has topped up the balance of the live project in the portal under Billing.',
  },
  invalid_chat_token: {
    status: 401,
    about:
      'A route under /public was called without a public chat token, or with something that is ' +
      'not shaped like one (hm_pub_ and what follows).',
    user: 'The chat or form on this page is not set up correctly.',
    next:
      'Create a public token for the origin of the page with POST /chat-tokens and put it into ' +
      'the form or script tag, or publish the page as a site of the project, whose forms get ' +
      'their token at the deploy. Never put an API key into a page.',
  },
  chat_token_revoked: {
    status: [401, 409],
    about:
      'The public chat token has been revoked. The status is 401 where a page still uses it ' +
      'and 409 where a request wants to change it.',
    user: 'The chat or form on this page has been switched off.',
    next:
      'Create a new public token with POST /chat-tokens and put it into the form or script tag ' +
      'of the page. A revoked token never works again.',
  },
  origin_not_allowed: {
    status: 403,
    about:
      'The calling page is not on the allowed origins of the public token, or the request had ' +
      'no Origin header.',
    user: 'This chat or form may not be used on this page.',
    next: {
      rest:
        'Call only from a page in a browser, which sends the Origin header. To allow a page ' +
        'elsewhere, add its origin, such as https://www.example.com, to allowed_origins with ' +
        'PATCH /chat-tokens/{id}.',
      mcp:
        'To allow a page elsewhere, add its origin, such as https://www.example.com, to ' +
        'allowed_origins with PATCH /chat-tokens/{id}.',
    },
  },
  challenge_failed: {
    status: 403,
    about:
      'The human-verification check failed, had expired, or was missing when the widget ' +
      'started a conversation or a page sent a form; or the form was sent faster than a person ' +
      'fills it in.',
    user: 'Please confirm once more that you are a person.',
    next: {
      rest:
        'Run the human-verification check on the page again and start the conversation, or ' +
        'send the form, with its new result (GET /public/chat/challenge, or ' +
        'GET /public/collections/{name}/challenge for a form).',
      mcp:
        'Only a page in the browser of a visitor can pass this check. Let the visitor try ' +
        'again there.',
    },
  },
  invalid_conversation_token: {
    status: 401,
    about:
      'The X-Conversation-Token header is missing, wrong, or older than ' +
      `${limits.conversation_token_lifetime_s / 3600} hours.`,
    user: 'This chat is no longer open, so please start a new one.',
    next: {
      rest:
        'Start a new conversation in the widget and send the token it returns in the ' +
        'X-Conversation-Token header with every message.',
      mcp:
        'Only the widget on a page can go on with this conversation. Let the visitor start a ' +
        'new one there.',
    },
  },
  public_chat_limit_reached: {
    status: 429,
    about:
      'The widget has reached a daily limit of its public token. One is new conversations ' +
      `(${limits.chat_token_conversations_per_day_default} unless set, up to ` +
      `${limits.chat_token_conversations_per_day_max}), the other spending in euro ` +
      `(${limits.chat_token_spending_per_day_eur_default} unless set, up to ` +
      `${limits.chat_token_spending_per_day_eur_max}; 0 switches the live widget off).`,
    user: 'This chat cannot take new messages at the moment, so please try again later.',
    next:
      'Show the visitor another way to get in touch. The owner can have the daily limits of the ' +
      'token raised.',
  },
  chat_unavailable: {
    status: 503,
    about:
      'The widget cannot chat now. The visitor is not told why; the owner can see it in the ' +
      'portal.',
    user: 'The chat is not available right now, so please try again later.',
    next:
      'Show the visitor another way to get in touch and try again later. The owner can ' +
      'check in GET /status whether the service has a known problem.',
  },
  site_limit_reached: {
    status: 422,
    about: `The project already has its maximum of ${limits.sites_max} sites.`,
    user: 'This project already has as many sites as it may have.',
    next:
      'Publish a new version of a site from GET /sites with PUT /sites/{id}, or ask the user ' +
      'which site can be deleted to make room.',
  },
  plan_limit_reached: {
    status: [402, 409],
    about:
      `The plan of the project does not allow this. Free has ${plans.free.sites_max} sites, ` +
      `${formatSize(plans.free.data_bytes_max)} of data, ` +
      `${formatSize(plans.free.files_bytes_max)} of files and one team member, with ` +
      'phone numbers and payments in test mode only. The status is 402 for what the plan does ' +
      'not include at all and 409 when what it includes is used up.',
    user: 'The current plan of this project does not allow this.',
    next: {
      rest: askForPlan,
      mcp: askForPlan,
      portal: 'Make room, or choose a larger plan under Billing, at Plan.',
    },
  },
  app_too_large: {
    status: 413,
    about: 'The modules of the app are together larger than the plan allows.',
    user: 'The app is too large for the current plan.',
    next:
      'Leave out packages that are not needed and move pictures and other files to the ' +
      'media library, then deploy again. The owner can also choose a larger plan in ' +
      'the portal under Billing, at Plan.',
  },
  app_blocked: {
    status: 422,
    about: 'The check before publication stopped the deploy of the app.',
    user: 'The app did not pass the safety check, so it was not published.',
    next:
      'Remove from the code what detail names and deploy again. If it was a mistake, the owner ' +
      'can ask support to look at it.',
  },
  migration_failed: {
    status: 422,
    about:
      "The migration reached the app's database and was refused there. The detail carries the " +
      'reason.',
    user: 'The database of the app did not accept this change.',
    next: 'Correct the statement that detail names and send the migration again.',
  },
  file_too_large: {
    status: 413,
    about:
      'A file exceeds the size limit of its destination, such as the media library, or ' +
      'the max_bytes with which an app requested an upload link.',
    user: 'This file is too large, so please choose a smaller one.',
    next:
      'Ask for a smaller file, as detail says, then request a new upload link. In an app, ' +
      'max_bytes can be raised in its code.',
  },
  query_failed: {
    status: 422,
    about:
      "The read-only query reached the app's database and was refused there. The detail " +
      'carries the reason.',
    user: 'The database of the app could not answer this question.',
    next:
      'Correct the query as detail says and send it again. It may only read; changes belong ' +
      'in a migration.',
  },
  slug_taken: {
    status: 409,
    about: 'Another site already has this slug, which is the first part of its address.',
    user: 'Another site already has this address, so please choose a different one.',
    next:
      'Suggest a slug that is not taken, for example with the town or the trade added, and ' +
      'send the request again.',
  },
  slug_reserved: {
    status: 422,
    about:
      'The slug is reserved: www, api, app, docs, test, demo and everything that begins with ' +
      'the name of the service.',
    user: 'This address is reserved, so please choose a different one.',
    next: 'Suggest a slug made from the name of the business and send the request again.',
  },
  site_too_large: {
    status: 422,
    about:
      `The site has more than ${limits.site_files_max} files, more than ` +
      `${formatSize(limits.site_file_bytes_max)} in one file or more than ` +
      `${formatSize(limits.site_bytes_max)} in total, counted after base64 decoding.`,
    user: 'The site is too large to be published.',
    next:
      'Leave out files that are not needed and make pictures smaller, or keep them in the ' +
      'media library and name them in the media field of POST /sites or PUT /sites/{id}.',
  },
  site_blocked: {
    status: 422,
    about:
      'The check before publication stopped the deploy of the site. Nothing was published, and ' +
      'what was live before still is. The member findings says for each rule that was broken ' +
      'where, what, why, and what to do instead; appeal_url is a page for the owner, where ' +
      'they can say that the check is wrong.',
    user: 'The site did not pass the safety check, so it was not published.',
    next:
      'Change in the pages what findings names and deploy again. If the check is wrong, give ' +
      'the owner appeal_url: there they can say so, and a person decides.',
  },
  site_offline: {
    status: 403,
    about:
      'The site was taken offline because of abuse. The member appeal_url is a page for the ' +
      'owner, where they can object.',
    user: 'This site was taken offline because it was misused.',
    next:
      'Do not publish it again, here or under another address. If that is wrong, give the owner ' +
      'appeal_url: there they can say so, and a person decides.',
  },
  deploy_limit_reached: {
    status: 429,
    about:
      `The project may deploy ${limits.deploys_per_hour_max} times per hour, and ` +
      `${limits.first_week_deploys_per_hour_max} times in its first week until a first top-up ` +
      'or an approved verification.',
    user: 'There were many publications in a short time, so please wait a while.',
    next:
      'Collect the changes and publish them together once the hour has passed. A new project ' +
      'may deploy more often after a first top-up (portal, Billing) or an approved ' +
      'verification (portal, Go live).',
  },
  upload_not_received: {
    status: 422,
    about:
      'A file named by sha256 and bytes had an upload link, but no bytes arrived within ' +
      `${limits.upload_link_lifetime_s / 60} minutes.`,
    user: 'One of the files did not arrive in time.',
    next:
      'Ask for a new link with POST /sites/uploads or POST /media/uploads, send the bytes to it ' +
      'at once, then publish again or complete the upload. If the upload address is blocked where ' +
      'you run, send the content of a file of a site as base64 instead.',
  },
  phone_verification_required: {
    status: 403,
    about:
      'Publishing a public site or connecting an own domain needs a verified phone number or a ' +
      'payment method; ordering a live number needs the verified phone number.',
    user: 'Please verify your phone number first.',
    next:
      'Ask the owner to verify their phone number in the portal under Verification, or to save ' +
      'a card in the portal under Billing where that is enough, then send the same request ' +
      'again.',
  },
  mail_not_enabled: {
    status: 403,
    about: 'Email is an extra module, and it is not turned on for this project.',
    user: 'Email is not turned on for this project yet.',
    next: 'Ask the owner to turn email on in the portal under Email. A key cannot do that.',
  },
  email_paused: {
    status: 403,
    about:
      `Sending is paused because more than ${limits.email_bounces_percent_max}% of the last ` +
      `${limits.email_bounces_window_emails} emails bounced or more than ` +
      `${limits.email_complaints_percent_max}% were marked as spam, by at least ` +
      `${limits.email_complainers_min} people.`,
    user: 'Sending email is paused because too many emails bounced or were marked as spam.',
    next:
      'Do not retry. GET /email/status has the counts. Help to remove the addresses that bounced; then the ' +
      'owner can resume sending in the portal under Email.',
  },
  recipient_not_allowed: {
    status: 403,
    about:
      'The project does not know this address from a form submission, a document, a chat ' +
      'conversation or the sign-in of an app, and the owner has not confirmed it.',
    user: 'Emails can only go to people this project already knows, and this address is new to it.',
    next:
      'Add the address with POST /email/recipients and ask the owner to confirm it in the portal ' +
      'under Email, at Addresses. Or let the person get in touch first, for example through a form on ' +
      'the site. Do not retry before that.',
  },
  email_limit_reached: {
    status: 429,
    about:
      'The project has reached its daily limit of emails (limit in this error), or of new ' +
      'recipients that appear only in documents written by an app (reason ' +
      "'new_recipients_limit', with used_today).",
    user: 'This project has sent as many emails as it may send today.',
    next:
      'Read limit, reason and used_today in this error and send the rest tomorrow. With the ' +
      'reason new_recipients_limit, emails to people the project knows in another way can ' +
      'still go out today.',
  },
  email_blocked: {
    status: 422,
    about:
      'A check of the content stopped the email: it looks like phishing, or has a form, a ' +
      'script, a link with a hidden target, a link shortener or a link known to be bad.',
    user: 'This email did not pass the safety check, so it was not sent.',
    next:
      'Remove what detail names. Write links out in full so that they show where they lead, ' +
      'and send the email again.',
  },
  email_domain_not_verified: {
    status: 409,
    about: 'The from address is not on a verified sending domain of the project.',
    user: 'The domain of the sender address is not ready for sending email yet.',
    next:
      'Use a from address on a verified domain of GET /sending-domains. Or have the DNS records of ' +
      'this domain set, wait until it is verified, and send again.',
  },
  attachment_too_large: {
    status: 413,
    about:
      `The email has more than ${limits.email_attachments_max} attachments or more than ` +
      `${formatSize(limits.email_attachments_bytes_max)} of them together (limit_bytes ` +
      'in this error).',
    user: 'The attachments are too many or too large for one email.',
    next:
      'Send fewer or smaller attachments, within limit_bytes, or put the files on a site and ' +
      'send the link.',
  },
  attachment_not_allowed: {
    status: 422,
    about: 'An attachment is of a kind that cannot be sent.',
    user: 'One of the attachments cannot be sent by email.',
    next:
      'Read in detail which attachment it is and leave it out, or send it as a PDF or a ' +
      'picture.',
  },
  email_address_invalid: {
    status: 422,
    about:
      'The address failed the check before sending: email would not arrive there. Nothing was ' +
      'sent.',
    user: 'Email cannot be delivered to this address, so nothing was sent.',
    next: 'Ask the user to check the address for typing mistakes. Do not retry with the same one.',
  },
  bimi_not_ready: {
    status: 409,
    about:
      'A logo in the inbox needs a DMARC policy of p=quarantine or p=reject for all mail of ' +
      'the domain, with no pct below 100.',
    user: 'The logo cannot be shown in inboxes until the domain is better protected.',
    next:
      'First make sure that all mail of the domain passes DMARC. Then change its DMARC record ' +
      'to p=quarantine or p=reject without pct, wait until the change is visible, and try ' +
      'again.',
  },
  dedicated_ip_not_available: {
    status: 403,
    about:
      'This server has no IP address for the emails of one project alone. A dedicated sending IP ' +
      `is only part of the plans ${plansWithDedicatedIp}.`,
    user: 'Email cannot be sent from an internet address of your own, so nothing was changed.',
    next: 'Add the domain without dedicated_ip. The shared sending addresses work without any setup.',
  },
  collection_limit_reached: {
    status: 422,
    about: `The project has as many collections as its plan allows: ${collectionsByPlan}.`,
    user: 'This project already has as many collections of data as its plan allows.',
    next: {
      rest: askForCollection,
      mcp: askForCollection,
      portal: 'Delete a collection, or choose a larger plan under Billing, at Plan.',
    },
  },
  collection_name_taken: {
    status: 409,
    about: 'A collection of the project already has this name.',
    user: 'There is already a collection of data with this name.',
    next: 'Look in GET /collections: use the collection that has the name, or choose another name.',
  },
  document_limit_reached: {
    status: 422,
    about:
      `The collection already holds its maximum of ${limits.documents_per_collection_max} ` +
      'documents.',
    user: 'This collection of data is full.',
    next:
      'Ask the user whether old documents can be deleted, or make another collection for the ' +
      'new ones.',
  },
  document_too_large: {
    status: 422,
    about:
      `The document is larger than ${formatSize(limits.document_bytes_max)}, written as UTF-8 ` +
      `JSON, or than ${formatSize(limits.document_expanded_bytes_max)} with all its very large and ` +
      'very small numbers written without exponents.',
    user: 'There is too much in this entry to be saved.',
    next:
      'Shorten the document or split it into several. Files belong in the media library, with ' +
      'only their id in the document.',
  },
  schema_mismatch: {
    status: 422,
    about:
      'The document does not match the JSON Schema of its collection, or another document has ' +
      'its value of a unique field. The member errors lists the places.',
    user: 'Some of what was filled in does not fit here.',
    next:
      "Compare the document with the collection's JSON Schema in GET /collections, correct " +
      'what errors or detail names, and send it again.',
  },
  collection_not_public: {
    status: 403,
    about: 'A website wrote to or read from a collection that does not allow it.',
    user: 'This page may not save or show this information.',
    next:
      'If visitors should be able to do this, ask the owner and then allow it in the settings ' +
      'of the collection. Do not open a collection that holds private data.',
  },
  internal_error: {
    status: 500,
    about: 'Something failed on the side of the service. The request was not at fault.',
    user: 'Something went wrong on our side, and we are sorry about that.',
    next: {
      rest:
        'Wait a little and try once more, with the same Idempotency-Key if there was one. If ' +
        'it happens again, look at GET /status and give the request_id to support.',
      mcp:
        'Wait a little and try once more, with the same idempotency_key if there was one. If ' +
        'it happens again, look at GET /status and give the request_id to support.',
      portal:
        'Load the page again, look what was done, and try once more if it was not. If it happens ' +
        'again, look at GET /status and give the request_id to support.',
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
  service_unavailable: {
    status: 503,
    about: 'Part of the API is temporarily unavailable.',
    user: 'This is not available for a moment, so please try again shortly.',
    next: 'Wait {wait} and send the same request again. GET /status lists known problems.',
  },

  // Assistant
  assistant_source_limit_reached: {
    status: 409,
    about: 'The project has the most sources of the knowledge of the assistant that it can have.',
    user: 'The assistant has the most sources of knowledge that are possible.',
    next: 'Delete a source that is no longer needed with DELETE /assistant/sources/{id}, then try again.',
  },
  assistant_source_busy: {
    status: 409,
    about: 'The source of the assistant is being indexed, so it cannot be indexed again yet.',
    user: 'This source is being read at the moment.',
    next: 'Wait until GET /assistant/sources/{id} no longer gives the status pending, then try again.',
  },

  // Conversations
  conversation_awaits_person: {
    status: 409,
    about:
      `The visitor wrote ${limits.conversation_waiting_messages_max} messages while waiting for a ` +
      'person, and none has replied yet. All of them are stored.',
    user: 'Your messages have arrived, and a person will reply to them.',
    next:
      'Do not send the message again yet: wait until GET /conversations/{id} has a reply of a ' +
      'person, or waiting_since is null.',
  },

  // Payments
  payment_account_missing: {
    status: 409,
    about: 'The project has no account at a payment provider, so customers cannot pay it.',
    user: 'Payments are not connected yet, so customers cannot pay.',
    next: 'Ask the owner to connect an account in the portal under Payments, then try again.',
  },
  product_unavailable: {
    status: 409,
    about:
      'A product of the order is not for sale, or not in this quantity; `errors` names the lines.',
    user: 'One of the products is sold out, or not available in this quantity.',
    next: 'Show the visitor the lines in errors, and send the order again with what is left.',
  },
  order_refused: {
    status: 403,
    about: 'Orders by visitors are refused for now. The owner sees the reason with the orders.',
    user: 'This order cannot be placed now.',
    next: 'Do not repeat the order. The owner sees the reason in GET /order-refusals.',
  },
} as const satisfies Record<string, ErrorEntry>

export type ErrorSlug = keyof typeof catalogue

export const errorCatalogue: Readonly<Record<ErrorSlug, ErrorEntry>> = catalogue
