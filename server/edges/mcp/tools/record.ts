/** Distinguishes JSON objects from arrays and null, and writes any JSON value as text. */
import type { JsonRecord } from '../../../contract/manifest/state-section.ts'

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** `String` would call the `toString` that a client sent, which need not be a function. */
export function asText(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
