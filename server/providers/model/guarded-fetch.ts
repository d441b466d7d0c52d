/**
 * A `fetch` for model providers over the guarded outbound requests: one deadline, a maximum
 * response size, and only the provider's origin.
 */
import type { Config } from '../../kernel/config/config-types.ts'
import {
  OutboundError,
  type Outbound,
  type OutboundRequest,
  type OutboundResponse,
  type ResponseListener,
} from '../../kernel/outbound/outbound.ts'
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

/** Resolves an event stream at its first byte, so that the SDK reads it while it arrives. */
function exchange(outbound: Outbound, request: Request): Promise<Response> {
  const answer = Promise.withResolvers<Response>()
  const arriving = createArriving()
  const { signal } = arriving
  const head: ResponseListener['head'] = ({ status, headers }) => {
    if (!headers['content-type']?.startsWith('text/event-stream')) return
    answer.resolve(new Response(arriving.body, { status, headers: keptHeaders(headers) }))
  }
  const listener = { head, chunk: arriving.chunk }
  const watching = { signal: AbortSignal.any([signal, request.signal]), listener }
  const finish = async () => {
    try {
      const { status, headers, body } = await send(outbound, request, watching)
      arriving.close()
      answer.resolve(new Response(Buffer.from(body), { status, headers: keptHeaders(headers) }))
    } catch (error) {
      arriving.fail(error)
      answer.reject(error)
    }
  }
  void finish()
  return answer.promise
}

function keptHeaders(headers: Record<string, string>): Record<string, string> {
  const { 'content-length': _, 'transfer-encoding': __, ...kept } = headers
  return kept
}

/** A body whose chunks arrive one by one. It is cancelled if its reader leaves. */
function createArriving() {
  const ending = new AbortController()
  let stream: ReadableStreamDefaultController<Uint8Array> | null = null
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => void (stream = controller),
    cancel: () => ending.abort(),
  })
  return {
    body,
    signal: ending.signal,
    chunk: (bytes: Uint8Array) => void (ending.signal.aborted || stream?.enqueue(bytes)),
    close: () => void (ending.signal.aborted || stream?.close()),
    fail: (error: unknown) => stream?.error(error),
  }
}

async function send(
  outbound: Outbound,
  request: Request,
  watching: Pick<OutboundRequest, 'signal' | 'listener'>,
): Promise<OutboundResponse> {
  const body = new Uint8Array(await request.arrayBuffer())
  return outbound.request({
    url: request.url,
    method: request.method === 'GET' ? 'GET' : 'POST',
    headers: { ...Object.fromEntries(request.headers), 'accept-encoding': 'identity' },
    ...(body.length > 0 ? { body } : {}),
    deadline_ms: DEADLINE_MS,
    response_bytes_max: ANSWER_BYTES_MAX,
    ...watching,
  })
}

/** Rejects as soon as the caller aborts, with the reason of the caller. */
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
