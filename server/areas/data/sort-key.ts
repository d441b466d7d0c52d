/**
 * The order of values: null or missing < false < true < numbers < strings. A key encodes it as
 * bytes, so that a PostgreSQL index orders values of every type as filters and sorts do. Keys
 * contain only a prefix of strings, so equal keys need a comparison of the values.
 */
import assert from 'node:assert/strict'

const STRING_BYTES_MAX = 200

const type = { nothing: 0x00, false: 0x10, true: 0x11, number: 0x20, string: 0x30 } as const

/** Returns the key of a value. Arrays and objects have no order and count as missing. */
export function sortKey(value: unknown): Buffer {
  if (typeof value === 'number') return numberKey(value)
  if (typeof value === 'string') return stringKey(value)
  if (typeof value === 'boolean') return Buffer.of(value ? type.true : type.false)
  return Buffer.of(type.nothing)
}

/** Whether no other number or string has the key of this one. */
export function isWholeInKey(value: unknown): boolean {
  return (
    typeof value === 'number' ||
    (typeof value === 'string' && Buffer.byteLength(value) < STRING_BYTES_MAX)
  )
}

/**
 * Encodes a double so that bytes sort as numbers: sets the sign bit of positive numbers, inverts
 * all bits of negative ones.
 */
function numberKey(value: number): Buffer {
  assert(Number.isFinite(value), 'JSON has finite numbers only.')
  // From the pool: memory of its own would take longer to get than the key to write.
  const key = Buffer.allocUnsafe(9)
  key[0] = type.number
  // Adding zero normalizes -0 to 0.
  key.writeDoubleBE(value + 0, 1)
  const negative = (key[1]! & 0x80) !== 0
  if (!negative) key[1]! |= 0x80
  else for (let at = 1; at < key.length; at += 1) key[at]! ^= 0xff
  return key
}

/** UTF-8 sorts by code point. The cut is between characters. */
function stringKey(value: string): Buffer {
  // Avoids encoding long strings: more characters cannot fit.
  const bytes = Buffer.from(value.slice(0, STRING_BYTES_MAX), 'utf8')
  let end = Math.min(bytes.length, STRING_BYTES_MAX)
  while (end < bytes.length && isContinuation(bytes[end]!)) end -= 1
  return Buffer.concat([Buffer.of(type.string), bytes.subarray(0, end)])
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80
}

/**
 * Compares complete values in the order of the keys. Returns a negative number, zero or a positive
 * number.
 */
export function compareValues(a: unknown, b: unknown): number {
  if (typeof a === 'string' && typeof b === 'string') {
    return Buffer.compare(Buffer.from(a, 'utf8'), Buffer.from(b, 'utf8'))
  }
  return Buffer.compare(sortKey(a), sortKey(b))
}
