/**
 * Why a value does not fit its schema, as data, so that an edge can word it in the visitor's
 * language. Kept beside the fault object because faults are sent to clients exactly as they are.
 */
import type { FieldWord } from './form-words.ts'

export interface FaultReason {
  /** The key of the words that the form script uses too. */
  word: FieldWord
  /** What `#` in the words stands for. */
  limit?: number
}

const reasons = new WeakMap<object, FaultReason>()

export function noteReason(fault: object, reason: FaultReason): void {
  reasons.set(fault, reason)
}

/** Null for a fault that only has its English message. */
export function findReason(fault: object): FaultReason | null {
  return reasons.get(fault) ?? null
}
