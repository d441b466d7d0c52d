/** Errors that several areas share. */
import { askTheOwnerStep } from '../access/access.ts'
import type { ErrorEntry } from './entries/error-entry.ts'
import { limits } from '../limits.ts'
import { formatSize } from '../../kernel/values/size.ts'

const signIn = 'Let the person sign in to the portal, then send the request again.'

/** Pages of the portal create a new Idempotency-Key for every order and call when they load. */
const loadAgain = 'Load the page again and try once more: it protects every order by itself.'

export const sharedErrors = {
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
  service_unavailable: {
    status: 503,
    about: 'Part of the API is temporarily unavailable.',
    user: 'This is not available for a moment, so please try again shortly.',
    next: 'Wait {wait} and send the same request again. GET /status lists known problems.',
  },
} as const satisfies Record<string, ErrorEntry>
