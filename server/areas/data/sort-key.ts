/**
 * The one order of values: null or missing < false < true < numbers < strings. A key puts it into
 * bytes, so that an index of PostgreSQL orders values of every type as filters and sorting do.
 * Only the beginning of a long string is in its key: a key narrows, the value itself decides.
 */
import assert from 'node:assert/strict'

const STRING_BYTES_MAX = 200

const type = { nothing: 0x00, false: 0x10, true: 0x11, number: 0x20, string: 0x30 } as const

/** The key of a value. Arrays and objects have no order: they count as missing. */
export function sortKey(value: unknown): Buffer {
  if (typeof value === 'number') return numberKey(value)
  if (typeof value === 'string') return stringKey(value)
  if (typeof value === 'boolean') return Buffer.of(value ? type.true : type.false)
  return Buffer.of(type.nothing)
}

/**
 * The bytes of a double, changed so that they order as numbers do: a positive one gets its sign bit
 * set, of a negative one every bit is turned round.
 */
function numberKey(value: number): Buffer {
  assert(Number.isFinite(value), 'JSON has finite numbers only.')
  const key = Buffer.alloc(9)
  key[0] = type.number
  // Adding zero makes -0 into 0, which is the same number.
  key.writeDoubleBE(value + 0, 1)
  const negative = (key[1]! & 0x80) !== 0
  if (!negative) key[1]! |= 0x80
  else for (let at = 1; at < key.length; at += 1) key[at]! ^= 0xff
  return key
}

/** UTF-8 orders by code point. It is cut between characters, never in one. */
function stringKey(value: string): Buffer {
  // No more characters than these can fit, and a text may be long.
  const bytes = Buffer.from(value.slice(0, STRING_BYTES_MAX), 'utf8')
  let end = Math.min(bytes.length, STRING_BYTES_MAX)
  while (end < bytes.length && isContinuation(bytes[end]!)) end -= 1
  return Buffer.concat([Buffer.of(type.string), bytes.subarray(0, end)])
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80
}

/** How two values stand to each other in the order that keys follow, told by the whole values. */
export function compareValues(a: unknown, b: unknown): number {
  if (typeof a === 'string' && typeof b === 'string') {
    return Buffer.compare(Buffer.from(a, 'utf8'), Buffer.from(b, 'utf8'))
  }
  return Buffer.compare(sortKey(a), sortKey(b))
}
