/** Limits of requests from visitors’ pages. */
import { MB, type LimitEntry } from '../../contract/catalogue/entries/limit-entry.ts'

export const limits = {
  connections_per_address_max: {
    value: 1_000,
    unit: 'connections',
    about:
      'Open connections of one address, at most a quarter of those that the open files of the process ' +
      'allow; an IPv6 /64 is one address',
    applies_to: 'every connection that comes from no trusted proxy',
  },
  public_window_s: {
    value: 60,
    unit: 'seconds',
    about: 'Length of the sliding window in which requests of visitors are counted',
    applies_to: 'routes under /public',
  },
  public_requests_per_address_max: {
    value: 60,
    unit: 'requests',
    about: 'Requests of one address of a visitor in any one window; an IPv6 /64 is one address',
    applies_to: 'routes under /public',
  },
  public_requests_per_token_max: {
    value: 1_200,
    unit: 'requests',
    about: 'Requests with one public token in any one window',
    applies_to: 'routes under /public',
  },
  public_submissions_per_address_max: {
    value: 10,
    unit: 'submissions',
    about: 'Submissions of one address of a visitor in any one window',
    applies_to: 'POST /public/collections/{name}/documents',
  },
  public_submissions_per_address_day_max: {
    value: 300,
    unit: 'submissions',
    about: 'Submissions of one address of a visitor to one project in any 24 hours',
    applies_to: 'POST /public/collections/{name}/documents',
  },
  public_submissions_per_token_max: {
    value: 300,
    unit: 'submissions',
    about: 'Submissions with one public token in any one window',
    applies_to: 'POST /public/collections/{name}/documents',
  },
  public_chat_starts_per_address_max: {
    value: 10,
    unit: 'conversations',
    about: 'Conversations that one address of a visitor starts in any one window',
    applies_to: 'POST /public/conversations',
  },
  public_chat_starts_per_address_hour_max: {
    value: 20,
    unit: 'conversations',
    about: 'Conversations that one address of a visitor starts with one project in any hour',
    applies_to: 'POST /public/conversations',
  },
  public_chat_starts_per_address_day_max: {
    value: 40,
    unit: 'conversations',
    about: 'Conversations that one address of a visitor starts with one project in any 24 hours',
    applies_to: 'POST /public/conversations',
  },
  public_chat_starts_per_token_max: {
    value: 600,
    unit: 'conversations',
    about: 'Conversations started with one public token in any one window',
    applies_to: 'POST /public/conversations',
  },
  public_chat_messages_per_address_max: {
    value: 30,
    unit: 'messages',
    about: 'Chat messages of one address of a visitor in any one window, and closed conversations',
    applies_to: 'POST /public/conversations/{id}/messages',
  },
  public_chat_messages_per_token_max: {
    value: 1_200,
    unit: 'messages',
    about: 'Chat messages with one public token in any one window, and closed conversations',
    applies_to: 'POST /public/conversations/{id}/messages',
  },
  public_chat_reads_per_address_max: {
    value: 240,
    unit: 'requests',
    about: 'Requests for the messages of a conversation by one address in any one window',
    applies_to: 'GET /public/conversations/{id}/messages',
  },
  public_chat_reads_per_token_max: {
    value: 12_000,
    unit: 'requests',
    about: 'Requests for the messages of conversations with one public token in any one window',
    applies_to: 'GET /public/conversations/{id}/messages',
  },
  public_body_bytes_max: {
    value: 16_384,
    unit: 'bytes',
    about: 'Size of a JSON body from a chat widget',
    applies_to: 'POST /public/conversations',
  },
  form_bytes_max: {
    value: MB / 4,
    unit: 'bytes',
    about: 'Size of a whole submission, however it is encoded',
    applies_to: 'POST /public/collections/{name}/documents',
  },
  form_fields_max: {
    value: 200,
    unit: 'fields',
    about: 'Fields of one submission, hidden ones included',
    applies_to: 'POST /public/collections/{name}/documents',
  },
  form_files_max: {
    value: 5,
    unit: 'files',
    about: 'Files of one submission',
    applies_to: 'POST /public/collections/{name}/documents',
  },
} as const satisfies Record<string, LimitEntry>
