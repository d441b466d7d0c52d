/** Values as the text in which PostgreSQL takes parameters. Bytes travel as they are. */
import assert from 'node:assert/strict'

export function parameterOf(value: unknown): string | Buffer | null {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return null
  if (Buffer.isBuffer(value)) return value
  if (ArrayBuffer.isView(value)) return bytesOf(value)
  if (Array.isArray(value)) return arrayOf(value)
  return textOf(value)
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (value instanceof Date) return timeOf(value)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Years of more digits than four PostgreSQL reads without the sign that ISO 8601 asks for. */
function timeOf(time: Date): string {
  assert(time.getUTCFullYear() > 0, 'Times are of this era.')
  return time.toISOString().replace(/^\+0*/, '')
}

function arrayOf(items: readonly unknown[]): string {
  return `{${items.map(elementOf).join(',')}}`
}

function elementOf(item: unknown): string {
  if (item === null || item === undefined) return 'NULL'
  if (typeof item === 'number' || typeof item === 'boolean') return String(item)
  if (Array.isArray(item)) return arrayOf(item)
  if (ArrayBuffer.isView(item)) return `"\\\\x${bytesOf(item).toString('hex')}"`
  const text = textOf(item)
  return `"${/["\\]/.test(text) ? text.replaceAll(/["\\]/g, '\\$&') : text}"`
}
