/**
 * Serializes values as PostgreSQL parameters: bytes and arrays of bytes as binary, everything else
 * as text. Arrays of a thousand items are common, so these take as few steps as possible.
 */
import assert from 'node:assert/strict'
import { NULL_LENGTH, type ParameterValue } from './messages.ts'

/** Strings, null and buffers are returned unchanged. */
export function encodeParameter(value: unknown): ParameterValue {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return null
  if (ArrayBuffer.isView(value)) return bytesOf(value)
  if (!Array.isArray(value)) return textOf(value)
  return value.some(ArrayBuffer.isView) ? bytesArrayOf(value) : arrayOf(value)
}

function bytesOf(view: ArrayBufferView): Buffer {
  if (Buffer.isBuffer(view)) return view
  return Buffer.from(view.buffer, view.byteOffset, view.byteLength)
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (value instanceof Date) return timeOf(value)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Removes the sign and zeros of years above 9999: ISO 8601 needs them, PostgreSQL rejects them. */
function timeOf(time: Date): string {
  assert(time.getUTCFullYear() > 0, 'Times are of this era.')
  return time.toISOString().replace(/^\+0*/, '')
}

function arrayOf(items: readonly unknown[]): string {
  if (items.every(isBare)) return `{${items.join(',')}}`
  if (items.every(isText) && !toEscape.test(items.join(' '))) return `{"${items.join('","')}"}`
  return `{${items.map(elementOf).join(',')}}`
}

const toEscape = /["\\]/

function isText(item: unknown): item is string {
  return typeof item === 'string'
}

/** Whether an item needs no quotes in an array literal. */
function isBare(item: unknown): item is number | boolean {
  return typeof item === 'number' || typeof item === 'boolean'
}

function elementOf(item: unknown): string {
  if (item === null || item === undefined) return 'NULL'
  if (isBare(item)) return String(item)
  if (Array.isArray(item)) return arrayOf(item)
  assert(!ArrayBuffer.isView(item), 'Arrays of bytes have one dimension.')
  const text = textOf(item)
  return `"${toEscape.test(text) ? text.replaceAll(/["\\]/g, '\\$&') : text}"`
}

/** The OIDs of types in pg_type. */
const BYTEA = 17
const UUID = 2950
const HEAD_BYTES = 20
const LENGTH_BYTES = 4

/**
 * A one-dimensional array in the binary format of array_recv(): number of dimensions, whether it
 * has nulls, element type, length and lower bound, followed by each item with its length.
 */
function bytesArrayOf(items: readonly unknown[]): Buffer {
  const parts = items.map((item) => {
    if (item === null || item === undefined) return null
    assert(ArrayBuffer.isView(item), 'Bytes stand in an array with nothing else.')
    return bytesOf(item)
  })
  const size = parts.reduce((sum, part) => sum + LENGTH_BYTES + (part?.length ?? 0), HEAD_BYTES)
  const bytes = Buffer.allocUnsafe(size)
  let at = 0
  for (const one of [1, Number(parts.includes(null)), BYTEA, parts.length, 1])
    at = bytes.writeInt32BE(one, at)
  for (const part of parts) {
    at = bytes.writeInt32BE(part?.length ?? NULL_LENGTH, at)
    if (part) at += part.copy(bytes, at)
  }
  return bytes
}

/** An array of UUIDs in the same format, for large ones: PostgreSQL parses their text slowly. */
export function encodeUuids(ids: readonly string[]): Buffer {
  const head = [1, 0, UUID, ids.length, 1].map(hexOf).join('')
  const length = hexOf(16)
  const items = ids.map((id) => length + id).join('')
  return Buffer.from((head + items).replaceAll('-', ''), 'hex')
}

function hexOf(integer: number): string {
  return integer.toString(16).padStart(8, '0')
}
