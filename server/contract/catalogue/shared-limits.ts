/** Limits that several areas share. */
import { HOUR_S, MB, type LimitEntry } from './entries/limit-entry.ts'

export const sharedLimits = {
  requests_max: {
    value: 120,
    unit: 'requests',
    about: 'Requests per key in one window; further ones get 429 with Retry-After in seconds',
    applies_to: 'every authenticated request, including ones that fail on scope',
  },
  request_window_s: {
    value: 60,
    unit: 'seconds',
    about: 'Length of the sliding window in which requests are counted',
    applies_to: 'every authenticated request, including ones that fail on scope',
  },
  person_requests_max: {
    value: 600,
    unit: 'requests',
    about:
      'Requests per signed-in person in one window, because a page of the portal sends several; ' +
      'further ones get 429 with Retry-After in seconds',
    applies_to: 'every request to the API of the portal',
  },
  request_id_characters_max: {
    value: 64,
    unit: 'characters',
    about: "A request id from the caller: at least one of letters, digits, '-' and '_'",
    applies_to: 'X-Request-Id',
  },
  idempotency_key_characters_max: {
    value: 255,
    unit: 'characters',
    about: 'An idempotency key: visible ASCII characters, no spaces, at least one',
    applies_to: 'POST /numbers, POST /calls',
  },
  idempotency_key_remembered_s: {
    value: 24 * HOUR_S,
    unit: 'seconds',
    about: 'How long an idempotency key is remembered',
    applies_to: 'POST /numbers, POST /calls',
  },
  json_body_bytes_max: {
    value: 1 * MB,
    unit: 'bytes',
    about: 'Size of a JSON body, unless the route says otherwise',
    applies_to: 'every route with a body',
  },
  json_values_max: {
    value: 35_000,
    unit: 'values',
    about: 'Values in a JSON body or message, including nested objects and arrays',
    applies_to: 'every route with a body, POST /mcp',
  },
  json_depth_max: {
    value: 64,
    unit: 'levels',
    about: 'Nesting depth of objects and arrays in a JSON body',
    applies_to: 'every route with a body',
  },
  stream_unread_s: {
    value: 120,
    unit: 'seconds',
    about: "Time without reading after which a client's streamed reply is closed",
    applies_to:
      'GET /collections/{name}/documents/export, GET /collections/{name}/documents/changes',
  },
  export_bytes_per_s_min: {
    value: 32_768,
    unit: 'bytes per second',
    about:
      'Average speed below which the download of an export is closed, after the time without reading',
    applies_to: 'The page Settings of the portal, POST /personal-data/exports',
  },
  page_limit_default: {
    value: 20,
    unit: 'records',
    about: 'Records per page of a list, unless limit is given',
    applies_to: 'lists with limit and cursor',
  },
  page_limit_max: {
    value: 100,
    unit: 'records',
    about: 'Highest value of limit; the lowest is 1',
    applies_to: 'lists with limit and cursor',
  },
  page_bytes_max: {
    value: 1 * MB,
    unit: 'bytes',
    about: 'Size of a page as JSON: it ends earlier than limit says, but has at least one record',
    applies_to:
      'lists of documents, collections, approvals, conversations and messages, groups of documents',
  },
} as const satisfies Record<string, LimitEntry>
