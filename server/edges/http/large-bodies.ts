/**
 * A budget for the bytes of bodies that are in memory at once, because a body is there several
 * times over while it is parsed and used. A body waits with its sender until there is room for it.
 * One project has a part of the budget, so that it keeps nobody else waiting.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Runtime } from '../../kernel/runtime.ts'
import { createSlots, type Slots } from '../../kernel/limits/slots.ts'

const KB = 1024
/** Smaller bodies are read without asking: they take less than the connection they come on. */
const COUNTED_BYTES_MIN = 64 * KB
const BYTES_MAX = 64 * KB * KB
const BYTES_EACH_MAX = 16 * KB * KB
const WAITING_MAX = 90
const WAITING_EACH_MAX = 30
/** Within the minute in which a body has to be there, with time left to send it. */
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

/** Returns when the body of a request may be read. Its bytes count until it was answered. */
export async function seatLargeBody(
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
      // Otherwise the body would be read to the end, so that the connection can be kept.
      reply.header('Connection', 'close')
      throw error
    })
  if (gone.signal.aborted) giveBack()
  else gone.signal.addEventListener('abort', giveBack)
}

/** As its header says. A body without a length may have all that one project may use. */
function bytesOf({ headers }: FastifyRequest): number {
  const length = headers['content-length']
  if (length !== undefined) return Number(length)
  return headers['transfer-encoding'] === undefined ? 0 : BYTES_EACH_MAX
}
