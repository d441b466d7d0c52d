/**
 * A `fetch` for model providers over the guarded outbound requests: one deadline, a maximum
 * response size, and only the provider's origin.
 */
import type { Config } from '../../kernel/config/config-types.ts'
import { OutboundError, type Outbound } from '../../kernel/outbound/outbound.ts'
import { openProviderOutbound } from '../provider-outbound.ts'

const ANSWER_BYTES_MAX = 1_048_576
const DEADLINE_MS = 30_000

/** `base_url` is the URL of the provider; `is_own` means that the operator configured it. */
export function createGuardedFetch(
  config: Config,
  base_url: string,
  is_own: boolean,
): typeof fetch {
  const { origin } = new URL(base_url)
  const outbound = openProviderOutbound(config, is_own)
  return async (input, init) => {
    const request = new Request(input, init)
    if (new URL(request.url).origin !== origin) {
      throw new OutboundError('invalid_url', 'A model provider is called at its own address only.')
    }
    return untilAborted(exchange(outbound, request), init?.signal ?? null)
  }
}

async function exchange(outbound: Outbound, request: Request): Promise<Response> {
  const headers = Object.fromEntries(request.headers)
  const body = new Uint8Array(await request.arrayBuffer())
  const answer = await outbound.request({
    url: request.url,
    method: request.method === 'GET' ? 'GET' : 'POST',
    headers: { ...headers, 'accept-encoding': 'identity' },
    ...(body.length > 0 ? { body } : {}),
    deadline_ms: DEADLINE_MS,
    response_bytes_max: ANSWER_BYTES_MAX,
  })
  const { 'content-length': _, 'transfer-encoding': __, ...kept } = answer.headers
  return new Response(Buffer.from(answer.body), { status: answer.status, headers: kept })
}

/** Rejects when the caller aborts. The request itself continues until its deadline. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal | null): Promise<T> {
  if (signal === null) return work
  const aborted = Promise.withResolvers<never>()
  const giveUp = () => aborted.reject(signal.reason)
  signal.addEventListener('abort', giveUp, { once: true })
  if (signal.aborted) giveUp()
  try {
    return await Promise.race([work, aborted.promise])
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}
