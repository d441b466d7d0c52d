/** Errors of public tokens. */
import type { ErrorEntry } from '../../contract/catalogue/entries/error-entry.ts'

export const errors = {
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
} as const satisfies Record<string, ErrorEntry>
