/**
 * Ids. Records get UUIDv7 (RFC 9562), which begins with the time of creation: primary key indexes
 * grow at the end, and ids sort by creation. A counter orders ids within one millisecond (RFC 9562,
 * 6.2, method 1).
 */
import { randomFillSync, randomInt, randomUUID } from 'node:crypto'
import type { Clock } from '../clock.ts'

const COUNTER_BITS = 12
const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

const STORE_BYTES = 4096
const TAIL_BYTES = 8

let last_ms = 0
let counter = 0
/** The time part at the start of an id. */
let head = ''
// Buffered randomness for many ids, to save system calls. Each byte is used once.
const store = Buffer.alloc(STORE_BYTES)
let used = STORE_BYTES

/** Creates a record id, greater than all earlier ids of this process. */
export function newId(clock: Clock): string {
  const now_ms = clock.now_ms()
  if (now_ms > last_ms) {
    beginAt(now_ms, randomInt(1 << (COUNTER_BITS - 1)))
  } else if (++counter >= 1 << COUNTER_BITS) {
    beginAt(last_ms + 1, 0)
  }
  const sequence = (0x7000 | counter).toString(16)
  const tail = randomTail()
  return `${head}-${sequence}-${tail.slice(0, 4)}-${tail.slice(4)}`
}

/** Forgets earlier ids, so that a test file may begin earlier than the one before it in its process. */
export function forgetIds(): void {
  last_ms = 0
}

/** Returns the smallest id that `newId` can create at this time. */
export function firstIdAt(time_ms: number): string {
  const time = Math.max(0, Math.floor(time_ms)).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`
}

function beginAt(now_ms: number, first: number): void {
  last_ms = now_ms
  counter = first
  const time = now_ms.toString(16).padStart(12, '0')
  head = `${time.slice(0, 8)}-${time.slice(8)}`
}

function randomTail(): string {
  if (used === STORE_BYTES) {
    randomFillSync(store)
    used = 0
  }
  store[used] = (store[used]! & 0x3f) | 0x80
  used += TAIL_BYTES
  return store.toString('hex', used - TAIL_BYTES, used)
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export function isUuid(text: string): boolean {
  return uuidPattern.test(text)
}

/** Returns uniformly random letters and digits. */
export function randomBase62(length: number): string {
  return Array.from({ length }, () => base62[randomInt(62)]).join('')
}

/** Writes a number in base 62, padded with zeros to `length`. */
export function toBase62(value: number, length: number): string {
  let text = ''
  for (let rest = value; rest > 0; rest = Math.floor(rest / 62)) text = base62[rest % 62] + text
  return text.padStart(length, '0')
}

/**
 * Returns a new request id: `req_` and 20 characters, the end of a random UUID, because Node
 * buffers randomness for UUIDs.
 */
export function newRequestId(): string {
  return `req_${randomUUID().replaceAll('-', '').slice(-20)}`
}
