/**
 * Receives large bodies: each arrives completely, outside of memory, before it takes part of the
 * memory in which bodies are parsed, so that a slow sender holds nothing that others wait for. Each
 * project has a share of both, because parsing needs several times the size of a body.
 */
import type { Readable } from 'node:stream'
import { errorCodes, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Runtime } from '../../../kernel/runtime.ts'
import { createSlots, type Slots } from '../../../kernel/limits/slots.ts'
import { spool } from '../../../kernel/limits/spool.ts'
import { hashAddress } from '../visitor-address.ts'

const KB = 1024
/** Smaller bodies are not counted. */
const COUNTED_BYTES_MIN = 64 * KB
const BYTES_MAX = 64 * KB * KB
const BYTES_EACH_MAX = 16 * KB * KB
const WAITING_MAX = 90
const WAITING_EACH_MAX = 30
/** Maximum wait for memory. */
const WAIT_MS_MAX = 20_000
const RETRY_AFTER_S = 5

const budgets = new WeakMap<Runtime, Slots>()

function budgetOf(runtime: Runtime): Slots {
  const budget =
    budgets.get(runtime) ??
    createSlots({
      name: 'large bodies are read',
      units: BYTES_MAX,
      units_each: BYTES_EACH_MAX,
      waiting_max: WAITING_MAX,
      waiting_each_max: WAITING_EACH_MAX,
      wait_ms_max: WAIT_MS_MAX,
      retry_after_s: RETRY_AFTER_S,
      onChange({ running, waiting }) {
        runtime.metrics.large_bodies.set({ state: 'read' }, running)
        runtime.metrics.large_bodies.set({ state: 'waiting' }, waiting)
      },
    })
  budgets.set(runtime, budget)
  return budget
}

export interface Arriving {
  request: FastifyRequest
  reply: FastifyReply
  payload: Readable
  bytes_max: number
  /** Whether the body is read as a stream, which needs little memory. */
  streamed?: boolean
}

/** Gives back the memory of bodies whose replies begin. */
const givers = new WeakMap<FastifyRequest, () => void>()

/** Ends the use of memory by a body, because the operation is done with it. */
export async function releaseLargeBody(request: FastifyRequest): Promise<void> {
  givers.get(request)?.()
}

/** gzip makes no body more than this many times smaller. */
const PACKED_TIMES_MAX = 1032

/**
 * Returns the body as a stream once it has arrived and may be parsed. Its bytes count until
 * `releaseLargeBody`, at the latest until the reply is sent. Throws `NoSlot` above a share.
 */
export async function receiveLargeBody(
  runtime: Runtime,
  who: string,
  { request, reply, payload, bytes_max, streamed = false }: Arriving,
): Promise<Readable> {
  const { headers, method } = request
  const length = headers['content-length']
  if (method === 'GET' || method === 'HEAD') return payload
  if (length === undefined && headers['transfer-encoding'] === undefined) return payload
  const is_small = Number(length) <= COUNTED_BYTES_MIN && headers['content-encoding'] === undefined
  // Whoever reads the body refuses one that is too large.
  if (is_small || Number(length) > bytes_max || reply.raw.closed) return payload
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  try {
    const sharers = new Set([who, hashAddress(request.ip)])
    const body = await spool(bounded(payload, bytes_max), [...sharers])
    release(gone.signal, () => body.release())
    if (!streamed && !gone.signal.aborted) {
      // The size of a compressed body is not known.
      const times = headers['content-encoding'] === undefined ? 1 : PACKED_TIMES_MAX
      const units = Math.min(body.bytes * times, BYTES_EACH_MAX)
      const giveBack = await budgetOf(runtime).take(who, { units, signal: gone.signal })
      givers.set(request, giveBack)
      release(gone.signal, giveBack)
    }
    return Object.assign(body.read(), { receivedEncodedLength: body.bytes })
  } catch (error) {
    // Without this, Node would read the whole body to keep the connection alive.
    reply.header('Connection', 'close')
    throw error
  }
}

function release(gone: AbortSignal, giveBack: () => unknown): void {
  if (gone.aborted) void giveBack()
  else gone.addEventListener('abort', () => void giveBack())
}

async function* bounded(payload: Readable, bytes_max: number): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const chunk of payload.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length
    if (bytes > bytes_max) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE()
    yield chunk
  }
}
