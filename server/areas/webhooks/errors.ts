/** Errors of webhooks. */
import type { ErrorEntry } from '../../contract/catalogue/entries/error-entry.ts'
import { limits } from '../../contract/limits.ts'

export const errors = {
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
} as const satisfies Record<string, ErrorEntry>
