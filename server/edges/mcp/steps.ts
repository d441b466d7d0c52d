/**
 * Which messages are requests in the rate of a key: what runs a tool or reads a resource, once for
 * each step of an agent. A call that comes again with the answer to its question is the same step,
 * so it is free, as often as the question was put.
 */
import { LRUCache } from 'lru-cache'
import type { Caller } from '../../contract/caller.ts'
import type { Admission, AdmissionRequest } from '../admission.ts'
import type { Question } from './consent.ts'

const ASKED_MAX = 10_000
const counted = new Set(['tools/call', 'resources/read'])

export interface Steps {
  /** Counts a message if it is a request; throws rate_limited for one too many. */
  // oxlint-disable-next-line max-params -- a message, who sent it, and who hears what is left
  count(message: Record<string, unknown>, caller: Caller, tell: AdmissionRequest['tell']): void
  /** A question went out as the result of a call. */
  onAsk(question: Question, caller: Caller): void
}

export function createSteps(admission: Admission): Steps {
  const asked = new LRUCache<string, true>({ max: ASKED_MAX })
  const keyOf = (state: unknown, { key_id }: Caller) => `${key_id} ${String(state)}`
  return {
    // oxlint-disable-next-line max-params -- as declared
    count({ method, params }, caller, tell) {
      if (!counted.has(String(method))) return
      if (asked.delete(keyOf(Object(params).requestState, caller))) return
      admission.count(caller, tell)
    },
    onAsk: ({ state }, caller) => void asked.set(keyOf(state, caller), true),
  }
}
