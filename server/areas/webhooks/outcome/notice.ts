/**
 * Emails about a failing endpoint: when they are due, by its state before and after an attempt, and
 * their text. Pure. The text contains no secret: the query of the URL is omitted, because it may
 * contain tokens.
 */
import { limits } from '../../../contract/limits.ts'
import { toOneLine } from '../../../providers/mail/mail-contract.ts'
import type { EndpointState } from './outcome.ts'
import { errorMeanings, type DeliveryError } from '../schema.ts'

/** A warning before the endpoint is disabled, or the notice that it was. */
export type NoticeKind = 'warning' | 'disabled'

/** Returns the email that is due after an attempt; null if none is. */
export function findDueNotice(before: EndpointState, after: EndpointState): NoticeKind | null {
  if (before.active && !after.active) return 'disabled'
  return after.warned_failures > before.warned_failures ? 'warning' : null
}

export interface Notice {
  kind: NoticeKind
  endpoint_id: string
  url: string
  failures: number
  /** Error of the last attempt. */
  error: DeliveryError
  response_status: number | null
  failed_at: Date
  project_name: string
  /** Base URL of the API. */
  api_url: string
}

const URL_CHARACTERS_MAX = 300
const NAME_CHARACTERS_MAX = 100

export function writeNotice(notice: Notice): { subject: string; text: string } {
  const host = URL.parse(notice.url)?.host ?? 'unknown host'
  const disabled = notice.kind === 'disabled'
  const subject = disabled
    ? `Webhook endpoint switched off: ${host}`
    : `Webhook endpoint failing: ${host} (${notice.failures} times in a row)`
  const paragraphs = [
    'Hello,',
    `the last ${notice.failures} attempts to deliver an event to a webhook endpoint of your ` +
      `project "${shorten(notice.project_name, NAME_CHARACTERS_MAX)}" failed.` +
      (disabled ? ' The endpoint is now switched off.' : ''),
    describe(notice),
    ...(disabled ? afterDisabling(notice) : beforeDisabling(notice)),
  ]
  return { subject, text: `${paragraphs.join('\n\n')}\n` }
}

function describe({ url, endpoint_id, error, response_status, failed_at }: Notice): string {
  const [bare = ''] = url.split(/[?#]/)
  const status = response_status === null ? '' : `, status ${response_status}`
  return [
    `Endpoint: ${shorten(bare.length < url.length ? `${bare}?…` : bare, URL_CHARACTERS_MAX)}`,
    `Its id: ${endpoint_id}`,
    `Last error: ${error}${status} (${errorMeanings[error]})`,
    `At: ${failed_at.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
  ].join('\n')
}

function beforeDisabling({ endpoint_id, api_url }: Notice): string[] {
  return [
    `What happens next: after ${limits.webhook_failures_in_a_row_max} failures in a row the ` +
      'endpoint is switched off and what waits for it is dropped. One attempt that succeeds ' +
      'starts the count again.',
    `What you can do: let the address answer with a 2xx status within ` +
      `${limits.webhook_response_timeout_s} seconds. Try it with\n` +
      `POST ${api_url}/webhooks/${endpoint_id}/test\n` +
      `or change the address with\nPATCH ${api_url}/webhooks/${endpoint_id}`,
  ]
}

function afterDisabling({ endpoint_id, api_url }: Notice): string[] {
  return [
    'What happens next: nothing is sent to it any more. What was waiting for it was dropped, and ' +
      'events from the time it is off are not sent later.',
    'What you can do: fix the receiver, then switch the endpoint on again with\n' +
      `POST ${api_url}/webhooks/${endpoint_id}/enable`,
  ]
}

function shorten(words: string, characters_max: number): string {
  const characters = [...toOneLine(words)]
  if (characters.length <= characters_max) return characters.join('')
  return `${characters.slice(0, characters_max).join('')}…`
}
