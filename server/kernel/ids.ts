/**
 * Identifiers. Records get UUIDv7 (RFC 9562), whose first 48 bits are the time of creation, so
 * that a primary key index grows at its end and "newest first" is the order of the ids. Within
 * one millisecond a counter keeps them in the order they were made (RFC 9562, 6.2, method 1).
 */
import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import type { Clock } from './clock.ts'

const COUNTER_BITS = 12
const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

let last_ms = 0
let counter = 0

/** A new record id, later than every id this process made before. */
export function newId(clock: Clock): string {
  const now_ms = clock.now_ms()
  if (now_ms > last_ms) {
    last_ms = now_ms
    counter = randomInt(1 << (COUNTER_BITS - 1))
  } else if (++counter >= 1 << COUNTER_BITS) {
    last_ms += 1
    counter = 0
  }
  const time = last_ms.toString(16).padStart(12, '0')
  const sequence = (0x7000 | counter).toString(16)
  const tail = randomBytes(8)
  tail[0] = (tail[0]! & 0x3f) | 0x80
  const rest = tail.toString('hex')
  return `${time.slice(0, 8)}-${time.slice(8)}-${sequence}-${rest.slice(0, 4)}-${rest.slice(4)}`
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export function isUuid(text: string): boolean {
  return uuidPattern.test(text)
}

/** Random letters and digits, each of the 62 equally likely. */
export function randomBase62(length: number): string {
  return Array.from({ length }, () => base62[randomInt(62)]).join('')
}

/** A number written in base 62, padded with zeros to `length`. */
export function toBase62(value: number, length: number): string {
  let text = ''
  for (let rest = value; rest > 0; rest = Math.floor(rest / 62)) text = base62[rest % 62] + text
  return text.padStart(length, '0')
}

/**
 * The id of a request that did not bring its own: `req_` and 20 characters. They are the tail of a
 * random UUID, because Node keeps randomness for these in store and asks the system rarely.
 */
export function newRequestId(): string {
  return `req_${randomUUID().replaceAll('-', '').slice(-20)}`
}
