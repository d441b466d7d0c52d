/**
 * The reason of a validation error as data, so that an edge can translate it. It is stored in a
 * WeakMap, because errors are sent to clients as they are.
 */
import type { FieldWord } from './form-words.ts'

export interface FaultReason {
  /** The key of the message in `form-words.ts`. */
  word: FieldWord
  /** The number that replaces `#` in the message. */
  limit?: number
}

const reasons = new WeakMap<object, FaultReason>()

export function noteReason(fault: object, reason: FaultReason): void {
  reasons.set(fault, reason)
}

/** Returns null for an error that has only its English message. */
export function findReason(fault: object): FaultReason | null {
  return reasons.get(fault) ?? null
}
