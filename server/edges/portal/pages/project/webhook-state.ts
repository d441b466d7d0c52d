/**
 * The state of the webhook endpoints of a project: what is wrong and why, and the last deliveries
 * that finally failed. Queries of endpoint URLs are not shown, because they often contain tokens.
 */
import * as webhooks from '../../../../areas/webhooks/service.ts'
import { errorMeanings, type Webhook } from '../../../../areas/webhooks/schema.ts'
import type { Caller } from '../../../../contract/caller.ts'
import { limits } from '../../../../contract/limits.ts'
import { formatCount, type PillTone } from '../../pieces.ts'

/** A delivery of the delivery log. */
export type LoggedDelivery = Awaited<ReturnType<typeof webhooks.listDeliveries>>['data'][number]

const FAILED_SHOWN_MAX = 10

export interface EndpointStatus {
  endpoint: Webhook
  host: string
  /** The URL without its query. */
  address: string
  tone: PillTone
  word: string
  sentence: string
  /** The latest failed attempt, including attempts of deliveries that are retried. */
  last_failure: webhooks.Failure | null
  failed: readonly LoggedDelivery[]
}

export async function readWebhookState(caller: Caller): Promise<EndpointStatus[]> {
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
): Omit<EndpointStatus, 'failed' | 'last_failure'> {
  const [address = ''] = endpoint.url.split(/[?#]/)
  const host = URL.parse(endpoint.url)?.host ?? address
  return { endpoint, host, address, ...healthOf(endpoint, last_failure) }
}

function healthOf(
  endpoint: Webhook,
  last_failure: webhooks.Failure | null,
): Pick<EndpointStatus, 'tone' | 'word' | 'sentence'> {
  const { active, warning, consecutive_failures: failures, last_success_at } = endpoint
  if (!active) {
    const sentence =
      `Disabled after ${limits.webhook_failures_in_a_row_max} failed attempts in a row. ` +
      'Nothing is sent to it.'
    return { tone: 'bad', word: 'disabled', sentence }
  }
  if (warning) {
    const left = warning.disabled_at_failures - warning.failures
    const sentence =
      `${warning.failures} attempts in a row have failed. ` +
      `After ${formatCount(left, 'more failure')} it is disabled.`
    return { tone: 'warning', word: 'failing', sentence }
  }
  if (failures > 0) {
    const sentence = `${formatCount(failures, 'attempt')} in a row failed. Each delivery is retried.`
    return { tone: 'quiet', word: 'retrying', sentence }
  }
  // Test events and manual redeliveries are ignored, because they do not count in
  // `consecutive_failures`.
  if (last_failure && isLater(endpoint.last_failure_at, last_success_at)) {
    const sentence =
      `The last test event or manual redelivery failed: ${explainFailure(last_failure).what}. ` +
      'It does not count towards disabling.'
    return { tone: 'warning', word: 'test failed', sentence }
  }
  if (last_success_at === null) {
    return { tone: 'quiet', word: 'unused', sentence: 'Nothing has been sent to it yet.' }
  }
  return { tone: 'good', word: 'works', sentence: 'The last delivery arrived.' }
}

function isLater(at: string | null, than: string | null): boolean {
  return at !== null && (than === null || at > than)
}

export function explainFailure({ error, response_status }: webhooks.Failure): {
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
  connection_failed: 'the connection failed',
  not_public_host: 'the host name resolves to a private address',
  invalid_url: 'the address is not a valid https address',
  response_too_large: 'the response was too large',
  delivery_failed: 'failed for another reason',
}

const fixes: Readonly<Record<string, string>> = {
  timeout: `Respond within ${seconds} seconds: store the event, respond with 200, and process it afterwards.`,
  connection_failed:
    'Check that the host name resolves, the server listens on the default port, and its certificate is valid.',
  non_2xx_status:
    'Respond with a 2xx status. Redirects are not followed, and 401 or 403 often mean that the signature check is wrong.',
  not_public_host: 'The host name resolves to a private address. Use a public one.',
  invalid_url: 'Change the address to a valid https address.',
  response_too_large: 'Respond with a small body, or none.',
  secret_unreadable: 'The secret cannot be decrypted any more: rotate it.',
}
