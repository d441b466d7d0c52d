/**
 * Large bodies wait for a seat before they are read, because each is in memory several times over
 * while it is parsed and used. A body that waits stays with its sender. A project has some of the
 * seats at most, so that one that sends many keeps nobody else waiting.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import type { House } from '../../kernel/house.ts'

const SEATS = 6
const SEATS_OF_ONE = 3
const WAITING_MAX = 90
const WAITING_OF_ONE_MAX = 30
/** Within the minute in which a body has to be there, with time left to send it. */
const WAIT_MS_MAX = 20_000
const RETRY_AFTER_S = 5

/** A request that has a seat, or waits for one. */
interface Guest {
  who: string
  sit(): void
}

interface Room {
  seated: Set<Guest>
  waiting: Set<Guest>
}

const rooms = new WeakMap<House, Room>()

/** Returns when the body of a request may be read. Its seat is free again when it was answered. */
export async function seatLargeBody(
  house: House,
  who: string,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<void> {
  if (!isLarge(request) || reply.raw.closed) return
  const room = rooms.get(house) ?? { seated: new Set(), waiting: new Set() }
  rooms.set(house, room)
  if (isFull(room, who)) throw tooMany()
  const turn = Promise.withResolvers<void>()
  const guest: Guest = {
    who,
    sit() {
      room.waiting.delete(guest)
      room.seated.add(guest)
      turn.resolve()
    },
  }
  const leave = () => {
    room.waiting.delete(guest)
    room.seated.delete(guest)
    turn.reject(tooMany())
    seatOthers(house, room)
  }
  const timer = setTimeout(() => room.waiting.has(guest) && leave(), WAIT_MS_MAX)
  reply.raw.once('close', leave)
  room.waiting.add(guest)
  seatOthers(house, room)
  try {
    await turn.promise
  } finally {
    clearTimeout(timer)
  }
}

/** One without a length may have any. */
function isLarge({ headers }: FastifyRequest): boolean {
  const length = headers['content-length']
  if (length === undefined) return headers['transfer-encoding'] !== undefined
  return Number(length) > limits.json_body_bytes_max
}

function isFull({ waiting }: Room, who: string): boolean {
  return waiting.size >= WAITING_MAX || countOf(waiting, who) >= WAITING_OF_ONE_MAX
}

/** Whoever waits longest comes first, unless their project has its seats. */
function seatOthers({ metrics }: House, { seated, waiting }: Room): void {
  for (const guest of waiting) {
    if (seated.size < SEATS && countOf(seated, guest.who) < SEATS_OF_ONE) guest.sit()
  }
  metrics.large_bodies.set({ state: 'read' }, seated.size)
  metrics.large_bodies.set({ state: 'waiting' }, waiting.size)
}

function countOf(guests: ReadonlySet<Guest>, who: string): number {
  let count = 0
  for (const guest of guests) if (guest.who === who) count += 1
  return count
}

function tooMany(): Problem {
  return new Problem('service_unavailable', 'Too many large bodies are being read just now.', {
    retry_after_s: RETRY_AFTER_S,
    headers: { Connection: 'close' },
  })
}
