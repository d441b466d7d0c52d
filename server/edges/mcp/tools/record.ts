/** Distinguishes JSON objects from arrays and null. */
import type { JsonRecord } from '../../../contract/manifest/state-section.ts'

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
