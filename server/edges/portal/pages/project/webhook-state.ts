/**
 * How the webhook endpoints of a project are, in words: what is wrong with each and why, and
 * the last deliveries that failed for good. Of an address the query is left out, where tokens are often kept.
 */
import * as webhooks from '../../../../areas/webhooks/service.ts'
import { errorMeanings, type Webhook } from '../../../../areas/webhooks/schema.ts'
import type { Caller } from '../../../../contract/caller.ts'
import { limits } from '../../../../contract/limits.ts'
import { count, type Tone } from '../../pieces.ts'

/** A delivery as the log shows it. */
export type Delivery = Awaited<ReturnType<typeof webhooks.listDeliveries>>['data'][number]

const FAILED_SHOWN_MAX = 10

export interface EndpointState {
  endpoint: Webhook
  host: string
  /** The address without its query. */
  address: string
  tone: Tone
  word: string
  sentence: string
  /** Of the last attempt that failed, also of a delivery that is tried again. */
  last_failure: webhooks.Failure | null
  failed: readonly Delivery[]
}

export async function readWebhookState(caller: Caller): Promise<EndpointState[]> {
  const { data } = await webhooks.list(caller, { limit: limits.webhook_endpoints_max })
  return Promise.all(
    data.map(async (endpoint) => {
      const query = { limit: FAILED_SHOWN_MAX, status: 'failed' } as const
      const failed = await webhooks.listDeliveries(caller, endpoint.id, query)
      const last_failure = await webhooks.findLastFailure(caller, endpoint.id)
      return { ...describe(endpoint, last_failure), last_failure, failed: failed.data }
    }),
  )
}

function describe(
  endpoint: Webhook,
  last_failure: webhooks.Failure | null,
): Omit<EndpointState, 'failed' | 'last_failure'> {
  const [address = ''] = endpoint.url.split(/[?#]/)
  const host = URL.parse(endpoint.url)?.host ?? address
  return { endpoint, host, address, ...judge(endpoint, last_failure) }
}

function judge(
  endpoint: Webhook,
  last_failure: webhooks.Failure | null,
): Pick<EndpointState, 'tone' | 'word' | 'sentence'> {
  const { active, warning, consecutive_failures: failures, last_success_at } = endpoint
  if (!active) {
    const sentence =
      `Switched off after ${limits.webhook_failures_in_a_row_max} failed attempts in a row. ` +
      'Nothing is sent to it.'
    return { tone: 'bad', word: 'switched off', sentence }
  }
  if (warning) {
    const left = warning.disabled_at_failures - warning.failures
    const sentence =
      `${warning.failures} attempts in a row have failed. ` +
      `After ${count(left, 'more failure')} it is switched off.`
    return { tone: 'warning', word: 'failing', sentence }
  }
  if (failures > 0) {
    const sentence = `${count(failures, 'attempt')} in a row failed. Each is tried again.`
    return { tone: 'quiet', word: 'retrying', sentence }
  }
  // Tests and single repetitions are not in the streak.
  if (last_failure && isLater(endpoint.last_failure_at, last_success_at)) {
    const sentence =
      `The last test, or delivery that was sent again, failed: ${explain(last_failure).what}. ` +
      'It does not count towards switching off.'
    return { tone: 'warning', word: 'test failed', sentence }
  }
  if (last_success_at === null) {
    return { tone: 'quiet', word: 'unused', sentence: 'Nothing was sent to it yet.' }
  }
  return { tone: 'good', word: 'works', sentence: 'The last delivery arrived.' }
}

function isLater(at: string | null, than: string | null): boolean {
  return at !== null && (than === null || at > than)
}

/** Why an attempt or a delivery failed, and how to fix it. */
export function explain({ error, response_status }: webhooks.Failure): {
  what: string
  fix: string
} {
  const code = Object.keys(errorMeanings).find((one) => one === error)
  const status = response_status === null ? '' : ` (status ${response_status})`
  const answered = code === 'non_2xx_status' ? `answered with status ${response_status}` : null
  return {
    what: answered ?? `${reasons[code ?? ''] ?? 'failed for another reason'}${status}`,
    fix: fixes[code ?? ''] ?? 'Check the log of the receiver at that time.',
  }
}

const seconds = limits.webhook_response_timeout_s
const reasons: Readonly<Record<string, string>> = {
  ...errorMeanings,
  connection_failed: 'no connection could be made',
  not_public_host: 'the host name leads to a private address',
  invalid_url: 'the address is not a valid https address',
  response_too_large: 'the answer was too large',
  delivery_failed: 'failed for another reason',
}

const fixes: Readonly<Record<string, string>> = {
  timeout: `Answer within ${seconds} seconds: take the event, answer 200, and work on it after that.`,
  connection_failed:
    'Check that the host name resolves, the server listens on the default port, and its certificate is valid.',
  non_2xx_status:
    'Let the receiver answer with a 2xx status. Redirects are not followed, and 401 or 403 often mean that the signature is checked wrongly.',
  not_public_host: 'The host name leads to an address inside a network. Give a public one.',
  invalid_url: 'Change the address to a valid https address.',
  response_too_large: 'Answer with a small body, or none.',
  secret_unreadable: 'The secret cannot be read here any more: rotate it.',
}
