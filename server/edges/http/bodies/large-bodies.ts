/**
 * Memory budget for bodies in flight, because parsing needs several times their size. A body waits
 * in the socket until there is room. Each project has a share, so that it cannot block others.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Runtime } from '../../../kernel/runtime.ts'
import { createSlots, type Slots } from '../../../kernel/limits/slots.ts'

const KB = 1024
/** Smaller bodies are not counted. */
const COUNTED_BYTES_MIN = 64 * KB
const BYTES_MAX = 64 * KB * KB
const BYTES_EACH_MAX = 16 * KB * KB
const WAITING_MAX = 90
const WAITING_EACH_MAX = 30
/**
 * Maximum wait for memory. Less than the minute in which a body must arrive, so that time is left
 * to send it.
 */
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

/** Waits until the body may be read. Its bytes count until the reply is sent. */
export async function reserveLargeBody(
  runtime: Runtime,
  who: string,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<void> {
  const units = bytesOf(request)
  if (units <= COUNTED_BYTES_MIN || reply.raw.closed) return
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  const giveBack = await budgetOf(runtime)
    .take(who, { units, signal: gone.signal })
    .catch((error: unknown) => {
      // Without this, Node would read the whole body to keep the connection alive.
      reply.header('Connection', 'close')
      throw error
    })
  if (gone.signal.aborted) giveBack()
  else gone.signal.addEventListener('abort', giveBack)
}

/**
 * Returns the Content-Length; a body without it, or a compressed one, counts as the maximum share of a
 * project.
 */
function bytesOf({ headers }: FastifyRequest): number {
  const length = headers['content-length']
  if (length !== '0' && headers['content-encoding'] !== undefined) return BYTES_EACH_MAX
  if (length !== undefined) return Number(length)
  return headers['transfer-encoding'] === undefined ? 0 : BYTES_EACH_MAX
}
